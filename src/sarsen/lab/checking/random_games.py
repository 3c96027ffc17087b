"""Random games with every kind of option, to whose positions the laws are applied."""

from __future__ import annotations

import inspect
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import Game, Outcome
from sarsen.core.options import Number
from sarsen.lab.checking.bare_games import LAWS as BARE_LAWS
from sarsen.lab.checking.bare_games import LAWS_OF_ENDS, LinesReached, bare_games
from sarsen.lab.checking.comparisons.endings import Endings
from sarsen.lab.checking.comparisons.relations import smallest
from sarsen.lab.checking.laws import bots, codings, positions, results, views
from sarsen.lab.checking.laws.unlisted_moves import unlisted_moves_are_refused, words_are_listed
from sarsen.lab.checking.report import CheckReport, Measures, ReportProgress
from sarsen.lab.checking.timing import SLOW, WaitingRules, time_calls
from sarsen.lab.checking.walks import (
    MAX_PLIES,
    Fault,
    Finding,
    LastNote,
    Law,
    Note,
    Walk,
    failure,
    mixed_options,
    option_texts,
    replayed,
    shortest,
    walk,
)

SHORT = 20  # plies; for a game that is longer, a shorter one is looked for
MAX_OTHERS, MAX_LOOKS, SHORTENING = 40, 4, 2.0  # games, positions of each; seconds in all
LONG = 0.5  # seconds for long games, for each second of others without a drawing
EARLY_PLIES = 6  # at most, of the positions that are early ones
MAX_KEPT = 150  # positions of the first game; of the second half as many …

FIRST = 3  # walks of each game that get the quick laws at any rate: its begin, and its end

QUICK_LAWS = (*positions.EVERY_PLY, *views.EVERY_PLY, *codings.EVERY_PLY)
SLOW_LAWS = (
    *(*positions.SOME_PLIES, *views.SOME_PLIES, *codings.SOME_PLIES, *bots.SOME_PLIES),
    *results.SOME_PLIES,
    unlisted_moves_are_refused,
)
LAWS = (*QUICK_LAWS, *SLOW_LAWS)


