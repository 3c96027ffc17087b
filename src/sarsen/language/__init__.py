"""Commands, queries and their one grammar, the same at every door.

Open `commands/__init__` first (every command there is), then `grammar` (a line
becomes a command) and `replies` (what a command is answered with). Standard
library only; knows no game and no door.
"""
