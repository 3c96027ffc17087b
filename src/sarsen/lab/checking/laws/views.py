"""What must hold of every view: text board, picture, words and places to point at agree.

Each law takes a game as played so far and yields what is wrong with its last position.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

from sarsen import drawing
from sarsen.drawing import taps, view
from sarsen.drawing.scene import Shape
from sarsen.drawing.svg import svg
from sarsen.drawing.view import cells, registered
from sarsen.lab.checking.laws.positions import without_brackets
from sarsen.lab.checking.walks import Fault, Law, Walk, in_words, typed_moves

FEW_DRAWN = 6  # moves of a position, for a view that draws them all alike
MAX_DRAWN = 24  # moves of a position whose results are compared as they are drawn
SMALL_ROWS, SMALL_COLUMNS = 20, 60  # of a terminal for which a text board may have to be smaller
WIDEST_TEXT = 200  # columns; Visavis 25, the widest board we know, has about 110
_TITLE = "{http://www.w3.org/2000/svg}title"


def _has_view(walk: Walk) -> bool:
    """Return whether a game brings a view; otherwise its written positions are shown."""
    return registered(walk.game.info.name) is not None


def text_board_is_plain(walk: Walk) -> Iterator[Fault]:
    """The text board is ASCII, without blanks at the ends of lines, and not too wide."""
    if not _has_view(walk):
        return
    for viewer in (None, *range(len(walk.game.info.seats))):
        board = drawing.text(walk.position, viewer)
        lines = board.split("\n")
        if not board.isascii() or any(line != line.rstrip() for line in lines):
            yield Fault("text-board", "The text board is no plain ASCII, or has trailing blanks.")
        if not lines[-1] or max(map(len, lines)) > WIDEST_TEXT:
            yield Fault("text-board", f"The text board ends empty, or is over {WIDEST_TEXT} wide.")


def viewers_see_the_same(walk: Walk) -> Iterator[Fault]:
    """Text and picture show the same things to everybody, perhaps from another side."""
    if not _has_view(walk):
        return
    position = walk.position
    text, shapes = _shown(drawing.text(position)), len(drawing.scene(position).shapes)
    for viewer, seat in enumerate(walk.game.info.seats):
        if _shown(drawing.text(position, viewer)) != text:
            said = f"The text board shows {seat} other things than it shows others."
        elif len(drawing.scene(position, viewer).shapes) != shapes:
            said = f"The picture shows {seat} other things than it shows others."
        else:
            continue
        yield Fault("hidden-information", f"{said} Games of sarsen hide nothing.")
        return


def _shown(board: str) -> list[str]:
    return sorted("".join(board.split()))


def picture_is_well_formed(walk: Walk) -> Iterator[Fault]:
    """The picture is SVG with one title."""
    if not _has_view(walk):
        return
    scene = drawing.scene(walk.position)
    if scene.width <= 0 or scene.height <= 0 or not scene.title.strip():
        yield Fault("picture", "The picture has no size, or no title.")
        return
    titles = ElementTree.fromstring(svg(scene)).findall(_TITLE)  # noqa: S314 (written here)
    if [title.text for title in titles] != [scene.title]:
        yield Fault("picture", "The picture needs exactly one title.")


def clicks_tell_moves_apart(walk: Walk) -> Iterator[Fault]:
    """Each move has spots that the picture shows, and no two moves the same ones.

    Those that are said in a word need none: they have buttons.
    """
    if not _has_view(walk):
        return
    position = walk.position
    shown = {shape.spot for shape in drawing.scene(position).shapes if shape.spot}
    own, known = drawing.view_of(position), dict[tuple[str, ...], str]()
    words = taps.moves_in_words(position)
    for move in position.legal_moves():
        spots, text = own.clicks(position, move), position.format(move)
        if not set(spots) <= shown:
            missing = ", ".join(sorted(set(spots) - shown))
            yield Fault("spots", f"{text} is pointed at {missing}, which no shape shows.", text)
            return
        if not spots and text in words:
            continue
        if spots in known:
            said = f"{known[spots]} and {text} are pointed at the same spots, {' '.join(spots)}."
            yield Fault("clicks", said, text)
            return
        known[spots] = text


def position_is_described(walk: Walk) -> Iterator[Fault]:
    """`describe` says in sentences what is there, and first whose turn it is."""
    if not _has_view(walk):
        return
    position, words = walk.position, drawing.describe(walk.position)
    # How a game was ended from outside takes the place of the sentence on the turn.
    turn = words.partition(". ")[0]
    side = position.sides[position.seat]
    if not words.strip():
        yield Fault("description", "`describe` says nothing.")
    elif position.outcome() is None and (
        side not in turn.split() or turn in drawing.describe(position, "Somebody resigned.")
    ):
        said = f"The first sentence of `describe`, {turn!r}, does not name {side}, who moves."
        yield Fault("description", said)
    if any(not effect.strip() for effect in position.effects()):
        yield Fault("effects", "An effect of the last move is empty.")


def views_show_the_difference(walk: Walk) -> Iterator[Fault]:
    """Text and picture agree about which positions look different.

    Moves and a common reply, so that the sign of the last move is the same.
    """
    if not _has_view(walk):
        return
    moves = list(walk.position.legal_moves())
    chance = random.Random(len(walk.moves))
    some = chance.sample(moves, min(MAX_DRAWN, len(moves)))
    reply = _common_reply(walk, some)
    drawn: list[tuple[str, tuple[Shape, ...], Walk]] = []
    for move in some:
        found = walk.play(move)
        if reply is not None:
            if reply not in found.position.legal_moves():
                continue
            found = found.play(reply)
        # Titles name moves; shapes are what is seen.
        walk.note(found.line())
        drawn.append((drawing.text(found.position), drawing.scene(found.position).shapes, found))
    for (text, shapes, first), (other_text, other_shapes, second) in combinations(drawn, 2):
        if text != other_text and shapes != other_shapes:
            continue
        # The picture may show what came last; the text board needs to show what matters.
        is_picture = text != other_text
        if not is_picture and typed_moves(first.position) == typed_moves(second.position):
            continue
        if is_picture:
            code, blind = "picture-drops", "picture looks"
        else:
            is_both = shapes == other_shapes
            code = "text-drops"
            blind = "text board and the picture look" if is_both else "text board looks"
        at = len(walk.moves)
        end = f", then {first.texts[-1]}," if reply is not None else ""
        said = f"After {first.texts[at]} and after {second.texts[at]}{end} the {blind} the same."
        yield Fault(code, said, " ".join(second.texts[at:]))
        return


def moves_are_drawn(walk: Walk) -> Iterator[Fault]:
    """Moves to different places are drawn differently, marks of the last move aside.

    A view that draws the position before the last move, or always the same one, draws them alike.
    """
    position = walk.position
    places = [move for move in position.legal_moves() if not in_words(position, move)]
    if not _has_view(walk) or len(places) < 2:
        return
    chance = random.Random(len(walk.moves))
    met = [walk.play(move) for move in chance.sample(places, min(FEW_DRAWN, len(places)))]
    if len({tuple(typed_moves(one.position)) for one in _each(met)}) == 1:
        return
    boards = [drawing.text(one.position) for one in _each(met)]
    shapes = [list(drawing.scene(one.position).shapes) for one in _each(met)]
    blind = list[str]()
    if _are_alike(list(map(without_brackets, boards))):
        blind.append("text board")
    if _are_alike([unmarked(one) for one in shapes]):
        blind.append("picture")
    if blind:
        moves, shown = (one.texts[-1] for one in met), " and the ".join(blind)
        look = "looks" if len(blind) == 1 else "look"
        said = f"After {', '.join(moves)} the {shown} {look} the same, but for marks."
        # What looks like a mark may mean more, if the other drawing shows the moves.
        is_sure = len(blind) == 2 or _are_alike(boards if blind == ["text board"] else shapes)
        yield Fault("undrawn-move", said, met[1].texts[-1], is_sure)


def _each(walks: Iterable[Walk]) -> Iterator[Walk]:
    """Yield games; what is asked of each has its own time."""
    for found in walks:
        found.note(found.line())
        yield found


def _are_alike(drawn: Sequence[object]) -> bool:
    return all(one == drawn[0] for one in drawn)


def unmarked(shapes: Iterable[Shape]) -> list[Shape]:
    """Return the shapes of a picture without those that mark the last move."""
    return [one for one in shapes if "mark" not in (one.role, getattr(one, "outline", ""))]


def _common_reply(walk: Walk, moves: list[Any]) -> Any | None:
    """Return a reply that is legal after most of some moves; None when there is none."""
    if not moves:
        return None
    counts: dict[Any, int] = {}
    for move in moves:
        for reply in walk.after(move).legal_moves():
            counts[reply] = counts.get(reply, 0) + 1
    best = max(counts, key=lambda reply: counts[reply], default=None)
    return best if best is not None and counts[best] > 1 else None


def every_drawing_works(walk: Walk) -> Iterator[Fault]:
    """The optional parts of a view work, too: cells, plan, small text, prompts."""
    if not _has_view(walk):
        return
    position = walk.position
    table = cells(position)
    spots = [cell.spot for row in table.rows for cell in row.cells if cell.spot]
    if len(set(spots)) != len(spots):
        yield Fault("cells", "`cells` names a spot twice.")
    smaller = drawing.compact_text(position, SMALL_ROWS, SMALL_COLUMNS)
    if not smaller.strip() or not smaller.isascii():
        yield Fault("compact-text", "`compact_text` is empty, or no plain ASCII.")
    bare = drawing.bare_text(position)
    if not bare.strip() or not bare.isascii():
        yield Fault("bare-text", "`bare_text` is empty, or no plain ASCII.")
    for asked in (view.plan, taps.prompts, taps.landings, taps.presets, taps.ways):
        walk.note(walk.line())
        asked(position)


EVERY_PLY: tuple[Law, ...] = (
    text_board_is_plain,
    viewers_see_the_same,
    picture_is_well_formed,
    position_is_described,
)
# Laws that look at many moves of a position.
SOME_PLIES: tuple[Law, ...] = (
    clicks_tell_moves_apart,
    moves_are_drawn,
    views_show_the_difference,
    every_drawing_works,
)
