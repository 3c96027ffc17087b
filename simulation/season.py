"""A season of a league: one person in five vanishes, one in ten goes on vacation.

What must be true afterwards: the season ended on its day, the forecast at half time was near, and
`sarsen verify` finds nothing. Letters are counted where they wait to be sent.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import time_machine
from django.db.models import Max
from django.utils.module_loading import import_string

from sarsen.core.errors import UserError
from sarsen.games import load, names
from sarsen.language.contests.facts import ContestFacts
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.services import task_queue
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.contests.course import running
from sarsen.services.contests.views.facts import view_contest
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import (
    Address,
    ContestEvent,
    Heartbeat,
    Match,
    MatchEvent,
    OutgoingMail,
    Player,
)

BEGIN = datetime(2027, 1, 4, 6, 0, tzinfo=UTC)
STEP = timedelta(hours=6)  # between two looks of everybody, and of the worker
DAY = timedelta(days=1)
VANISH, VACATION = 0.2, 0.1
VACATION_DAYS = 12
# Of the forecast, by the length of the season: the specification of contests (evidence 7).
NEAR = 0.15
MANY = 100  # people; of few, one slow board is the end of a season, which nobody can foretell
# Its games last for most of the season, also by random moves.
GAME, OPTIONS = "visavis", "-size=7 -swap"


def run_season(
    players: int, days: int, seed: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Play and check; return `figures` and `faults`, which should be empty."""
    season = Season(players, days, Random(seed))
    season.run(progress)
    return {"figures": season.figures(), "faults": season.faults()}


@dataclass
class Member:
    """Somebody in the league.

    Attributes:
        pace: Days from a turn to the move, on average.
        quits_at: From then on nothing is heard; None for nobody who vanishes.
        away_at: The first day of a vacation.
    """

    userid: str
    pace: float
    quits_at: datetime | None
    away_at: datetime | None

    def moves(self, now: datetime, random: Random) -> bool:
        """Return whether they move at this look, where it is their turn."""
        if self.quits_at is not None and now >= self.quits_at:
            return False
        if self.away_at is not None and self.away_at <= now < self.away_at + VACATION_DAYS * DAY:
            return False
        return random.random() < STEP / DAY / self.pace


