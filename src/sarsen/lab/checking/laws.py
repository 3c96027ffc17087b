"""What must hold in every position of every game: the laws of `core.game` and of views.

Each law takes a game as played so far and yields what is wrong with its last position.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.drawing import taps, view
from sarsen.drawing.cells import cells
from sarsen.drawing.scene import Shape
from sarsen.drawing.svg import svg
from sarsen.drawing.view import registered
from sarsen.lab.checking.walks import Fault, Law, Walk, begun

MOST_MOVES = 60  # of a position whose results are looked at
MOST_DRAWN = 24  # moves of a position whose results are compared as they are drawn
SMALL_ROWS, SMALL_COLUMNS = 20, 60  # of a terminal for which a text board may have to be smaller
ODD_TEXTS = (
    "",
    " ",
    "-",
    "a",
    "1",
    "a0",
    "z99",
    "99" * 20,
    "a1-",
    "a1-b2-c3",
    ";;",
    "é1",
    "²",
    "\0",
)
WIDEST_TEXT = 200  # columns; Visavis 25, the widest board we know, has about 110
_TITLE = "{http://www.w3.org/2000/svg}title"


def moves_exist_while_the_game_runs(walk: Walk) -> Iterator[Fault]:
    """Moves exist exactly while there is no outcome."""
    moves, outcome = walk.position.legal_moves(), walk.position.outcome()
    if not moves and outcome is None:
        yield Fault("no-outcome", "There is no legal move, and the game is not over.")
    if moves and outcome is not None:
        yield Fault("moves-after-the-end", "The game is over, and there are legal moves.")


def outcome_is_one(walk: Walk) -> Iterator[Fault]:
    """Scores are one a seat, in [0, 1], and sum to 1; the reason is a sentence."""
    outcome = walk.position.outcome()
    if outcome is None:
        return
    scores, seats = outcome.scores, walk.game.info.seats
    is_right = len(scores) == len(seats) and all(0 <= score <= 1 for score in scores)
    if not is_right or sum(scores) != 1:
        yield Fault("scores", f"{scores} are no scores: one a seat, 0 to 1, with the sum 1.")
    if not outcome.reason.endswith("."):
        yield Fault("reason", f"The reason {str(outcome.reason)!r} is no sentence.")


def seat_and_sides_are_the_games(walk: Walk) -> Iterator[Fault]:
    """One seat moves, named by its index; the sides are the seats, perhaps exchanged."""
    position, seats = walk.position, walk.game.info.seats
    if not isinstance(position.seat, int):
        said = f"The seat to move is {position.seat!r}. One seat moves at a time, never several."
        yield Fault("simultaneous-moves", said)
    elif position.seat not in range(len(seats)):
        yield Fault("seat", f"The seat to move is {position.seat!r}, not an index of {seats}.")
    if sorted(position.sides) != sorted(seats):
        yield Fault("sides", f"The sides {position.sides} are not those of the game, {seats}.")


def moves_are_distinct(walk: Walk) -> Iterator[Fault]:
    """Legal moves, and the positions they lead to, are distinct."""
    position = walk.position
    moves = list(position.legal_moves())
    if len(set(moves)) != len(moves):
        yield Fault("same-move-twice", "`legal_moves` lists a move twice.")
    results: dict[str, str] = {}
    for move in moves[:MOST_MOVES]:
        text, line = position.format(move), walk.after(move).write()
        if line in results:
            said = f"{results[line]} and {text} lead to the same position."
            yield Fault("same-result", said, text)
            return
        results[line] = text


def moves_read_back(walk: Walk) -> Iterator[Fault]:
    """`parse(format(move)) == move`, in any case and with blanks around it."""
    position = walk.position
    for move in position.legal_moves():
        text = position.format(move)
        if not text.isascii() or text != text.strip():
            yield Fault("move-text", f"The move text {text!r} is not plain ASCII.", text)
            return
        for typed in (text, f"  {text.upper()} ", text.lower()):
            walk.note(walk.line(text))
            if position.parse(typed) != move:
                said = f"`parse` reads {typed!r} as {position.format(position.parse(typed))!r}."
                yield Fault("parse-format", said, text)
                return


def playing_changes_nothing_behind(walk: Walk) -> Iterator[Fault]:
    """`play` leaves the position played from as it was."""
    position = walk.position
    before = _everything(position)
    for move in list(position.legal_moves())[:5]:
        text = position.format(move)
        walk.after(move)
        if _everything(position) != before:
            yield Fault("play-changes", f"Playing {text} changes the position before it.", text)
            return


def _everything(position: AnyPosition) -> object:
    moves = list(position.legal_moves())
    return position.write(), position.outcome(), moves, drawing.text(position)


def position_reads_back(walk: Walk) -> Iterator[Fault]:
    """`read(write())` is the same position, with all that follows from it."""
    position = walk.position
    line = position.write()
    if not line.isascii() or "\n" in line:
        yield Fault("written-position", f"{line[:60]!r} is not one line of ASCII.")
    again = position.game.read(line)
    asked = ("seat", "sides", "options")
    differs = [name for name in asked if getattr(again, name) != getattr(position, name)]
    differs += ["outcome"] if again.outcome() != position.outcome() else []
    differs += ["legal moves"] if list(again.legal_moves()) != list(position.legal_moves()) else []
    if again.write() != line or differs:
        what = " and ".join(differs) or "written line"
        yield Fault("read-write", f"Read back, the position has another {what}.")


def questions_have_one_answer(walk: Walk) -> Iterator[Fault]:
    """The same question twice has the same answer, for a position that was reached twice, too."""
    position = walk.position
    again = begun(walk.game, walk.options, walk.note)
    try:
        for move in walk.moves:
            again = again.play(move)
    except UserError as refusal:
        said = f"The same moves are refused when repeated: {refusal.text}"
        yield Fault("hidden-state", said)
        return
    for one in (position, again.position):
        if one.outcome() != position.outcome():
            yield Fault("hidden-state", "The same moves have another outcome when asked again.")
            return
        if list(one.legal_moves()) != list(position.legal_moves()) or one.write() != (
            position.write()
        ):
            yield Fault("hidden-state", "The same moves lead to another position when repeated.")
            return


def swap_exchanges_something(walk: Walk) -> Iterator[Fault]:
    """A move called `swap` exchanges the sides, or something on the board."""
    position = walk.position
    for move in position.legal_moves():
        if position.format(move).lower() == "swap":
            after = walk.after(move)
            if after.sides == position.sides and board_of(after) == board_of(position):
                said = "`swap` exchanges neither the sides nor anything on the board."
                yield Fault("idle-swap", said, position.format(move))


def board_of(position: AnyPosition) -> str:
    """Return the text board but for the brackets round the last move."""
    board = drawing.text(position).replace("(", " ").replace(")", " ")
    return "\n".join(map(str.rstrip, board.split("\n")))


def plies_left_falls(walk: Walk) -> Iterator[Fault]:
    """`plies_left()`, where a position has it, falls with every move and is not below 0."""
    left = getattr(walk.position, "plies_left", None)
    if left is None:
        return
    number = left()
    if number < 0:
        yield Fault("plies-left", f"`plies_left` is {number}.")
    for move in list(walk.position.legal_moves())[:MOST_MOVES]:
        after = walk.after(move).plies_left()
        if after >= number:
            text = walk.position.format(move)
            said = f"`plies_left` is {number}, and {after} after {text}: it does not fall."
            yield Fault("plies-left", said, text)
            return


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


def options_start_the_same_game(walk: Walk) -> Iterator[Fault]:
    """The options of a position, given to `start`, begin the game that it began with."""
    again = walk.game.start(dict(walk.position.options)).write()
    if again != walk.game.start(walk.options).write():
        yield Fault("options", "The options of a position do not begin the game it belongs to.")


def odd_texts_are_refused(walk: Walk) -> Iterator[Fault]:
    """Texts that are no moves, and spoilt written positions, are refused by a `UserError`."""
    position = walk.position
    chance = random.Random(len(walk.moves))
    texts = [*ODD_TEXTS]
    for move in list(position.legal_moves())[:2]:
        text = position.format(move)
        texts += [text[:-1], text + text, f"{text}-{text}", f"{text} {text}", _spoilt(text, chance)]
    lines = [*ODD_TEXTS, *(_spoilt(position.write(), chance) for _ in range(5))]
    readers = ((position.parse, "parse", texts), (walk.game.read, "read", lines))
    for read, name, given in readers:
        for text in given:
            try:
                read(text)
            except UserError:
                continue
            except Exception as failed:
                said = f"`{name}` fails for {text!r}: {type(failed).__name__}: {failed}"
                yield Fault("odd-text", said, text if name == "parse" and '"' not in text else "")
                return


def _spoilt(text: str, chance: random.Random) -> str:
    """Return a text with some characters exchanged for another one."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice("a9z-;x ") + text[at + chance.randrange(3) :]


