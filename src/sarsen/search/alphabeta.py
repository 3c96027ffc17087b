"""Alpha-beta for every game: principal variation search, deepened step by step.

Written once against `contract`. States are copied, not taken back; scores are points of
the seat to move, and change their sign only where the seat changes. `thinking` calls
`deepen`; the words of `control` say how. What the scores prove is kept apart from what
they guess: a score beyond STATIC is proved, and so is every score of a tree that was
searched to the end of the game (`CUTS` counts where one was not).
"""

from __future__ import annotations

from numba import int64

from sarsen.search.compiling import compiled, part, tuple_of
from sarsen.search.contract import (
    DRAWN,
    EVALUATE,
    INTEGERS,
    KEY,
    LEGAL,
    LISTED,
    LISTS,
    NOT_LISTED,
    ONGOING,
    ORDER,
    PLAY,
    PROVE,
    PROVED_LOSS,
    PROVED_WIN,
    RESULT,
    SEAT,
    UNKNOWN,
    UNSAID,
    WIN,
)
from sarsen.search.ordering import (
    bring_best,
    bring_forward,
    killers_of,
    rank_by_history,
    rank_by_order,
    remember_cut,
)
from sarsen.search.transpositions import (
    AT_LEAST,
    AT_MOST,
    DECIDED,
    EXACT,
    EXHAUSTED,
    FOR_EVER,
    NOTHING,
    expect,
    keep,
    look_up,
)

# Words of `control`. Any thread may set STOP; the search sets it when NODES meets LIMIT.
NODES, LIMIT, STOP = 0, 1, 2
# How often a value was not searched to the end of the game.
CUTS = 3
# What the caller sets; see `thinking.Tuning`.
STATE_SIZE, MAX_MOVES, DEEPEST, IS_CYCLIC = 5, 6, 7, 8
ORDER_DEPTH, LATE, VERY_LATE, PRUNED_AFTER, MARGIN = 9, 10, 11, 12, 13
IS_FORGETFUL = 14
CONTROL_SIZE = 16

# No line is longer; the stack of states has one more.
MAX_PLIES = 60
INFINITE = 2 * WIN

GAME = tuple_of(LEGAL, PLAY, EVALUATE, ORDER, PROVE, INTEGERS, LISTS)
WORK = tuple_of(*[INTEGERS] * 7)


@compiled(int64(LEGAL, PLAY, EVALUATE, ORDER, PROVE, LISTS, *[INTEGERS] * 11))
def deepen(  # type: ignore[no-untyped-def]
    legal,
    play,
    evaluate,
    order,
    prove,
    lists,
    constants,
    control,
    states,
    moves,
    scores,
    table,
    history,
    lines,
    root_moves,
    root_scores,
    root_kinds,
):
    """Search the state at the head of `states` deeper and deeper.

    Args:
        control: See the words above; NODES counts on from what it holds.
        states, moves, scores: Stacks with a frame a ply.
        table: A power of two of buckets, zeroed or from a search of the same kernel.
        history: 2 * HISTORY_SIZE for the seats, then two killers a ply.
        lines: A frame of 1 + MAX_PLIES a ply: its length, then its moves.
        root_moves: Changed: best first.
        root_scores: Changed: the score of each. At entry, those at or below -DECIDED are
            lost, and not searched.
        root_kinds: Changed: EXACT or AT_MOST for each, AT_LEAST for none searched.

    Returns:
        The depth of the last search that was finished, 0 for none; EXHAUSTED when no line
        was cut off for its depth, so that a deeper search would find the same.
    """
    game = (legal, play, evaluate, order, prove, constants, lists)
    work = (control, states, moves, scores, table, history, lines)
    for depth in range(1, control[DEEPEST] + 1):
        cuts = control[CUTS]
        _search_root(game, work, root_moves, root_scores, root_kinds, depth)
        if control[STOP] != 0:
            return depth - 1
        if abs(root_scores[0]) >= DECIDED:
            return depth
        if control[CUTS] == cuts:
            return EXHAUSTED
    return control[DEEPEST]


@part
def _search_root(game, work, root_moves, root_scores, root_kinds, depth):  # type: ignore[no-untyped-def]
    """Weigh the root moves to one depth, and keep them sorted."""
    control, states, lines = work[0], work[1], work[6]
    best = -INFINITE
    for index in range(root_moves.shape[0]):
        if root_scores[index] <= -DECIDED:
            best = max(best, root_scores[index])
            continue
        move = root_moves[index]
        sign = _make_move(game, control, states, 0, move)
        floor = max(best - control[MARGIN], -INFINITE)
        value = floor + 1
        if best > -INFINITE:
            low = floor if sign > 0 else -floor - 1
            value = sign * _value(game, work, depth - 1, low, low + 1, 1)
        if value > floor and control[STOP] == 0:
            low, high = (floor, INFINITE) if sign > 0 else (-INFINITE, -floor)
            value = sign * _value(game, work, depth - 1, low, high, 1)
        if control[STOP] != 0:
            return
        root_kinds[index] = EXACT if value > floor else AT_MOST
        root_scores[index] = value
        if value > best:
            best = value
            _keep_line(lines, 0, move)
        _move_forward(root_moves, root_scores, root_kinds, index)
        if value >= DECIDED:
            return


