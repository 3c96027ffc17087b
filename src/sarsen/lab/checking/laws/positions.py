"""What must hold in every position of every game: the laws of `core.game`.

Each law takes a game as played so far and yields what is wrong with its last position.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Outcome
from sarsen.core.symmetry import canonical
from sarsen.lab.checking.walks import Fault, Law, Walk, begun, in_words

# Moves of a position that is looked at again after them: each is played for each position.
MAX_PLAYED = 5
# Of a position after which `plies_left` is asked: each is played for each position.
MAX_MOVES = 60
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


def aims_are_of_each_side(walk: Walk) -> Iterator[Fault]:
    """A game tells the aim of each side, as the rest of a sentence, or of none."""
    aims, seats = walk.game.info.aims, walk.game.info.seats
    if walk.moves or not aims:
        return
    if len(aims) != len(seats):
        yield Fault("aims", f"GameInfo has {len(aims)} aims; it needs one a seat, or none.")
    for aim in aims:
        if not aim.strip() or aim.endswith("."):
            yield Fault("aims", f"The aim {aim!r} is not the rest of `You are {seats[0]}: …`.")


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
            try:
                read = position.parse(typed)
            except UserError as refusal:
                said = f"`parse` refuses {typed!r}, which `format` wrote: {refusal.text}"
                yield Fault("parse-format", said, text)
                return
            if read != move:
                said = f"`parse` reads {typed!r} as {position.format(read)!r}."
                yield Fault("parse-format", said, text)
                return


def playing_changes_nothing_behind(walk: Walk) -> Iterator[Fault]:
    """`play` leaves the position played from as it was."""
    moves = list(walk.position.legal_moves())
    chance = random.Random(len(walk.moves))
    for move in chance.sample(moves, min(MAX_PLAYED, len(moves))):
        fault = change_behind(walk, move)
        if fault is not None:
            yield fault
            return


def change_behind(walk: Walk, move: Any) -> Fault | None:
    """Return that playing a move changes the position before it; None when it does not."""
    position = walk.position
    text = position.format(move)
    before = everything(position)
    if everything(position) != before:
        return None  # chance, or hidden state: it changes without a move
    walk.after(move)
    if everything(position) == before:
        return None
    return Fault("play-changes", f"Playing {text} changes the position before it.", text)


def everything(position: AnyPosition) -> tuple[str, Outcome | None, list[Any], str]:
    """Return what a position says: its line, its ending, its moves, and its text board."""
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


def canonical_text_is_of_the_position(walk: Walk) -> Iterator[Fault]:
    """`canonical` of a `symmetry.py` is a line of text, and the same for a position read back."""
    position = walk.position
    text = canonical(position)
    if not isinstance(text, str) or "\n" in text:
        yield Fault("canonical", f"`canonical` returns {text!r}, which is no line of text.")
    elif text != canonical(position.game.read(position.write())):
        yield Fault("canonical", "Read back, the position has another canonical text.")


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
    return without_brackets(drawing.text(position))


def without_brackets(board: str) -> str:
    """Return a text board without the brackets round the last move."""
    lines = board.replace("(", " ").replace(")", " ").split("\n")
    return "\n".join(map(str.rstrip, lines))


def plies_left_falls(walk: Walk) -> Iterator[Fault]:
    """`plies_left()`, where a position has it, falls with every move and is not below 0."""
    left = getattr(walk.position, "plies_left", None)
    if left is None:
        return
    number = left()
    if number < 0:
        yield Fault("plies-left", f"`plies_left` is {number}.")
    moves = list(walk.position.legal_moves())
    # A move such as `swap` is listed last, and is the one that adds no stone.
    words = [move for move in moves[MAX_MOVES:] if in_words(walk.position, move)]
    for move in moves[:MAX_MOVES] + words:
        after = walk.after(move).plies_left()
        if after >= number:
            text = walk.position.format(move)
            said = f"`plies_left` is {number}, and {after} after {text}: it does not fall."
            yield Fault("plies-left", said, text)
            return


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
            walk.note(walk.line())  # each call has its own time
            try:
                read(text)
            except UserError:
                continue
            except Exception as failed:
                # Only a UserError may answer what a person typed.
                problem = f"`{name}` fails for {text!r}: {type(failed).__name__}: {failed}"
                yield Fault("odd-text", problem)
                return


def _spoilt(text: str, chance: random.Random) -> str:
    """Return a text with some characters exchanged for another one."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice("a9z-;x ") + text[at + chance.randrange(3) :]


# The name of each law in reports is the first line of its docstring.
EVERY_PLY: tuple[Law, ...] = (
    moves_exist_while_the_game_runs,
    outcome_is_one,
    seat_and_sides_are_the_games,
    aims_are_of_each_side,
    position_reads_back,
    plies_left_falls,
    playing_changes_nothing_behind,
)
# Laws that look at every move of a position, which some games have hundreds of.
SOME_PLIES: tuple[Law, ...] = (
    moves_read_back,
    canonical_text_is_of_the_position,
    questions_have_one_answer,
    swap_exchanges_something,
    options_start_the_same_game,
    odd_texts_are_refused,
)
