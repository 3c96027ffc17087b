"""A post office for tests: real messages in, the real jobs run, real messages out."""

from __future__ import annotations

import email
import email.policy
import itertools
from email.message import EmailMessage

import pytest
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from databases import number_anew
from sarsen.doors.mail import jobs
from sarsen.language.commands import Accept, MakeChallenge
from sarsen.language.replies import ChallengeStands
from sarsen.services.dispatch import perform
from sarsen.services.mail import incoming, outgoing
from sarsen.services.mail.incoming import Delivery
from sarsen.services.request import Actor
from sarsen.storage.models import Address, CaughtMail, Match, MatchEvent, Player

SERVER = "sarsen@sarsen.test"
ANN, BOB = "ann@ann.example", "bob@bob.example"


class PostOffice:
    """Send mails as people, and read what they get."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._read: set[int] = set()

    def write(
        self, sender: str, body: str = "", *, to: str = SERVER, subject: str = "", **headers: str
    ) -> EmailMessage:
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        if "Message-ID" not in message:
            message["Message-ID"] = f"<{next(self._numbers)}@{sender.partition('@')[2]}>"
        message.set_content(body)
        return message

    def send(self, sender: str, body: str = "", **words: str) -> EmailMessage:
        """Send a mail, let the server work, and give the mail."""
        message = self.write(sender, body, **words)
        self.deliver(message.as_bytes(), sender, words.get("to", SERVER))
        return message

    def deliver(self, raw: bytes, sender: str, to: str = SERVER) -> None:
        incoming.store([Delivery(sender, to, raw)], timezone.now())
        self.work()

    def work(self) -> None:
        jobs.answer_mail.call()
        jobs.send_mail.call()

    def answer(self, letter: EmailMessage, body: str, **words: str) -> EmailMessage:
        """Answer a letter as its receiver's mail program would, history quoted."""
        quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
        return self.send(
            str(letter["To"]),
            f"{body}\n\nOn Sat, 21 Nov 2026, sarsen wrote:\n{quoted}\n",
            to=str(letter["Reply-To"]),
            subject=f"Re: {letter['Subject']}",
            In_Reply_To=str(letter["Message-ID"]),
            **words,
        )

    def box(self, address: str) -> list[EmailMessage]:
        """Return the letters to an address that have not been read yet."""
        found = CaughtMail.objects.filter(address=address).exclude(pk__in=self._read)
        letters = []
        for caught in found.order_by("pk"):
            self._read.add(caught.pk)
            parsed = email.message_from_bytes(bytes(caught.raw), policy=email.policy.default)
            assert isinstance(parsed, EmailMessage)
            letters.append(parsed)
        return letters

    def last(self, address: str) -> EmailMessage:
        """Return the newest unread letter to an address."""
        letters = self.box(address)
        assert letters, f"no mail for {address}"
        return letters[-1]

    def join(self, userid: str, password: str = "") -> EmailMessage:
        """Make an account and give its letter of welcome; `join_by_mail` asks for one."""
        player, address = self._account(userid, password)
        outgoing.queue(
            outgoing.NewLetter(address, "welcome", {"is_new": True}, player=player), timezone.now()
        )
        jobs.send_mail.call()
        return self.last(address)

    def _account(self, userid: str, password: str) -> tuple[Player, str]:
        now, address = timezone.now(), f"{userid}@{userid}.example"
        player = Player.objects.create(
            key=userid.lower(),
            userid=userid,
            joined_at=now,
            password=make_password(password or None),
        )
        Address.objects.create(player=player, address=address, confirmed_at=now)
        return player, address

    def join_by_mail(self, userid: str, password: str = "") -> EmailMessage:
        """Sign somebody up as people do and give the letter of welcome."""
        address = f"{userid}@{userid}.example"
        self.send(address, subject=f"signup {userid} {password}".strip())
        self.answer(self.last(address), "yes")
        return self.last(address)

    def board(self, options: str = "-size=4", game: str = "druid") -> dict[str, EmailMessage]:
        """Seat ann and bob at a board, which takes no mail; give both their letters of it."""
        now = timezone.now()
        ann, _ = self._account("ann", "secret-ann")
        bob, _ = self._account("bob", "secret-bob")
        terms = tuple(word for word in options.split() if word.startswith("--"))
        own = " ".join(word for word in options.split() if word not in terms)
        asked = MakeChallenge(game, own, terms, ("ann", "bob"))
        made = perform(asked, Actor(ann), "", now)
        assert isinstance(made, ChallengeStands)
        perform(Accept(made.number), Actor(bob), "", now)
        # The player of the last step sees the board already; here both have a letter of it.
        match = Match.objects.get()
        facts = {"board": match.pk, "ply": 0, "is_over": False}
        outgoing.queue_for(bob, "board", facts, now, match=match)
        jobs.send_mail.call()
        return {name: self.last(f"{name}@{name}.example") for name in ("ann", "bob")}

    def board_by_mail(self, options: str = "-size=4") -> dict[str, EmailMessage]:
        """Begin a board of Druid as ann and bob do; give both their newest letters."""
        welcome = {one: self.join_by_mail(one, f"secret-{one}") for one in ("ann", "bob")}
        self.answer(welcome["ann"], f"druid challenge {options} ann bob")
        self.answer(self.last("bob@bob.example"), "accept")
        return {name: self.last(f"{name}@{name}.example") for name in ("ann", "bob")}


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def words_of(letter: EmailMessage) -> str:
    """Return the text of a letter as one line, wherever its lines break."""
    return " ".join(text_of(letter).split())


@pytest.fixture
def post(db: None) -> PostOffice:
    number_anew()
    return PostOffice()


def both(post: PostOffice) -> dict[str, EmailMessage]:
    return {"ann": post.last(ANN), "bob": post.last(BOB)}


def played(post: PostOffice, *moves: str, options: str = "-size=4") -> dict[str, EmailMessage]:
    """Start a board, play moves by answering letters, and return both newest letters."""
    letters = post.board(options)
    for number, move in enumerate(moves):
        post.answer(letters[("ann", "bob")[number % 2]], move)
        letters = both(post)
    return letters


def events() -> list[str]:
    return [f"{event.kind}:{event.text}".rstrip(":") for event in MatchEvent.objects.all()]


def said(post: PostOffice, address: str) -> str:
    return text_of(post.last(address))
