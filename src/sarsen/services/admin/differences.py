"""One thing that is stored otherwise than it should be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the one that follows from the events.

    Attributes:
        about: `board 7`, `ann at druid`, or a table.
        what: Which fact of it: `position`, `scores`, `event 12` …
        stored: As the database has it; "" for nothing.
        found: As a replay or a count gives it; "" for nothing.
        rules: How the rules differ under which it began: `1, now 2`; "" when they do not.
    """

    about: str
    what: str
    stored: str
    found: str
    rules: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return what a program reads."""
        found = {"about": self.about, "what": self.what, "stored": self.stored, "found": self.found}
        return found | ({"rules": self.rules} if self.rules else {})
