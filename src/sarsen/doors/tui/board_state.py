"""A board as it lies on the screen: what the server sent, the ply shown, what is pointed at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling, judge, replay
from sarsen.doors.tui.board_widget import Pointers
from sarsen.drawing.view import view_of
from sarsen.games import load
from sarsen.language.facts import BoardFacts
from sarsen.language.grammar.typography import normalise


@dataclass(frozen=True)
class ScreenState:
    """Everything a board's screen shows.

    Attributes:
        taps: None while the legal moves are not known yet, or nothing can be pointed at.
    """

    facts: BoardFacts
    cursor: RecordCursor
    taps: Taps | None = None

    @property
    def may_point(self) -> bool:
        """Whether a move can be made here: sent, or only tried."""
        if self.cursor.position.outcome() is not None:
            return False
        return self.cursor.is_exploring or (self.cursor.is_at_end and self.is_mine)

    @property
    def is_mine(self) -> bool:
        """Whether the server waits for the caller's move."""
        own, mover = self.facts.own, self.facts.to_move
        return own is not None and mover is not None and mover in own.seats

    @property
    def draft(self) -> Ruling | None:
        """The move that is meant and the position after it, before anything is sent."""
        if self.taps is None or self.taps.chosen_move is None:
            return None
        position, move = self.taps.position, self.taps.chosen_move.move
        return Ruling(position.seat, position.format(move), position.play(move))

    @property
    def shown(self) -> AnyPosition:
        """The position to draw."""
        draft = self.draft
        return draft.position if draft else self.cursor.position

    @property
    def pointers(self) -> Pointers:
        """The marks shown over it."""
        if self.taps is None or not self.may_point:
            return Pointers()
        if self.draft:
            return Pointers(self.taps.next_spots, (), bool(self.taps.next_spots))
        return Pointers(self.taps.next_spots, self.taps.tapped, True)

    def at_ply(self, ply: int) -> ScreenState:
        """Step to a ply; what was pointed at is forgotten."""
        return replace(self, cursor=self.cursor.at_ply(ply), taps=None)

    def with_typed_move(self, text: str) -> ScreenState:
        """Choose a move that was typed.

        Raises:
            UserError: The rules refuse it.
        """
        position = self.cursor.position
        text = normalise(text).strip()
        judge(position, text)
        taps = self.taps or Taps(position, ())
        return replace(self, taps=taps.choose(position.parse(text)))

    def with_draft_tried(self) -> ScreenState:
        """Make the move that is meant on the tried line."""
        draft = self.draft
        return self if draft is None else replace(self, cursor=self.cursor.play(draft), taps=None)


def state_of(facts: BoardFacts, previous: ScreenState | None = None) -> ScreenState:
    """Lay a board out; a draft stays where the game has not gone on.

    Raises:
        UserError: This program does not have the game, or other rules of it.
    """
    texts = tuple(move.text for move in facts.moves)
    if previous is not None:
        walk = record_cursor(previous.cursor.positions[0], texts, previous.cursor)
        is_same = walk.position is previous.cursor.position
        return ScreenState(facts, walk, previous.taps if is_same else None)
    return ScreenState(facts, record_cursor(load(facts.game).start(facts.options), texts))


@dataclass(frozen=True)
class RecordCursor:
    """A record to step through, and at most one line that leaves it.

    Attributes:
        positions: One more than there are `texts`.
        at: Plies before what is shown; on the tried line, counted on.
        tried: Moves that were tried, after so many plies of the record (`left_at`).
    """

    positions: tuple[AnyPosition, ...]
    texts: tuple[str, ...] = ()
    at: int = 0
    tried: tuple[Ruling, ...] = ()
    left_at: int = 0
    is_exploring: bool = False

    @property
    def position(self) -> AnyPosition:
        """The position that is shown."""
        if self.is_exploring and self.at > self.left_at:
            return self.tried[self.at - self.left_at - 1].position
        return self.positions[self.at]

    @property
    def last(self) -> int:
        """The last ply to step to."""
        return self.left_at + len(self.tried) if self.is_exploring else len(self.texts)

    @property
    def is_at_end(self) -> bool:
        """Whether the newest position of the record is shown."""
        return not self.is_exploring and self.at == len(self.texts)

    @property
    def text(self) -> str:
        """The move that led here; "" at the beginning."""
        if not self.at:
            return ""
        if self.is_exploring and self.at > self.left_at:
            return self.tried[self.at - self.left_at - 1].text
        return self.texts[self.at - 1]

    @property
    def tried_texts(self) -> tuple[str, ...]:
        """The moves of the tried line, as far as it is shown."""
        return tuple(ruling.text for ruling in self.tried[: max(0, self.at - self.left_at)])

    def at_ply(self, ply: int) -> RecordCursor:
        """Step to a ply, as near as there is one."""
        return replace(self, at=max(0, min(ply, self.last)))

    def explore(self) -> RecordCursor:
        """Begin to try moves from what is shown."""
        return replace(self, is_exploring=True, left_at=self.at, tried=())

    def without_tried_moves(self) -> RecordCursor:
        """Return this without the tried moves."""
        return replace(self, is_exploring=False, tried=(), at=self.left_at)

    def play(self, ruling: Ruling) -> RecordCursor:
        """Try a move; what was tried after this position before is forgotten."""
        earlier = self.tried[: max(0, self.at - self.left_at)]
        left_at = self.left_at if self.at >= self.left_at else self.at
        return replace(self, tried=(*earlier, ruling), left_at=left_at, at=self.at + 1)


