"""Monte Carlo tree search for every game: playouts, and what they prove.

Written once against `contract`. A node keeps points as the first seat counts them, so
seats need not alternate. A result that the rules or `prove` settle is carried up as far
as it settles more (MCTS-Solver); a settled node is not visited again. Children stand side
by side in one array, whose end bounds the memory: when it is full, leaves stay leaves.
"""

from __future__ import annotations

import math

from numba import int64

from sarsen.search.chance import draw
from sarsen.search.compiling import compiled, part, tuple_of
from sarsen.search.contract import (
    DRAWN,
    EVALUATE,
    INTEGERS,
    LEGAL,
    ONGOING,
    ORDER,
    PLAY,
    PROVE,
    PROVED_DRAW,
    PROVED_WIN,
    RESULT,
    ROLLOUT,
    SEAT,
    UNKNOWN,
    WON_BY_FIRST,
)

# Words of `control`. Any thread may set STOP; the search sets it when NODES meets LIMIT.
NODES, LIMIT, STOP = 0, 1, 2
# Nodes of the tree in use.
USED = 3
# What the caller sets; see `thinking.Exploring`. Thousandths stand for fractions.
STATE_SIZE, EXPLORATION, BIAS, EXPAND_AT = 5, 6, 7, 8
# Whether there is an `order`; whether leaves are played out by the kernel's `rollout`; how
# many plies they are played out by chance otherwise; then whether `evaluate` judges them,
# and with how many points a seat is three to one to win.
HAS_ORDER, HAS_ROLLOUT, PLAYOUT_PLIES, HAS_EVALUATE, EVEN_POINTS = 9, 10, 11, 12, 13
CONTROL_SIZE = 16

# A node: the move to it, its first child and how many, visits, points of the first seat,
# the result if it is settled, the seat to move, and how promising `order` finds it.
MOVE, FIRST, COUNT, VISITS, POINTS, SETTLED, TURN, PROMISE = 0, 1, 2, 3, 4, 5, 6, 7
NODE = 8

# Points of a playout that the first seat wins; a draw is half of it.
FULL = 1 << 16
# No path through the tree is longer.
MAX_PLIES = 500  # the path is an array of this length

GAME = tuple_of(LEGAL, PLAY, EVALUATE, ORDER, PROVE, ROLLOUT, INTEGERS)
WORK = tuple_of(*[INTEGERS] * 7)


@compiled(int64(LEGAL, PLAY, EVALUATE, ORDER, PROVE, ROLLOUT, *[INTEGERS] * 9))
def explore(  # type: ignore[no-untyped-def]
    legal,
    play,
    evaluate,
    order,
    prove,
    rollout,
    constants,
    control,
    root,
    state,
    moves,
    scores,
    tree,
    path,
    chance,
):
    """Visit the tree of a state until a limit, a stop, or a settled root.

    Args:
        control: See the words above.
        root: The state to think about, kept.
        state, moves, scores: Room for one state and the moves of one position.
        tree: Room for nodes; the root stands first. Its content does not matter.
        path: Room for 1 + MAX_PLIES nodes.
        chance: See `chance.seeded`.

    Returns:
        The result if the root is settled, else ONGOING.
    """
    game = (legal, play, evaluate, order, prove, rollout, constants)
    work = (control, state, moves, scores, tree, path, chance)
    _copy(root, state)
    for word in range(NODE):
        tree[word] = 0
    tree[TURN] = root[SEAT]
    control[USED] = 1
    _expand(game, work, 0)
    while control[STOP] == 0 and tree[SETTLED] == ONGOING:
        _copy(root, state)
        length = _descend(play, constants, control, state, tree, path)
        leaf = path[length] * NODE
        points = _leaf_points(game, work, leaf)
        _carry_up(tree, path, length, points)
        control[NODES] += 1
        if control[NODES] >= control[LIMIT]:
            control[STOP] = 1
    return tree[SETTLED]


@part
def _copy(source, target):  # type: ignore[no-untyped-def]
    for word in range(source.shape[0]):
        target[word] = source[word]


@part
def _descend(play, constants, control, state, tree, path):  # type: ignore[no-untyped-def]
    """Go down to a leaf, playing its path on the state, and give the path's length."""
    length, node = 0, 0
    path[0] = 0
    while tree[node * NODE + COUNT] > 0 and length < MAX_PLIES:
        node = _choose(control, tree, node)
        length += 1
        path[length] = node
        play(constants, state, tree[node * NODE + MOVE])
    tree[node * NODE + TURN] = state[SEAT]
    return length


@part
def _choose(control, tree, parent):  # type: ignore[no-untyped-def]
    """Choose the child to visit: its mean, what is unsure of it, and what it promises.

    One that was never visited is taken to be worth what its parent is. A node that is
    not settled has a child that is not.
    """
    place = parent * NODE
    visits = tree[place + VISITS]
    is_first = tree[place + TURN] == 0
    expected = tree[place + POINTS] / (FULL * max(visits, 1)) if visits > 0 else 0.5
    unsure = control[EXPLORATION] / 1000 * math.sqrt(math.log(visits + 1.0))
    bias = control[BIAS] / 1000 / FULL
    first = tree[place + FIRST]
    best, best_value = first, -1.0
    for child in range(first, first + tree[place + COUNT]):
        base = child * NODE
        if tree[base + SETTLED] != ONGOING:
            continue
        child_visits = tree[base + VISITS]
        value = tree[base + POINTS] / (FULL * child_visits) if child_visits > 0 else expected
        if not is_first:
            value = 1.0 - value
        value += unsure / math.sqrt(child_visits + 1.0) + bias * tree[base + PROMISE] / (
            child_visits + 1.0
        )
        if value > best_value:
            best, best_value = child, value
    return best


