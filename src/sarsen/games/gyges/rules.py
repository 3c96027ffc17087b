"""The law of Gyges: set-ups, turns, what a move does, and how a game ends.

Rulings G1 to G7 settle what the first description leaves open. Here stand G5
and G6; G1 is in `board` and `choices`, G2 and G3 in `routes`, G4 in `choices`,
G7 in `judging`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import permutations

from sarsen.core.errors import IllegalMove
from sarsen.core.game import GameInfo, Link, Outcome
from sarsen.core.options import read_options
from sarsen.core.phrases import Phrase, for_example
from sarsen.games.gyges import notation, position_line
from sarsen.games.gyges.board import (
    EMPTY,
    GOALS,
    NORTH,
    PLACES,
    RINGS_IN_ALL,
    SIDES,
    SOUTH,
    VALUES,
    Move,
    RingMove,
    Rings,
    SetUp,
    chain,
    shore,
)
from sarsen.games.gyges.judging import JudgedMove, MoveContext, follow, settle
from sarsen.games.gyges.routes import choices, moved, ring_moves

INFO = GameInfo(
    name="gyges",
    title="Gyges",
    seats=SIDES,
    author="Claude Leroy",
    year=1984,
    rules_version=1,
    options=(),
    rights="© Claude Leroy 1984.",
    links=(Link("The author's page", "http://jeuxsoc.free.fr/g/gyges.htm"),),
    summary="Rings of one, two or three steps belong to nobody; land one on the far goal.",
    aims=("land a ring on the goal at the top", "land a ring on the goal at the bottom"),
)
SET_UPS = tuple(sorted({"".join(order) for order in permutations("112233")}))


class EndReason(Enum):
    """Name the ways a game ends."""

    NONE = "runs on"
    WON = "a ring is on the goal of the seat to move"
    DEADLOCK = "neither player can move"


@dataclass(frozen=True, slots=True)
class Trace:
    """The path of the last move of a ring, for pictures.

    Attributes:
        seat: Who moved.
        move: The single move.
        trail: Every place from the origin to the end, the slots passed included.
    """

    seat: int
    move: RingMove
    trail: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GygesPosition:
    """The rings, whose turn it is, and every arrangement that stood.

    A won position keeps the rings as they stood before the winning move: whichever
    ring won, it is the same position, and counts as one in the counts of the rules.

    Attributes:
        rings: What stands on each slot.
        seat: Who is to move; after a move that stalemates the opponent, who moved.
        stood: The arrangements since both set-ups, the present one included.
        ending: Whether and how the game is over.
        last: The last move of a ring, when it is known; always in a won position.
        caused: What the last move caused, in sentences.
    """

    rings: Rings = EMPTY
    seat: int = SOUTH
    stood: frozenset[Rings] = frozenset()
    ending: EndReason = EndReason.NONE
    last: Trace | None = field(default=None, compare=False)
    caused: tuple[str, ...] = field(default=(), compare=False)
    # Filled once when asked for: bots ask again and again.
    _legal: list[tuple[Move, ...]] = field(
        default_factory=list, init=False, compare=False, repr=False
    )

    @property
    def game(self) -> Gyges:
        return GAME

    @property
    def options(self) -> Mapping[str, int | bool]:
        return {}

    @property
    def sides(self) -> tuple[str, ...]:
        return SIDES

    @property
    def shown(self) -> Rings:
        """The rings as shown: the ring that won is on the goal."""
        if self.ending is not EndReason.WON or self.last is None:
            return self.rings
        stops = self.last.move.stops
        return moved(self.rings, PLACES[stops[0]], PLACES[stops[-1]], None)

    @property
    def is_setting_up(self) -> bool:
        """Whether a set-up is still to come."""
        return len(self.rings) - self.rings.count(0) < RINGS_IN_ALL

    def outcome(self) -> Outcome | None:
        """Return who stands on the other's goal, or that neither can move."""
        if self.ending is EndReason.WON:
            winner, loser = SIDES[1 - self.seat], SIDES[self.seat]
            scores = (1.0, 0.0) if self.seat == NORTH else (0.0, 1.0)
            return Outcome(
                scores, Phrase("{side} landed a ring on {other}'s goal.", side=winner, other=loser)
            )
        if self.ending is EndReason.DEADLOCK:
            return Outcome((0.5, 0.5), "Neither South nor North can move.")
        return None

    def legal_moves(self) -> tuple[Move, ...]:
        """List the single moves, each result once, in the order of their stops.

        All ways to win are one result.
        """
        if not self._legal:
            self._legal.append(self._find_moves())
        return self._legal[0]

    def play(self, move: Move) -> GygesPosition:
        """Return the position after a set-up or a move, with those that follow it at once.

        Raises:
            IllegalMove: The rules forbid it here.
            UnreadableMove: It names a place that is not on the board.
        """
        if isinstance(move, SetUp):
            return self._set_up(move)
        parts = tuple(notation.written(part) for part in move.parts)
        return [after for _, after in self._steps(parts, may_add=False)][-1]

    def play_legal(self, move: Move) -> GygesPosition:
        """Return the position after one of the legal moves, which is not judged."""
        if isinstance(move, SetUp):
            return self._set_up(move)
        return self._after(follow(MoveContext(self.rings, self.seat, self.stood), move))

    def parse(self, text: str) -> Move:
        """Read a set-up or a move, completing the stops that are left out (Ruling G7)."""
        written = notation.read(text)
        if isinstance(written, SetUp):
            self._check_set_up(written)
            return written
        return chain([settled.move for settled, _ in self._steps(written, may_add=True)])

    def format(self, move: Move) -> str:
        """Write a move with all its stops, without the slots it only passes."""
        return str(move)

    def effects(self) -> tuple[str, ...]:
        """Return a text that says what was relocated, which shores changed, and who cannot move."""
        return self.caused

    def write(self) -> str:
        """Write the side to move, the rings, and all that stood earlier."""
        won = self.ending is EndReason.WON
        mover = 1 - self.seat if won else self.seat
        return position_line.write(position_line.GygesLine(mover, won, self.rings, self.stood))

    def _find_moves(self) -> tuple[Move, ...]:
        if self.outcome() is not None:
            return ()
        if self.is_setting_up:
            return tuple(SetUp(rings) for rings in SET_UPS)
        return tuple(ring_moves(self.rings, self.seat, self.stood))

    def _set_up(self, move: SetUp) -> GygesPosition:
        self._check_set_up(move)
        row = bytes(int(digit) for digit in move.rings)
        if self.seat == SOUTH:
            return replace(self, rings=row + self.rings[6:], seat=NORTH)
        rings = self.rings[:30] + row + self.rings[36:]
        return GygesPosition(rings, SOUTH, frozenset([rings]))

    def _check_set_up(self, move: SetUp) -> None:
        self._check_running()
        if not self.is_setting_up:
            raise IllegalMove("Both players have set up their rings already.", code="gyges.set-up")
        if move.rings not in SET_UPS:
            raise IllegalMove(
                "A set-up has two singles, two doubles and two triples: 112233 in any order.",
                code="gyges.set-up-rings",
                hint=for_example("231123"),
            )

    def _check_running(self) -> None:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMove(
                "The game is over: {reason}", code="gyges.game-over", reason=outcome.reason
            )

    def _steps(
        self, parts: tuple[notation.WrittenMove, ...], *, may_add: bool
    ) -> Iterator[tuple[JudgedMove, GygesPosition]]:
        """Judge moves sent together, one after the other, and play each."""
        position, caused = self, tuple[str, ...]()
        for number, part in enumerate(parts):
            if number:
                position._check_same_player_again(self.seat)
            settled, position = position._step(part, may_add=may_add)
            caused += position.caused
            yield settled, replace(position, caused=caused) if number else position

    def _check_same_player_again(self, seat: int) -> None:
        # Ruling G6: several moves in one text, each but the last leaving the opponent stalemated.
        self._check_running()
        if self.seat != seat:
            raise IllegalMove(
                "After the first of these moves {side} can move: send several moves in a row "
                "only while your opponent cannot move.",
                code="gyges.several-moves",
                hint="Send the first move alone.",
                side=SIDES[self.seat],
            )

    def _step(
        self, part: notation.WrittenMove, *, may_add: bool
    ) -> tuple[JudgedMove, GygesPosition]:
        self._check_running()
        if self.is_setting_up:
            raise IllegalMove(
                "First {side} sets up six rings: their values in columns 1 to 6.",
                code="gyges.set-up-first",
                hint=for_example("231123"),
                side=SIDES[self.seat],
            )
        settled = settle(MoveContext(self.rings, self.seat, self.stood), part, may_add=may_add)
        return settled, self._after(settled)

    def _after(self, settled: JudgedMove) -> GygesPosition:
        """Return the position after one move of a ring."""
        if settled.trail[-1] in GOALS:
            after = GygesPosition(self.rings, 1 - self.seat, self.stood, EndReason.WON)
        else:
            after = _turn(settled.rings, 1 - self.seat, self.stood | {settled.rings})
        trace = Trace(self.seat, settled.move, settled.trail)
        caused = tuple(_effects(self, settled, after))
        return replace(after, last=trace, caused=caused)


