"""However odd a mail or a line is, it is read or refused, in little time and memory.

The long form reads MESSAGES mails, a million where it is not set.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from django.utils import timezone
from pytest_django import Settings

from faults.mail import fuzzing, settling
from faults.mail.fuzzing import Figures
from sarsen.storage.models import InboundMail, MatchEvent, OutgoingMail

Count = Callable[[str, object], None]
SETTLED = 10
MAX_GROWN = 128 * 1024  # kilobytes, of a process in one chunk


def note(whole: Figures, count: Count) -> None:
    count("messages read or refused", whole.count)
    count("seconds of processor, the slowest", round(whole.slowest[0][0], 3))
    count("milliseconds within which 99.9 % are", whole.within(0.999))
    count("megabytes that a process grew by at most", whole.grown // 1024)
    count("of them done and rolled back", whole.settled)
    count("defects", len(whole.findings))


def test_some_hundred_odd_mails_and_lines_are_read_or_refused(seed: int, count: Count) -> None:
    fuzzing.run_chunk(seed, range(300, 310))  # imports and tables are nobody's cost
    whole = fuzzing.run_chunk(seed, range(300))
    note(whole, count)
    assert not whole.findings, fuzzing.report(whole, seed)
    assert whole.codes[""] > 30
    assert len(whole.codes) > 5


def test_some_odd_mails_are_done_as_a_worker_does_them_and_nothing_is_left_of_it(
    db: None, settings: Settings, seed: int, count: Count
) -> None:
    settings.SARSEN_MAIL_PICTURES = False
    settling.settle_down()
    held = {model: model.objects.count() for model in (MatchEvent, InboundMail, OutgoingMail)}
    try:
        for number in range(SETTLED):
            chance = random.Random(f"{seed}:{number}")
            settling.settle(fuzzing.message(seed, number), chance, timezone.now())
    finally:
        settling.leave()
    count("odd mails done and rolled back", 2 * SETTLED)
    assert held == {model: model.objects.count() for model in held}


@pytest.mark.slow
def test_a_million_odd_mails_and_lines_are_read_or_refused(
    seed: int, count: Count, amount: Callable[[str, int, int], int]
) -> None:
    messages = amount("MESSAGES", 1_000_000, 200)
    whole = fuzzing.total(fuzzing.run(seed, messages, os.cpu_count() or 1))
    note(whole, count)
    assert whole.count == messages
    assert whole.settled == -(-messages // settling.EVERY)
    assert not whole.findings, fuzzing.report(whole, seed)
    assert whole.grown < MAX_GROWN, fuzzing.report(whole, seed)


def test_a_message_of_a_run_is_always_the_same() -> None:
    assert fuzzing.message(5, 17) == fuzzing.message(5, 17) != fuzzing.message(5, 18)
