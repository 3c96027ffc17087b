"""Check one line of play, at every position of it: this repeats what random games have shown."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.lab.checking.bare_games import fresh_process_agrees, summary
from sarsen.lab.checking.laws.unlisted_moves import unlisted
from sarsen.lab.checking.random_games import Walking
from sarsen.lab.checking.report import CheckReport, ReportProgress
from sarsen.lab.checking.timing import WaitingRules
from sarsen.lab.checking.walks import Finding, Note, Walk, begun, walk

LAWS_TIME, GAMES_TIME = 2.0, 0.5  # seconds: for laws, and for games that rules may remember
REPLAYS = 40  # of the line: chance that changes a game now and then shows itself
OTHER_SETS = ("1", "2", "3")  # orders of sets, of which most differ from the one here
MAX_GAMES, MAX_WAITING = 200, 5.0  # games; seconds by the clock, where rules sleep


@dataclass
class Line:
    """One line of play as it is typed.

    Attributes:
        refusal: Why a move was refused, if one was; `played` counts those before it.
    """

    game: Game
    options: str
    texts: tuple[str, ...]
    report: CheckReport
    note: Note
    refusal: str = ""
    played: int = 0

    def walk(self) -> Iterator[Walk]:
        """Yield the positions, up to a move that is refused or that is not listed."""
        found = begun(self.game, self.options, self.note)
        yield found
        for at, text in enumerate(self.texts):
            self.played = at
            self.note(found.line(text))
            position = found.position
            legal = position.legal_moves()
            # `parse` may be what is wrong.
            move = next((one for one in legal if position.format(one) == text), None)
            try:
                move = position.parse(text) if move is None else move
                after = found.after(move) if move not in legal else None
            except UserError as refusal:
                self.refusal = str(refusal.text)
                return
            if after is not None:
                if fault := unlisted(found, move, after):
                    line = found.line(fault.further)
                    self.report.add(Finding(fault.code, fault.text, line))
                return
            found = found.play(move)
            yield found


def check_line(
    game: Game,
    source: str,
    options: str,
    texts: tuple[str, ...],
    told: ReportProgress,
    note: Note,
    report: CheckReport,
) -> None:
    """Apply all laws to the positions of a line, the last one first, for two seconds or so.

    Raises:
        UserError: A move before the last one is refused, and no fault explains that.
    """
    report.begin("Line")
    told(report, "the line")
    _begin(game, options)
    line = Line(game, options, texts, report, note)
    for finding in _remembered(line, source):
        report.add(finding)
    walking = Walking(game, report, 1, told, note)
    try:
        met = walking.look_on(options, line.walk())
    except WaitingRules as waiting:
        report.add(Finding("slow-rules", *waiting.args))
        return
    walking.report_slowest()
    walking.apply_laws(reversed(met), time.process_time() + LAWS_TIME)
    if not line.refusal or report.errors:
        return
    said = f"Move {line.played + 1}, {texts[line.played]}, is refused: {line.refusal}"
    if line.played + 1 < len(texts):
        raise UserError(said, code="move-refused")
    report.add(Finding("move-refused", said, is_error=False))


def _begin(game: Game, options: str) -> None:
    """Refuse options that the game does not have; what else fails is found as a fault."""
    try:
        game.start(options)
    except UserError:
        raise
    except Exception:
        return  # the game that is played next meets it again, and reports it


def _other_games(line: Line) -> Iterator[Walk]:
    """Yield positions of random games, and of the line with another move in it."""
    met = list(line.walk())
    for seed in range(MAX_GAMES):
        yield from walk(line.game, line.options, seed, note=line.note)
        chance = random.Random(seed)
        found, later = chance.choice(met), list(met[-1].moves)
        if legal := found.position.legal_moves():
            later[len(found.moves) : len(found.moves) + 1] = [chance.choice(legal)]
        for move in later[len(found.moves) :]:
            if move not in found.position.legal_moves():
                break
            found = found.play(move)
            yield found


def _remembered(line: Line, source: str) -> Iterator[Finding]:
    """Yield what a fresh process finds otherwise, after some other games have been played here."""
    until, latest = time.process_time() + GAMES_TIME, time.monotonic() + MAX_WAITING
    with suppress(Exception):  # told by its own law; rules that chance changes fail anywhere
        for found in _other_games(line):
            summary(found.position)
            if time.process_time() > until or time.monotonic() > latest:
                break
    try:
        met = list(line.walk())
    except Exception:  # told by its own law
        return
    if _leads_elsewhere(line, met[-1], until + GAMES_TIME):
        said = "The same moves lead to another position when repeated."
        yield Finding("hidden-state", said, met[-1].line())
        return
    for order in OTHER_SETS:
        for finding in fresh_process_agrees([met], source, order):
            yield finding
            return


def _leads_elsewhere(line: Line, met: Walk, until: float) -> bool:
    """Return whether the line leads to another position than the one met, in some replays.

    Their written lines do not tell: those of a `RecordedGame` are the moves.
    """
    expected = summary(met.position)
    for _ in range(REPLAYS):
        with suppress(Exception):  # of one replay; the others tell
            *_, last = line.walk()
            if summary(last.position) != expected:
                return True
        if time.process_time() > until:
            break
    return False
