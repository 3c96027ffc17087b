"""What a number of running boards needs, computed from what was measured.

`python -m bench.scale measure DATABASE` measures on this machine for five minutes, takes the sizes
of rows from a database with rows of all kinds, and keeps the costs in `bench/results/costs.json`;
`python -m bench.scale` computes docs/scale.md from them. Open `needs` first.
"""
