"""The machine is not blind: each promise broken on purpose is found by it.

Each fault below is one that somebody might make. The machine has to find it within
`EXAMPLES` examples (100); how many it needed is printed. What meets so rarely
that this takes hundreds has tests of its own beside it, such as F19 in `test_clock_faults`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import hypothesis
import pytest
from django.db import transaction
from hypothesis import settings

from faults.one_effect.machine import FIGURES, OneEffect
from faults.one_effect.test_one_effect import machine, profile, run
from sarsen.doors.mail.send import sending
from sarsen.language.replies import encode
from sarsen.services import dispatch
from sarsen.services.clocks import running
from sarsen.services.mail import incoming, outgoing, settle
from sarsen.services.matches import moves
from sarsen.services.ratings import counting
from sarsen.storage.models import AnsweredRequest

__all__ = ["machine"]
pytestmark = pytest.mark.slow
Patch = pytest.MonkeyPatch


def forget_requests(patch: Patch) -> None:
    """No request id is remembered."""
    once = dispatch._perform_once
    patch.setattr(dispatch, "_perform_once", lambda *given: once(*given[:3], "", ""))


def note_requests_after_the_commit(patch: Patch) -> None:
    """A request is noted as answered in a transaction of its own, after what it did."""
    once = dispatch._perform_once

    def apart(handler: Any, command: Any, call: Any, request: str, said: str) -> Any:
        if request and AnsweredRequest.objects.filter(key=request).exists():
            return dispatch._answered(request, said)
        reply = once(handler, command, call, "", "")
        if request:
            row = AnsweredRequest(key=request, said=said, reply=encode(reply), at=call.now)
            transaction.on_commit(row.save)
        return reply

    patch.setattr(dispatch, "_perform_once", apart)


def say_250_before_the_commit(patch: Patch) -> None:
    """A mail is stored with the next one, after its 250."""
    store = incoming.store
    waiting: list[Any] = []

    def later(deliveries: Any, now: Any) -> None:
        before, waiting[:] = list(waiting), list(deliveries)
        if before:
            store(before, now)

    patch.setattr(incoming, "store", later)


def know_no_mail_again(patch: Patch) -> None:
    """The unique identity of a mail is not used."""
    arrival = incoming._arrival

    def anew(*given: Any) -> Any:
        found = arrival(*given)
        found.row.identity = secrets.token_hex(32)
        return found

    patch.setattr(incoming, "_arrival", anew)


def queue_letters_after_the_commit(patch: Patch) -> None:
    """Letters are queued outside of the transaction that causes them."""
    notify = import_module("sarsen.services.notices.notify")  # the package has a function `notify`
    queue = notify._queue_letters
    patch.setattr(
        notify, "_queue_letters", lambda *given: transaction.on_commit(lambda: queue(*given))
    )


def play_moves_meant_for_other_plies(patch: Patch) -> None:
    """The ply and the event that a move is meant for are not looked at."""
    patch.setattr(moves, "check_present", lambda *given: None)


def answer_mail_that_is_answered(patch: Patch) -> None:
    """A second worker does not look whether somebody was faster."""
    patch.setattr(settle, "_lock", lambda settlements: {one.mail.id for one in settlements})


def mark_letters_before_they_are_sent(patch: Patch) -> None:
    """A letter counts as sent when its sender begins."""
    claim = outgoing.claim_due

    def claim_due(now: Any, most: int) -> Any:
        claimed = claim(now, most)
        outgoing.mark_sent([one.id for one in claimed], now)
        return claimed

    patch.setattr(sending.outgoing, "claim_due", claim_due)


def count_results_twice(patch: Patch) -> None:
    """A finished game counts twice in the standings."""
    add = counting._add_to_standings
    patch.setattr(
        counting, "_add_to_standings", lambda match, rows, delta: add(match, rows, 2 * delta)
    )


def lose_games_a_day_early(patch: Patch) -> None:
    """A clock runs out sooner than was agreed, and without a warning."""
    decide = running.decide

    def hasty(turn: Any, now: Any) -> Any:
        decision = decide(turn, now)
        act = running.Act.FORFEIT if decision.act is running.Act.WARN else decision.act
        return replace(decision, act=act)

    patch.setattr(running, "decide", hasty)


FAULTS: tuple[Callable[[Patch], None], ...] = (
    forget_requests,
    note_requests_after_the_commit,
    say_250_before_the_commit,
    know_no_mail_again,
    queue_letters_after_the_commit,
    play_moves_meant_for_other_plies,
    answer_mail_that_is_answered,
    mark_letters_before_they_are_sent,
    count_results_twice,
    lose_games_a_day_early,
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_machine_finds_a_fault_that_somebody_made(
    machine: type[OneEffect], monkeypatch: Patch, fault: Callable[[Patch], None]
) -> None:
    fault(monkeypatch)
    seed = int(os.environ.get("SEED") or 6)
    examples = int(os.environ.get("EXAMPLES") or 100)
    chosen = settings(profile(), max_examples=examples, print_blob=False)
    with pytest.raises((AssertionError, ExceptionGroup)) as found:
        run(hypothesis.seed(seed)(machine), chosen)
    first = str(getattr(found.value, "exceptions", [found.value])[0]).partition("\n")[0]
    print(f"{fault.__name__}: after {FIGURES['examples']} examples: {first}")
