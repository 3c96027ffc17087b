"""Run the machine: a short form always, a long one with seeds of one's own by `--long`.

`EXAMPLES` says how many examples the long form tries, `SEED` with which
seed; both are printed with what was done.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from pytest_django import Settings

from faults.one_effect.machine import FIGURES, OneEffect
from faults.one_effect.relay import Relay
from sarsen.doors.mail.send import sending

SHORT, SHORT_STEPS = 2, 30
STEPS = 60  # of an example; what stands at its beginning costs as much as twenty of them


@pytest.fixture
def machine(
    transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> type[OneEffect]:
    """A server whose mail goes to a relay without a network, and that is away after a day."""
    settings.SARSEN_SMTP_URL = "smtp://relay.example:25"
    settings.SARSEN_MAIL_PICTURES = False
    monkeypatch.setattr("sarsen.services.clocks.turns.AWAY_AFTER", timedelta(minutes=1440))
    relay = Relay()
    monkeypatch.setattr(sending, "_backend", lambda: relay)
    return type("OneEffectHere", (OneEffect,), {"relay": relay})


def test_whatever_comes_twice_or_late_or_while_somebody_dies_has_one_effect(
    machine: type[OneEffect],
) -> None:
    run(
        machine,
        settings(profile(), max_examples=SHORT, stateful_step_count=SHORT_STEPS, derandomize=True),
    )


@pytest.mark.slow
def test_long_form_whatever_comes_has_one_effect(
    machine: type[OneEffect], seed: int, amount: Callable[[str, int, int], int]
) -> None:
    examples = amount("EXAMPLES", 100, 2)
    print(f"SEED={seed} EXAMPLES={examples}")
    seeded = hypothesis.seed(seed)(machine)
    run(seeded, settings(profile(), max_examples=examples, print_blob=True))


def profile() -> settings:
    """Return how an example is made."""
    # To shrink an example takes a hundred times as long as to find it.
    phases = [Phase.generate, *([Phase.shrink] if os.environ.get("SHRINK") else [])]
    return settings(
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )


def run(machine: type[OneEffect], chosen: settings) -> None:
    """Run the machine, and print what it did."""
    FIGURES.clear()
    try:
        run_state_machine_as_test(machine, settings=chosen)
    finally:
        print(", ".join(f"{name} {count}" for name, count in sorted(FIGURES.items())))