def reach_by_laws(game: Game, seed: int, reached: LinesReached, deadline: float) -> None:
    """Note the lines of the rules that laws run: what only they ask for is reached, too.

    In games of their own, since watching lines slows the rules that are timed elsewhere.
    """
    with suppress(Exception), reached.watched():  # a fault is found, and told, without watching
        for options in option_texts(game):
            met = list(walk(game, options, seed, SHORT))
            for found in (met[0], met[len(met) // 2], met[-1]):
                for law in LAWS:
                    if time.process_time() > deadline:
                        return
                    first_fault(law, found)


@dataclass(frozen=True)
class Walking:
    """Random games, to whose positions the laws are applied.

    Attributes:
        best: The games with the most plies, the most moves and the widest text, up to there.
    """

    game: Game
    report: CheckReport
    seed: int
    told: ReportProgress
    note: Note
    best: dict[str, list[Walk]] = field(default_factory=dict)

    def play(self, deadline: float) -> None:
        """Play with every kind of option, each option text in turn, until the time is up.

        Each option text gets one whole game at least. Every second round plays long games.
        """
        cases = option_texts(self.game)
        for number in range(10_000):
            chance = random.Random(f"{self.seed} {number}")
            for at, named in enumerate(cases):
                is_mixed = number and at % 2
                options = mixed_options(self.game, chance) if is_mixed else named
                left = deadline - time.process_time()
                if left <= 0 and number:
                    return
                games = self.report.measures.games + 1
                self.told(self.report, f"random game {games} {options}".strip())
                share = max(0.3, left / (len(cases) - at) if number == 0 else left)
                until = time.process_time() + min(share, max(1.0, share / 3))
                self._play_one(options, self.seed + number, until, is_long=number % 2 == 1)

    def report_slowest(self) -> None:
        """Note the slowest call, where people and programs wait for it."""
        seconds, name, line = self.report.measures.slowest
        if seconds > SLOW:
            text = f"`{name}` took {seconds:.2f} s once; people and programs wait for it."
            self.report.add(Finding("slow-rules", text, line, False))

    def play_bare(
        self, deadline: float, reached: LinesReached, endings: Endings
    ) -> list[list[Walk]]:
        """Play many games of the rules alone until the time is up.

        Args:
            reached: Lines of the rules, which are watched.
            endings: Counts who wins.

        Returns positions of each: its last one, an early one, since soon after their beginnings
        two games come to what looks alike most often, and of the first few games many more, since
        slow rules play no others.
        """
        kept = list[list[Walk]]()
        last = LastNote(self.note)
        games = bare_games(self.game, self.seed, deadline, last)
        long_games = bare_games(self.game, self.seed, deadline, last, is_long=True)
        credit, before = 0.0, time.process_time()  # seconds for long games
        with reached.watched():
            while True:
                credit += LONG * (time.process_time() - before)
                try:
                    credit -= self._play_long(long_games, credit)
                    before = time.process_time()
                    met = next(games, None)
                except Exception as failed:
                    # Rules that failed once may fail at each move: one report is enough.
                    text = f"A random game fails: {failure(failed)}"
                    self.report.add(Finding("crash", text, last.line))
                    return kept
                if met is None:
                    return kept
                number = len(kept)
                step = 1 + (number + 1) * len(met) // MAX_KEPT
                early = min(1 + number % EARLY_PLIES, len(met) - 1)
                plies = {early, *range(0, len(met), step), len(met) - 1}
                kept.append([met[ply] for ply in sorted(plies)])
                self.report.measures.bare_games += 1
                endings.add(met[-1])
                for position in kept[-1]:
                    _apply(words_are_listed, position, self.report)
                for position in (met[-1], met[number % len(met)]):
                    for law in BARE_LAWS:
                        _apply(law, position, self.report)
                # These games have more combinations of options than those that are drawn.
                position = met[early if number % 2 else number % len(met)]
                _apply(unlisted_moves_are_refused, position, self.report)

    def _play_long(self, games: Iterator[list[Walk]], seconds: float) -> float:
        """Look at the ends of long games for some seconds; return how many it took."""
        began = time.process_time()
        while (took := time.process_time() - began) < seconds and (met := next(games, None)):
            self.report.measures.bare_games += 1
            for law in LAWS_OF_ENDS:
                _apply(law, met[-1], self.report)
        return took

    def hunt(self, deadline: float) -> None:
        """Look for longer games, more moves and wider texts, from within those that were met."""
        chance = random.Random(self.seed)
        while self.best and time.process_time() < deadline:
            for name, game in list(self.best.items()):
                begin = chance.choice(game[:-1] or game)
                try:
                    self._climb(name, game[: len(begin.moves)], begin, chance, deadline)
                except Exception as failed:
                    # The same: what a searched game raises is reported once.
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
            if not legal or len(met) > MAX_PLIES:
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

    def _play_one(self, options: str, seed: int, until: float, is_long: bool) -> None:
        games = walk(self.game, options, seed, note=self.note, is_long=is_long)
        met = self.look_on(options, games)
        chance = random.Random(seed)
        # After the first move, many games allow a swap.
        order = met[:2] + met[2:][-1:] + chance.sample(met[2:-1], max(0, len(met) - 3))
        self.apply_laws(order, until)

    def look_on(self, options: str, played: Iterator[Walk]) -> list[Walk]:
        """Draw and time each position of a game while it is played.

        Returns the positions; none where a move changes the one before it, since what follows
        in this game only misleads.
        """
        met: list[Walk] = []
        measures = self.report.measures
        before: tuple[str, Outcome | None, list[Any], str] | None = None
        try:
            for position in played:
                if (
                    met
                    and positions.everything(met[-1].position) != before
                    and self._report_change(met[-1], position.moves[-1])
                ):
                    return []
                met.append(position)
                before = positions.everything(position.position)
                time_calls(position, measures)
                _, _, moves, text = before
                sizes = (len(position.moves), len(moves), _width(text))
                for name, size in zip(_EXTREMES, sizes, strict=True):
                    self._keep(name, size, met)
        except WaitingRules:
            raise
        except Exception as failed:
            # The line that leads to it is made shorter, and reported.
            self.report.add(_crash(self.game, options, met, failed))
        measures.games += 1
        if len(met) > MAX_PLIES:
            measures.ends = False
        return met

    def apply_laws(self, walks: Iterable[Walk], until: float) -> None:
        """Apply all laws to the last position of each walk, until the time is up.

        The first few walks get the quick laws in any case: a busy machine may have spent all of
        the time on drawing the game.
        """
        walks = list(walks)
        for found in walks[:FIRST]:
            self.report.measures.positions += 1
            for law in QUICK_LAWS:
                _apply(law, found, self.report)
        for at, found in enumerate(walks):
            self.report.measures.positions += at >= FIRST
            for law in SLOW_LAWS if at < FIRST else LAWS:
                _apply(law, found, self.report)
                if time.process_time() > until:
                    return

    def _report_change(self, before: Walk, move: Any) -> bool:
        """Report a move that changes the position before it; return whether one does so.

        Games are played again to see it. It is the move of the game, or the last one, which was
        timed.
        """
        again = replayed(before, before.moves)
        if again is None:
            return False
        for tried in dict.fromkeys((move, *again.position.legal_moves()[-1:])):
            shows = partial(_changes, tried)
            short = shortest(again, shows) if shows(again) else again
            if fault := _change(tried, short):
                self.report.add(Finding(fault.code, fault.text, short.line(fault.further)))
                return True
        return False


def _change(move: Any, found: Walk) -> Fault | None:
    """Return that a move, played in a new game of the same moves, changes the position before."""
    fresh = replayed(found, found.moves)
    if fresh is None or move not in fresh.position.legal_moves():
        return None
    return positions.change_behind(fresh, move)


def _changes(move: Any, found: Walk) -> bool:
    return _change(move, found) is not None


_EXTREMES = ("longest", "most_moves", "widest")


def _size(name: str, found: Walk) -> int:
    match name:
        case "longest":
            return len(found.moves)
        case "most_moves":
            return len(found.position.legal_moves())
        case _:
            return _width(drawing.text(found.position))


def _width(text: str) -> int:
    return max(map(len, text.split("\n")))


def _crash(game: Game, options: str, met: list[Walk], failed: Exception) -> Finding:
    """Return what is told of a game whose next move, or last position, fails."""
    said = failure(failed)
    if not met:
        line = f"sarsen show {game.info.name} {options}".rstrip()
        return Finding("crash", f"A game cannot begin: {said}", line)
    last = LastNote(met[-1].note)

    def shows(shorter: Walk) -> bool:
        shorter = replace(shorter, note=last)
        last(shorter.line())
        try:
            time_calls(shorter, Measures())
            for move in shorter.position.legal_moves():
                shorter.play(move)
        except Exception as again:
            # Another failure than the one looked for does not count.
            return failure(again) == said
        return False

    short = short_game(met[-1], shows) if shows(met[-1]) else met[-1]
    line = last.line if shows(short) else met[-1].line()
    called = [f"`{name}`" for name in getattr(failed, "__notes__", ())]
    if called == ["`parse`"] and isinstance(failed, UserError):
        return Finding("parse-format", f"`parse` refuses a text that `format` wrote: {said}", line)
    what = called[0] if called else "A random game"
    return Finding("crash", f"{what} fails at ply {len(short.moves)}: {said}", line)


def _apply(law: Law, found: Walk, report: CheckReport) -> None:
    """Apply a law to a position; what it finds is told with the shortest game that shows it."""
    fault = first_fault(law, found)
    if fault is None or any(one.code == fault.code for one in report.findings):
        return

    code = fault.code

    def shows(shorter: Walk) -> bool:
        again = first_fault(law, shorter)
        return again is not None and again.code == code

    short = short_game(found, shows)
    last = LastNote(short.note)
    fault = first_fault(law, replace(short, note=last)) or fault
    further = (fault.further,) if fault.further else ()
    # What a law did not expect happened in the call that was noted last.
    is_unexpected = fault.code in ("crash", "refused-itself")
    line = last.line if is_unexpected else short.line(*further)
    report.add(Finding(fault.code, fault.text, line, fault.is_error))


def short_game(found: Walk, shows: Callable[[Walk], bool]) -> Walk:
    """Return a short game that shows a fault: the one met, with moves left out, or another.

    Where each move needs those before it, few can be left out; a game on a small board may show
    the same sooner.
    """
    found = shortest(found, shows)
    sizes = [one.name for one in found.game.info.options if isinstance(one, Number)]
    others = [word for word in found.options.split() if word[1:].partition("=")[0] not in sizes]
    small = smallest(found.game, " ".join(others))
    until = time.process_time() + SHORTENING
    for seed in range(MAX_OTHERS):
        if len(found.moves) <= SHORT or time.process_time() > until:
            break
        met, options = list[Walk](), found.options if seed % 2 else small
        with suppress(Exception):  # perhaps what is looked for, at the last position
            met.extend(walk(found.game, options, seed, len(found.moves) - 1, found.note))
        some = met[:: -max(1, len(met) // MAX_LOOKS)][:MAX_LOOKS]
        found = next((shortest(one, shows) for one in some if shows(one)), found)
    return found


def first_fault(law: Law, found: Walk) -> Fault | None:
    """Return the first fault that a law finds in a position; a crash is one."""
    found.note(found.line())
    try:
        return next(law(found), None)
    except UserError as refusal:
        said = f"{sentence(law)} Refused instead: {refusal.text} [{refusal.code}]"
        return Fault("refused-itself", said)
    except Exception as failed:
        # A law asks only what rules must answer.
        return Fault("crash", f"{sentence(law)} {failure(failed)}")


def sentence(law: Callable[..., object]) -> str:
    """Return what a law says of itself."""
    return (inspect.getdoc(law) or law.__name__).partition("\n")[0]
