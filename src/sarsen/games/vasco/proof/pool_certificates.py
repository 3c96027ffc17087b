"""Certificates of Vasco's pools: every answer that a side needs, in the order of one walk.

`sarsen/games/vasco/solved/check_vasco.py` checks them, and shares no code with this package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sarsen.core.errors import UserError
from sarsen.games.vasco import kernel as vasco_kernel
from sarsen.games.vasco.board import ROTATIONS
from sarsen.games.vasco.proof.forced_loop import SMALLEST, lines, turn_to, turned
from sarsen.games.vasco.rules import GAME, INFO, VascoPosition
from sarsen.search.contract import DRAWN, KEY, ONGOING, RESULT, SEAT, WON_BY_FIRST, Array
from sarsen.search.thinking.by_proof import Question
from sarsen.search.thought import Budget

# Words of the table of a search, 512 MiB: it forgets hardly anything of what a pool takes.
_TABLE_WORDS = 1 << 26
# Pools in which O draws, so that each side has a certificate that it does not lose.
DRAWN_POOLS = (7, 8, 14, 15, 16, 17, 18)
_FORGOTTEN = "a position of the proof is not proven again"


def names(size: int) -> tuple[str, ...]:
    """Return the names of the certificates of a pool."""
    return (f"vasco-{size}-o", f"vasco-{size}-x") if size in DRAWN_POOLS else (f"vasco-{size}",)


def certificate(name: str, seconds: float | None = None) -> Iterator[str]:
    """Yield the lines of a certificate, such as that of `vasco-34`.

    Args:
        name: One of `names`: the pool, and the side that does not lose where it is drawn.
        seconds: Then the search ends; None for however long it takes.

    Raises:
        UserError: The side does not keep what is claimed, or nothing was found in time.
    """
    _, size, *letters = name.split("-")
    side = INFO.seats.index(letters[0].upper()) if letters else 1
    keeper = Keeper(int(size), side, is_draw_enough=bool(letters))
    is_known = keeper.size >= SMALLEST
    if not is_known and not keeper.keeps(vasco_kernel.encode(keeper.start), seconds):
        raise UserError(
            "With {tiles} tiles that is not proven.", code="not-solved", tiles=int(size)
        )
    yield f"vasco -size={size}: {INFO.seats[side]} {'does not lose' if letters else 'wins'}"
    yield from walk(keeper)


@dataclass
class Keeper:
    """A side that keeps a win, or at least a draw, and how.

    Attributes:
        side: Its seat.
    """

    size: int
    side: int
    is_draw_enough: bool
    question: Question = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.start = GAME.start({"size": self.size})
        self.kernel = vasco_kernel.kernel(self.start)
        # A draw is kept where the other side cannot win.
        attacker = 1 - self.side if self.is_draw_enough else self.side
        self.question = Question(self.kernel, attacker, np.zeros(_TABLE_WORDS, np.int64))
        self._stored = _stored(self.start) if self.size >= SMALLEST else {}

    def keeps(self, state: Array, seconds: float | None = None) -> bool:
        """Return whether it keeps its goal from a state, as far as that is proven."""
        found = self.question.ask(state, Budget(seconds=seconds), None)
        return found < 0 if self.is_draw_enough else found > 0

    def answer(self, state: Array, moves: list[int]) -> int:
        """Return the move that keeps it, in a state from which it does."""
        if int(state[KEY]) in self._stored:
            return self._stored[int(state[KEY])]
        for _ in range(2):
            for move in moves:
                proof, disproof, _work = self.question.numbers(self.after(state, move))
                if (disproof if self.is_draw_enough else proof) == 0:
                    return move
            # The table has let it go.
            self.keeps(state)
        raise LookupError(_FORGOTTEN)

    def legal(self, state: Array) -> list[int]:
        """List the moves in reading order, and by rotation."""
        room = np.empty(self.kernel.most_moves, np.int64)
        count = self.kernel.legal(self.kernel.constants, state, room)
        return sorted(room[:count].tolist())

    def after(self, state: Array, move: int) -> Array:
        """Return the state after a move."""
        following = state.copy()
        self.kernel.play(self.kernel.constants, following, move)
        return following

    def is_good_end(self, state: Array) -> bool:
        """Return whether the game is over, and as the side wants."""
        result = state[RESULT]
        is_drawn = self.is_draw_enough and result == DRAWN
        return bool(result == WON_BY_FIRST + self.side or is_drawn)


def walk(keeper: Keeper) -> Iterator[str]:
    """Yield the answers of a side, in the order in which a checker needs them.

    All moves of the other side are gone through depth-first, in reading order and by rotation. A
    position met before is left out, and so is one in which the side can end the game as it
    wants: there any such move does.
    """
    met: set[int] = set()

    def is_new(state: Array) -> bool:
        count = len(met)
        met.add(int(state[KEY]))
        return len(met) > count

    def answered(state: Array) -> Iterator[str]:
        moves = keeper.legal(state)
        if any(keeper.is_good_end(keeper.after(state, move)) for move in moves):
            return
        move = keeper.answer(state, moves)
        yield _text(moves, move)
        after = keeper.after(state, move)
        if is_new(after):
            yield from replies(after)

    def replies(state: Array) -> Iterator[str]:
        for move in keeper.legal(state):
            after = keeper.after(state, move)
            if after[RESULT] == ONGOING and is_new(after):
                yield from answered(after)

    start = vasco_kernel.encode(keeper.start)
    yield from answered(start) if start[SEAT] == keeper.side else replies(start)


def _stored(start: VascoPosition) -> dict[int, int]:
    """Return the answers of `forced_loop`, after each of the six first tiles, by key."""
    answers: dict[int, int] = {}
    first = start.play(start.parse("a1")).tiles
    for rotation in ROTATIONS:
        turn = turn_to(rotation, first)
        for line in lines():
            position = image = start
            for text in line[:-1]:
                move = position.parse(text)
                position, image = position.play(move), image.play(turned(move, turn))
            answer = vasco_kernel.code(image, turned(position.parse(line[-1]), turn))
            answers[int(vasco_kernel.encode(image)[KEY])] = answer
    return answers


def _text(moves: list[int], move: int) -> str:
    """Return a move as players write it: the board numbers the cells that take a tile."""
    cells = sorted({each >> 3 for each in moves})
    return f"{ROTATIONS[move & 7]}{cells.index(move >> 3) + 1}"


if __name__ == "__main__":
    import sys

    for line in certificate(sys.argv[1]):
        print(line, flush=True)
