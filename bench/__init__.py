"""Measure sarsen: `make bench`, or `python -m bench --quick` from the root of the repository.

Open `__main__` first; each of `games`, `kernels`, `thinking`, `disk`, `mail`, `memory` and
`starting` measures one thing and returns frozen dataclasses, `report` and `search_report` print
them. `calibration`, `limits` and `disk` are yardsticks: figures of different machines compare by
their ratios to these. Nothing here is part of the package, and nothing leaves the loopback address.
"""
