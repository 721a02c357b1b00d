"""Many playouts, shared among workers: those of this machine, or those of a cluster.

`work` plays pieces of the seeds and is all that a worker needs, `share` gives the pieces out and puts together what
comes back, `tally` counts and keeps it, `local` and `cluster` are where workers come from. Playout `i` has the seed
`seed + i`, so the counts depend on the seeds alone: not on how many workers there are, how the work is cut, in which
order it comes back, or whether it was stopped in between.
"""
