"""Vasco, by Cameron Browne (2008): the law.

`cells` is the grid and the tile, `table` what may lie where and what it forces
(Rulings V1, V2, V4), `laying` one move and why not (V3), `survey` all legal moves,
`paths` the arcs, `judgement` who won (V5, V6). Here a position puts them together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove, UnreadableMove
from sarsen.core.game import GameInfo, Link, Outcome
from sarsen.core.options import Number, read_options
from sarsen.core.phrases import Phrase, for_example, quoted
from sarsen.games.vasco.board import Cell, LaidTiles, Rotation, cell_at, place_of
from sarsen.games.vasco.judgement import judgement
from sarsen.games.vasco.moves import Move, Survey, has_a_move, lay, survey
from sarsen.games.vasco.notation import read_line, write_line
from sarsen.games.vasco.paths import ARCS, longest, paths

INFO = GameInfo(
    name="vasco",
    title="Vasco",
    seats=("O", "X"),
    author="Cameron Browne",
    year=2008,
    rules_version=1,
    options=(Number("size", "tiles in the pool that both players draw from", 6, 600, default=54),),
    rights="© Cyberite Ltd 2008.",
    links=(Link("Official rules", "http://www.cameronius.com/games/vasco/"),),
    summary="Lay triangular tiles until the paths of your colour close into a loop.",
    aims=(
        "bend a path of your colour into a closed loop",
        "bend a path of your colour into a closed loop",
    ),
)

_LETTER_FIRST = re.compile(r"([a-f])\s*([0-9]{1,4})")
_NUMBER_FIRST = re.compile(r"([0-9]{1,4})\s*([a-f])")
_LETTER_ALONE = re.compile(r"([a-f])()")


@dataclass(slots=True)
class _Known:
    """Keep what has been worked out about a position, for its price.

    Attributes:
        earlier: The survey before the last move, until `survey` is made from it.
    """

    survey: Survey | None = None
    earlier: Survey | None = None
    outcome: tuple[Outcome | None] | None = None


@dataclass(frozen=True, slots=True)
class VascoPosition:
    """The tiles on the table and whose turn it is.

    Attributes:
        size: The tiles of the whole pool, those on the table included.
        table: Never changed once the position exists.
        hand: The cell the last player filled by hand; None at the start, or unknown.
        last: The cells the last move filled, the player's own first; for pictures.
    """

    size: int
    seat: int
    table: LaidTiles = field(hash=False)
    hand: Cell | None = None
    last: tuple[Cell, ...] = field(default=(), compare=False)
    _known: _Known = field(default_factory=_Known, compare=False, repr=False)

    @property
    def game(self) -> Vasco:
        return GAME

    @property
    def options(self) -> Mapping[str, int | bool]:
        return {"size": self.size}

    @property
    def sides(self) -> tuple[str, ...]:
        return INFO.seats

    @property
    def tiles(self) -> Mapping[Cell, Rotation]:
        """The rotation of every tile on the table."""
        return self.table.tiles

    @property
    def room(self) -> int:
        """How many tiles the pool still has."""
        return self.size - len(self.table.tiles)

    def outcome(self) -> Outcome | None:
        memo = self._known
        if memo.outcome is None:
            memo.outcome = (self._judged(),)
        return memo.outcome[0]

    def survey(self) -> Survey:
        """Return the legal moves with the position numbers; of no meaning once the game is over."""
        memo = self._known
        if memo.survey is None:
            memo.survey = survey(self.table, self.room, memo.earlier, self.last)
            memo.earlier = None
        return memo.survey

    def legal_moves(self) -> tuple[Move, ...]:
        return tuple(self.survey().placements) if self.outcome() is None else ()

    def play(self, move: Move) -> VascoPosition:
        self._refuse_when_over()
        table = self.table.copy()
        laid = lay(table, move, self.room)
        memo = _Known(earlier=self._known.survey)
        return VascoPosition(self.size, 1 - self.seat, table, laid[0], laid, memo)

    def parse(self, text: str) -> Move:
        rotation, digits = self._read(text)
        self._refuse_when_over()
        cells = {number: cell for cell, number in self.survey().numbers.items()}
        number = int(digits or 1)
        if number not in cells:
            raise self._no_such_position(number, rotation)
        move = Move(*place_of(cells[number]), rotation)
        if move not in self.survey().placements:
            self._refuse_at(number, move)
        return move

    def format(self, move: Move) -> str:
        if move not in self.survey().placements:
            self.play(move)  # Says which rule forbids it.
        return f"{move.rotation}{self.survey().numbers[cell_at(move.x, move.y)]}"

    def effects(self) -> tuple[str, ...]:
        if not self.last:
            return ()
        sentences: list[str] = []
        forced = [self.tiles[cell] for cell in self.last[1:]]
        if forced:
            sentences.append(
                Phrase(
                    "Tiles forced by this move: {count} ({rotations}).",
                    count=len(forced),
                    rotations=", ".join(forced),
                )
            )
        for name, arc in zip(INFO.seats, ARCS, strict=True):
            loops = [path for path in paths(self.tiles, arc, self.last) if path.is_closed]
            if loops:
                sentences.append(
                    Phrase(
                        "{side} has a closed loop of {tiles} tiles.",
                        side=name,
                        tiles=longest(loops),
                    )
                )
        if self.room == 0:
            sentences.append(Phrase("The pool is empty."))
        return tuple(sentences)

    def write(self) -> str:
        return write_line(self.size, INFO.seats[self.seat], self.hand, self.tiles)

    def _judged(self) -> Outcome | None:
        # A loop always runs through the last move: an earlier one would have ended the game.
        outcome = judgement(self.tiles, self.last or None, is_at_its_end=self.room == 0)
        if outcome is not None or not self.tiles:
            return outcome
        # Ruling V7: without a legal move the game ends as if the pool were empty.
        own_survey = self._known.survey
        goes_on = bool(own_survey.placements) if own_survey else has_a_move(self.table, self.room)
        return None if goes_on else judgement(self.tiles, None, is_at_its_end=True)

    def _read(self, text: str) -> tuple[Rotation, str]:
        """Split a move text into its letter and its digits, which may be left out at first."""
        plain = text.strip().lower()
        if match := _LETTER_FIRST.fullmatch(plain):
            return match[1], match[2]
        if match := _NUMBER_FIRST.fullmatch(plain):
            return match[2], match[1]
        if not self.tiles and (match := _LETTER_ALONE.fullmatch(plain)):
            return match[1], ""
        raise self._unreadable(plain)

    def _unreadable(self, plain: str) -> UnreadableMove:
        letter = re.fullmatch(r"([a-z])\s*[0-9]{1,4}|[0-9]{1,4}\s*([a-z])", plain)
        if letter:
            text = Phrase(
                "{typed} is not a rotation: there are six, a to f.",
                typed=quoted(letter[1] or letter[2]),
            )
        elif re.fullmatch("[a-f]", plain):
            text = Phrase(
                "{typed} names a rotation but no position: its number is missing.",
                typed=quoted(plain),
            )
        elif re.fullmatch("[0-9]{1,4}", plain):
            text = Phrase(
                "{typed} names a position but no rotation: a letter from a to f is missing.",
                typed=quoted(plain),
            )
        else:
            text = Phrase(
                "{typed} is not a move: write a rotation, a to f, and a position number.",
                typed=quoted(plain),
            )
        return UnreadableMove(text, code="vasco.unreadable-move")

    def _no_such_position(self, number: int, rotation: Rotation) -> IllegalMove:
        if not self.tiles:
            return IllegalMove(
                "The first tile can only go to position 1; there is no {number} yet.",
                code="vasco.first-tile",
                hint=for_example(f"{rotation}1"),
                number=number,
            )
        last = len(self.survey().numbers)
        return IllegalMove(
            "There is no position {number} now: they go from 1 to {last}, and are renumbered "
            "after every move.",
            code="vasco.no-such-position",
            number=number,
            last=last,
        )

    def _refuse_when_over(self) -> None:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMove(
                "The game is over: {reason}", code="vasco.game-over", reason=outcome.reason
            )

    def _refuse_at(self, number: int, move: Move) -> None:
        """Raise the reason why a rotation does not fit a numbered position, and which ones do."""
        works = [
            other.rotation
            for other in self.survey().placements
            if (other.x, other.y) == (move.x, move.y)
        ]
        try:
            lay(self.table.copy(), move, self.room)
        except IllegalMove as refusal:
            raise IllegalMove(
                "{refusal} What fits position {number}: {moves}.",
                code=refusal.code,
                hint=for_example(f"{works[0]}{number}"),
                refusal=refusal.text,
                number=number,
                moves=", ".join(works),
            ) from None


@dataclass(frozen=True)
class Vasco:
    """Start games of Vasco and read positions of it."""

    info: GameInfo = INFO

    def start(self, options: str | Mapping[str, object] = "") -> VascoPosition:
        size = read_options(INFO.options, options).number("size")
        return VascoPosition(size, 0, LaidTiles())

    def read(self, line: str) -> VascoPosition:
        size, side, hand, table = read_line(line)
        return VascoPosition(size, INFO.seats.index(side), table, hand)


GAME = Vasco()
