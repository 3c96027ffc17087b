"""X's answers that force a loop in Vasco, whatever O begins with.

`forced_loop.txt` holds every answer that closes no loop yet, a line each: the moves from the
first tile on, the last of them the answer. The lines begin with `a1`; a table that begins
otherwise is turned until it does. Where no line leads, X closes a loop at once.

`walking` proves it: in SMALLEST tiles and more X wins. `building` found the lines.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from sarsen.games.vasco.laying import Move
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search.vasco.turning import back, turn_to, turned, turned_tiles

# The smallest pool that the answers were made for; none of their lines lays more tiles, and
# none of O's tries, legal or not. So in all greater pools every word of them holds too.
SMALLEST = 47
X = 1


def lines() -> tuple[tuple[str, ...], ...]:
    """Return the lines as move texts; each ends with an answer of X's."""
    page = files(__package__).joinpath("forced_loop.txt").read_text("utf-8")
    return tuple(tuple(line.split()) for line in page.splitlines())


def answer(position: VascoPosition) -> Move | None:
    """Return X's answer, or None: X can close a loop at once, or the win was let go before."""
    if position.seat != X or position.size < SMALLEST or not position.tiles:
        return None
    turn = turn_to("a", position.tiles)
    found = _answers().get(turned_tiles(position.tiles, turn))
    return None if found is None else turned(found, back(turn))


@cache
def _answers() -> dict[frozenset[Move], Move]:
    """Return the answers by the tiles that X finds on the table."""
    known: dict[tuple[str, ...], VascoPosition] = {(): GAME.start({"size": SMALLEST})}
    answers: dict[frozenset[Move], Move] = {}
    for line in lines():
        for ply, text in enumerate(line):
            before = known[line[:ply]]
            if line[: ply + 1] not in known:
                known[line[: ply + 1]] = before.play(before.parse(text))
        before = known[line[:-1]]
        tiles = turned_tiles(before.tiles, turn_to("a", before.tiles))
        answers[tiles] = before.parse(line[-1])
    return answers
