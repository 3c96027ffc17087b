"""Broken on purpose: Cram on 6 by 6, which the second player wins by mirroring."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

CELLS = tuple(f"{column}{row}" for row in "123456" for column in "abcdef")
PAIRS = tuple(
    one + other
    for one in CELLS
    for other in (chr(ord(one[0]) + 1) + one[1], one[0] + chr(ord(one[1]) + 1))
    if other in CELLS
)


@dataclass(frozen=True)
class MirrorPosition(RecordedPosition):
    terms: Options
    moves: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()
    notation = (r"(?:[a-f][1-6]){2}", "a1a2")

    @property
    def game(self) -> Game:
        return GAME

    def outcome(self) -> Outcome | None:
        if any(self._is_free(pair) for pair in PAIRS):
            return None
        last = 1 - self.seat
        return self.won_by(last, f"{INFO.seats[last]} placed the last domino.")

    def _is_free(self, pair: str) -> bool:
        return pair[:2] not in self.taken and pair[2:] not in self.taken

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(pair for pair in PAIRS if self._is_free(pair))

    def after(self, move: str) -> MirrorPosition:
        if move not in self.legal_moves():
            raise IllegalMove(f"No domino fits on {move}.", code="mirror.place")
        taken = self.taken | {move[:2], move[2:]}
        return MirrorPosition(self.terms, (*self.moves, move), taken)


INFO = GameInfo(
    "mirror", "Mirror", ("White", "Black"), "sarsen", 2026, 1, (), "The last domino wins."
)
GAME: Game = RecordedGame(INFO, MirrorPosition)
