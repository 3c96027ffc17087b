"""Leagues with people in them, at times of the test's choice."""

from __future__ import annotations

from contest_world import DAY, ContestWorld
from sarsen.language.commands import JoinContest, MakeContest
from sarsen.language.contests.answers import ContestMade
from sarsen.storage.models import Contest, ContestEntry, Match

FIVE = ("ann", "bob", "cid", "dora", "eva")
ELEVEN = tuple(f"player{letter}" for letter in "abcdefghijk")


def league(*userids: str, terms: tuple[str, ...] = (), name: str = "") -> ContestWorld:
    """Make a league for these players, which starts in two weeks."""
    world = ContestWorld()
    host, *others = userids
    made = world.say(host, MakeContest("druid", "league", "-size=4", terms, name))
    assert isinstance(made, ContestMade)
    world.number = made.number
    for other in others:
        world.say(other, JoinContest(made.number))
    return world


def started(*userids: str, terms: tuple[str, ...] = ()) -> ContestWorld:
    world = league(*userids, terms=terms)
    world.wait(15 * DAY)
    assert world.view().state == "running"
    return world


def play_all(world: ContestWorld, order: tuple[str, ...]) -> None:
    """Let the first of two in this order win each board that runs."""
    for at, winner in enumerate(order):
        for loser in order[at + 1 :]:
            running = Match.objects.filter(ended_at=None, contest_board__contest=world.number)
            both = running.filter(seats__player__key=winner).filter(seats__player__key=loser)
            if both.exists():
                world.win(winner, loser)


def next_season(world: ContestWorld) -> int:
    contest = Contest.objects.get(pk=world.number)
    seasons = Contest.objects.filter(first=contest.first or contest)
    return seasons.get(season=contest.season + 1).pk


def entered(number: int) -> set[str]:
    entries = ContestEntry.objects.filter(contest=number)
    return set(entries.values_list("player__key", flat=True))


def to_next(world: ContestWorld) -> None:
    """Let the season end, and the next one start."""
    following = Contest.objects.get(pk=next_season(world))
    assert following.starts_at is not None
    world.skip_to(following.starts_at - DAY)
    world.wait(2 * DAY)
    world.number = following.pk


def tiers(world: ContestWorld) -> list[list[str]]:
    """Return the players of each tier, in the order of their numbers."""
    entries = ContestEntry.objects.filter(contest=world.number).order_by("number")
    rows = list(entries.values_list("tier", "player__key"))
    return [
        [key for tier, key in rows if tier == each] for each in sorted({row[0] for row in rows})
    ]
