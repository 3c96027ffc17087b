"""How the name of a program is marked, in lists and letters alike."""

from __future__ import annotations

MARK = " (program)"


def marked(userid: str, *, is_program: bool) -> str:
    """Return a userid as everybody is shown it: `bot5 (program)`."""
    return f"{userid}{MARK}" if is_program else userid