@compiled(int64(GAME, WORK, int64, int64, int64, int64))
def _value(game, work, depth, alpha, beta, ply):  # type: ignore[no-untyped-def]
    """Return the value of the state at `ply` for its seat; it may lie outside the window."""
    control, states, moves, scores, table, history, lines = work
    lines[ply * (MAX_PLIES + 1)] = 0
    if depth > 0:
        expect(table, states[ply * control[STATE_SIZE] + KEY])
    is_known, value = _value_at_once(game, control, states, depth, ply)
    if is_known:
        return value
    size = control[STATE_SIZE]
    key, seat = states[ply * size + KEY], states[ply * size + SEAT]
    table_move, value, worth = look_up(table, key, depth, alpha, beta, ply)
    if control[IS_FORGETFUL] != 0 and worth == FOR_EVER:
        # Another history may have proved it. Searching it anew costs Gyges no nodes worth
        # counting: 3.40 million instead of 3.43 in fourteen positions.
        worth = NOTHING
    # A principal variation is searched anew, so that its line is whole.
    if worth != NOTHING and beta - alpha == 1:
        control[CUTS] += worth != FOR_EVER
        return value

    cuts = control[CUTS]
    frame = ply * control[MAX_MOVES]
    count = unranked = 1
    moves[frame] = early = _first_move(game, work, depth, ply, table_move)
    if early < 0:
        count, unranked = _list_moves(game, work, depth, ply, table_move)
    floor, best, best_move = alpha, -INFINITE, -1
    for index in range(control[MAX_MOVES]):
        if index == 1 and early >= 0:
            count, unranked = _list_moves(game, work, depth, ply, table_move)
            if unranked == 0:
                count = _rank(game, work, depth, ply, table_move, 0, count)
                bring_best(moves, scores, frame, 0, count, depth)
        if index == unranked and index < count:
            count = _rank(game, work, depth, ply, table_move, index, count)
        if index >= count:
            break
        if control[PRUNED_AFTER] <= index and depth <= 2 and best > -DECIDED:
            control[CUTS] += 1
            break
        if index >= unranked:
            bring_best(moves, scores, frame, index, count, depth)
        move = moves[frame + index]
        sign = _make_move(game, control, states, ply, move)
        value = floor + 1
        if index > 0:
            reduction = _reduction(control, depth, index)
            low = floor if sign > 0 else -floor - 1
            value = sign * _value(game, work, depth - 1 - reduction, low, low + 1, ply + 1)
            if reduction > 0 and value > floor and control[STOP] == 0:
                value = sign * _value(game, work, depth - 1, low, low + 1, ply + 1)
        if value > floor and (index == 0 or value < beta) and control[STOP] == 0:
            low, high = (floor, beta) if sign > 0 else (-beta, -floor)
            value = sign * _value(game, work, depth - 1, low, high, ply + 1)
        if control[STOP] != 0:
            return 0
        if value > best:
            best, best_move = value, move
            if value > floor:
                floor = value
                _keep_line(lines, ply, move)
                if value >= beta:
                    remember_cut(history, seat, move, depth, ply)
                    break

    if best == -INFINITE:
        return ply + 2 - WIN
    bound = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
    kept_depth = EXHAUSTED if control[CUTS] == cuts else depth
    keep(table, key, best_move, best, kept_depth, bound, ply)
    return best


@part
def _value_at_once(game, control, states, depth, ply):  # type: ignore[no-untyped-def]
    """Return whether a state's value is known without its moves, and the value."""
    control[NODES] += 1
    if control[NODES] >= control[LIMIT]:
        control[STOP] = 1
    if control[STOP] != 0:
        return True, 0
    size = control[STATE_SIZE]
    state = states[ply * size : (ply + 1) * size]
    if state[RESULT] != ONGOING:
        return True, _final(state[RESULT], state[SEAT], ply)
    proved = game[4](game[5], state)
    if proved != UNKNOWN:
        if proved == PROVED_WIN:
            return True, WIN - ply - 1
        return True, ply + 2 - WIN if proved == PROVED_LOSS else 0
    if depth <= 0 or ply >= MAX_PLIES:
        control[CUTS] += 1
        return True, game[2](game[5], state)
    if control[IS_CYCLIC] != 0 and _is_repetition(states, size, state[KEY], ply):
        control[CUTS] += 1
        return True, 0
    return False, 0