@part
def _leaf_points(game, work, leaf):  # type: ignore[no-untyped-def]
    """Settle, grow or play out the leaf whose state is at hand."""
    evaluate, rollout, constants = game[2], game[5], game[6]
    control, state, tree, chance = work[0], work[1], work[4], work[6]
    if state[RESULT] != ONGOING:
        tree[leaf + SETTLED] = state[RESULT]
    elif tree[leaf + VISITS] == 0:
        proved = game[4](constants, state)
        if proved != UNKNOWN:
            tree[leaf + SETTLED] = _settled(proved, state[SEAT])
    if tree[leaf + SETTLED] == ONGOING and tree[leaf + VISITS] >= control[EXPAND_AT]:
        _expand(game, work, leaf)
    if tree[leaf + SETTLED] != ONGOING:
        return _points(tree[leaf + SETTLED])
    if control[HAS_ROLLOUT] != 0:
        return _points(rollout(constants, state, chance))
    result = _play_out(game, work)
    if result != ONGOING:
        return _points(result)
    if control[HAS_EVALUATE] == 0:
        return FULL // 2
    score = evaluate(constants, state)
    won = FULL // 2 + FULL // 2 * score // (abs(score) + control[EVEN_POINTS])
    return won if state[SEAT] == 0 else FULL - won


@part
def _settled(proved, seat):  # type: ignore[no-untyped-def]
    """Turn what `prove` says of a seat into a result."""
    if proved == PROVED_DRAW:
        return DRAWN
    return WON_BY_FIRST + (seat if proved == PROVED_WIN else 1 - seat)


@part
def _points(result):  # type: ignore[no-untyped-def]
    if result == WON_BY_FIRST:
        return FULL
    return FULL // 2 if result in (DRAWN, ONGOING) else 0


@part
def _play_out(game, work):  # type: ignore[no-untyped-def]
    """Play moves by chance, so many at most, and give the result."""
    legal, play, constants = game[0], game[1], game[6]
    control, state, moves, chance = work[0], work[1], work[2], work[6]
    for _ in range(control[PLAYOUT_PLIES]):
        count = legal(constants, state, moves)
        result = play(constants, state, moves[draw(chance, count)])
        if result != ONGOING:
            return result
    return ONGOING


@part
def _expand(game, work, parent):  # type: ignore[no-untyped-def]
    """Add the children of a node, if there is room; settle it when all moves lose."""
    control, state, moves, scores, tree = work[:5]
    constants = game[6]
    count = game[0](constants, state, moves)
    if control[HAS_ORDER] != 0:
        kept_count = game[3](constants, state, moves, scores, count)
        if kept_count == 0 and parent > 0:
            tree[parent + SETTLED] = WON_BY_FIRST + 1 - state[SEAT]
            return
        # Of a lost root one move must still be played.
        count = kept_count if kept_count > 0 else count
        _sort(moves, scores, count)
    first = control[USED]
    if (first + count) * NODE > tree.shape[0]:
        return
    control[USED] += count
    promise = FULL
    for index in range(count):
        if control[HAS_ORDER] != 0 and index > 0 and scores[index] < scores[index - 1]:
            promise = FULL * 4 // (4 + index)
        base = (first + index) * NODE
        for word in range(NODE):
            tree[base + word] = 0
        tree[base + MOVE] = moves[index]
        tree[base + PROMISE] = promise if control[HAS_ORDER] != 0 else 0
    tree[parent + FIRST] = first
    tree[parent + COUNT] = count


@part
def _sort(moves, scores, count):  # type: ignore[no-untyped-def]
    """Sort moves by falling score: Shell's sort with Ciura's gaps."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for place in range(gap, count):
            move, score = moves[place], scores[place]
            hole = place
            while hole >= gap and scores[hole - gap] < score:
                moves[hole], scores[hole] = moves[hole - gap], scores[hole - gap]
                hole -= gap
            moves[hole], scores[hole] = move, score


@part
def _carry_up(tree, path, length, points):  # type: ignore[no-untyped-def]
    """Note a visit on a path, and settle its nodes as far as the leaf settles them."""
    is_settling = tree[path[length] * NODE + SETTLED] != ONGOING
    for step in range(length, -1, -1):
        place = path[step] * NODE
        if is_settling and step < length:
            tree[place + SETTLED] = _result_of_children(tree, place)
            is_settling = tree[place + SETTLED] != ONGOING
        tree[place + VISITS] += 1
        tree[place + POINTS] += points


@part
def _result_of_children(tree, parent):  # type: ignore[no-untyped-def]
    """Return the result that settled children settle, or ONGOING."""
    won = WON_BY_FIRST + tree[parent + TURN]
    lost = WON_BY_FIRST + 1 - tree[parent + TURN]
    worst = lost
    is_open = False
    first = tree[parent + FIRST]
    for child in range(first, first + tree[parent + COUNT]):
        result = tree[child * NODE + SETTLED]
        if result == won:
            return won
        if result == ONGOING:
            is_open = True
        elif result == DRAWN:
            worst = DRAWN
    return ONGOING if is_open else worst
