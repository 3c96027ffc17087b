"""Let `python -m sarsen` be the `sarsen` command."""

from sarsen.server.command import main

main()
