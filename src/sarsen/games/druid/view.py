"""What a position of Druid looks like: as text, as a picture, to a finger, to an ear."""

from __future__ import annotations

from sarsen import drawing
from sarsen.drawing.scene import Scene
from sarsen.games.druid import picture, text
from sarsen.games.druid.monument import SIDES, H, Lintel, V, squares_of
from sarsen.games.druid.notation import Move, Word, square_name
from sarsen.games.druid.rules import EDGES, GAME, DruidPosition


class DruidView:
    """Draw positions of Druid; the site looks the same from every seat."""

    def text(self, position: DruidPosition, viewer: int | None = None) -> str:
        return text.board(position.monument)

    def scene(self, position: DruidPosition, viewer: int | None = None) -> Scene:
        return picture.scene(position)

    def clicks(self, position: DruidPosition, move: Move) -> tuple[str, ...]:
        """Name one square for a sarsen, both ends for a lintel, the first stone for a swap.

        A pass has no place on the site, and so no spots.
        """
        match move:
            case Word.SWAP:
                return tuple(square_name(stone.start) for stone in position.monument.stones)
            case Word.PASS:
                return ()
            case Lintel():
                first, _, last = move.squares
                return square_name(first), square_name(last)
            case _:
                return (square_name(move.square),)

    def describe(self, position: DruidPosition) -> str:
        sentences = [_state(position)]
        if position.last is not None:
            sentences.append(f"The last move was {_spoken(position.last)}.")
        sentences += position.effects()
        sentences += [_holdings(position, side) for side in (V, H)]
        return " ".join(sentences)


def _state(position: DruidPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over after {position.ply} plies: {outcome.reason}"
    name = SIDES[position.side]
    task = f"{name} to move, joining {EDGES[position.side]}."
    if position.is_opening:
        task += " The first stone is a sarsen on an edge square."
    if position.may_swap:
        task += f" {name} may swap."
    return task


def _spoken(move: Move) -> str:
    match move:
        case Word():
            return f"a {move.value}"
        case Lintel():
            first, middle, last = (square_name(square) for square in move.squares)
            return f"a lintel on {first}, {middle} and {last}"
        case _:
            return f"a sarsen on {square_name(move.square)}"


def _holdings(position: DruidPosition, side: int) -> str:
    """Name the squares a side is on top of, from a1 along the rows."""
    monument = position.monument
    squares = list(squares_of(monument.tops[side]))
    if not squares:
        return f"{SIDES[side]} has no square."
    words = [
        square_name(square)
        + (f" ({monument.heights[square]} high)" if monument.heights[square] > 1 else "")
        for square in squares
    ]
    count = f"{len(squares)} square" + "s" * (len(squares) > 1)
    return f"{SIDES[side]} has {count}: {', '.join(words)}."


drawing.register(GAME.info.name, DruidView())
