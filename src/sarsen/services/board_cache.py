"""A cache of boards: what a request or a batch of mails has loaded, judged and worded so far.

One `BoardCache` is made for each request or batch and passed on explicitly. It judges moves
before their transaction begins, and finds the rulings again inside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

import structlog

from sarsen.core.errors import PluginFailure, UserError
from sarsen.core.game import AnyPosition, Outcome
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.language.commands import Command, PlayMove, Submit
from sarsen.storage import move_path
from sarsen.storage.models import Match
from sarsen.storage.models.matches import seats_of

# Positions, and rulings, in memory; those asked for longest ago are forgotten.
MAX_REMEMBERED = 2000
REPLAYED_AT_ONCE = 50  # moves: `_replayed` calls itself once for each, and Python's stack is finite
log = structlog.get_logger()
Made = TypeVar("Made")


@dataclass(frozen=True)
class RuledMove:
    """A move that the rules allow, and what is stored of it.

    Attributes:
        seat: Who moved.
        text: The move in its one full form.
        position: The position after it.
        line: That position as it is written.
        to_move: Whose turn it is then.
        outcome: How the move ended the game; None while it runs.
    """

    seat: int
    text: str
    position: AnyPosition
    line: str
    to_move: int
    outcome: Outcome | None


@dataclass(frozen=True)
class _PositionLine:
    """A position as its game writes it; `position` is that one, where somebody has it."""

    game: str
    line: str
    position: AnyPosition | None = field(default=None, compare=False)


# All three hang on their arguments alone, and so cannot be stale: no state of any request.
@lru_cache(maxsize=MAX_REMEMBERED)
def _position(at: _PositionLine) -> AnyPosition:
    return at.position or load(at.game).read(at.line)


@lru_cache(maxsize=MAX_REMEMBERED)
def rule(at: _PositionLine, text: str) -> RuledMove:
    """Judge a move in a written position.

    Raises:
        UserError: The rules refuse it.
        PluginFailure: They raised something else, or would not end.
    """
    ruling = judge_move(_position(at), text)
    # The next move comes from there: to read the position would take as long as to judge it.
    _position(_PositionLine(at.game, ruling.line, ruling.position))
    return ruling


@lru_cache(maxsize=MAX_REMEMBERED)
def _replayed(game: str, options: str, texts: tuple[str, ...]) -> _PositionLine:
    if not texts:
        start = load(game).start(options)
        return _PositionLine(game, start.write(), start)
    for count in range(REPLAYED_AT_ONCE, len(texts), REPLAYED_AT_ONCE):
        _replayed(game, options, texts[:count])
    ruling = rule(_replayed(game, options, texts[:-1]), texts[-1])
    return _PositionLine(game, ruling.line, ruling.position)


def position_after(game: str, options: str, texts: tuple[str, ...]) -> AnyPosition:
    """Return the position after these moves, from the longest beginning still remembered.

    Raises:
        UserError: The rules refuse one of them.
    """
    position = _replayed(game, options, texts).position
    assert position is not None  # what is replayed has one
    return position


def legal_moves(game: str, line: str) -> tuple[str, ...]:
    """Return the legal moves of a written position, as text."""
    position = _position(_PositionLine(game, line))
    return tuple(position.format(move) for move in position.legal_moves())


def judge_move(position: AnyPosition, text: str) -> RuledMove:
    """Judge a move in a position.

    Raises:
        UserError: The rules refuse it.
        PluginFailure: They raised something else, or would not end.
    """
    ruling = judge(position, text)
    after = ruling.position
    return RuledMove(ruling.seat, ruling.text, after, after.write(), after.seat, after.outcome())


def forget_rules() -> None:
    """Clear all rulings and positions, for tests that count or replace the rules."""
    _position.cache_clear()
    rule.cache_clear()
    _replayed.cache_clear()


class BoardCache:
    """The boards of one request, or of one batch of mails.

    Attributes:
        loaded: Matches to be shown, as they stood when `load` was called.
        played: Matches as the moves of this request left them.
    """

    def __init__(self) -> None:
        self.loaded: dict[int, Match] = {}
        self.played: dict[int, Match] = {}
        self._locked: dict[int, Match] = {}
        self._made: dict[Hashable, Any] | None = None
        self._positions: dict[tuple[str, str], AnyPosition] = {}
        self._rulings: dict[tuple[str, str, str], RuledMove | UserError | PluginFailure] = {}

    def load(self, boards: Iterable[int]) -> None:
        """Load boards that many letters will show, with seats and events, in few statements.

        From now on what `once` makes is remembered: no letter shows an older board than the
        first of them would have shown. A board that was not loaded is looked up as ever.
        """
        self.loaded = _loaded(boards, with_events=True)
        self._made = {}

    def get_or_make(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under a key since boards were loaded, or make it."""
        if self._made is None:
            return make()
        if key not in self._made:
            self._made[key] = make()
        value: Made = self._made[key]
        return value

    def load_locked(self, boards: Collection[int]) -> None:
        """Load boards that the caller's transaction has locked, in the place of those before."""
        self._locked = _loaded(boards, with_events=False) if boards else {}

    def pop_locked(self, board: int) -> Match | None:
        """Return a board loaded by `load_locked` once; the next time None, as for any other board.

        The caller may change it, and may be undone.
        """
        return self._locked.pop(board, None)

    def judge(self, game: str, line: str, text: str) -> RuledMove:
        """Judge a move in a written position, unless that was done before.

        Raises:
            UserError: The rules refuse it.
            PluginFailure: They raised something else, or would not end. That is remembered,
                too: they are not asked again while the database is held.
        """
        key = (game, line, text)
        if key not in self._rulings:
            self._rulings[key] = self._judge(*key)
        ruling = self._rulings[key]
        if isinstance(ruling, PluginFailure):
            raise type(ruling)(*ruling.args)
        if isinstance(ruling, UserError):
            raise ruling.again()
        return ruling

    def _judge(self, game: str, line: str, text: str) -> RuledMove | UserError | PluginFailure:
        try:
            ruling = rule(_PositionLine(game, line, self.position_played(game, line)), text)
        except (UserError, PluginFailure) as refusal:
            return refusal.with_traceback(None)
        self._positions[game, ruling.line] = ruling.position
        return ruling

    def judge_from(self, position: AnyPosition, text: str) -> RuledMove:
        """Judge a move in a position that is known, and remember the position after it.

        Raises:
            UserError: The rules refuse it.
            PluginFailure: They raised something else, or would not end.
        """
        ruling = judge_move(position, text)
        self._positions[position.game.info.name, ruling.line] = ruling.position
        return ruling

    def position_played(self, game: str, line: str) -> AnyPosition | None:
        """Return a written position as a move judged here made it, with its effects, or None."""
        return self._positions.get((game, line))

    def prejudge(self, commands: Iterable[Command]) -> None:
        """Judge the moves that will be played, in order, each at the position it will find.

        Should a board have moved on by then, its move is judged there and then.
        """
        moves = [command for command in commands if isinstance(command, PlayMove | Submit)]
        lines = move_path.positions_of({move.board for move in moves})
        for move in moves:
            if move.board not in lines:
                continue
            game, line = lines[move.board]
            # What is refused is refused when its turn comes, in the same words; and whatever
            # else the rules of one game raise, they raise it then, where it stops no mail but
            # its own.
            with suppress(Exception):
                lines[move.board] = game, self.judge(game, line, move.text).line

    def prejudge_move(self, board: int, player: int, text: str) -> None:
        """Judge the move that a player is about to make, if it is their turn.

        Args:
            text: "" for the move that they have put forward.
        """
        due = move_path.due_position(board, player)
        if due is None:
            return
        game, line, submitted = due
        with suppress(UserError):  # it is refused when its turn comes, in the same words
            if text or submitted:
                self.judge(game, line, text or submitted)


def _loaded(boards: Iterable[int], *, with_events: bool) -> dict[int, Match]:
    try:
        return _load(sorted(set(boards)), with_events=with_events)
    except (TypeError, ValueError):
        # A value of another kind, which cannot be converted. It is the matter of the caller
        # that needs its row, and of nobody else.
        log.exception("boards could not be loaded together")
        return {}


def _load(boards: list[int], *, with_events: bool) -> dict[int, Match]:
    matches = {match.pk: match for match in move_path.matches_with_extras(boards)}
    seats = seats_of(boards)
    events = move_path.events_of(boards) if with_events else {}
    for board, match in matches.items():
        match.seat_rows = seats[board]
        match.known_events = events[board] if with_events else None
    return matches
