"""How often each place of the board is used in a move, and the board to show it on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing.pointing import place_of
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import plan, registered
from sarsen.lab.reporting.charts import Place
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.plan import GameRecord

MAX_REPLAYED = 100  # games: more hardly change a mean, and each is played again
# Games whose positions are looked at for places which the first does not have: each is drawn.
MAX_BOARDS = 12


def heat(games: ReportGames, start: AnyPosition) -> dict[str, float]:
    """Return how often the strongest use each place, as shares of the most; {} without a view.

    A move uses the places that its game's view has one point at for it.
    """
    view = registered(start.game.info.name)
    if view is None:
        return {}
    counts = Counter[str]()
    for record in _sampled(games):
        position = start
        for text in record.moves:
            move = position.parse(text)
            counts.update(set(view.clicks(position, move)))
            position = position.play(move)
    most = max(counts.values(), default=1)
    return {place: count / most for place, count in sorted(counts.items())}


def places_of(
    games: ReportGames, start: AnyPosition, heat: Mapping[str, float]
) -> tuple[Scene, dict[str, Place]] | None:
    """Return a board, and where on it each place lies that is pointed at in some position.

    The board is the first position, or a later one that has more of the places used, from
    straight above where the view can draw that: no piece hides a place then.

    Returns:
        None where the picture grows with the game: names of places move there.
    """
    boards = [plan(position) or drawing.scene(position) for position in _some(games, start)]
    if len({(board.width, board.height) for board in boards}) > 1:
        return None

    def used(board: Scene) -> float:
        return sum(heat.get(spot, 0.0) for spot in _spots(board))

    best = max(boards, key=lambda board: (used(board), board is boards[0]))
    places: dict[str, Place] = {}
    for board in (best, *boards):
        found = {spot: place_of(board, spot) for spot in _spots(board) - set(places)}
        places |= {spot: place for spot, place in found.items() if place is not None}
    return best, places


def _spots(board: Scene) -> set[str]:
    return {shape.spot for shape in board.shapes if shape.spot}


def _some(games: ReportGames, start: AnyPosition) -> Iterator[AnyPosition]:
    """Yield the first two positions, and the last two in which the game goes on, of some games."""
    yield start
    for record in _sampled(games)[:MAX_BOARDS]:
        position, last = start, len(record.moves) - 1
        for ply, text in enumerate(record.moves[:-1], 1):
            position = position.play(position.parse(text))
            if ply in (1, last - 1, last):
                yield position


def _sampled(games: ReportGames) -> list[GameRecord]:
    top = games.top
    return top[:: max(1, len(top) // MAX_REPLAYED)][:MAX_REPLAYED]
