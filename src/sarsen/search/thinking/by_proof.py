"""Proofs: whether the seat to move forces a win, is lost, or can only draw."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search.contract import KEY, ONGOING, RESULT, SEAT, Array, Kernel, KernelModule, line_of
from sarsen.search.thinking import runs
from sarsen.search.thinking.answers import watched_limits
from sarsen.search.thought import Budget, Stop, refuse_when_over

_PARTS = ("legal", "play", "prove")
# No line of a proof is longer.
_LONGEST = 400  # the stack is an array of this length
# The nodes of the first question, before the other is asked; each turn gets four times as many.
_FIRST_NODES = 2_000


@dataclass(frozen=True)
class ProvedResult:
    """The proved result of a position.

    Attributes:
        score: The proved score of the seat to move (1, 0.5 or 0), or None if it is open.
        line: For a win or a loss, a line that the winner forces, not the shortest.
        nodes, seconds: What it took.
    """

    score: float | None
    line: tuple[Any, ...] = ()
    nodes: int = 0
    seconds: float = 0.0


def prove(
    module: KernelModule, position: AnyPosition, budget: Budget, stop: Stop | None = None
) -> ProvedResult:
    """Ask in turn whether either seat forces a win; when neither does, it is a draw.

    Where positions may come back, a draw is never claimed: it would hang on the past. Where
    keys forget a past that counts, nothing is.

    Raises:
        UserError: The game is over.
    """
    refuse_when_over(position)
    started = time.monotonic()
    kernel = module.kernel(position)
    budget = runs.bounded_nodes(kernel, budget)
    root = module.encode(position)
    words = runs.table_words(budget, 4)
    if root[KEY] == 0 or kernel.is_forgetful:
        # All that it finds stands under keys.
        return ProvedResult(None)
    with runs.borrowed_array(words) as own, runs.borrowed_array(words) as other:
        seats = (int(root[SEAT]), 1 - int(root[SEAT]))
        questions = [
            Question(kernel, seat, table) for seat, table in zip(seats, (own, other), strict=True)
        ]
        _ask_in_turn(questions, root, budget, stop)
        win, loss = (question.answer for question in questions)
        score = 1.0 if win > 0 else 0.0 if loss > 0 else None
        if win < 0 and loss < 0 and not kernel.is_cyclic:
            score = 0.5
        codes: list[int] = []
        if score in (0.0, 1.0):
            codes = _line(questions[0 if score else 1], root)
    line = line_of(module, position, codes)
    spent = sum(question.nodes for question in questions)
    return ProvedResult(score, line, spent, time.monotonic() - started)


def find_answers(
    module: KernelModule, position: AnyPosition, nodes: int, most_lines: int
) -> tuple[str, ...]:
    """Return a forced win of either seat as answers; see `sarsen.core.answers`.

    They are those of the search, and the rules have still to check them. Nothing depends on the
    clock: the same position gives the same answers on every machine.

    Args:
        nodes: For both questions together; as many again may go into positions that the table
            has forgotten, or knew without having searched them.

    Returns:
        Nothing where no win was found, or where it takes more lines.
    """
    kernel = module.kernel(position)
    budget = runs.bounded_nodes(kernel, Budget(nodes))
    root = module.encode(position)
    words = runs.table_words(budget, 4)
    if root[KEY] == 0 or kernel.is_forgetful:
        return ()
    with runs.borrowed_array(words) as own, runs.borrowed_array(words) as other:
        seats = (int(root[SEAT]), 1 - int(root[SEAT]))
        questions = [
            Question(kernel, seat, table) for seat, table in zip(seats, (own, other), strict=True)
        ]
        _ask_in_turn(questions, root, budget, None)
        won = next((question for question in questions if question.answer > 0), None)
        if won is None:
            return ()
        return _answers(won, module, position, nodes, most_lines, won.attacker)


class Question:
    """One question of `proof.settle`, asked again and again with what it has found so far."""

    def __init__(self, kernel: Kernel, attacker: int, table: Array) -> None:
        from sarsen.search import proof_number as search

        self.kernel = kernel
        self.attacker = attacker
        self.table = table
        self.answer = 0
        self.control = np.zeros(search.CONTROL_SIZE, np.int64)
        self.control[search.ATTACKER] = attacker
        self.control[search.STATE_SIZE] = kernel.state_size
        self.control[search.MAX_PLIES] = _LONGEST
        self.control[search.IS_CYCLIC] = kernel.is_cyclic
        self._states = np.empty((_LONGEST + 2) * kernel.state_size, np.int64)
        self._moves = np.empty(kernel.most_moves, np.int64)
        self._stack = np.empty(4 * (_LONGEST + 2) * kernel.most_moves, np.int64)

    @property
    def nodes(self) -> int:
        return int(self.control[0])

    def ask(self, state: Array, budget: Budget, stop: Stop | None) -> int:
        """Return 1, -1 or 0 for a state; `budget` is what all its questions took together."""
        from sarsen.search import proof_number as search

        self.control[search.STOP] = 0
        self._states[: self.kernel.state_size] = state
        room = (self.control, self._states, self.table, self._moves, self._stack)
        with watched_limits(self.control, budget, stop):
            return runs.run(search, "settle", self.kernel, _PARTS, *room)

    def numbers(self, state: Array) -> tuple[int, int, int]:
        """Return proof number, disproof number and work of a state, as far as it is known."""
        from sarsen.search import proof_number as search

        if state[RESULT] != ONGOING:
            return (0, 1, 0) if state[RESULT] == self.attacker + 1 else (1, 0, 0)
        entry = search.look_up(self.table, state[KEY])
        if entry < 0:
            return (1, 1, 0)
        proof, disproof, work = self.table[entry + 1 : entry + 4].tolist()
        return proof, disproof, work


def _ask_in_turn(questions: list[Question], root: Array, budget: Budget, stop: Stop | None) -> None:
    """Ask both questions by turns, four times as long each time, within the budget."""
    end = None if budget.seconds is None else time.monotonic() + budget.seconds
    nodes = _FIRST_NODES
    while any(question.answer == 0 for question in questions):
        for question in questions:
            if question.answer != 0:
                continue
            spent = sum(other.nodes for other in questions)
            if budget.nodes is not None:
                nodes = min(nodes, budget.nodes - spent)
            left = None if end is None else end - time.monotonic()
            is_over = nodes <= 0 or (left is not None and left <= 0)
            if is_over or (stop is not None and stop.is_set()):
                return
            share = Budget(question.nodes + nodes, left)
            question.answer = question.ask(root, share, stop)
            if question.answer > 0:
                # The other seat cannot force what this one does.
                return
        nodes *= 4


def _line(question: Question, root: Array) -> list[int]:
    """Follow a proof to the end of the game: any winning move, against the longest defence.

    Entries that the table has dropped are proved once more.
    """
    kernel, state = question.kernel, root.copy()
    moves = np.empty(kernel.most_moves, np.int64)
    codes: list[int] = []
    while state[RESULT] == ONGOING and len(codes) < _LONGEST:
        code = _step(question, state, moves)
        if code is None:
            share = Budget(question.nodes + 50 * _FIRST_NODES, 1.0)
            if question.ask(state, share, None) <= 0:
                break
            code = _step(question, state, moves)
        if code is None:
            break
        codes.append(code)
        kernel.play(kernel.constants, state, code)
    return codes


def find_claimed(
    module: KernelModule,
    position: AnyPosition,
    seat: int | None,
    most_lines: int,
    nodes: int | None = None,
) -> tuple[tuple[str, ...], ...]:
    """Return answers that prove what is claimed: of one seat for a win, of both for a draw.

    Nobody asks whether the other seat wins.

    Args:
        seat: The one that is to win; None for a draw.
        nodes: For each question, and as many again to follow it; None where the caller ends it.

    Returns:
        Nothing where it is not so, or takes more lines.
    """
    kernel = module.kernel(position)
    root = module.encode(position)
    if root[KEY] == 0 or kernel.is_forgetful or (seat is None and kernel.is_cyclic):
        return ()
    parts: list[tuple[str, ...]] = []
    with runs.borrowed_array(runs.MAX_WORDS) as table:
        for attacker in (1, 0) if seat is None else (seat,):
            table[:] = 0
            question = Question(kernel, attacker, table)
            question.answer = question.ask(root, Budget(nodes), None)
            if question.answer != (-1 if seat is None else 1):
                return ()
            # A seat that shall not win is answered by the other one, which holds the draw.
            answering = 1 - attacker if seat is None else attacker
            lines = _answers(question, module, position, nodes, most_lines, answering)
            if not lines:
                return ()
            parts.append(lines)
    return tuple(parts)


def _answers(
    question: Question,
    module: KernelModule,
    position: AnyPosition,
    nodes: int | None,
    most_lines: int,
    answering: int,
) -> tuple[str, ...]:
    """Follow an answer to a question against every reply of the rules; empty where it breaks off.

    Args:
        nodes: How many more may be searched; None for any number.
        answering: The attacker, whose win is proved, or the other seat, where it is disproved.
    """
    lines: list[str] = []
    seen: set[str] = set()
    most_nodes = None if nodes is None else question.nodes + nodes
    waiting: list[tuple[AnyPosition, tuple[str, ...]]] = [(position, ())]
    while waiting:
        position, path = waiting.pop()
        key = position.write()
        if position.outcome() is not None or key in seen:
            continue
        seen.add(key)
        moves: Sequence[Any] = position.legal_moves()
        if position.seat == answering:
            moves = _answer(question, module, position, most_nodes)
            if not moves or len(lines) == most_lines:
                return ()
            lines.append(" ".join([*path, position.format(moves[0])]))
        waiting += [(position.play(move), (*path, position.format(move))) for move in moves]
    return tuple(lines)


def _answer(
    question: Question, module: KernelModule, position: AnyPosition, most_nodes: int | None
) -> tuple[Any, ...]:
    """Return a move that keeps what was found, as the only one; empty where none is known."""
    choose = _step if position.seat == question.attacker else _holding_step
    state, moves = module.encode(position), np.empty(question.kernel.most_moves, np.int64)
    code = choose(question, state, moves)
    if code is None and (most_nodes is None or question.nodes < most_nodes):
        more = question.nodes + 50 * _FIRST_NODES
        question.ask(state, Budget(more if most_nodes is None else min(more, most_nodes)), None)
        code = choose(question, state, moves)
    return () if code is None else line_of(module, position, [code])


def _holding_step(question: Question, state: Array, moves: Array) -> int | None:
    """Choose the child, disproved with the least work, that keeps the attacker from a win."""
    kernel = question.kernel
    count = kernel.legal(kernel.constants, state, moves)
    best: tuple[int, int] | None = None
    for code in moves[:count].tolist():
        child = state.copy()
        kernel.play(kernel.constants, child, code)
        _, disproof, work = question.numbers(child)
        if disproof == 0 and (best is None or work < best[0]):
            best = (work, code)
    return None if best is None else best[1]


def _step(question: Question, state: Array, moves: Array) -> int | None:
    """Choose among the children known as proved; None when the attacker has none."""
    kernel = question.kernel
    count = kernel.legal(kernel.constants, state, moves)
    best: tuple[int, int] | None = None
    for code in moves[:count].tolist():
        child = state.copy()
        kernel.play(kernel.constants, child, code)
        proof, _, work = question.numbers(child)
        if state[SEAT] == question.attacker:
            if proof == 0 and (best is None or work < best[0]):
                best = (work, code)
        elif best is None or work > best[0]:
            best = (work, code)
    return None if best is None else best[1]
