"""Measure sarsen: `make bench`, or `python -m bench --quick` from the root of the repository.

Open `__main__` first; each of `games`, `kernels`, `thinking`, `disk`, `mail`, `api`, `memory` and
`starting` measures one thing and returns frozen dataclasses, `report` and `search_report` print
them. `games`, `kernels`, `disk`, `memory` and `starting` can be run alone. `calibration`, `limits`
and `disk` are yardsticks: figures of different machines compare by their ratios to these. Nothing
here is part of the package, and nothing leaves the loopback address.
"""
