"""The month itself: hour by hour the people look at their mail and play."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random

import time_machine
from django.utils.module_loading import import_string

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language import commands
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.replies import Reply
from sarsen.services import task_queue
from sarsen.services.dispatch import perform
from sarsen.services.mail.incoming import Delivery, store
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import Challenge, Match, Player, Signup
from simulation.book import Book, BookedBoard, BookedTurn
from simulation.people import HOUR, Person

BEGIN = datetime(2027, 1, 4, 6, 0, tzinfo=UTC)  # a Monday
SERVER = "sarsen@sarsen.test"
# Games as they are played here: quick enough that a month of them is minutes.
KINDS = (
    ("druid", "-size=4"),
    ("druid", "-size=5"),
    ("visavis", "-size=5"),
    ("visavis", "-size=7"),
    ("gyges", ""),
    ("vasco", "-size=12"),
)
TERMS = (
    "",
    "",
    "--forfeittime=4 --nagtime=2",
    "--forfeittime=6 --nagtime=3",
    "--forfeittime=3 --nagtime=1.5 --totaltime=10 --increment=0.25",
    "--unrated",
)


class Month:
    """Play a month on the server whose settings and database are set up."""

    def __init__(
        self, crowd: list[Person], random: Random, notes: Path, boards_each: float = 1.0
    ) -> None:
        self.people = {person.userid: person for person in crowd}
        self.book = Book()
        self.letters: list[dict[str, str]] = []
        self.refused = 0
        self._random = random
        self._notes = notes
        self._read_to = 0
        self._mails = itertools.count(1)
        self._requests = itertools.count(1)
        self._boards_each = boards_each
        self.begin = self.end = self.down_from = self.down_until = BEGIN
        self._players: dict[str, Player] = {}

    def run(self, days: int, progress: Callable[[str], None] = lambda what: None) -> None:
        """Let so many days go by."""
        with time_machine.travel(BEGIN, tick=False) as clock:
            self._join()
            self._challenge(int(len(self.people) * self._boards_each / 2))
            # Past the middle the server is away for two days, and so is everybody.
            self.down_from = BEGIN + timedelta(days=days * 3 // 5, hours=-3)
            self.down_until = self.down_from + timedelta(days=2)
            for hour in range(1, days * 24):
                now = self.end = BEGIN + hour * HOUR
                if self.down_from < now < self.down_until:
                    continue
                clock.move_to(now)
                self._work()
                self._live_an_hour(now, hour // 24)
                if hour % 24 == 23:
                    progress(f"day {hour // 24 + 1}")
            # The last letters of the last hour.
            self._work()
            self._note_forfeits()

    def hour_before(self, now: datetime) -> datetime:
        """Return the hour that people lived before another one."""
        before = now - HOUR
        return self.down_from if self.down_from < before < self.down_until else before

    def _join(self) -> None:
        now = BEGIN
        for person in self.people.values():
            signup = commands.SignUp(person.userid, "", (person.address,))
            perform(signup, NOBODY, "", now)
            code = Signup.objects.get(key=person.userid).code
            perform(commands.ConfirmSignup(code), NOBODY, "", now)
            self._players[person.userid] = Player.objects.get(key=person.userid)
            self._say(person, f"change timezone {person.zone}", now)
            if person.channel != "mail":
                self._say(person, f"notices turn {person.channel}", now)

    def _challenge(self, count: int) -> None:
        userids = list(self.people)
        for _ in range(count):
            first, second = self._random.sample(userids, 2)
            self._open(first, second, BEGIN)

    def _open(self, first: str, second: str, now: datetime) -> None:
        """Challenge, and let the other side accept."""
        game, options = self._random.choice(KINDS)
        terms = self._random.choice(TERMS)
        line = f"{game} challenge {options} {terms} {first} {second}"
        reply = self._say(self.people[first], line, now)
        reply = self._say(self.people[second], f"accept {reply.number}", now)
        number = Challenge.objects.get(pk=reply.number).match_id
        self.book.open_board(number, game, options, terms, (first, second), now)
        self.book.turns.append(BookedTurn(first, number, 0, now))
        self.book.count("games begun")

    def _live_an_hour(self, now: datetime, day: int) -> None:
        self._note_forfeits()
        for person in self.people.values():
            if person.away_on == day and now.hour == 8:
                first = (now + timedelta(days=1)).date()
                last = first + timedelta(days=person.away_for)
                self._say(person, f"vacation {first} {last}", now)
                person.vacation = first, last
                self.book.count("vacations")
        for board in list(self.book.boards.values()):
            if board.ended:
                continue
            person = self.people[board.mover]
            if person.is_there(day) and self._random.random() < person.moves_a_day / 24:
                self._move(board, person, now)
        if now.hour == 20 and self._random.random() < 0.7:
            for _ in range(max(len(self.people) // 80, 1)):
                self._open(*self._random.sample(list(self.people), 2), now)

    def _note_forfeits(self) -> None:
        """Learn which boards the server has ended by the clock."""
        running = [number for number, board in self.book.boards.items() if not board.ended]
        lost = Match.objects.filter(pk__in=running).exclude(ended_at=None)
        for match in lost:
            self.book.boards[match.pk].ended = "forfeit"
            self.book.count("forfeits")

    def _move(self, board: BookedBoard, person: Person, now: datetime) -> None:
        dice = self._random.random()
        if dice < 0.01 and len(board.moves) > 6:
            self._say(person, f"{board.game} resign {board.number}", now, confirmed=True)
            board.ended = "resigned"
            self.book.count("resignations")
            return
        move = self._random.choice(board.position.legal_moves())
        text = board.position.format(move)
        ply = len(board.moves) + 1
        reply_to = person.reply_to.get(board.number)
        # The address of a board letter names board, seat and the ply that was due in it.
        is_newest = reply_to is not None and int(reply_to.split("-")[3]) == ply
        if person.door == "mail" and reply_to and is_newest:
            self._mail_move(board, person, text, now, reply_to, dice)
        else:
            line = f"{board.game} move {board.number} {text}#{ply}"
            self._say(person, line, now)
            self.book.count("moves by the web")
        self._note_move(board, text, now)
        is_known = person.door == "web"  # the server has the move already
        if is_known and self._random.random() < person.plans and not board.ended:
            self._plan(board, person, now)

    def _note_move(self, board: BookedBoard, text: str, now: datetime) -> None:
        """Book a move, and the planned answer to it that the server plays at once."""
        board.play(text, now)
        plan, board.plan = board.plan, None
        if board.ended:
            return
        self.book.turns.append(BookedTurn(board.mover, board.number, len(board.moves), now))
        if plan and plan[0] == board.mover and plan[1] == board.moves[-1][0]:
            # The planner hears that it was played; the other side has it in the answer.
            self.book.turns.pop()
            self.book.count("planned moves played")
            board.play(plan[2], now)
            if not board.ended:
                booked = BookedTurn(plan[0], board.number, len(board.moves), now)
                self.book.planned.append(booked)

    def _plan(self, board: BookedBoard, person: Person, now: datetime) -> None:
        """Queue an answer to one thing the other side may play."""
        if board.mover == person.userid:
            return
        position = board.position
        choices = position.legal_moves()
        theirs = choices[0] if len(choices) < 3 else self._random.choice(choices[:3])
        after = position.play(theirs)
        if after.outcome() is not None or after.seat == position.seat:
            return
        mine = after.format(self._random.choice(after.legal_moves()))
        text = position.format(theirs)
        self._say(person, f"queue {board.number} if {text} then {mine}", now)
        board.plan = person.userid, text, mine
        self.book.count("plans made")

    def _mail_move(
        self,
        board: BookedBoard,
        person: Person,
        text: str,
        now: datetime,
        reply_to: str,
        dice: float,
    ) -> None:
        """Answer the newest board letter; some send it twice, or nonsense before it."""
        if dice < 0.04:
            self._send(person, reply_to, "zz99", f"Re: Board {board.number}", now)
            self.book.count("refused moves")
        raw = self._send(person, reply_to, text, f"Re: Board {board.number}", now)
        if dice > 0.95:
            store([Delivery(person.address, reply_to, raw)], now)
            self.book.count("mails that came twice")
        self.book.count("moves by mail")

    def _send(self, person: Person, to: str, text: str, subject: str, now: datetime) -> bytes:
        message = EmailMessage()
        message["From"] = person.address
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<{next(self._mails)}@home.example>"
        message.set_content(f"{text}\n\n> the board\n> quoted\n")
        raw = message.as_bytes()
        store([Delivery(person.address, to, raw)], now)
        return raw

    def _say(self, person: Person, line: str, now: datetime, *, confirmed: bool = False) -> Reply:
        """Perform a command at the web door, as its view does."""
        parsed = read_line(line, Context(games=names(), speaker=person.userid))
        command = parsed.command
        if confirmed and isinstance(command, commands.Resign):
            command = commands.Resign(command.game, command.board, confirmed=True)
        player = self._players[person.userid]
        player.refresh_from_db()
        request = f"web:{player.pk}:{next(self._requests)}"
        try:
            return perform(command, Actor(player), request, now)
        except UserError as refusal:
            raise AssertionError(f"{person.userid}: {line}: {refusal.text}") from refusal

    def _work(self) -> None:
        """Let the worker do all that is due, and read what the relay took."""
        for job in task_queue.SWEEPS:
            import_string(job).call()
        import_string(task_queue.SEND_MAIL).call()
        with self._notes.open(encoding="utf-8") as notes:
            notes.seek(self._read_to)
            for line in notes:
                self._read(json.loads(line))
            self._read_to = notes.tell()

    def _read(self, note: dict[str, str]) -> None:
        if "refused" in note:
            self.refused += 1
            userid = note["refused"].partition("@")[0]
            self.book.refusals.setdefault(userid, []).append(self.end)
            return
        self.letters.append(note)
        userid = note["address"].partition("@")[0]
        reply_to = note["Reply-To"]
        if reply_to.startswith("board-") and userid in self.people:
            self.people[userid].reply_to[int(reply_to.split("-")[1])] = reply_to