class Gyges:
    """Start games of Gyges and read positions."""

    info = INFO

    def start(self, options: str | Mapping[str, object] = "") -> GygesPosition:
        """Return the empty board, South to set up."""
        read_options(INFO.options, options)
        return GygesPosition()

    def read(self, line: str) -> GygesPosition:
        """Read what `GygesPosition.write` wrote.

        Raises:
            UserError: The line is not a position, or the side to move cannot be (Ruling G6).
        """
        record = position_line.read_position(line)
        if not record.stood:
            return GygesPosition(record.rings, record.seat)
        position = _turn(record.rings, record.seat, record.stood)
        if position.seat != record.seat:
            raise position_line.unreadable(
                Phrase("{side} cannot move, so the other side does", side=SIDES[record.seat])
            )
        return _won(position) if record.won else position


GAME = Gyges()


def _turn(rings: Rings, seat: int, stood: frozenset[Rings]) -> GygesPosition:
    """Return the position where it would be a player's turn."""
    if _can_move(rings, seat, stood):
        return GygesPosition(rings, seat, stood)
    # Ruling G6: a player without a legal move is skipped; when neither has one, it is a draw.
    if _can_move(rings, 1 - seat, stood):
        return GygesPosition(rings, 1 - seat, stood)
    return GygesPosition(rings, seat, stood, EndReason.DEADLOCK)


