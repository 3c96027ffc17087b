"""The games: one folder each, `rules.py`, `view.py` and `help.md`.

Open `druid/rules.py` first. A folder's `__init__` names its `GAME`. Another
package joins by an entry point of the group `sarsen.games` that names a module
with such a `GAME`; no file here changes. Standard library only.
"""

from sarsen.games.found import find, help_text, load, names, nearest

__all__ = ["find", "help_text", "load", "names", "nearest"]
