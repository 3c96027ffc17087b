"""Druid, by Cameron Browne (2004): the law of turns, swaps, passes and endings.

V moves first and joins bottom and top; H joins left and right. What may stand on what
is the law of `monument.py`. Rulings D1 to D5 stand beside the lines that follow them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sarsen.core.errors import IllegalMove
from sarsen.core.game import GameInfo, Outcome
from sarsen.core.options import Value, read_options
from sarsen.core.phrases import Phrase, for_example
from sarsen.games.druid import position_line, refusals
from sarsen.games.druid.board import (
    OPTIONS,
    SIDES,
    H,
    Lintel,
    Monument,
    Piece,
    Sarsen,
    Terms,
    V,
    empty_site,
    site,
    squares_of,
    terms_of,
)
from sarsen.games.druid.notation import Move, Word, is_on_site, read_move, square_name, write_move

EDGES = {V: "top and bottom", H: "left and right"}


@dataclass(frozen=True, slots=True)
class DruidPosition:
    """A position of Druid.

    Attributes:
        ply: The moves made so far, a swap and every pass included.
        is_swapped: The seats have changed sides.
        passes: How many passes in a row the last moves were.
        winner: The side that has joined its edges.
        last: The move that led here; unknown after reading a written position.
    """

    terms: Terms
    monument: Monument
    ply: int = 0
    is_swapped: bool = False
    passes: int = 0
    winner: int | None = None
    last: Move | None = field(default=None, compare=False)
    caused: tuple[str, ...] = field(default=(), compare=False)
    _legal: list[tuple[Move, ...]] = field(
        default_factory=list, init=False, compare=False, repr=False
    )

    @property
    def game(self) -> DruidGame:
        return GAME

    @property
    def options(self) -> Mapping[str, Value]:
        return self.terms.options().as_dict()

    @property
    def seat(self) -> int:
        return self.ply % 2

    @property
    def sides(self) -> tuple[str, ...]:
        return SIDES[::-1] if self.is_swapped else SIDES

    @property
    def side(self) -> int:
        """The side to move, V or H."""
        return self.seat ^ self.is_swapped

    def outcome(self) -> Outcome | None:
        if self.winner is not None:
            name = SIDES[self.winner]
            scores = tuple(float(side == name) for side in self.sides)
            return Outcome(
                scores,
                Phrase(
                    "{side} joined top and bottom."
                    if self.winner == V
                    else "{side} joined left and right.",
                    side=name,
                ),
            )
        # Ruling D1: two passes in a row are a draw.
        if self.passes >= 2:
            return Outcome((0.5, 0.5), "Both sides passed.")
        # Ruling D5: the limit is judged after a win; a swap is a ply like any other.
        if self.ply >= self.terms.most_plies:
            return Outcome((0.5, 0.5), Phrase("Nobody won within {plies} moves.", plies=self.ply))
        return None

    def legal_moves(self) -> Sequence[Move]:
        if not self._legal:
            self._legal.append(self._find_moves())
        return self._legal[0]

    def play(self, move: Move) -> DruidPosition:
        self._judge(move)
        return self.play_legal(move)

    def play_legal(self, move: Move) -> DruidPosition:
        """Return the position after a legal move, which is not judged."""
        match move:
            case Word.SWAP:
                return self._after_swap()
            case Word.PASS:
                return self._after_pass()
            case _:
                return self._after_piece(move)

    def parse(self, text: str) -> Move:
        self._refuse_when_over()
        try:
            move = read_move(text, self.terms.size)
        except IllegalMove as refusal:
            refusal.hint = for_example(write_move(self.legal_moves()[0]))
            raise
        self._judge(move)
        return move

    format = staticmethod(write_move)

    def effects(self) -> tuple[str, ...]:
        return self.caused

    def write(self) -> str:
        return position_line.write(
            position_line.DruidLine(
                self.terms, self.ply, self.is_swapped, self.passes, self.monument
            )
        )

    @property
    def may_swap(self) -> bool:
        """Whether the side to move may answer by changing sides."""
        return self.terms.swap and self.ply == 1

    @property
    def is_opening(self) -> bool:
        """Whether no stone has been placed yet."""
        return not self.monument.stones

    def _find_moves(self) -> tuple[Move, ...]:
        if self.outcome() is not None:
            return ()
        if self.is_opening:
            return tuple(map(Sarsen, squares_of(site(self.terms.size).edge)))
        moves: list[Move] = [*self.monument.pieces(self.side, self.terms)]
        if self.may_swap:
            moves.append(Word.SWAP)
        # Ruling D1: a player passes when, and only when, there is nothing else to do.
        return tuple(moves) or (Word.PASS,)

    def _refuse_when_over(self) -> None:
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMove(
                "The game is over: {reason}", code="druid.game-over", reason=outcome.reason
            )

    def _judge(self, move: Move) -> None:
        self._refuse_when_over()
        match move:
            case Word.PASS:
                # Ruling D1.
                if self.legal_moves() != (Word.PASS,):
                    raise refusals.pass_refusal(self.legal_moves())
            case Word.SWAP:
                if not self.may_swap:
                    raise refusals.swap_refusal(self.terms.swap, self.legal_moves())
            case _:
                self._judge_piece(move)

    def _judge_piece(self, piece: Piece) -> None:
        if not is_on_site(piece, self.terms.size):
            raise refusals.off_site_refusal(piece, self.legal_moves())
        if self.is_opening:
            is_at_edge = site(self.terms.size).edge >> piece.squares[0] & 1
            if isinstance(piece, Lintel) or not is_at_edge:
                raise refusals.opening_refusal(self.legal_moves(), piece)
        fault = self.monument.fault(piece, self.side, self.terms)
        if fault is not None:
            raise refusals.refusal(fault, self.monument, piece, self.side, self.legal_moves())

    def _after_piece(self, piece: Piece) -> DruidPosition:
        side = self.side
        monument = self.monument.put(piece, side)
        has_won = monument.is_joined_by(side)
        return DruidPosition(
            self.terms,
            monument,
            self.ply + 1,
            self.is_swapped,
            winner=side if has_won else None,
            last=piece,
            caused=(*self._covered(piece), *self._ended(self.ply + 1, has_won)),
        )

    def _after_swap(self) -> DruidPosition:
        (stone,) = self.monument.stones
        caused = (
            Phrase(
                "The players swap sides: the second player takes V and the stone on {square}, and "
                "H moves next.",
                square=square_name(stone.start),
            ),
        )
        return DruidPosition(
            self.terms, self.monument, self.ply + 1, True, last=Word.SWAP, caused=caused
        )

    def _after_pass(self) -> DruidPosition:
        passes = self.passes + 1
        caused: list[str] = [
            Phrase("{side} cannot place a stone and passes.", side=SIDES[self.side])
        ]
        caused += [Phrase("Both sides passed: a draw.")] * (passes >= 2)
        return DruidPosition(
            self.terms,
            self.monument,
            self.ply + 1,
            self.is_swapped,
            passes,
            last=Word.PASS,
            caused=tuple(caused),
        )

    def _covered(self, piece: Piece) -> tuple[str, ...]:
        """Return a text that says whose stone a lintel hides from every chain, or what it spans."""
        if not isinstance(piece, Lintel):
            return ()
        sentences = []
        for square in piece.squares:
            owner = self.monument.owner(square)
            if owner == 1 - self.side:
                sentences.append(
                    Phrase(
                        "The lintel covers {other}'s stone on {square}.",
                        other=SIDES[owner],
                        square=square_name(square),
                    )
                )
            elif owner is None:
                sentences.append(
                    Phrase("The lintel spans the bare square {square}.", square=square_name(square))
                )
        return tuple(sentences)

    def _ended(self, ply: int, has_won: bool) -> tuple[str, ...]:
        if has_won:
            return (
                Phrase(
                    "{side} joins top and bottom and wins."
                    if self.side == V
                    else "{side} joins left and right and wins.",
                    side=SIDES[self.side],
                ),
            )
        if ply >= self.terms.most_plies:
            return (Phrase("Nobody has won within {plies} moves: a draw.", plies=ply),)
        return ()


@dataclass(frozen=True, slots=True)
class DruidGame:
    """Start games of Druid and read its positions."""

    info: GameInfo

    def start(self, options: str | Mapping[str, object] = "") -> DruidPosition:
        terms = terms_of(read_options(OPTIONS, options))
        return DruidPosition(terms, empty_site(terms.size))

    def read(self, line: str) -> DruidPosition:
        record = position_line.read(line)
        joined = [side for side in (V, H) if record.monument.is_joined_by(side)]
        return DruidPosition(
            record.terms,
            record.monument,
            record.ply,
            record.is_swapped,
            record.passes,
            winner=joined[0] if joined else None,
        )


GAME = DruidGame(
    GameInfo(
        name="druid",
        title="Druid",
        seats=SIDES,
        author="Cameron Browne",
        year=2004,
        rules_version=1,
        options=OPTIONS,
        rights="© Cameron Browne 2004.",
        summary="Stack stones and lay lintels: V joins top and bottom, H left and right.",
        aims=("join top and bottom", "join left and right"),
    )
)
