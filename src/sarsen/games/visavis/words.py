"""Say a position in words, chain by chain."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.games.visavis.board import ENDS, LETTERS, SIDES, O, X
from sarsen.games.visavis.chains import chains
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import VisavisPosition


def words_of(position: VisavisPosition) -> str:
    """Say whose turn it is, what the last move did, and where the chains reach."""
    sentences = [_state(position)]
    if position.last is not None and position.last != SWAP:
        sentences.append(f"The last bridge is {SIDES[1 - position.side]}'s {position.last}.")
    sentences += position.effects()
    sentences += [_holdings(position, side) for side in (O, X)]
    return " ".join(sentences)


def _state(position: VisavisPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over: {outcome.reason}"
    mover = SIDES[position.side]
    first, last = ENDS[position.side]
    offer = f" {mover} may swap." if position.may_swap else ""
    return f"{mover} to move, joining {first} and {last}.{offer}"


def _holdings(position: VisavisPosition, side: int) -> str:
    """Name the bridges of a side by chains, the one with the widest reach first."""
    count = position.bridges[side].bit_count()
    if not count:
        return f"{SIDES[side]} has no bridge."
    spoken = [words for _, words in sorted(_spoken_chains(position, side), key=lambda it: -it[0])]
    built = f"{count} bridge{'s' * (count > 1)}"
    grouped = f" in {len(spoken)} chains" if len(spoken) > 1 else ""
    return f"{SIDES[side]} has {built}{grouped}: {'; '.join(spoken)}."


def _spoken_chains(position: VisavisPosition, side: int) -> Iterator[tuple[int, str]]:
    """Give for each chain how far it reaches across, and its bridges in words."""
    board = position.board
    for pegs, bridges in chains(board, side, position.bridges[side]):
        names = " ".join(board.names(bridges))
        reached = [coordinate[side] for coordinate in board.coordinates(pegs)]
        first, last = min(reached), max(reached)
        span = f"{LETTERS[first - 1]} to {LETTERS[last - 1]}" if side == O else f"{first} to {last}"
        kind = "columns" if side == O else "rows"
        reach = f", {kind} {span}" if bridges.bit_count() > 1 and first < last else ""
        yield last - first, names + reach
