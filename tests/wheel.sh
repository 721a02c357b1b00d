#!/bin/sh
# The wheel, installed plainly: its data files and its dependencies must be all it needs.
# usage: tests/wheel.sh PYTHON [WHEELS]; PYTHON has pip and hatchling, WHEELS holds the dependencies' wheels.
set -eu

python=$1
root=$(cd "$(dirname "$0")/.." && pwd)
case $python in /*) ;; *) python=$root/$python ;; esac
index=
if [ -n "${2:-}" ] && [ -d "$2" ]; then
    index="--no-index --find-links $(cd "$2" && pwd)"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

cd "$root"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work/dist" .
"$python" -m venv --without-pip "$work/env"
# shellcheck disable=SC2086
"$python" -m pip --python "$work/env/bin/python" install --quiet --disable-pip-version-check $index "$work"/dist/*.whl

# From elsewhere, so that nothing of the repository can be imported.
mkdir "$work/elsewhere"
cd "$work/elsewhere"
unset PYTHONPATH
cardc=$work/env/bin/cardc
"$cardc" --version
"$cardc" build "$root/cards/vughex" -o "$work/elsewhere/vughex"
"$cardc" test "$root/cards/vughex"
"$cardc" sim vughex -n 10 --seed 1
"$cardc" new "Moon Court"
"$cardc" build "Moon Court"
"$cardc" test "Moon Court"
"$cardc" play "Moon Court" --seed 1 </dev/null >played
tail -n 1 played
grep -q "^result: " played
"$work/env/bin/python" - <<'PYTHON'
import sys

import card_runtime

game = card_runtime.load("vughex")
result = game.playout(seed=1)
match = game.start(seed=1)
assert match.decision is not None
assert card_runtime.__file__.startswith(sys.prefix), card_runtime.__file__
assert not {name for name in sys.modules if name.split(".")[0] in ("cardc", "card_grammar")}
print(f"the installed wheel builds and plays: {result}")
PYTHON
