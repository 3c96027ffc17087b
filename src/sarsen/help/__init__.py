"""Help pages from one source: the games' `help.md`, the command classes, and `texts/`.

Open `pages` first. Imports games and language, no door.
"""

from sarsen.help.pages import find_page

__all__ = ["find_page"]