def _won(position: GygesPosition) -> GygesPosition:
    """Return the position after the shortest winning move."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.ending is EndReason.WON:
            return after
    raise position_line.unreadable(
        Phrase("{side} cannot win there in one move", side=SIDES[position.seat])
    )


def _can_move(rings: Rings, seat: int, stood: frozenset[Rings]) -> bool:
    return next(choices(rings, seat, stood), None) is not None


def _effects(before: GygesPosition, settled: JudgedMove, after: GygesPosition) -> Iterator[str]:
    mover, other, move = before.seat, 1 - before.seat, settled.move
    if move.relocation:
        value = VALUES[before.rings[PLACES[move.stops[-1]]]]
        yield Phrase(
            "The {value} of {place} is relocated to {slot}.",
            value=value,
            place=move.stops[-1],
            slot=move.relocation,
        )
    outcome = after.outcome()
    if outcome is not None:
        yield outcome.reason
        return
    for seat in (mover, other):
        row = shore(after.rings, seat)
        if row != shore(before.rings, seat):
            yield Phrase("{side}'s shore is now row {row}.", side=SIDES[seat], row=row)
    if after.seat == mover:
        yield Phrase(
            "{other} cannot move, so {side} moves again.", other=SIDES[other], side=SIDES[mover]
        )
