"""Random games with every kind of option, to whose positions the laws are applied."""

from __future__ import annotations

import inspect
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.lab.checking import relations
from sarsen.lab.checking.laws import EVERY_PLY, SOME_PLIES
from sarsen.lab.checking.report import CheckReport, Measures, Telling
from sarsen.lab.checking.walks import (
    MOST_PLIES,
    Fault,
    Finding,
    Law,
    Note,
    Walk,
    failure,
    option_texts,
    shortest,
    walk,
)

SLOW = 0.2  # seconds of the processor for one call

LAWS = (*EVERY_PLY, *SOME_PLIES, relations.unlisted_moves_are_refused)


@dataclass(frozen=True)
class Walking:
    """Random games, to whose positions the laws are applied.

    Attributes:
        best: The games with the most plies, the most moves and the widest text, up to there.
    """

    game: Game
    report: CheckReport
    seed: int
    told: Telling
    note: Note
    best: dict[str, list[Walk]] = field(default_factory=dict)

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

    def hunt(self, deadline: float) -> None:
        """Look for longer games, more moves and wider texts, from within those that were met."""
        chance = random.Random(self.seed)
        while self.best and time.process_time() < deadline:
            for name, game in list(self.best.items()):
                begin = chance.choice(game[:-1] or game)
                try:
                    self._climb(name, game[: len(begin.moves)], begin, chance, deadline)
                except Exception as failed:
                    text = f"A random game fails: {failure(failed)}"
                    self.report.add(Finding("crash", text, begin.line()))
                    return

    def _climb(
        self, name: str, before: list[Walk], found: Walk, chance: random.Random, deadline: float
    ) -> None:
        """Play on from a position by chance, and keep what is better than the best."""
        met = [*before, found]
        while time.process_time() < deadline:
            legal = found.position.legal_moves()
            if not legal or len(met) > MOST_PLIES:
                break
            found = found.play(chance.choice(legal))
            met.append(found)
            self._keep(name, _size(name, found), met)

    def _keep(self, name: str, size: int, met: list[Walk]) -> None:
        measures = self.report.measures
        if size > getattr(measures, name):
            setattr(measures, name, size)
            measures.lines[name] = met[-1].line()
            self.best[name] = list(met)

    def _play_one(self, options: str, seed: int, until: float) -> None:
        met: list[Walk] = []
        measures = self.report.measures
        try:
            for found in walk(self.game, options, seed, note=self.note):
                met.append(found)
                _time(found, measures)
                for name in _EXTREMES:
                    self._keep(name, _size(name, found), met)
        except Exception as failed:
            line = f"sarsen show {self.game.info.name} {options}".rstrip()
            line, ply = (met[-1].line(), len(met)) if met else (line, 0)
            text = f"A random game fails at ply {ply}: {failure(failed)}"
            self.report.add(Finding("crash", text, line))
        measures.games += 1
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


_EXTREMES = ("longest", "most_moves", "widest")


def _size(name: str, found: Walk) -> int:
    match name:
        case "longest":
            return len(found.moves)
        case "most_moves":
            return len(found.position.legal_moves())
        case _:
            return max(map(len, drawing.text(found.position).split("\n")))


def _time(found: Walk, measures: Measures) -> None:
    """Time what is asked of each position, so that each ply of each game has been drawn once."""
    position = found.position
    calls: tuple[tuple[str, Callable[[], object]], ...] = (
        ("legal_moves", position.legal_moves),
        ("outcome", position.outcome),
        ("text", lambda: drawing.text(position)),
        ("scene", lambda: drawing.scene(position)),
        ("describe", lambda: drawing.describe(position)),
    )
    for name, call in calls:
        began = time.process_time()
        call()
        took = time.process_time() - began
        if took > measures.slowest[0]:
            measures.slowest = (took, name, found.line())


def _apply(law: Law, found: Walk, report: CheckReport) -> None:
    """Apply a law to a position; what it finds is told with the shortest game that shows it."""
    fault = first_fault(law, found)
    if fault is None or any(one.code == fault.code for one in report.findings):
        return

    code = fault.code

    def shows(shorter: Walk) -> bool:
        again = first_fault(law, shorter)
        return again is not None and again.code == code

    short = shortest(found, shows)
    fault = first_fault(law, short) or fault
    further = (fault.further,) if fault.further else ()
    report.add(Finding(fault.code, fault.text, short.line(*further), fault.is_error))


def first_fault(law: Law, found: Walk) -> Fault | None:
    """Return the first fault that a law finds in a position; a crash is one."""
    found.note(found.line())
    try:
        return next(law(found), None)
    except UserError as refusal:
        said = f"{sentence(law)} Refused instead: {refusal.text} [{refusal.code}]"
        return Fault("refused-itself", said)
    except Exception as failed:
        return Fault("crash", f"{sentence(law)} {failure(failed)}")


def sentence(law: Callable[..., object]) -> str:
    """Return what a law says of itself."""
    return (inspect.getdoc(law) or law.__name__).partition("\n")[0]
