"""What a number of running boards needs, computed from what was measured.

`python -m bench.scale measure LOAD.json DATABASE` keeps the costs of a run of `bench.load --json`
and the sizes of rows of a database in `bench/results/costs.json`; `python -m bench.scale`
computes docs/scale.md from them. Open `needs` first.
"""
