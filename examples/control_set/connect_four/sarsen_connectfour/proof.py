"""Solve Connect Four: does the first player win, or else the second?

Each question is a search with a null window: the side to move attains what it needs, or not.
The attacker needs a win, the other side a draw. Moves that lose at once are left out, results
are kept in a table, and many lines end early by follow-up, the strategy behind the rule
Claimeven of Allis (1988); see `_judge`.

A board is the bits of an integer: the cell in column c and row r, both from 0, is the bit
c * (height + 1) + r. The bit above each column stays empty, so that no line crosses an edge, as in
Tromp's Fhourstones. `mine` are the stones of the side to move, `taken` all stones.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numba import int64

from sarsen.search.compiling import compiled, part
from sarsen.search.contract import INTEGERS, Array
from sarsen_connectfour.rules import GAME, ConnectFourPosition

MAX_BITS = 63  # of a board that fits an integer
TABLE_BITS = 25  # at most: 2 ** 25 entries of 8 bytes are 256 MiB
CHUNK = 100_000  # nodes between two looks at the clock

# What `constants` holds: numbers, sets of cells, and the columns from the middle outwards.
WIDTH, HEIGHT, BOARD, LOWEST, HIGHEST, ABOVE, COLUMNS = 0, 1, 2, 3, 4, 5, 9
# What `control` holds. ATTACKER is 0 where the first player must win, 1 where the second must.
# The row n + 1 of `stack` is a node with n stones on the board; row ROOT is before the first.
ATTACKER, ROOT, LAST, NODES = range(4)
# What `stack` holds of each node: its position, how many of its moves are tried, and how many there
# are; then the moves, and how many threats each makes.
MINE, TAKEN, KEY, NEXT, COUNT, MOVES, RANKS, ROW = 0, 1, 2, 3, 4, 5, 14, 24

MISSED, ATTAINED, OPEN = 0, 1, -1
MIRRORED = 12  # stones on the board up to which a position and its mirror image are one
HASH = -7046029254386353131  # 2 ** 64 divided by the golden ratio, less 2 ** 64


def score(options: str, seconds: float) -> float | None:
    """Return the score of the first player with best play.

    Args:
        seconds: Of the processor.

    Returns:
        None where the time is too short, or the board too large for an integer.
    """
    start = GAME.start(options)
    assert isinstance(start, ConnectFourPosition)
    return score_after(start, seconds)


def score_after(position: ConnectFourPosition, seconds: float) -> float | None:
    """Return the score of the first player with best play from a position on; see `score`."""
    width, height = position.size
    outcome, seat = position.outcome(), position.seat
    if outcome is not None:
        return outcome.scores[0]
    after = (position.play(move).outcome() for move in position.legal_moves())
    if any(one is not None and one.scores[seat] == 1.0 for one in after):
        return 1.0 - seat
    if width * (height + 1) > MAX_BITS:
        return None
    ends_at = time.process_time() + seconds
    for attacker in (0, 1):
        is_won = Question(position, attacker).answer(ends_at)
        if is_won is None or is_won:
            return None if is_won is None else 1.0 - attacker
    return 0.5


class Question:
    """Does one side win from a position, in which nobody wins with the next move?

    Attributes:
        control: See the words above; NODES counts the positions searched.
    """

    def __init__(self, position: ConnectFourPosition, attacker: int) -> None:
        width, height = position.size
        stones, cells = len(position.moves), width * height
        self.is_needed = position.seat == attacker  # whether the side to move needs a win
        self.constants = constants_of(width, height)
        self.table = np.zeros(1 << min(TABLE_BITS, cells), np.int64)
        self.stack = np.zeros((cells + 2) * ROW, np.int64)
        self.control = np.array([attacker, stones, stones, 0], np.int64)
        sides = [stones_of(position.columns, seat, height) for seat in (0, 1)]
        # The root is the only child, by a move that sets no stone, of a node before it.
        before = self.stack[stones * ROW :]
        before[MINE], before[TAKEN], before[COUNT] = sides[1 - position.seat], sum(sides), 1

    def answer(self, ends_at: float) -> bool | None:
        """Return whether the attacker wins, None if that is not known by then.

        Args:
            ends_at: By the processor's time.
        """
        found = OPEN
        while found == OPEN:
            if time.process_time() > ends_at:
                return None
            found = search(self.constants, self.control, self.stack, self.table, CHUNK)
        return bool(found == ATTAINED) == self.is_needed


def stones_of(columns: Sequence[str], seat: int, height: int) -> int:
    """Return the stones of a side as bits; a column is a text as in the rules."""
    return sum(
        1 << at * (height + 1) + row
        for at, column in enumerate(columns)
        for row, stone in enumerate(column)
        if stone == str(seat)
    )


def constants_of(width: int, height: int) -> Array:
    """Return what the search must know of a board; see the words above."""
    feet, column = sum(1 << at * (height + 1) for at in range(width)), (1 << height) - 1
    # The cells that have 1, 2, 4 and 8 cells of their column below them.
    above = [feet * (column >> below << below) for below in (1, 2, 4, 8)]
    order = sorted(range(width), key=lambda at: abs(2 * at - (width - 1)))
    columns = [column << at * (height + 1) for at in order]
    sets = [feet * column, feet, feet << height - 1, *above, *columns]
    return np.array([width, height, *sets], np.int64)


@compiled(int64(*[INTEGERS] * 4, int64))
def search(constants: Array, control: Array, stack: Array, table: Array, most: int) -> int:
    """Search on from where `control` and `stack` stand.

    Args:
        most: Nodes; then the search stops, and can be called again.

    Returns:
        ATTAINED or MISSED by the side to move at the root, OPEN where it stopped.
    """
    at, ends_at = control[LAST], control[NODES] + most
    while control[NODES] < ends_at:
        value = MISSED
        if stack[at * ROW + NEXT] < stack[at * ROW + COUNT]:
            found = _enter(constants, control, stack, table, at)
            if found == OPEN:
                at += 1
                control[NODES] += 1
            if found != MISSED:
                continue
            value = ATTAINED
        while at > control[ROOT]:
            _keep(table, stack[at * ROW + KEY], value)
            at -= 1
            if value == ATTAINED:
                break
            value = ATTAINED
        else:
            return MISSED if value == ATTAINED else ATTAINED
    control[LAST] = at
    return OPEN


@part
def _enter(constants: Array, control: Array, stack: Array, table: Array, at: int) -> int:
    """Play the next move of a node, and return the value of the position after it.

    Where that is OPEN, its row of `stack` is ready, with the moves that are worth a look: those
    with many threats first, from the middle outwards. A move whose value is known at once (by
    `_judge` or the table) is no longer among them.
    """
    row, child = stack[at * ROW : (at + 1) * ROW], stack[(at + 1) * ROW : (at + 2) * ROW]
    mine, taken = row[MINE] ^ row[TAKEN], row[TAKEN] | row[MOVES + row[NEXT]]
    row[NEXT] += 1
    needs_win = at & 1 == control[ATTACKER]
    value, moves, _ = _judge(constants, mine, taken, needs_win)
    key = _key_of(constants, mine, taken, at)
    if value == OPEN:
        value = _known(table, key)
    if value != OPEN:
        return value
    count = 0
    for column in range(constants[WIDTH]):
        move = moves & constants[COLUMNS + column]
        if move == 0:
            continue
        theirs, after = mine ^ taken, taken | move
        reply, _, threats = _judge(constants, theirs, after, not needs_win)
        if reply == OPEN:
            reply = _known(table, _key_of(constants, theirs, after, at + 1))
        if reply == MISSED:
            return ATTAINED
        if reply == OPEN:
            _insert(child, count, move, _count(threats))
            count += 1
    child[MINE], child[TAKEN], child[KEY], child[NEXT], child[COUNT] = mine, taken, key, 0, count
    return OPEN if count else MISSED


@part
def _insert(row: Array, count: int, move: int, rank: int) -> None:
    """Insert a move behind those of the same rank or a higher one."""
    at = count
    while at > 0 and row[RANKS + at - 1] < rank:
        row[RANKS + at], row[MOVES + at] = row[RANKS + at - 1], row[MOVES + at - 1]
        at -= 1
    row[RANKS + at], row[MOVES + at] = rank, move


@part
def _judge(constants: Array, mine: int, taken: int, needs_win: bool) -> tuple[int, int, int]:
    """Find out whether a position is lost for its need, as far as that shows without a search.

    The side to move must have no move that wins at once. Its opponent can follow up: reply to
    each move right above it. Where each column has an even number of free cells, the side to
    move so gets the first, third, fifth … free cell of each, the opponent the others. That
    holds as well where a column has an odd number, and a cell that the opponent would get
    completes four: the side to move must never play below that cell, and loses once nothing
    else is left. So where its stones and all cells that it gets below such cells have no four,
    the opponent does not lose, and wins by such a cell, or by four in what it gets.

    Returns:
        MISSED or OPEN; the moves after which the opponent does not win at once; the
        free cells that complete four for the opponent.
    """
    height, board = constants[HEIGHT], constants[BOARD]
    theirs, free = mine ^ taken, board & ~taken
    threats = _completing(theirs, height) & free
    lowest = (taken + constants[LOWEST]) & board
    moves = lowest
    forced = lowest & threats
    if forced:
        if forced & (forced - 1):
            return MISSED, forced, threats
        moves = forced
    moves &= ~(threats >> 1)
    # On a full board the attacker has missed its win. The defender never meets one: with one cell
    # free the attacker, which could not win at once, had no four left.
    if moves == 0 or (needs_win and not _has_four(mine | free, height)):
        return MISSED, moves, threats
    own = lowest | (lowest << 2) & constants[ABOVE + 1]
    own |= (own << 4) & constants[ABOVE + 2]
    own |= (own << 8) & constants[ABOVE + 3]
    others = free & ~own
    winning = threats & others
    unreached = winning
    for step in range(4):
        unreached |= (unreached << (1 << step)) & constants[ABOVE + step]
    own &= ~unreached
    if own & constants[HIGHEST] or _has_four(mine | own, height):
        return OPEN, moves, threats
    is_lost = needs_win or winning != 0 or _has_four(theirs | others, height)
    return (MISSED if is_lost else OPEN), moves, threats


@part
def _completing(stones: int, height: int) -> int:
    """Return the cells that complete four stones in a row, free or not, on the board or not."""
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (height, height + 1, height + 2):
        pair = (stones << step) & (stones << 2 * step)
        found |= pair & ((stones << 3 * step) | (stones >> step))
        pair = (stones >> step) & (stones >> 2 * step)
        found |= pair & ((stones >> 3 * step) | (stones << step))
    return found


@part
def _has_four(stones: int, height: int) -> bool:
    for step in (1, height, height + 1, height + 2):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


@part
def _count(cells: int) -> int:
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


@part
def _key_of(constants: Array, mine: int, taken: int, stones: int) -> int:
    """Return a number of the position: its sum tells the height of each column, and the stones.

    With few stones it is the lesser one of the position and its mirror image.
    """
    key = mine + taken
    if stones > MIRRORED:
        return key
    bits, image, left = constants[HEIGHT] + 1, 0, key
    for _ in range(constants[WIDTH]):
        image = (image << bits) | (left & ((1 << bits) - 1))
        left >>= bits
    return min(key, image)


@part
def _known(table: Array, key: int) -> int:
    """Return the value that was kept of a position, OPEN if none is."""
    at = _place(table, key)
    for entry in (table[at], table[at ^ 1]):
        if entry == key + 1:
            return ATTAINED
        if entry == -key - 1:
            return MISSED
    return OPEN


@part
def _keep(table: Array, key: int, value: int) -> None:
    """Keep a value in a pair of entries, of which the one that was written last stays."""
    at = _place(table, key)
    table[at ^ 1] = table[at]
    table[at] = key + 1 if value == ATTAINED else -key - 1


@part
def _place(table: Array, key: int) -> int:
    return ((key * HASH) >> 20) & (len(table) - 1)