def record_cursor(
    start: AnyPosition, texts: tuple[str, ...], previous: RecordCursor | None = None
) -> RecordCursor:
    """Replay a record; positions that an older walk has of it are taken from there.

    Raises:
        UserError: The rules here refuse a move of it.
    """
    shared = 0
    if previous is not None:
        while (
            shared < min(len(previous.texts), len(texts))
            and previous.texts[shared] == texts[shared]
        ):
            shared += 1
    positions = list(previous.positions[: shared + 1]) if previous is not None else [start]
    positions += [ruling.position for ruling in replay(positions[-1], texts[shared:])]
    newest = RecordCursor(tuple(positions), texts, len(texts))
    if previous is None or previous.is_at_end:
        return newest
    if previous.is_exploring and shared >= previous.left_at:
        return replace(previous, positions=newest.positions, texts=texts)
    return newest.at_ply(min(previous.at, shared))


@dataclass(frozen=True)
class TapChoice:
    """A legal move, and the spots to point at for it."""

    move: Any
    spots: tuple[str, ...]


@dataclass(frozen=True)
class Taps:
    """The spots tapped so far, and the moves they may become.

    Attributes:
        chosen: A move that was named outright, typed or picked from a list.
    """

    position: AnyPosition
    choices: tuple[TapChoice, ...]
    tapped: tuple[str, ...] = ()
    chosen: TapChoice | None = None

    @property
    def open_choices(self) -> tuple[TapChoice, ...]:
        """The moves that begin with what was tapped."""
        length = len(self.tapped)
        return tuple(choice for choice in self.choices if choice.spots[:length] == self.tapped)

    @property
    def next_spots(self) -> tuple[str, ...]:
        """The spots that lead on, each once."""
        if self.chosen:
            return ()
        length = len(self.tapped)
        open_choices = self.open_choices
        if len(open_choices) == 1 and self.tapped:
            return ()
        return tuple(
            dict.fromkeys(choice.spots[length] for choice in open_choices if choice.spots[length:])
        )

    @property
    def chosen_move(self) -> TapChoice | None:
        """The move that is meant: all its spots were tapped, or no other begins so."""
        if self.chosen or not self.tapped:
            return self.chosen
        open_choices = self.open_choices
        exact = [choice for choice in open_choices if choice.spots == self.tapped]
        if len(exact) == 1:
            return exact[0]
        return open_choices[0] if len(open_choices) == 1 else None

    @property
    def alternatives(self) -> tuple[TapChoice, ...]:
        """Moves to choose from that the same spots name; by a list."""
        exact = tuple(choice for choice in self.open_choices if choice.spots == self.tapped)
        return exact if self.tapped and len(exact) > 1 else ()

    def tap(self, spot: str) -> Taps:
        """Point at a spot that leads on; another one changes nothing."""
        if spot not in self.next_spots:
            return self
        return replace(self, tapped=(*self.tapped, spot))

    def without_last_tap(self) -> Taps:
        """Return these without the last tap."""
        if self.chosen:
            return replace(self, chosen=None)
        return replace(self, tapped=self.tapped[:-1])

    def choose(self, move: Any) -> Taps:
        """Name a legal move outright."""
        return replace(
            self, chosen=TapChoice(move, view_of(self.position).clicks(self.position, move))
        )

    def next_alternative(self, step: int) -> Taps:
        """Return the next move that differs in the last spot only, such as another rotation."""
        meant = self.chosen_move
        if meant is None or not meant.spots:
            return self
        similar = [
            choice
            for choice in self.choices
            if choice.spots[:-1] == meant.spots[:-1] and len(choice.spots) == len(meant.spots)
        ]
        at = next(at for at, choice in enumerate(similar) if choice.move == meant.move)
        neighbour = similar[(at + step) % len(similar)]
        return replace(self, tapped=neighbour.spots, chosen=None)


def taps_of(position: AnyPosition) -> Taps:
    """Begin to point: lists the legal moves, which may take a moment."""
    view = view_of(position)
    moves = position.legal_moves()
    return Taps(position, tuple(TapChoice(move, view.clicks(position, move)) for move in moves))
