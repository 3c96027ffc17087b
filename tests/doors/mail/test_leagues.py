"""What letters say of the seasons of a league."""

from __future__ import annotations

import pytest

from contest_world import DAY, ContestWorld
from league_world import ELEVEN, next_season, play_all, started, tiers
from sarsen.doors.mail.letters import write_letter
from sarsen.language.commands import LeaveContest
from sarsen.services.mail.outgoing import DueLetter
from sarsen.storage.models import Contest, OutgoingMail

pytestmark = pytest.mark.django_db


def letter(world: ContestWorld, kind: str, userid: str) -> str:
    """Return the words of the newest letter of a kind to a player."""
    row = OutgoingMail.objects.filter(kind=kind, player__key=userid).latest("pk")
    due = DueLetter(row.pk, kind, row.facts, "", row.player, "", world.now, 0)
    return " ".join(write_letter(due).text.split())


def test_the_start_letter_names_the_tier_and_the_next_season() -> None:
    world = started(*ELEVEN)
    _, lower = tiers(world)
    told = letter(world, "contest-started", lower[0])
    following = next_season(world)
    assert f"Contest {world.number}, Druid league (-size=4, season 1), has started." in (told)
    assert "You are in tier 2 of 2." in told
    assert f"The next season is contest {following}, and you are in it, too." in told
    assert f"`contest leave {following}`" in told
    assert all(other in told for other in lower[1:])


def test_the_end_letter_says_who_goes_up_and_down_and_when_it_goes_on() -> None:
    world = started(*ELEVEN)
    upper, lower = tiers(world)
    following = next_season(world)
    world.say(lower[1], LeaveContest(following))
    play_all(world, (*upper, *lower))
    world.wait(DAY)
    starts_at = Contest.objects.get(pk=following).starts_at
    assert starts_at is not None
    first_day = f"{starts_at:%a} {starts_at.day} {starts_at:%b %Y}"
    winner, other, loser = (
        letter(world, "contest-ended", name) for name in (lower[0], lower[1], upper[4])
    )
    assert "Tier 2 of 2." in winner
    assert "Well done: you go up to tier 1." in winner
    assert f"Up go: {lower[0]}." in winner
    assert f"The next season, contest {following}, starts on {first_day}, and you are in" in winner
    assert not any(name in winner for name in upper)
    assert "You stay in tier 2." in other
    assert f"To join it, reply with `contest join {following}`." in other
    assert "You go down to tier 2." in loser
    assert f"Down go: {upper[4]}." in loser


def test_who_is_out_is_told_to_those_of_the_same_tier() -> None:
    world = started(*ELEVEN)
    upper, _ = tiers(world)
    world.say(upper[0], LeaveContest(world.number, confirmed=True))
    assert sorted(world.letters("contest-withdrawn")) == sorted(upper[1:])
