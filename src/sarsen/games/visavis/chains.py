"""Chains: what a side's bridges hold together, and the shortest way through."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.games.visavis.board import Board


def chain_from(board: Board, pegs: int, bridges: int) -> int:
    """Return all pegs that bridges join to the given ones, these included."""
    while True:
        grown = _grown(board, pegs, bridges)
        if grown == pegs:
            return pegs
        pegs = grown


def joins_sides(board: Board, side: int, bridges: int, through: int = 0) -> bool:
    """Return whether bridges join the two sides of their owner.

    Args:
        board, side, bridges: Whose, and where.
        through: A bridge that the chain must hold, to save looking at the others.
    """
    first, last = board.ends[side]
    if through:
        chain = chain_from(board, _pegs_at(board, side, through), bridges)
        return bool(chain & first and chain & last)
    return bool(chain_from(board, first, bridges) & last)


def chains(board: Board, side: int, bridges: int) -> Iterator[tuple[int, int]]:
    """Yield each chain as its pegs and its bridges, in reading order of the first bridge."""
    left = bridges
    while left:
        pegs = chain_from(board, _pegs_at(board, side, left & -left), bridges)
        around = 0
        for step in board.steps():
            around |= pegs << step | pegs >> step
        yield pegs, around & bridges
        left &= ~around


def winning_chain(board: Board, side: int, bridges: int) -> int:
    """Return the bridges of a shortest chain that joins the two sides, or none."""
    first, last = board.ends[side]
    layers = [first]
    while not layers[-1] & last:
        grown = _grown(board, layers[-1], bridges)
        if grown == layers[-1]:
            return 0
        layers.append(grown)
    reached = layers.pop() & last
    peg = reached & -reached
    chain = 0
    while layers:
        before = layers.pop()
        bridge, peg = _way_back(board, peg, bridges, before)
        chain |= bridge
    return chain


def _grown(board: Board, pegs: int, bridges: int) -> int:
    """Add the pegs at the far ends of all bridges that begin at a peg."""
    grown = pegs
    for step in board.steps():
        grown |= (pegs << step & bridges) << step | (pegs >> step & bridges) >> step
    return grown


def _way_back(board: Board, peg: int, bridges: int, before: int) -> tuple[int, int]:
    """Return a bridge from a peg to one of those before, and that one."""
    ways = [(peg << step, peg << 2 * step) for step in board.steps()]
    ways += [(peg >> step, peg >> 2 * step) for step in board.steps()]
    return next(way for way in ways if way[0] & bridges and way[1] & before)


def _pegs_at(board: Board, side: int, bridge: int) -> int:
    """Return the two pegs of one bridge."""
    around = 0
    for step in board.steps():
        around |= bridge << step | bridge >> step
    return around & board.pegs[side]
