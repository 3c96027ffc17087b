"""Words, text board and picture of a place agree on what stands there, over many games."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from sarsen import drawing
from sarsen.core.game import Game
from sarsen.drawing.kits import BoardView
from sarsen.drawing.pits import PitView
from sarsen.drawing.view import cells
from sarsen.lab.checking.comparisons.relations import smallest
from sarsen.lab.checking.laws.positions import board_of
from sarsen.lab.checking.laws.views import unmarked
from sarsen.lab.checking.walks import Finding, Note, Walk, walk

MAX_GAMES = 60  # what sixty games do not show is rare; the deadline mostly comes first
MAX_POSITIONS = 12  # of one game: neighbours are drawn nearly alike
LONGEST = 300  # plies, for games that do not end by chance
LEAST_MET = 12  # positions with the same words at a place, before they are compared
MAX_COMPARED = 30  # of them: each is compared with each
LEAST_TOLD = 0.5  # of what differs; a drawing that tells less shows places in a way of its own


@dataclass(frozen=True)
class Drawn:
    """What is drawn of a position.

    Attributes:
        words, shapes: What stands at each place.
        letters: Of the text board, by line and column.
    """

    found: Walk
    words: dict[str, str]
    shapes: dict[str, tuple[object, ...]]
    letters: dict[tuple[int, int], str]


def drawings_agree_on_places(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """The text board tells places apart where words and picture do, and the other way round.

    A view that drops one piece, or draws a king as a man, draws no two games alike: their other
    pieces differ. But no letter of its text board is another one when the king stands there.
    Asked of views of `drawing/kits.py` and `drawing/pits.py`, whose words and shapes belong to
    places.
    """
    view = drawing.view_of(game.start())
    if not isinstance(view, BoardView | PitView):
        return  # words that come from the picture, or shapes that belong to no place
    for options in dict.fromkeys((smallest(game, ""), "")):
        until = min(deadline, time.process_time() + (deadline - time.process_time()) / 2)
        finding = _disagreement(list(_drawn(game, options, until, note)), note)
        if finding is not None:
            yield finding
            return


def _drawn(game: Game, options: str, until: float, note: Note) -> Iterator[Drawn]:
    for seed in range(MAX_GAMES):
        met: list[Walk] = []
        for found in walk(game, options, seed, LONGEST, note, is_long=seed % 2 == 1):
            met.append(found)
            if time.process_time() > until:
                return
        for found in random.Random(seed).sample(met, min(MAX_POSITIONS, len(met))):
            if time.process_time() > until:
                return
            note(found.line())
            position = found.position
            shapes = defaultdict[str, list[object]](list)
            for shape in unmarked(drawing.scene(position).shapes):
                shapes[shape.spot].append(shape)
            lines = enumerate(board_of(position).split("\n"))
            yield Drawn(
                found,
                {cell.spot: cell.words for row in cells(position).rows for cell in row.cells},
                {spot: tuple(shapes[spot]) for spot in shapes},
                {(row, at): letter for row, line in lines for at, letter in enumerate(line)},
            )


def _disagreement(positions: list[Drawn], note: Note) -> Finding | None:
    """Return what one drawing never tells apart at a place, and words and the other do."""
    compared: list[tuple[str, str, str, bool, bool]] = []
    examples: dict[tuple[str, str], Drawn] = {}
    for spot in positions[0].words if positions else ():
        note("")  # the comparing of large boards takes seconds, which belong to no call
        groups = defaultdict[str, list[Drawn]](list)
        for drawn in positions:
            groups[drawn.words.get(spot, "")].append(drawn)
        for words, others in combinations(groups, 2):
            one, other = groups[words][:MAX_COMPARED], groups[others][:MAX_COMPARED]
            if spot and min(len(one), len(other)) >= LEAST_MET:
                examples[spot, words], examples[spot, others] = one[0], other[0]
                in_text, in_picture = _letters_differ(one, other), _shapes_differ(spot, one, other)
                compared.append((spot, words, others, in_text, in_picture))
    for name, at in (("text board", 3), ("picture", 4)):
        is_grid = sum(bool(row[at]) for row in compared) >= LEAST_TOLD * len(compared)
        for row in compared:
            if is_grid and not row[at] and row[7 - at]:
                spot, *pair = row[:3]
                first, second = (words or "nothing" for words in sorted(pair))
                text = f"The {name} does not tell whether {first} or {second} stands on {spot}."
                shown = max(
                    (examples[spot, words].found for words in pair if words),
                    key=lambda found: len(found.moves),
                )
                return Finding(f"{name.split()[0]}-drops", text, shown.line())
    return None


def _letters_differ(one: list[Drawn], other: list[Drawn]) -> bool:
    """Return whether some letter of the text board is never the same in two groups."""
    return any(
        not {drawn.letters.get(at, " ") for drawn in one}
        & {drawn.letters.get(at, " ") for drawn in other}
        for at in one[0].letters | other[0].letters  # a line may end before what only one group has
    )


def _shapes_differ(spot: str, one: list[Drawn], other: list[Drawn]) -> bool:
    return not {drawn.shapes.get(spot) for drawn in one} & {
        drawn.shapes.get(spot) for drawn in other
    }
