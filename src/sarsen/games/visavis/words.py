"""Say a position in words, chain by chain."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.games.visavis.board import ENDS, LETTERS, SIDES, O, X
from sarsen.games.visavis.chains import chains
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import VisavisPosition


def words_of(position: VisavisPosition) -> str:
    """Return a text that says whose turn it is, what the last move did, and where the chains
    reach.
    """
    sentences = [_state(position)]
    if position.last is not None and position.last != SWAP:
        sentences.append(f"The last bridge is {SIDES[1 - position.side]}'s {position.last}.")
    sentences += position.effects()
    for side in (O, X):
        sentences += _holdings(position, side)
    return " ".join(sentences)


def _state(position: VisavisPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over: {outcome.reason}"
    mover = SIDES[position.side]
    first, last = ENDS[position.side]
    offer = f" {mover} may swap." if position.may_swap else ""
    return f"{mover} to move, joining {first} and {last}.{offer}"


def _holdings(position: VisavisPosition, side: int) -> list[str]:
    """Name the bridges of a side, a sentence a chain, the one with the widest reach first."""
    count = position.bridges[side].bit_count()
    if not count:
        return [f"{SIDES[side]} has no bridge."]
    name, spoken = SIDES[side], sorted(_chains(position, side), key=lambda one: -one[0])
    joined = [f"{name}{words}." for reach, words in spoken if reach]
    alone = ", ".join(words for reach, words in spoken if not reach)
    built = f"{count} bridge{'s' * (count > 1)}"
    if len(spoken) == 1:
        return [f"{name} has {built}{spoken[0][1]}." if joined else f"{name} has {built}: {alone}."]
    heading = f"{name} has {built} in {len(spoken)} chains."
    return [heading, *joined, *([f"{name}, alone: {alone}."] if alone else [])]


def _chains(position: VisavisPosition, side: int) -> Iterator[tuple[int, str]]:
    """Yield for each chain how far it reaches across and its bridges in words.

    A bridge that stands alone reaches 0 far, and is named only.
    """
    board = position.board
    for pegs, bridges in chains(board, side, position.bridges[side]):
        names = ", ".join(board.names(bridges))
        if bridges.bit_count() == 1:
            yield 0, names
            continue
        reached = [coordinate[side] for coordinate in board.coordinates(pegs)]
        first, last = min(reached), max(reached)
        ends = [LETTERS[end - 1] if side == O else str(end) for end in (first, last)]
        kind = "column" if side == O else "row"
        reach = f", {kind}s {ends[0]} to {ends[1]}" if first < last else f", {kind} {ends[0]}"
        yield last - first + 1, f"{reach}: {names}"
