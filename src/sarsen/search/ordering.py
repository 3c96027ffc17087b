"""Which move to search first: the table's, those that cut off before, or what a game likes.

Two stacks run side by side, moves and their scores; a frame is the part of one ply.
"""

from __future__ import annotations

from sarsen.search.compiling import part

# What a history of cut-offs can reach stays below.
TABLE_MOVE, KILLER = 1 << 50, 1 << 40
HISTORY_SIZE = 4096


@part
def bring_forward(moves, frame, count, move, is_wanted):  # type: ignore[no-untyped-def]
    """Bring a move to the head of its frame, and count those brought: 1, or 0."""
    if is_wanted and move >= 0:
        for place in range(frame, frame + count):
            if moves[place] == move:
                moves[place], moves[frame] = moves[frame], move
                return 1
    return 0


@part
def rank_by_order(moves, scores, frame, count, table_move):  # type: ignore[no-untyped-def]
    for place in range(frame, frame + count):
        if moves[place] == table_move:
            scores[place] += TABLE_MOVE
            return


@part
def rank_by_history(moves, scores, history, frame, count, table_move, seat, ply):  # type: ignore[no-untyped-def]
    own = history[seat * HISTORY_SIZE : (seat + 1) * HISTORY_SIZE]
    killers = 2 * HISTORY_SIZE + 2 * ply
    first, second = history[killers], history[killers + 1]
    some, their_scores = moves[frame : frame + count], scores[frame : frame + count]
    for place in range(count):
        move = some[place]
        score = own[move & (HISTORY_SIZE - 1)]
        score += TABLE_MOVE if move == table_move else KILLER if move in (first, second) else 0
        their_scores[place] = score


@part
def killers_of(history, seat, ply):  # type: ignore[no-untyped-def]
    """Return the two killers of a ply, the better ranked one first, and whether it is a tie."""
    place = 2 * HISTORY_SIZE + 2 * ply
    first, second = history[place], history[place + 1]
    own = seat * HISTORY_SIZE
    first_score = history[own + (first & (HISTORY_SIZE - 1))]
    second_score = history[own + (second & (HISTORY_SIZE - 1))]
    if second >= 0 and second_score > first_score:
        return second, first, False
    return first, second, first_score == second_score


@part
def remember_cut(history, seat, move, depth, ply):  # type: ignore[no-untyped-def]
    history[seat * HISTORY_SIZE + (move & (HISTORY_SIZE - 1))] += depth * depth
    killers = 2 * HISTORY_SIZE + 2 * ply
    if history[killers] != move:
        history[killers + 1] = history[killers]
        history[killers] = move


@part
def bring_best(moves, scores, frame, index, count, depth):  # type: ignore[no-untyped-def]
    """Bring the best of the moves left to `index`.

    Few are looked for one by one; who has not cut off by then likely never will, so the
    rest is sorted at once where the subtrees are worth it, and left alone where not.
    """
    if index > 8:
        return
    if index == 8:
        if depth >= 2:
            sort(moves, scores, frame + index, frame + count)
        return
    first = frame + index
    best = first + _first_of_highest(scores[first : frame + count])
    moves[first], moves[best] = moves[best], moves[first]
    scores[first], scores[best] = scores[best], scores[first]


@part
def _first_of_highest(scores):  # type: ignore[no-untyped-def]
    """Return the place of the highest score, the first of equal ones.

    A loop that only compares is compiled to eight comparisons at once where it goes over a
    slice from 0: six times as fast as one loop that keeps the place as well.
    """
    highest = scores[0]
    for place in range(scores.shape[0]):
        highest = max(highest, scores[place])
    before = -scores.shape[0]
    for place in range(scores.shape[0]):
        before = max(before, -place if scores[place] == highest else -scores.shape[0])
    return -before


@part
def sort(moves, scores, start, end):  # type: ignore[no-untyped-def]
    """Sort a part of two stacks by falling score: Shell's sort with Ciura's gaps."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for place in range(start + gap, end):
            move, score = moves[place], scores[place]
            hole = place
            while hole - gap >= start and scores[hole - gap] < score:
                moves[hole], scores[hole] = moves[hole - gap], scores[hole - gap]
                hole -= gap
            moves[hole], scores[hole] = move, score