class Season:
    """A season on the server whose settings and database are set up."""

    def __init__(self, players: int, days: int, random: Random) -> None:
        self.days, self._random = days, random
        self.people = [self._member(number) for number in range(players)]
        self._requests = itertools.count(1)
        self.number = 0
        self.forecast: datetime | None = None
        self._begun = time.process_time()

    def _member(self, number: int) -> Member:
        chance, length = self._random, timedelta(days=self.days)
        fate = chance.random()
        return Member(
            f"p{number:04d}",
            pace=chance.choice((0.5, 1.0, 1.0, 2.0, 2.0, 3.0)),
            quits_at=BEGIN + chance.random() * length if fate < VANISH else None,
            away_at=BEGIN + DAY + chance.random() * (length - 16 * DAY)
            if VANISH <= fate < VANISH + VACATION
            else None,
        )

    def run(self, progress: Callable[[str], None]) -> None:
        """Let everybody join, and play until the end date and two days more."""
        with time_machine.travel(BEGIN, tick=False) as clock:
            self._enter()
            length = timedelta(days=self.days)
            for step in range(1, int((length + 2 * DAY) / STEP)):
                now = BEGIN + step * STEP
                clock.move_to(now)
                self._look(now)
                self._work(now)
                if step == int(length / STEP / 2):
                    self.forecast = self._facts().forecast
                if step % int(DAY / STEP) == 0:
                    progress(f"day {step // int(DAY / STEP)}")

    def _enter(self) -> None:
        for member in self.people:
            player = Player.objects.create(
                key=member.userid, userid=member.userid, joined_at=BEGIN, timezone="UTC"
            )
            address = f"{member.userid}@home.example"
            Address.objects.create(player=player, address=address, confirmed_at=BEGIN)
        host, *others = self.people
        starts = (BEGIN + DAY).date()
        line = f"contest new {GAME} league {OPTIONS} --days={self.days} --starts={starts} Season"
        self.number = self._say(host, line, BEGIN).number
        for member in others:
            self._say(member, f"contest join {self.number}", BEGIN)
        self._say(host, f"contest start {self.number}", BEGIN)
        self._work(BEGIN)

    def _look(self, now: datetime) -> None:
        """Let everybody look at their boards."""
        # The server runs between two looks, too: else it would count as away, and clocks stand.
        Heartbeat.objects.update_or_create(name=CLOCKS, defaults={"at": now})
        members = {member.userid: member for member in self.people}
        for member in self.people:
            if member.away_at is not None and now - STEP < member.away_at - DAY <= now:
                first = member.away_at.date()
                last = first + timedelta(days=VACATION_DAYS)
                self._say(member, f"vacation {first} {last}", now)
        for match in Match.objects.filter(ended_at=None).prefetch_related("seats__player"):
            mover = members[match.seat_rows[match.seat_to_move].player.userid]
            if mover.moves(now, self._random):
                position = load(match.game).read(match.position)
                move = position.format(self._random.choice(position.legal_moves()))
                self._say(mover, f"{match.game} move {match.pk} {move}", now)

    def _say(self, member: Member, line: str, now: datetime) -> Any:

        command = read_line(line, Context(games=names(), speaker=member.userid)).command
        actor = Actor(Player.objects.get(key=member.userid))
        try:
            return perform(command, actor, f"season:{next(self._requests)}", now)
        except UserError as refusal:
            if refusal.code == "contest.ended":  # the sweep comes in a moment
                return None
            raise AssertionError(f"{member.userid}: {line}: {refusal.text}") from refusal

    def _work(self, now: datetime) -> None:
        """Let the worker do all that is due but send letters: they are counted where they wait."""

        for job in task_queue.SWEEPS:
            if job != task_queue.SEND_MAIL:
                import_string(job).call()
        while running.is_any_due(now):
            running.sweep(now, AFTER_EVENTS)

    def _facts(self) -> ContestFacts:

        return view_contest(self.number)

    def _last_end(self) -> datetime:

        boards = Match.objects.filter(contest_board__contest=self.number)
        last: datetime = boards.aggregate(last=Max("ended_at"))["last"]
        return last

    def figures(self) -> dict[str, Any]:
        """Return what is printed."""
        facts = self._facts()
        kinds = Counter(
            ContestEvent.objects.filter(contest=self.number).values_list("kind", flat=True)
        )
        letters = Counter(OutgoingMail.objects.values_list("kind", flat=True))
        of_contests = sum(n for kind, n in letters.items() if kind.startswith("contest"))
        weeks = self.days / 7 * len(self.people)
        return {
            "tiers": len({row.tier for row in facts.table}),
            "boards": Match.objects.count(),
            "moves": sum(Match.objects.values_list("ply", flat=True)),
            "boards lost on time": Match.objects.filter(
                events__kind=MatchEvent.Kind.FORFEIT
            ).count(),
            "people who vanished": sum(one.quits_at is not None for one in self.people),
            "on vacation": sum(one.away_at is not None for one in self.people),
            **{f"events: {kind}": count for kind, count in sorted(kinds.items())},
            "end date": f"{facts.ends_at:%d %b %H:%M}",
            "last board ended": f"{self._last_end():%d %b %H:%M}",
            "forecast at half time": f"{self.forecast:%d %b %H:%M}" if self.forecast else "none",
            "forecast off by, of the season": f"{100 * self._distance():.1f} %",
            **{f"letters: {kind}": count for kind, count in sorted(letters.items())},
            "letters a person a week": f"{sum(letters.values()) / weeks:.1f}",
            "of contests": f"{of_contests / weeks:.2f}",
            "seconds of processor": round(time.process_time() - self._begun),
        }

    def _distance(self) -> float:
        if self.forecast is None:  # unless all games were over, there should be one
            return float(self._last_end() > BEGIN + timedelta(days=self.days) / 2)
        return abs(self.forecast - self._last_end()) / timedelta(days=self.days)

    def faults(self) -> list[str]:
        """Return what is not as it should be."""
        facts = self._facts()
        faults = [
            f"{one.about}, {one.what}: {one.stored}; {one.found}"
            for one in verify(VerifyReport(), lambda: None)
        ]
        if facts.state != "ended":
            faults.append(f"the season is {facts.state}")
        if facts.ends_at is None or self._last_end() > facts.ends_at + STEP:
            faults.append("a board ended after the end date")
        if self._distance() > NEAR and len(self.people) >= MANY:
            faults.append(f"the forecast was off by {100 * self._distance():.0f} %")
        return faults
