"""The short form of `make simulate`: a few people, some days, and books that balance."""

from __future__ import annotations

from pathlib import Path

import pytest
from simulation.claims import run_claims
from simulation.running import run_month

from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport


@pytest.mark.ci
@pytest.mark.django_db
def test_the_books_of_a_short_month_balance(tmp_path: Path) -> None:
    books = run_month(16, 12, 3, tmp_path, lambda day: None)
    assert books["faults"] == []
    assert list(verify(VerifyReport(), lambda: None)) == []
    done = books["figures"]
    # It would prove little if nothing of a kind had happened.
    for what in ("moves by mail", "moves by the web", "plans made", "forfeits", "digests"):
        assert done.get(what), f"no {what}: {done}"
    assert done["ratings compared"]


@pytest.mark.ci
@pytest.mark.django_db
def test_claims_that_are_not_proven_tell_nothing() -> None:
    """Over won, drawn, lost and open positions; the long form is `simulation --claims`."""
    books = run_claims(24, 1, lambda what: None, timed=0)
    assert books["faults"] == []
    assert books["figures"]["different answers to a win, a draw"] == "1, 1"
    assert books["figures"]["proven and confirmed"] == 2
