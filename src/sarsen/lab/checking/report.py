"""What a check of a game found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from sarsen.lab.checking.walks import Finding


@dataclass
class Measures:
    """How much was looked at, and the extremes that were met.

    Attributes:
        examples: Those of the help page.
        bare_games: Those that were played without drawing them.
        lines: Commands that show the longest game, the most moves and the widest text.
        slowest: Seconds of the slowest call, its name, and the command that shows its position.
    """

    examples: int = 0
    games: int = 0
    bare_games: int = 0
    positions: int = 0
    longest: int = 0
    most_moves: int = 0
    widest: int = 0
    lines: dict[str, str] = field(default_factory=dict)
    slowest: tuple[float, str, str] = (0.0, "", "")
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
        blocks: What each part found, in the order of the parts; one finding of each code.
        seconds: How long it took.
    """

    name: str
    title: str
    blocks: dict[str, list[Finding]] = field(default_factory=dict)
    measures: Measures = field(default_factory=Measures)
    mutations: Mutations = field(default_factory=Mutations)
    seconds: float = 0.0

    @property
    def findings(self) -> list[Finding]:
        """All of them, errors first."""
        found = [one for block in self.blocks.values() for one in block]
        return sorted(found, key=lambda one: not one.is_error)

    @property
    def errors(self) -> list[Finding]:
        return [one for one in self.findings if one.is_error]

    def begin(self, block: str) -> None:
        """Begin a part: what is added from now on belongs to it."""
        self.blocks[block] = []

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless one of its code is there."""
        if all(one.code != finding.code for one in self.findings):
            if not self.blocks:
                self.begin("Loading")
            list(self.blocks.values())[-1].append(finding)

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
