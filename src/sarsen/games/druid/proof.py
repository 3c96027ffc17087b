"""What small boards of Druid are worth, found by searching every line.

Why a blockade or a shut door is a proof stands in docs/druid-small-boards.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import NamedTuple

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.games.druid.board import (
    EAST,
    NORTH,
    SIDES,
    Monument,
    Piece,
    Sarsen,
    Terms,
    V,
    site,
    squares_of,
)
from sarsen.games.druid.notation import square_name, write_move
from sarsen.games.druid.rules import GAME, DruidPosition

OWN_MOVES = 5  # looked ahead when nothing else is asked
CERTIFICATE_OWN_MOVES = 6  # V needs as many with -exact
State = tuple[tuple[int, ...], tuple[int, int]]
Line = tuple[int, int, int]


def score(options: str, seconds: float) -> float | None:
    """Return a draw where both sides can hold each other off, whatever the first stone is.

    See `sarsen.lab.proofs.ProofModule.score`.
    """
    start, ends_at = GAME.start(options), time.monotonic() + seconds
    for first in first_stones(start):
        for side in range(len(SIDES)):
            left = max(0.0, ends_at - time.monotonic())
            if hold(options, first, side, OWN_MOVES, left).moves is None:
                return None
    return 0.5


def solve(
    options: str,
    seconds: float,
    opening: str | None,
    moves: int | None,
    report: Callable[[str], None],
) -> dict[str, object]:
    """Find for every first stone whether either side can force never to lose.

    See `sarsen.lab.proofs.ProofModule.solve`.
    """
    holdings: list[Holding] = []
    stones = [opening] if opening else first_stones(GAME.start(options))
    report(f"{len(stones) * len(SIDES)} questions, each of at most {seconds:g} s.")
    for first in stones:
        for side in range(len(SIDES)):
            holding = hold(options, first, side, moves or OWN_MOVES, seconds)
            report(f"{holding.sentence} ({holding.positions:,} positions, {holding.seconds:.1f} s)")
            holdings.append(holding)
        if all(holding.moves is not None for holding in holdings[-len(SIDES) :]):
            report(f"So with best play the game is a draw after {first}.")
    if not opening and all(holding.moves is not None for holding in holdings):
        report("So with best play the game is a draw, whatever V opens with.")
    facts = [asdict(holding) | {"side": SIDES[holding.side]} for holding in holdings]
    return {"game": GAME.info.name, "options": options, "found": facts}


def certificate(options: str, seconds: float, report: Callable[[str], None]) -> Iterator[str]:
    """Yield the lines of a certificate that a side never loses, for each side that is found.

    `solved/check_druid.py` documents the format.

    Args:
        seconds: Most time for one side.

    Raises:
        UserError: Neither side was found in time.
    """
    start, texts = GAME.start(options), list[str]()
    for side, name in enumerate(SIDES):
        writer = _Writer(start, side, time.monotonic() + seconds)
        try:
            lines = list(writer.lines())
        except (TimeoutError, _NothingFoundError):
            report(f"Nothing is proved for {name}.")
            continue
        report(f"{name} never loses: {len(lines):,} lines.")
        texts += [f"{name} never loses", *lines]
    if not texts:
        raise UserError(
            "No side was found that never loses.",
            code="no-certificate",
            hint="sarsen solve druid -size=3",
        )
    yield " ".join([GAME.info.name, *options.split()])
    yield from texts


def certificates(
    options: str, seconds: float, report: Callable[[str], None]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the one certificate of a board; see `sarsen.lab.proofs.ProofModule.certificates`."""
    chosen = GAME.start(options).options
    flags = [name for name in ("exact", "nogaps", "swap") if chosen[name]]
    name = "-".join([GAME.info.name, str(chosen["size"]), *flags])
    yield name, list(certificate(options, seconds, report))


