"""What a check of a game found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from sarsen.lab.checking.walks import Finding


@dataclass
class Measures:
    """The extremes that were met.

    Attributes:
        slowest: Seconds of the slowest call of `legal_moves`, and the line that shows it.
    """

    games: int = 0
    positions: int = 0
    longest: int = 0
    most_moves: int = 0
    widest: int = 0
    slowest: tuple[float, str] = (0.0, "")
    ends: bool = True


@dataclass
class Mutations:
    """What became of changes to the rules of a game.

    Attributes:
        possible: How many changes there are; `tried` of them were tried.
        noticed: By what: `examples`, `counts`, `laws`, `failures` (it crashes, or never returns).
        same: How many changed nothing in any recorded game.
        unnoticed: Those that changed a recorded game, and were noticed by nothing.
    """

    possible: int = 0
    tried: int = 0
    noticed: dict[str, int] = field(default_factory=dict)
    same: int = 0
    unnoticed: list[Finding] = field(default_factory=list)


@dataclass
class CheckReport:
    """What a check found.

    Attributes:
        findings: Errors first; one of each code.
        seconds: How long it took.
    """

    name: str
    title: str
    findings: list[Finding] = field(default_factory=list)
    measures: Measures = field(default_factory=Measures)
    mutations: Mutations = field(default_factory=Mutations)
    seconds: float = 0.0

    @property
    def errors(self) -> list[Finding]:
        return [one for one in self.findings if one.is_error]

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless one of its code is there."""
        if all(one.code != finding.code for one in self.findings):
            self.findings.append(finding)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "game": self.name,
            "findings": [asdict(one) for one in self.findings],
            "seconds": self.seconds,
            **asdict(self.measures),
            "mutations": asdict(self.mutations),
        }


Telling = Callable[[CheckReport, str], None]
