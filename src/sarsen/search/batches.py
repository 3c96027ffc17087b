"""Many games of one kind at once: the loops over them, compiled with each game's own rules.

The games lie in one array of int64, a row each: a header, the state of `contract`, then the
legal moves, listed when the position was reached. The module `kernel.batch` of a game's
package compiles these loops with its own `legal` and `play`, and with two functions between
a move of the kernel and its number in the game's `coding`. `sarsen.research.batching` calls
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from numba import boolean, float32, int64, njit, void

from sarsen.search.chance import draw
from sarsen.search.contract import INTEGERS, ONGOING, PLY, RESULT, WON_BY_FIRST, Array

# A row begins with these words: how many moves are legal, the move to be played, how the game
# ended, its own chance. The state follows them, then the moves.
COUNT, CHOSEN, END, CHANCE = range(4)
STATE = 4
RUNNING, JUDGED, CUT = range(3)
NONE = -1  # the action that leaves a game as it is, and a move that is none

_ROWS, _FLAGS, _REWARDS = int64[:, ::1], boolean[::1], float32[:, ::1]
# All take (constants, words of a state, rows, …).
# (…, start, actions, rewards, ends, cuts, most plies, begins anew) -> the first game that
# refuses its action, and then nothing has changed, or NONE.
STEP_SIGNATURE = int64(
    INTEGERS, int64, _ROWS, INTEGERS, INTEGERS, _REWARDS, _FLAGS, _FLAGS, int64, boolean
)
# (…, actions): all that are legal, a row a game.
LIST_SIGNATURE = void(INTEGERS, int64, _ROWS, _ROWS)
# (…, mask): the same as truths.
MASK_SIGNATURE = void(INTEGERS, int64, _ROWS, boolean[:, ::1])
# (…, actions): one a game, drawn evenly; NONE where there is none.
SAMPLE_SIGNATURE = void(INTEGERS, int64, _ROWS, INTEGERS)
# (…, planes): of games, planes, rows and columns.
OBSERVE_SIGNATURE = void(INTEGERS, int64, _ROWS, float32[:, :, :, ::1])


# A function that is handed over stays a call of it, which is compiled in, only where both are one
# piece of code; else it is an address, which no disk keeps.
inlined = njit(nogil=True, _nrt=False, forceinline=True)


@dataclass(frozen=True)
class BatchKernel:
    """The functions for a batch of one game with certain options.

    Attributes:
        constants: What the functions take first.
        start: The state of the first position.
        moves: The legal moves there.
        most_moves: No position has more.
        step, list_actions, mask, sample, observe: Functions of the signatures above.
    """

    constants: Array
    start: Array
    moves: Array
    most_moves: int
    step: Callable[..., int]
    list_actions: Callable[..., None]
    mask: Callable[..., None]
    sample: Callable[..., None]
    observe: Callable[..., None]


@inlined
def step_all(  # type: ignore[no-untyped-def]
    legal,
    play,
    code_of,
    number_of,
    constants,
    words,
    rows,
    start,
    actions,
    rewards,
    ends,
    cuts,
    most_plies,
    anew,
):
    """Play an action in every game, or in none where one is refused.

    Args:
        legal, play: The kernel's. Here `legal` may end a game.
        code_of, number_of: (constants, state, action) -> move, and its pair.
        start: The row of a game that begins.
        anew: Whether a game that ends begins anew at once.
    """
    for game in range(rows.shape[0]):
        if not _choose(code_of, number_of, constants, words, rows[game], actions[game]):
            return game
    for game in range(rows.shape[0]):
        row = rows[game]
        rewards[game, 0] = rewards[game, 1] = 0
        if row[CHOSEN] != NONE:
            state = row[STATE : STATE + words]
            play(constants, state, row[CHOSEN])
            row[COUNT] = legal(constants, state, row[STATE + words :])
            _settle(row, state, rewards[game], most_plies)
        ends[game] = row[END] != RUNNING
        cuts[game] = row[END] == CUT
        if anew and row[END] != RUNNING:
            row[COUNT], row[END] = start[COUNT], RUNNING
            for word in range(STATE, STATE + words + start[COUNT]):
                row[word] = start[word]
    return NONE


@inlined
def list_all(number_of, constants, words, rows, actions):  # type: ignore[no-untyped-def]
    """Write the numbers of the legal moves of every game; NONE behind the last."""
    for game in range(rows.shape[0]):
        row = rows[game]
        state, moves = row[STATE : STATE + words], row[STATE + words :]
        for index in range(row[COUNT]):
            actions[game, index] = number_of(constants, state, moves[index])
        for index in range(row[COUNT], actions.shape[1]):
            actions[game, index] = NONE


@inlined
def mask_all(number_of, constants, words, rows, mask):  # type: ignore[no-untyped-def]
    """Write which numbers are legal moves of every game."""
    mask[:] = False
    for game in range(rows.shape[0]):
        row = rows[game]
        state, moves = row[STATE : STATE + words], row[STATE + words :]
        for index in range(row[COUNT]):
            mask[game, number_of(constants, state, moves[index])] = True


@inlined
def sample_all(number_of, constants, words, rows, actions):  # type: ignore[no-untyped-def]
    """Draw a legal move of every game, each by the game's own chance."""
    for game in range(rows.shape[0]):
        row = rows[game]
        actions[game] = NONE
        if row[COUNT] > 0:
            state, moves = row[STATE : STATE + words], row[STATE + words :]
            move = moves[draw(row[CHANCE : CHANCE + 1], row[COUNT])]
            actions[game] = number_of(constants, state, move)


@inlined
def _choose(code_of, number_of, constants, words, row, action):  # type: ignore[no-untyped-def]
    """Keep the move of a number for the game of a row; return False when it is not legal."""
    row[CHOSEN] = NONE
    if action == NONE:
        return True
    state, moves = row[STATE : STATE + words], row[STATE + words :]
    code = code_of(constants, state, action)
    # What lies outside the numbers of a game may have given the move of another one.
    if number_of(constants, state, code) != action:
        return False
    for index in range(row[COUNT]):
        if moves[index] == code:
            row[CHOSEN] = code
            return True
    return False


@inlined
def _settle(row, state, rewards, most_plies):  # type: ignore[no-untyped-def]
    """Note how a game stands after a move, and reward the seats when it is over."""
    result = state[RESULT]
    if result != ONGOING:
        row[END], row[COUNT] = JUDGED, 0
        if result == WON_BY_FIRST or result == WON_BY_FIRST + 1:
            winner = result - WON_BY_FIRST
            rewards[winner], rewards[1 - winner] = 1, -1
    elif state[PLY] >= most_plies:
        row[END], row[COUNT] = CUT, 0