def first_stones(start: AnyPosition) -> list[str]:
    """List the first stones, of those that mirror each other the one nearest to a1."""
    middle = (int(str(start.options["size"])) - 1) / 2
    texts = [start.format(move) for move in start.legal_moves()]
    return [
        text for text in texts if ord(text[0]) - ord("a") <= middle and int(text[1:]) - 1 <= middle
    ]


@dataclass(frozen=True)
class Holding:
    """The result for a side that tries to hold the other off, or to shut it out.

    Attributes:
        moves: Its own moves within which it can force that, or None.
        searched: How many of its own moves were looked ahead, to the end.
        positions: Positions that were looked at.
    """

    side: int
    opening: str
    moves: int | None
    searched: int
    positions: int
    seconds: float

    @property
    def sentence(self) -> str:
        name, other = SIDES[self.side], SIDES[1 - self.side]
        if self.moves is None:
            return (
                f"After {self.opening}, {name} cannot force within {self.searched} own moves that "
                f"{other} is held off for ever: nothing is proved."
            )
        return (
            f"After {self.opening}, {name} holds {other} off for ever within {self.moves} own "
            f"moves and never loses, whatever the heights."
        )


class Blockade(NamedTuple):
    """Squares without which a side cannot join, and what keeps them.

    Attributes:
        squares: As bits; all are the enemy's.
        guards: By guard the square of the blockade for which it stands.
    """

    squares: int
    guards: dict[int, int]


class _Threat(NamedTuple):
    """A square of a blockade, and which ends of a line over it are lower."""

    square: int
    guards: tuple[int, ...]


def hold(options: str, opening: str, side: int, most: int, seconds: float = math.inf) -> Holding:
    """Find whether a side can force, after V's opening, that the other never wins.

    Args:
        options: As typed: `-size=3 -nogaps`.
        opening: V's first stone: `a1`.
        most: Own moves to look ahead.
        seconds: Then it ends, and nothing is found.

    Raises:
        UserError: The options or the opening are refused.
    """
    began = time.monotonic()
    start = GAME.start(options)
    position = start.play(start.parse(opening))
    search = _Search(position.terms, side, began + seconds)
    looks = search.holds if side == V else search.answers
    searched, moves = 0, None
    try:
        while moves is None and searched < most:
            if looks(position.monument, searched + 1):
                moves = searched + 1
            searched += 1
    except TimeoutError:
        pass  # what was searched to the end stands
    positions = len(search.failed) + len(search.succeeded)
    return Holding(side, opening, moves, searched, positions, time.monotonic() - began)


def is_shut_out(monument: Monument, side: int, terms: Terms) -> bool:
    """Return whether a side can never join its edges, whatever both sides play."""
    return not _would_join(monument, side, _may_own(monument, side, terms))


def _may_own(monument: Monument, side: int, terms: Terms) -> int:
    """Return the squares that a side may ever own, whatever both sides play.

    They are its squares, bare ones, and those over which a lintel could come to lie between
    squares that it may own.
    """
    every = site(terms.size).every
    may_own = every & ~monument.tops[1 - side]
    while True:
        grown = may_own
        for step in (EAST, NORTH):
            grown |= (grown << step) & (grown >> step) & every
            if terms.exact:
                # Ruling D4: an end may be the odd square, too.
                grown |= (grown << step) & (grown << 2 * step) & every
                grown |= (grown >> step) & (grown >> 2 * step) & every
        if grown == may_own:
            return may_own
        may_own = grown


def _would_join(monument: Monument, side: int, squares: int) -> bool:
    """Return whether a side would join its edges if it owned these squares."""
    tops = (squares, 0) if side == V else (0, squares)
    return replace(monument, tops=tops).is_joined_by(side)


def is_held_off(monument: Monument, side: int, terms: Terms) -> bool:
    """Return whether a side, to move, is kept from joining by raising stones against it.

    The enemy keeps a *blockade*: squares of its own without which the side cannot join.
    Where a lintel could come over one of them, a *guard* must be lower than it. Whatever
    the side raises is met by raising one square of the blockade, if the guards are such
    that no move takes two squares of the blockade to answer.
    """
    return _guarded_blockade(monument, side, terms) is not None


