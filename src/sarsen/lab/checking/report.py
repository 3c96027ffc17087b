"""What a check of a game found."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sarsen.lab.checking.walks import Finding

USUAL = 50.0  # seconds of a check
CAUSES = ("hidden-state", "play-changes")  # after these, any other law may fail


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
        source: What was asked for: the name of the game, or the folder of its package.
        blocks: What each part found, in the order of the parts; one finding of each code.
        seconds: How long it took.
    """

    name: str
    title: str
    source: str
    blocks: dict[str, list[Finding]] = field(default_factory=dict)
    measures: Measures = field(default_factory=Measures)
    mutations: Mutations = field(default_factory=Mutations)
    seconds: float = 0.0

    @property
    def findings(self) -> list[Finding]:
        """All of them, errors first, and the causes of others before these."""
        found = [one for block in self.blocks.values() for one in block]
        # A note of what may be a mark says nothing more than what is surely left out.
        if any(one.code in ("text-drops", "picture-drops") for one in found):
            found = [one for one in found if one.is_error or one.code != "undrawn-move"]
        return sorted(found, key=lambda one: (not one.is_error, one.code not in CAUSES))

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
            list(self.blocks.values())[-1].append(self._repeated(finding))

    def _repeated(self, finding: Finding) -> Finding:
        """Return a finding with a command that finds it again, unless a board is what shows it."""
        show, check = f"sarsen show {self.name}", f"sarsen check {shlex.quote(self.source)}"
        if finding.code.startswith("example") or not finding.line.startswith(show):
            return finding
        rest = finding.line.removeprefix(show)
        rest += "" if "--moves" in rest else ' --moves ""'
        return replace(finding, line=f"{check}{rest}")

    def unrepeated(self, code: str, line: str) -> None:
        """Replace the command of a finding, where its own does not repeat it."""
        for found in self.blocks.values():
            found[:] = [replace(one, line=line) if one.code == code else one for one in found]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "game": self.name,
            "findings": [asdict(one) for one in self.findings],
            "seconds": self.seconds,
            **asdict(self.measures),
            "mutations": asdict(self.mutations),
        }


@dataclass(frozen=True)
class CheckRequest:
    """What to check, and how thoroughly.

    Attributes:
        source: The name of a game, or the folder of its package.
        seconds: Of the processor, roughly.
        mutations: Changes to its rules that are tried, at most.
        counts: A file with counts of move paths; "" for `tests/perft.txt` beside the package.
        line: Options and moves of one line of play; only this is checked.
        only: A code of comparisons, which alone are made.
        jobs: Changes that are tried at a time, each in a process of its own.
    """

    source: str
    seconds: float = 60.0
    seed: int = 1
    mutations: int = 0
    counts: str = ""
    line: tuple[str, str] | None = None
    only: str = ""
    jobs: int = 1

    @property
    def command(self) -> str:
        """The command that checks the same again, changed rules aside."""
        words = ["--only", self.only] if self.only else ["--mutations", "0"]
        words += ["--seed", str(self.seed)] if self.seed != 1 and not self.only else []
        # Comparisons end by themselves; with less time than usual they might end too early.
        is_usual = self.seconds <= USUAL if self.only else self.seconds == USUAL
        words += [] if is_usual else ["--seconds", f"{self.seconds:g}"]
        return shlex.join(["sarsen", "check", self.source, *words])


ReportProgress = Callable[[CheckReport, str], None]
