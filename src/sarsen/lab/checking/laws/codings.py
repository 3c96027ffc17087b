"""What must hold of the numbers of moves and of the planes that `coding.py` of a game gives."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.core.coding import coding_of
from sarsen.lab.checking.laws.positions import MAX_MOVES
from sarsen.lab.checking.walks import Fault, Law, Walk


def moves_have_numbers(walk: Walk) -> Iterator[Fault]:
    """Each legal move has a number of its own, from 0 to below `actions`."""
    position, coding = walk.position, coding_of(walk.position)
    if coding.number is None:
        return
    moves, met = position.legal_moves(), dict[int, str]()
    for move in moves:
        number, text = coding.number(move), position.format(move)
        if number in met:
            said = f"{met[number]} and {text} have the same number, {number}."
            yield Fault("action-numbers", said, text)
            return
        if number not in range(coding.actions):
            said = f"{text} has the number {number}, not one from 0 to {coding.actions - 1}."
            yield Fault("action-numbers", said, text)
            return
        met[number] = text
    if list(coding.numbers(position, moves)) != list(met):
        yield Fault("action-numbers", "`number_all` and `number` number the moves differently.")
    if coding.legal_numbers is None:
        return
    if coding.move is None:
        yield Fault("action-numbers", "`legal_numbers` needs `move`, the move of a number.")
        return
    if sorted(coding.legal_numbers(position)) != sorted(met):
        yield Fault("action-numbers", "`legal_numbers` are not the numbers of the legal moves.")
    for move, number in zip(moves, met, strict=True):
        if coding.move(number) != move:
            said = f"`move` does not return {met[number]} for its number, {number}."
            yield Fault("action-numbers", said, met[number])
            return


def legal_moves_are_played_as_judged(walk: Walk) -> Iterator[Fault]:
    """`play_legal` of a coding leads where `play` does."""
    position, coding = walk.position, coding_of(walk.position)
    for move in list(position.legal_moves())[:MAX_MOVES]:
        judged, played = walk.after(move), coding.play_legal(position, move)
        if (played.write(), played.effects()) != (judged.write(), judged.effects()):
            text = position.format(move)
            yield Fault("play-legal", f"`play_legal` and `play` differ for {text}.", text)
            return


def planes_hold_the_marks(walk: Walk) -> Iterator[Fault]:
    """Marks lie on the planes, and values are from 0 to `highest`."""
    coding = coding_of(walk.position)
    sizes = (len(coding.planes), coding.rows, coding.columns)
    values = []
    for *place, value in coding.marks(walk.position):
        if any(at not in range(size) for at, size in zip(place, sizes, strict=True)):
            said = f"The mark {(*place, value)} lies outside: planes, rows and columns are {sizes}."
            yield Fault("planes", said)
            return
        values.append(value)
    levels = coding.level(walk.position)
    if len(levels) != len(coding.levels):
        yield Fault("planes", f"`level` gives {len(levels)} values, not {len(coding.levels)}.")
    wrong = [value for value in (*values, *levels) if not 0 <= value <= coding.highest]
    if wrong:
        yield Fault("planes", f"A value is {wrong[0]}, not from 0 to {coding.highest}.")


EVERY_PLY: tuple[Law, ...] = (planes_hold_the_marks,)
SOME_PLIES: tuple[Law, ...] = (moves_have_numbers, legal_moves_are_played_as_judged)
