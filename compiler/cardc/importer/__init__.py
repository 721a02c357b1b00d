"""From tables to `.card` files: `tables` reads cells that know where they stand, `mapping` the file that says what they
mean, `cells` makes values of them, `cardfile` writes cards and keeps what a hand has added, `run` chains these."""
