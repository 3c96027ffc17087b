"""Check a game within a time: laws on whole games, comparisons, and its help page."""

from __future__ import annotations

import inspect
import random
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.lab.checking import relations
from sarsen.lab.checking.help_page import check_help
from sarsen.lab.checking.laws import EVERY_PLY, SOME_PLIES
from sarsen.lab.checking.loading import load_module
from sarsen.lab.checking.walks import (
    MOST_PLIES,
    Fault,
    Finding,
    Law,
    Note,
    Walk,
    option_texts,
    shortest,
    walk,
)

SLOW = 0.2  # seconds of one call of `legal_moves`
WALKING = 0.7  # the part of the time for random games
LEAST_COMPARING = 10.0  # seconds for comparisons, which mostly take one

LAWS = (*EVERY_PLY, *SOME_PLIES, relations.unlisted_moves_are_refused)
COMPARISONS = (
    relations.options_change_something,
    relations.swap_exchanges_the_winner,
    relations.positions_do_not_come_again,
    relations.symmetries_hold,
)
Told = Callable[[str], None]
Telling = Callable[["CheckReport", str], None]


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
        found = [
            {"code": one.code, "text": one.text, "line": one.line, "is_error": one.is_error}
            for one in self.findings
        ]
        measures = vars(self.measures)
        return {"game": self.name, "findings": found, "seconds": self.seconds, **measures}


def find_faults(source: str, seconds: float, seed: int, told: Telling, note: Note) -> CheckReport:
    """Check a game in this process; see `bounded.check`.

    Args:
        source: Its name, or the folder of its package.
        told: Called with what was found so far, and what begins now.
        note: Called with a command that repeats the next call of the rules.

    Raises:
        UserError: There is no game that could be checked.
    """
    began = time.monotonic()
    module = load_module(source)
    game: Game = module.GAME
    report = CheckReport(game.info.name, game.info.title)
    told(report, "help page")
    folder = Path(module.__file__ or "").parent
    page = folder / "help.md"
    text = page.read_text("utf-8") if page.is_file() else ""
    sources = tuple(path for path in folder.glob("*.py") if path.name != "view.py")
    for finding in check_help(game, text, sources, note):
        report.add(finding)
    walking = Walking(game, report, seed, told, note)
    walking.play(time.process_time() + WALKING * seconds)
    told(report, "options, swaps, a fresh process")
    comparing = max(LEAST_COMPARING, (1 - WALKING) * seconds)
    for finding in _compared(game, source, seed, time.process_time() + comparing, note):
        report.add(finding)
    _name_extremes(report)
    report.findings.sort(key=lambda one: not one.is_error)
    report.seconds = time.monotonic() - began
    return report


def _compared(game: Game, source: str, seed: int, deadline: float, note: Note) -> Iterator[Finding]:
    for compare in COMPARISONS:
        try:
            yield from compare(game, deadline, note)
        except Exception as failed:
            yield Finding("crash", f"{_sentence(compare)} {_failure(failed)}")
    try:
        *_, last = walk(game, "", seed, 60, note)
        yield from relations.fresh_process_agrees(last, source)
    except Exception as failed:
        yield Finding("crash", f"A random game of 60 plies: {_failure(failed)}")


@dataclass(frozen=True)
class Walking:
    """Random games, to whose positions the laws are applied."""

    game: Game
    report: CheckReport
    seed: int
    told: Telling
    note: Note

    def play(self, deadline: float) -> None:
        """Play with every kind of option, each option text in turn, until the time is up.

        Each option text gets one whole game at least.
        """
        cases = option_texts(self.game)
        for number in range(10_000):
            for at, options in enumerate(cases):
                left = deadline - time.process_time()
                if left <= 0 and number:
                    return
                games = self.report.measures.games + 1
                self.told(self.report, f"random game {games} {options}".strip())
                share = max(0.3, left / (len(cases) - at) if number == 0 else left)
                until = time.process_time() + min(share, max(1.0, share / 3))
                self._play_one(options, self.seed + number, until)

    def _play_one(self, options: str, seed: int, until: float) -> None:
        met: list[Walk] = []
        measures = self.report.measures
        try:
            for found in walk(self.game, options, seed, note=self.note):
                met.append(found)
                _measure(found, measures)
        except Exception as failed:
            line = f"sarsen show {self.game.info.name} {options}".rstrip()
            line, ply = (met[-1].line(), len(met)) if met else (line, 0)
            text = f"A random game fails at ply {ply}: {_failure(failed)}"
            self.report.add(Finding("crash", text, line))
        measures.games += 1
        measures.longest = max(measures.longest, len(met) - 1)
        if len(met) > MOST_PLIES:
            measures.ends = False
        chance = random.Random(seed)
        order = met[:1] + met[-1:] + chance.sample(met[1:-1], max(0, len(met) - 2))
        for found in order:
            measures.positions += 1
            for law in LAWS:
                _apply(law, found, self.report)
                if time.process_time() > until:
                    return


def _measure(found: Walk, measures: Measures) -> None:
    """Keep the extremes; draw the position, so that each ply of each game has been drawn once."""
    began = time.perf_counter()
    moves = found.position.legal_moves()
    took = time.perf_counter() - began
    if took > measures.slowest[0]:
        measures.slowest = (took, found.line() if took > SLOW else "")
    measures.most_moves = max(measures.most_moves, len(moves))
    board = drawing.text(found.position)
    measures.widest = max(measures.widest, *map(len, board.split("\n")))
    drawing.scene(found.position)
    drawing.describe(found.position)


def _apply(law: Law, found: Walk, report: CheckReport) -> None:
    """Apply a law to a position; what it finds is told with the shortest game that shows it."""
    fault = _first(law, found)
    if fault is None or any(one.code == fault.code for one in report.findings):
        return

    code = fault.code

    def shows(shorter: Walk) -> bool:
        again = _first(law, shorter)
        return again is not None and again.code == code

    short = shortest(found, shows)
    fault = _first(law, short) or fault
    further = (fault.further,) if fault.further else ()
    report.add(Finding(fault.code, fault.text, short.line(*further), fault.is_error))


def _first(law: Law, found: Walk) -> Fault | None:
    found.note(found.line())
    try:
        return next(law(found), None)
    except UserError as refusal:
        said = f"{_sentence(law)} Refused instead: {refusal.text} [{refusal.code}]"
        return Fault("refused-itself", said)
    except Exception as failed:
        return Fault("crash", f"{_sentence(law)} {_failure(failed)}")


def _sentence(law: Callable[..., object]) -> str:
    return (inspect.getdoc(law) or law.__name__).partition("\n")[0]


def _failure(failed: Exception) -> str:
    frame = traceback.extract_tb(failed.__traceback__)[-1]
    return f"{type(failed).__name__}: {failed} ({Path(frame.filename).name}:{frame.lineno})"


def _name_extremes(report: CheckReport) -> None:
    measures = report.measures
    if not measures.ends:
        text = f"A random game had not ended after {MOST_PLIES} plies."
        report.add(Finding("may-not-end", text, "", False))
    seconds, line = measures.slowest
    if seconds > SLOW:
        text = f"`legal_moves` took {seconds:.2f} s once; people and programs wait for it."
        report.add(Finding("slow-rules", text, line, False))
