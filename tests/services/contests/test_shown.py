"""The page of a contest reads less than its whole log, and shows the same state."""

from __future__ import annotations

from operator import attrgetter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest_world import DAY, ContestWorld
from sarsen.language.commands import JoinContest, LeaveContest
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.state import State
from sarsen.services.contests.views.pages import view_page
from sarsen.storage.models import Contest

pytestmark = pytest.mark.django_db


def assert_same_state(number: int) -> None:
    """Compare what a page reads of a contest with its log."""
    contest = Contest.objects.get(pk=number)
    shown, whole = contest_log.read_to_show(contest).state, contest_log.read(contest).state
    assert in_order(shown) == in_order(whole)


def in_order(state: State) -> dict[str, object]:
    """Return a state without the order of its boards, and without turns."""
    return vars(state) | {
        "boards": sorted(state.boards, key=attrgetter("key")),
        "replaced": sorted(state.replaced, key=attrgetter("key")),
        "results": {
            board: (one.scores, one.ended_at, one.by_time, one.plies)
            for board, one in state.results.items()
        },
    }


def test_a_page_reads_the_state_that_the_log_has() -> None:
    world = ContestWorld()
    names, terms = ("ann", "bob", "cid", "dora", "eva"), ("--boards=2",)
    world.make(*names, game="druid", options="-size=6", terms=terms)
    assert_same_state(world.number)
    world.say("fay", JoinContest(world.number, waits=True))
    world.wait(11 * DAY)  # nobody has moved: fay gets a seat, and boards begin anew
    assert "substituted" in world.kinds()
    assert_same_state(world.number)
    first, second = world.view().boards[-1].players
    world.win(first, second)
    world.say(first, LeaveContest(world.number, confirmed=True))
    world.sweep()
    assert_same_state(world.number)
    ends_at = world.view().ends_at
    assert ends_at is not None
    world.skip_to(ends_at)
    world.sweep()
    assert {"withdrawn", "decided", "closed", "ended"} <= set(world.kinds())
    assert_same_state(world.number)


def test_the_page_of_more_players_takes_no_more_queries() -> None:
    counts = []
    for names in (("ann", "bob", "cid"), ("ann", "bob", "cid", "dora", "eva", "fay", "gus")):
        world = ContestWorld()
        number = world.make(*names, game="druid", options="-size=6")
        with CaptureQueriesContext(connection) as asked:
            page = view_page(number, None, world.now)
        assert len(page.rows) == len(names)
        counts.append(len(asked))
        assert counts[-1] <= 10
    assert counts[0] == counts[1]