@part
def _first_move(game, work, depth, ply, table_move):  # type: ignore[no-untyped-def]
    """Return the move that would come first of all listed and ranked, or -1 where only that tells.

    Mostly it cuts off; then the others need not be listed.
    """
    control, states, _, _, _, history, _ = work
    size = control[STATE_SIZE]
    state = states[ply * size : (ply + 1) * size]
    if table_move >= 0:
        is_listed = game[6](game[5], state, table_move)
        if is_listed != NOT_LISTED:
            # Where a first move has moves below it, making it changes the history, which ranks the
            # others: they are to be ranked before.
            is_known = is_listed == LISTED and (depth >= control[ORDER_DEPTH] or depth == 1)
            return table_move if is_known else -1
    if depth != 1 or depth >= control[ORDER_DEPTH]:
        return -1
    better, other, are_equal = killers_of(history, state[SEAT], ply)
    is_listed = game[6](game[5], state, better) if better >= 0 else NOT_LISTED
    if is_listed == UNSAID or (is_listed == LISTED and not are_equal):
        return better if is_listed == LISTED else -1
    is_other_listed = game[6](game[5], state, other) if other >= 0 else NOT_LISTED
    # Of two that are ranked alike the one listed first comes first.
    if is_listed == is_other_listed or is_other_listed == UNSAID:
        return -1
    return better if is_listed == LISTED else other


@part
def _list_moves(game, work, depth, ply, table_move):  # type: ignore[no-untyped-def]
    """List the moves; return how many, and how many of them stand where they will be tried.

    What was best before mostly is again, and then the others need not be ordered.
    """
    control, states, moves = work[0], work[1], work[2]
    size, frame = control[STATE_SIZE], ply * control[MAX_MOVES]
    state = states[ply * size : (ply + 1) * size]
    count = game[0](game[5], state, moves[frame : frame + control[MAX_MOVES]])
    is_wanted = depth >= control[ORDER_DEPTH]
    return count, bring_forward(moves, frame, count, table_move, is_wanted)


@part
def _rank(game, work, depth, ply, table_move, first, count):  # type: ignore[no-untyped-def]
    """Rank the moves from the first on; count those left when some lose at once."""
    control, states, moves, scores, _, history, _ = work
    size, frame = control[STATE_SIZE], ply * control[MAX_MOVES] + first
    end = frame - first + count
    state = states[ply * size : (ply + 1) * size]
    left = count - first
    if depth >= control[ORDER_DEPTH]:
        left = game[3](game[5], state, moves[frame:end], scores[frame:end], left)
        rank_by_order(moves, scores, frame, left, table_move)
    else:
        rank_by_history(moves, scores, history, frame, left, table_move, state[SEAT], ply)
    return first + left


@part
def _make_move(game, control, states, ply, move):  # type: ignore[no-untyped-def]
    """Make the state of the next ply; 1 if the same seat moves again, else -1."""
    size = control[STATE_SIZE]
    state = states[ply * size : (ply + 1) * size]
    child = states[(ply + 1) * size : (ply + 2) * size]
    for word in range(size):
        child[word] = state[word]
    game[1](game[5], child, move)
    return 1 if child[SEAT] == state[SEAT] else -1


@part
def _reduction(control, depth, index):  # type: ignore[no-untyped-def]
    """Return by how many plies a late move is searched less deep at first."""
    reduction = 0
    if index >= control[LATE] and depth >= 3:
        reduction = 1
    if index >= control[VERY_LATE] and depth >= 2:
        reduction += 1
    return reduction


@part
def _final(result, seat, ply):  # type: ignore[no-untyped-def]
    if result == DRAWN:
        return 0
    # WON_BY_FIRST is 1: the seat that won, plus one.
    return WIN - ply if result == seat + 1 else ply - WIN


@part
def _is_repetition(states, size, key, ply):  # type: ignore[no-untyped-def]
    for earlier in range(ply - 1, -1, -1):
        if states[earlier * size + KEY] == key and key != 0:
            return True
    return False


@part
def _keep_line(lines, ply, move):  # type: ignore[no-untyped-def]
    """Put a move before the line of the next ply."""
    start, next_start = ply * (MAX_PLIES + 1), (ply + 1) * (MAX_PLIES + 1)
    length = min(lines[next_start], MAX_PLIES - 1)
    lines[start] = length + 1
    lines[start + 1] = move
    for step in range(length):
        lines[start + 2 + step] = lines[next_start + 1 + step]


@part
def _move_forward(moves, scores, kinds, index):  # type: ignore[no-untyped-def]
    """Move a root move forward past those with a lower score."""
    move, score, kind = moves[index], scores[index], kinds[index]
    while index > 0 and scores[index - 1] < score:
        moves[index], scores[index], kinds[index] = (
            moves[index - 1],
            scores[index - 1],
            kinds[index - 1],
        )
        index -= 1
    moves[index], scores[index], kinds[index] = move, score, kind