def blockade(monument: Monument, side: int, terms: Terms) -> Blockade | None:
    """Return what keeps a side, to move, from ever joining; None if nothing is found."""
    may_own = _may_own(monument, side, terms)
    if not _would_join(monument, side, may_own):
        return Blockade(site(terms.size).every & ~may_own, {})
    return _guarded_blockade(monument, side, terms)


def _guarded_blockade(monument: Monument, side: int, terms: Terms) -> Blockade | None:
    if terms.exact:
        return None
    every = site(terms.size).every
    ceded, threats = _cede_unguarded(monument, terms.size, every & ~monument.tops[1 - side])
    if _would_join(monument, side, ceded):
        return None
    guards = _find_guards(threats, _lifts(ceded, terms.size), {})
    return None if guards is None else Blockade(every & ~ceded, guards)


def _cede_unguarded(monument: Monument, size: int, ceded: int) -> tuple[int, list[_Threat]]:
    """Cede what nothing can guard; return the set, and what threatens the squares left."""
    heights = monument.heights
    while True:
        threats = []
        for first, middle, last in _lines(size):
            if ceded >> first & ceded >> last & ~(ceded >> middle) & 1:
                lower = (end for end in (first, last) if heights[end] < heights[middle])
                threats.append(_Threat(middle, tuple(lower)))
        lost = {threat.square for threat in threats if not threat.guards}
        if not lost:
            return ceded, threats
        ceded |= sum(1 << square for square in lost)


def _lifts(ceded: int, size: int) -> list[Line]:
    """List the lines of three within ceded squares: a lintel there raises all of them."""
    return [line for line in _lines(size) if all(ceded >> square & 1 for square in line)]


def _find_guards(
    threats: list[_Threat], lifts: list[Line], guarded: dict[int, int]
) -> dict[int, int] | None:
    """Return guards for every threat such that each move harms one square at most, or None.

    Args:
        guarded: By guard the square for which it stands, as chosen so far.
    """
    if not all(_is_answerable(line, guarded) for line in lifts):
        return None
    if not threats:
        return guarded
    square = threats[0].square
    for guard in threats[0].guards:
        if guarded.get(guard, square) == square:
            found = _find_guards(threats[1:], lifts, guarded | {guard: square})
            if found is not None:
                return found
    return None


def _is_answerable(line: Line, guarded: dict[int, int]) -> bool:
    """Return whether one square at most loses a guard to a lintel there."""
    first, middle, last = line
    # The ends rise by one, the middle by more if there was a gap.
    is_even = guarded.get(first) == guarded.get(last) or not guarded.keys() >= {first, last}
    return middle not in guarded and is_even


@cache
def _lines(size: int) -> tuple[Line, ...]:
    every = site(size).every
    return tuple(
        (first, first + step, first + 2 * step)
        for step in (EAST, NORTH)
        for first in squares_of(every & every >> step & every >> 2 * step)
    )


