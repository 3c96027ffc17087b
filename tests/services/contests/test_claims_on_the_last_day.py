"""On the last day of a contest both players may claim, whoever is to move."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from claim_world import LOST, WON, prove
from contest_world import DAY, ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.commands import ClaimResult, PlayMove
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.matches import claims
from sarsen.storage.models import Claim, Contest, Match

pytestmark = pytest.mark.django_db


def played(moves: str) -> tuple[ContestWorld, Match, list[str], datetime]:
    """Play a line in a contest of three; give a board, its players, and the end date."""
    world = ContestWorld()
    world.make("ann", "bob", "cid", options="-size=7", terms=("--days=14", "--forfeittime=30"))
    match = world.board("ann", "bob")
    names = [row.player.userid for row in match.seat_rows]
    for text in moves.split():
        seat = Match.objects.get(pk=match.pk).seat_to_move
        world.say(names[seat], PlayMove("", match.pk, text))
    ends_at = Contest.objects.get(pk=world.number).ends_at
    assert ends_at is not None
    return world, match, names, ends_at


def refused(world: ContestWorld, userid: str, board: int) -> str:
    with pytest.raises(UserError) as refusal:
        world.say(userid, ClaimResult("", board))
    return refusal.value.code


def test_only_the_last_day_of_a_contest_is_for_claims() -> None:
    world, match, names, ends_at = played(WON.moves)
    assert refused(world, names[0], match.pk) == "claim-off"
    world.skip_to(ends_at - DAY - timedelta(seconds=1))
    assert refused(world, names[0], match.pk) == "claim-off"
    world.skip_to(ends_at)
    assert refused(world, names[0], match.pk) == "contest.ended"


def test_who_is_not_to_move_may_claim_on_the_last_day() -> None:
    world, match, names, ends_at = played(LOST.moves)
    world.skip_to(ends_at - DAY / 2)
    # The first seat is to move, and loses.
    world.say(names[1], ClaimResult("", match.pk))
    claims.search_next(world.now, prove)
    world.now += claims.ANSWER_AFTER
    assert claims.answer_due(world.now, AFTER_EVENTS) == 1
    ended = Match.objects.get(pk=match.pk)
    assert (ended.scores, ended.reason) == ([0.0, 1.0], "X wins by proof.")
    assert Claim.objects.get().seat == 1
