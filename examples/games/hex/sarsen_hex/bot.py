"""Random games of Hex, by filling the board: it has one winner, whatever the order."""

from random import Random

from sarsen_hex.rules import HexPosition, around, cells


def rollout(position: HexPosition, chance: Random) -> tuple[float, list[str]]:
    """Return the score of the seat to move after a random game, and its moves."""
    free = [cell for cell in cells(position.size) if cell not in position.stones]
    free.sort(key=lambda _: chance.random())
    red = {cell for cell, side in position.stones.items() if side == 0}
    red |= set(free[position.side :: 2])
    chain = [cell for cell in cells(position.size)[: position.size] if cell in red]
    for cell in chain:
        near = red.intersection(around(cell))
        chain += near
        red -= near
    has_won = not set(chain).isdisjoint(cells(position.size)[-position.size :])
    return float(has_won == (position.side == 0)), free
