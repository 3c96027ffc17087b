"""How much each kind of piece is used, for games whose view is made of a board kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sarsen.core.game import AnyPosition
from sarsen.drawing.kits import BoardView, Contents, Piece
from sarsen.drawing.view import View
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.plan import GameRecord
from sarsen.lab.reporting.statistics import Figure, mean

MAX_REPLAYED = 100  # games: more hardly change a share, and each is played again
PLAIN = "plain piece"  # one without a name and a letter


def pieces(games: ReportGames, start: AnyPosition, view: View | None) -> list[Figure]:
    """Return the share of moves that use each kind of piece, the most used first.

    A move uses what stands after it on the places that it names: what it moved or placed, and
    what it turned where its text says so. Where nothing stands there any more it used what
    stood there before. A kind is its name, or its letter where it has none.

    Returns:
        Kinds that stand on the board and are never used, too, with 0; nothing where the view
        is not a board with kinds of pieces.
    """
    if not isinstance(view, BoardView):
        return []
    top = games.top
    sample = top[:: max(1, len(top) // MAX_REPLAYED)][:MAX_REPLAYED]
    seen_kinds = {_kind(piece) for piece in view.contents(start).values()}
    shares: list[dict[str, float]] = []
    for record in sample:
        used = Counter[str]()
        for kinds, standing in _uses(record, start, view):
            used.update(kinds)
            seen_kinds |= standing
        shares.append({kind: count / len(record.moves) for kind, count in used.items()})
    if not seen_kinds - {PLAIN}:
        return []
    figures = [
        mean(
            f"piece {kind}", kind, [shares_of_game.get(kind, 0.0) for shares_of_game in shares], "%"
        )
        for kind in sorted(seen_kinds)
    ]
    return sorted(figures, key=lambda figure: -figure.value)


def _uses(
    record: GameRecord, start: AnyPosition, view: BoardView
) -> Iterator[tuple[set[str], set[str]]]:
    """Yield the kinds that each move of a game uses, and those that stand on the board then."""
    position = start
    for text in record.moves:
        move = position.parse(text)
        places = view.clicks(position, move)
        before = view.contents(position)
        position = position.play(move)
        after = view.contents(position)
        yield _on(places, after) or _on(places, before), {_kind(piece) for piece in after.values()}


def _on(places: tuple[str, ...], contents: Contents) -> set[str]:
    return {_kind(contents[place]) for place in places if place in contents}


def _kind(piece: Piece | int) -> str:
    return (piece.name or piece.letter or PLAIN) if isinstance(piece, Piece) else PLAIN
