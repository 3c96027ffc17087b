"""One server with players at its doors: what the machine does to it, a step at a time."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from typing import Any

import time_machine
from django.core.management.color import no_style
from django.db import connection

from clock import NOW
from faults.one_effect.deeds import Parcel
from faults.one_effect.relay import Relay
from program import Program
from sarsen.doors.mail import jobs
from sarsen.doors.mail.reply import answering
from sarsen.language.commands import Accept, MakeChallenge, SignOff
from sarsen.language.replies import ChallengeStands, Refusal
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.board_cache import BoardCache
from sarsen.services.clocks.running import sweep
from sarsen.services.command_lines import read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.mail import incoming, waiting
from sarsen.services.mail.incoming import Delivery
from sarsen.services.request import Actor
from sarsen.storage.models import Address, Match, Player
from visitor import Visitor

BEGAN = NOW  # not after the clock of the tests, at which some let a server go on
PLAYERS = ("ann", "bob", "cy")
# Small boards: their games end while the machine plays.
GAMES = {"druid": "-size=3", "gyges": "", "vasco": "-size=6", "visavis": "-size=5"}
_KEPT = ("django_migrations", "django_content_type", "auth_permission")


def empty_database() -> None:
    """Empty all tables, and number boards from 1 again."""
    tables = [name for name in connection.introspection.table_names() if name not in _KEPT]
    lines = connection.ops.sql_flush(no_style(), tables, reset_sequences=True)
    connection.ops.execute_sql_flush(lines)


class Server:
    """The doors, the jobs and the clock of one server."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self.now = self.latest = BEGAN
        self.numbers = itertools.count(1)
        empty_database()
        self.players = {userid: self._join(userid) for userid in PLAYERS}
        self.visitors = {userid: Visitor(one) for userid, one in self.players.items()}
        with self.clock():
            scopes = ["read", "play", "chat", "account"]
            self.programs = {userid: Program(one, scopes) for userid, one in self.players.items()}

    def clock(self) -> Any:
        """Let it be the server's time in a block."""
        return time_machine.travel(self.now, tick=False)

    def pass_time(self, time: timedelta) -> None:
        """Move the machine's clock; backwards, too."""
        self.now += time
        self.latest = max(self.latest, self.now)

    def begin(self, game: str, terms: tuple[str, ...], *userids: str) -> int:
        """Begin a board."""
        challenge = MakeChallenge(game, GAMES[game], terms, userids)
        first, second = (Actor(self.players[userid]) for userid in userids)
        asked = perform(challenge, first, "", self.now)
        assert isinstance(asked, ChallengeStands)
        started = perform(Accept(asked.number), second, "", self.now)
        assert isinstance(started, ChallengeStands)
        assert started.board is not None
        return started.board

    def store(self, parcel: Parcel) -> None:
        """Take a mail, as the listener does before it says 250."""
        facts = parcel.facts
        incoming.store([Delivery(facts["sender"], facts["to"], facts["raw"])], self.now)

    def post(self, parcel: Parcel) -> tuple[int, str, str]:
        """Send a form; give status, where it leads, and nothing of what the page says."""
        fields: dict[str, list[str]] = {}
        for name, value in parcel.facts["fields"]:
            fields.setdefault(name, []).append(value)
        client = self.visitors[parcel.deed.by].client
        answer = client.post(parcel.facts["path"], fields)
        return answer.status_code, answer.headers.get("Location", ""), ""

    def call(self, parcel: Parcel) -> tuple[int, str, str]:
        """Call the API; give status, the reply, and the code of a refusal."""
        program = self.programs[parcel.deed.by]
        key = parcel.facts["key"]
        headers = {"Idempotency_Key": key} if key else {}
        answer = program.post(parcel.facts["path"], parcel.facts["asked"], **headers)
        code = answer.get("code", "") if program.status >= 400 else ""
        return program.status, str(answer.get("reply", "")), code

    def type(self, parcel: Parcel) -> tuple[int, str, str]:
        """Perform a line as `sarsen do` does."""
        heard = read_and_perform(
            parcel.deed.line, "", Actor(self.players[parcel.deed.by]), "", self.now
        )
        reply = heard.reply
        if isinstance(reply, Refusal):
            return 422, "", reply.code
        return 200, repr(reply), ""

    def forget(self, userid: str) -> None:
        """Let a player leave without a trace; what is on its way goes on knowing them."""
        player = Player.objects.get(pk=self.players[userid].pk)
        perform(SignOff(forgets=True, confirmed=True), Actor(player), "", self.now)

    def answer_mail(self) -> None:
        """Run the job that answers what waits, and sends."""
        jobs.answer_mail.call()

    def answer_with_two_workers(self) -> None:
        """Two workers have seen the same mails waiting; the second one comes too late."""
        seen = waiting.waiting(50)
        for mail in seen[:1]:
            answering.answer_alone(mail, self.now, BoardCache())
        jobs.answer_mail.call()
        jobs.answer_mails(seen, self.now)

    def send_mail(self) -> None:
        """Run the job that sends letters."""
        jobs.send_mail.call()

    def look_after_clocks(self) -> None:
        """Run the sweep of the clocks."""
        sweep(self.now, AFTER_EVENTS)

    def next_deadline(self) -> datetime | None:
        """Return the next moment at which a move is lost."""
        due = Match.objects.exclude(due_at=None).order_by("due_at")
        return due.values_list("due_at", flat=True).first()

    def deadlines(self) -> dict[int, datetime]:
        """Return for each board until when a move must come."""
        due = Match.objects.exclude(due_at=None).values_list("pk", "due_at")
        return {pk: at for pk, at in due if at is not None}

    def _join(self, userid: str) -> Player:
        player = Player.objects.create(key=userid, userid=userid, joined_at=self.now)
        Address.objects.create(
            player=player, address=f"{userid}@{userid}.example", confirmed_at=self.now
        )
        return player
