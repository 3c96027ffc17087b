"""The pool: results in order, tasks taken when they are needed, errors of its workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import active_children

import pytest

from sarsen.core.errors import UserError
from sarsen.lab.pool import run
from squares import BROKEN, Squares


def squares(tasks: list[int], workers: int) -> list[int]:
    return [result for _, result in run(Squares(), tasks, workers=workers)]


@pytest.mark.parametrize("workers", [1, pytest.param(3, marks=pytest.mark.ci)])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    assert squares(list(range(12)), workers) == [number**2 for number in range(12)]
    assert squares([], workers) == []


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.ci)])
def test_tasks_are_taken_when_they_are_needed(workers: int) -> None:
    before = active_children()
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(1_000_000):
            taken.append(number)
            yield number

    with closing(run(Squares(), tasks(), workers=workers)) as results:
        pids = [next(results)[0] for _ in range(3)]
        assert (os.getpid() in pids) is (workers == 1)
    assert len(taken) == 3 if workers == 1 else 3 <= len(taken) < 1_000_000
    assert active_children() == before


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.ci)])
def test_refusal_of_a_worker_reaches_the_caller(workers: int) -> None:
    for job, code in ((Squares(), "below-zero"), (Squares(True), "no-squares")):
        with pytest.raises(UserError) as refused:
            list(run(job, [-1], workers=workers))
        assert refused.value.code == code
        assert refused.value.hint


@pytest.mark.ci
def test_defect_of_a_worker_is_told_with_its_traceback() -> None:
    with pytest.raises(RuntimeError, match=r"in do(.|\n)*ZeroDivisionError"):
        squares([1, BROKEN], workers=2)
