"""Load a whole server by every door: `make load`, or `python -m bench.load`.

Open `__main__` first, then `running`, which says what is done in which order. `limits` measures
what the machine can do without us, in the same run; `doors` plays by mail, web and API at once;
`slow_disk` makes every flush take longer. Real processes, loopback only, and nothing is left
behind. What stored boards cost besides is measured by `bench.growth`.
"""
