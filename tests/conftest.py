"""The .card files below here are corpora and goldens of the compiler's tests, not games with tests of their own."""

collect_ignore_glob = ["*.card", "**/*.card"]