class _Search:
    """Search for one side, deeper and deeper, with what is known of positions seen before."""

    def __init__(self, terms: Terms, side: int, end: float) -> None:
        self._terms = terms
        self._side = side
        self._end = end  # on the monotonic clock
        self.failed: dict[State, int] = {}
        self.succeeded: dict[State, int] = {}

    def holds(self, monument: Monument, moves: int) -> bool:
        """Return whether the side holds within so many own moves, the other to move."""
        if self._is_over_for_other(monument):
            return True
        if moves == 0:
            return False
        others = [monument.put(piece, 1 - self._side) for piece in self._pieces(monument, 1)]
        if any(after.is_joined_by(1 - self._side) for after in others):
            return False
        return all(self.answers(after, moves) for after in others)

    def answers(self, monument: Monument, moves: int) -> bool:
        """Return the same with the side to move.

        Raises:
            TimeoutError: The time is over.
        """
        if time.monotonic() > self._end:
            raise TimeoutError
        state = (monument.heights, monument.tops)
        if self.failed.get(state, 0) >= moves:
            return False
        if self.succeeded.get(state, moves + 1) <= moves:
            return True
        is_answered = self._finds_answer(monument, moves)
        (self.succeeded if is_answered else self.failed)[state] = moves
        return is_answered

    def _finds_answer(self, monument: Monument, moves: int) -> bool:
        own = [monument.put(piece, self._side) for piece in self._pieces(monument, 0)]
        if any(self.is_safe(after) for after in own):
            return True
        return moves > 1 and any(self.holds(after, moves - 1) for after in own)

    def is_safe(self, monument: Monument) -> bool:
        return monument.is_joined_by(self._side) or self._is_over_for_other(monument)

    def _is_over_for_other(self, monument: Monument) -> bool:
        other, terms = 1 - self._side, self._terms
        return is_shut_out(monument, other, terms) or is_held_off(monument, other, terms)

    def _pieces(self, monument: Monument, of_other: int) -> list[Piece]:
        return monument.pieces(self._side ^ of_other, self._terms)


class _NothingFoundError(Exception):
    """A side was not found to hold the other off."""


class _Writer:
    """Write down how a side holds the other off, depth first; each position once."""

    def __init__(self, start: DruidPosition, side: int, end: float) -> None:
        self._start = start
        self._side = side
        self._search = _Search(start.terms, side, end)
        self._seen: set[State] = set()

    def lines(self) -> Iterator[str]:
        """Yield the lines for every first stone.

        Raises:
            TimeoutError: The time is over.
        """
        monument = self._start.monument
        firsts = [Sarsen(square) for square in squares_of(site(monument.size).edge)]
        if self._side != V:
            yield from self._answered(monument, firsts, 0)
            return
        for first in firsts:
            yield write_move(first)
            yield from self._against(monument.put(first, V), 1)

    def _against(self, monument: Monument, depth: int) -> Iterator[str]:
        pieces = monument.pieces(1 - self._side, self._start.terms)
        return self._answered(monument, pieces, depth)

    def _answered(self, monument: Monument, pieces: Iterable[Piece], depth: int) -> Iterator[str]:
        """Yield an answer to each of the other side's pieces, and what follows it."""
        for piece in pieces:
            after = monument.put(piece, 1 - self._side)
            state = (after.heights, after.tops)
            if state in self._seen:
                continue
            self._seen.add(state)
            answer = self._answer(after)
            then = after.put(answer, self._side)
            ending = self._ending(then)
            yield f"{' ' * depth}{write_move(piece)} {write_move(answer)}{ending}"
            if not ending:
                yield from self._against(then, depth + 1)

    def _answer(self, monument: Monument) -> Piece:
        """Return the answer that takes the fewest own moves."""
        moves = 1
        while not self._search.answers(monument, moves):
            moves += 1
            if moves > CERTIFICATE_OWN_MOVES:
                raise _NothingFoundError
        for piece in monument.pieces(self._side, self._start.terms):
            after = monument.put(piece, self._side)
            if self._search.is_safe(after) or self._search.holds(after, moves - 1):
                return piece
        raise AssertionError("The search has found an answer.")

    def _ending(self, monument: Monument) -> str:
        """Write why nothing follows; empty if something does."""
        if monument.is_joined_by(self._side):
            return " wins"
        found = blockade(monument, 1 - self._side, self._start.terms)
        if found is None:
            return ""
        names = []
        for square in squares_of(found.squares):
            guards = [guard for guard, kept in found.guards.items() if kept == square]
            names += [f"{square_name(square)}>{square_name(guard)}" for guard in guards]
            names += [square_name(square)] if not guards else []
        return " : " + " ".join(names)
