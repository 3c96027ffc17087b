"""A contest between people, without mail, at times of the test's choice."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import count

from clock import NOW
from sarsen.games import load
from sarsen.language.commands import (
    Command,
    JoinContest,
    MakeContest,
    PlayMove,
    Resign,
)
from sarsen.language.contests.answers import ContestMade
from sarsen.language.contests.facts import ContestFacts
from sarsen.language.replies import Reply
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks import running as clocks
from sarsen.services.contests.course import running
from sarsen.services.contests.course.proving import Prover
from sarsen.services.contests.views.facts import view_contest
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import ContestEvent, Heartbeat, Match, OutgoingMail
from web_world import World

DAY = timedelta(days=1)
_REQUESTS = count(1)  # no two worlds of a test share a number


class ContestWorld:
    """A server with one contest.

    Attributes:
        now: The time, which only moves when the test says so.
        prove: Asked for wins at boards that run at the end date; None where nothing is proved.
    """

    def __init__(self, now: datetime = NOW) -> None:
        self.world = World(now)
        self.now = now
        self.number = 0
        self.prove: Prover | None = None

    def say(self, userid: str, command: Command) -> Reply:
        """Perform a command of a player, as a mail does: with an id of its own."""
        actor = Actor(self.world.player(userid))
        return perform(command, actor, f"contest {next(_REQUESTS)}", self.now)

    def make(
        self,
        *userids: str,
        terms: tuple[str, ...] = (),
        most: int = 0,
        game: str = "visavis",
        options: str = "-size=5",
        name: str = "",
    ) -> int:
        """Make a round robin for these players; with exactly as many it starts."""
        host, *others = userids
        solved = ("--solved",) if game == "visavis" else ()
        words = (f"--most={most or len(userids)}", *solved, *terms)
        reply = self.say(host, MakeContest(game, "round-robin", options, words, name))
        assert isinstance(reply, ContestMade)
        self.number = reply.number
        for other in others:
            self.say(other, JoinContest(self.number))
        self.sweep()
        return self.number

    def sweep(self) -> None:
        """Look after contests, again and again until nothing is due."""
        for _ in range(50):
            if not running.is_any_due(self.now):
                return
            running.sweep(self.now, AFTER_EVENTS, self.prove)
        raise AssertionError("contests are due for ever")

    def wait(self, time: timedelta, step: timedelta = DAY) -> None:
        """Let time pass; the sweeps of clocks and contests run once in each step."""
        ends = self.now + time
        while self.now < ends:
            self.now = min(self.now + step, ends)
            # As the worker that beats each minute: no downtime.
            Heartbeat.objects.update_or_create(name="clocks", defaults={"at": self.now})
            clocks.sweep(self.now, AFTER_EVENTS)
            self.sweep()

    def skip_to(self, instant: datetime) -> None:
        """Let time pass in which no sweep comes, though the server is there: no downtime."""
        self.now = instant
        Heartbeat.objects.update_or_create(name="clocks", defaults={"at": instant})

    def board(self, one: str, other: str) -> Match:
        """Return the newest board between two players."""
        return (
            Match.objects.filter(seats__player__key=one)
            .filter(seats__player__key=other)
            .latest("pk")
        )

    def move(self, board: int) -> None:
        """Play the first legal move, by whoever is to move."""
        match = Match.objects.get(pk=board)
        position = load(match.game).read(match.position)
        text = position.format(next(iter(position.legal_moves())))
        userid = match.seat_rows[match.seat_to_move].player.userid
        self.say(userid, PlayMove(match.game, board, text))

    def win(self, winner: str, loser: str) -> None:
        """Let a board end by a resignation."""
        match = self.board(winner, loser)
        self.say(loser, Resign(match.game, match.pk, confirmed=True))
        self.sweep()

    def view(self) -> ContestFacts:
        return view_contest(self.number)

    def points(self) -> dict[str, float]:
        return {row.userid: row.points for row in self.view().table}

    def kinds(self) -> list[str]:
        """Return the kinds of events in the log."""
        events = ContestEvent.objects.filter(contest=self.number)
        return list(events.values_list("kind", flat=True))

    def letters(self, kind: str) -> list[str]:
        """Return who got a letter of a kind."""
        letters = OutgoingMail.objects.filter(kind=kind).order_by("pk")
        return [letter.player.userid for letter in letters if letter.player]