def views_show_the_difference(walk: Walk) -> Iterator[Fault]:
    """Text and picture agree about which positions look different.

    Moves and a common reply, so that the sign of the last move is the same.
    """
    if not _has_view(walk):
        return
    moves = list(walk.position.legal_moves())
    chance = random.Random(len(walk.moves))
    some = chance.sample(moves, min(MOST_DRAWN, len(moves)))
    reply = _common_reply(walk, some)
    drawn: list[tuple[str, tuple[Shape, ...], Walk]] = []
    for move in some:
        found = walk.play(move)
        if reply is not None:
            if reply not in found.position.legal_moves():
                continue
            found = found.play(reply)
        # Titles name moves; shapes are what is seen.
        drawn.append((drawing.text(found.position), drawing.scene(found.position).shapes, found))
    for (text, shapes, first), (other_text, other_shapes, second) in combinations(drawn, 2):
        if (text == other_text) == (shapes == other_shapes):
            continue
        # The picture may show what came last; the text board needs to show what matters.
        is_picture = text != other_text
        if not is_picture and _typed_moves(first.position) == _typed_moves(second.position):
            continue
        blind = "picture" if is_picture else "text board"
        at = len(walk.moves)
        end = f", then {first.texts[-1]}," if reply is not None else ""
        said = (
            f"After {first.texts[at]} and after {second.texts[at]}{end} the {blind} looks the same."
        )
        yield Fault(f"{blind.split()[0]}-drops", said, " ".join(second.texts[at:]))
        return


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
    """What a view may draw beside the picture works, too: cells, plan, small text, prompts."""
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
    for asked in (view.plan, taps.prompts, taps.landings, taps.presets, taps.ways):
        asked(position)


def _typed_moves(position: AnyPosition) -> list[str]:
    return sorted(map(position.format, position.legal_moves()))


# The name of each law in reports is the first line of its docstring.
EVERY_PLY: tuple[Law, ...] = (
    moves_exist_while_the_game_runs,
    outcome_is_one,
    seat_and_sides_are_the_games,
    position_reads_back,
    plies_left_falls,
    playing_changes_nothing_behind,
    text_board_is_plain,
    viewers_see_the_same,
    picture_is_well_formed,
    position_is_described,
)
# Laws that look at every move of a position, which some games have hundreds of.
SOME_PLIES: tuple[Law, ...] = (
    moves_are_distinct,
    moves_read_back,
    questions_have_one_answer,
    swap_exchanges_something,
    options_start_the_same_game,
    odd_texts_are_refused,
    clicks_tell_moves_apart,
    views_show_the_difference,
    every_drawing_works,
)
