"""A server on which every line of `command_lines` works."""

from __future__ import annotations

from typing import Any

from claim_world import WON
from contest_world import ContestWorld
from sarsen.language.commands import JoinContest, MakeContest
from sarsen.language.contests.answers import ContestMade
from sarsen.services.contests.views.ladders import ladders_of
from sarsen.storage.models import Signup
from web_world import NOW, World

PASSWORD = "open-sesame-now"
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def prepared(world: World) -> dict[str, Any]:
    """Make what the lines speak of; give the words for their braces."""
    ann = world.player("ann")
    ann.set_password(PASSWORD)
    ann.is_staff = True  # for what operators alone may do
    ann.save()
    year = NOW.year + 1
    signup = Signup.objects.create(
        userid="dora",
        key="dora",
        password="!",
        address="dora@example.org",
        group="w",
        asked_at=NOW,
    )
    return {
        "board": world.board(moves="b8 b5"),
        "ended": world.board(moves=ENDED),
        "claim_board": world.board(
            WON.game, WON.moves, options=WON.options, terms=("--claims=on",)
        ),
        "invitation": world.challenge("gyges", "bob", "ann").number,
        "own": world.challenge("vasco", "ann", "bob").number,
        "code": signup.code,
        "friend_code": world.mail_invitation("bob", "emil@example.org"),
        "news": world.news("ann", "Words."),
        **_contests(world),
        "password": PASSWORD,
        "first_day": f"{year}-02-01",
        "last_day": f"{year}-02-05",
    }


def _contests(world: World) -> dict[str, int]:
    """Make contests: one of bob's to join, one of ann's to start, one that runs, and a ladder."""
    open_one, own = ContestWorld(), ContestWorld()
    command = MakeContest("visavis", "round-robin", "-size=5", ("--solved",))
    made = [one.say(host, command) for one, host in ((open_one, "bob"), (own, "ann"))]
    numbers = [reply.number for reply in made if isinstance(reply, ContestMade)]
    for name in ("bob", "cid"):
        own.say(name, JoinContest(numbers[1]))
    if not ladders_of("druid"):  # some tests prepare twice, and a game has one
        ContestWorld().say("bob", MakeContest("druid", "ladder", "-size=5"))
    running = ContestWorld()
    number = running.make("greta", "bob", "cid")  # ann is an operator in some tests, and no player
    return {
        "contest": numbers[0],
        "own_contest": numbers[1],
        "running_contest": number,
        "contest_board": running.board("greta", "bob").pk,
    }
