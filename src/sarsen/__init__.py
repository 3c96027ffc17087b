"""Play-by-mail server for abstract board games.

Open `core.game` first: it is the contract that everything else stands on.
`docs/architecture.md` shows the parts and which may import which.
"""

__version__ = "0.3.0"
