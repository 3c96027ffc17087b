"""Do what odd mails say, in a database that forgets it, and word the letters that come of it.

The fuzzer reads every mail; of some all is done that a worker does, in one transaction that is
rolled back. What is written to signed addresses mostly holds commands as help has them, with odd
facts in the places of its capital letters: so they come as far as the handlers.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from faults.mail import mails
from sarsen.doors.mail.letters import write_letter
from sarsen.doors.mail.reply import answering
from sarsen.doors.mail.send import sending
from sarsen.games import names
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import incoming, outgoing, reply_addresses, waiting
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.settle import settle_alone
from sarsen.storage.models import InboundMail, OutgoingMail, Player
from web_world import World

EVERY = 50  # of so many mails one is done
PASSWORD = "secret-ann"
SENDER = "ann@example.org"
MAX_LETTERS = 100
_PLACE = re.compile(r"[A-Z][A-Z0-9]*")
_SIGNS = re.compile(r"[\[\]…|+]")


@dataclass(frozen=True)
class People:
    """The players, and the addresses that odd mails are sent to."""

    boards: tuple[int, ...]
    addresses: tuple[str, ...]


people: People | None = None


def open_store() -> None:
    """Make this process's own database ready, with people and boards in it."""
    call_command("migrate", interactive=False, verbosity=0)
    settle_down()


def settle_down() -> None:
    """Make people and boards for the mails of this process."""
    global people  # noqa: PLW0603 (of this process)
    settings.SARSEN_MAIL_PICTURES = False
    world = World()
    boards = tuple(world.board(game) for game in names())
    asked = world.challenge("druid", "ann", "eve", by="eve")
    ann = Player.objects.get(key="ann")
    ann.set_password(PASSWORD)
    ann.save()
    # What was told of it until now is worded for no mail.
    OutgoingMail.objects.update(state=OutgoingMail.State.SENT)
    signed = [reply_addresses.board_address(ann, board, 1) for board in boards]
    addresses = (
        *(f"{name}@{settings.SARSEN_DOMAIN}" for name in ("sarsen", *names())),
        *(address for address in signed if address),
        reply_addresses.player_address(ann),
        reply_addresses.watching_address(ann, boards[0]),
        reply_addresses.invitation_address(ann, asked.number),
    )
    people = People(boards, addresses)


def leave() -> None:
    """Forget them, with the database that held them."""
    global people  # noqa: PLW0603 (of this process)
    people = None


def settle(raw: bytes, chance: random.Random, now: datetime) -> str:
    """Do all that a mail asks for, and word what is told of it; give why it was refused."""
    assert people is not None
    with transaction.atomic():
        for one in (raw, written(chance, people)):
            to = chance.choice(people.addresses)
            incoming.store([Delivery(SENDER, to, one)], now)
        boards = BoardCache()
        for mail in waiting.waiting(2):
            prepared = answering.prepare(mail, now, boards)
            if prepared.ask:
                prepared.ask()
            settle_alone(prepared.settlement, boards)
        for letter in outgoing.claim_due(now, MAX_LETTERS):
            sending._composed(letter, write_letter(letter))
        note: str = InboundMail.objects.order_by("-pk").values_list("note", flat=True)[0]
        transaction.set_rollback(True)
        return note


def written(chance: random.Random, who: People) -> bytes:
    """Write a mail that says some commands, one or several."""
    lines = [command(chance, who) for _ in range(chance.choice((1, 1, 3)))]
    said = lines if len(lines) == 1 else ["multiple", *lines]
    below = [mails.letters(chance) for _ in range(chance.randint(0, 2))]
    head = f"From: Ann <{SENDER}>\r\nMessage-ID: <{chance.random()}@example.org>\r\n"
    kind = "Content-Type: text/plain; charset=utf-8\r\n\r\n"
    return (head + kind).encode() + "\r\n".join(said + below).encode("utf-8", "replace")


def command(chance: random.Random, who: People) -> str:
    """Return a command as help has it, with facts in its places, some of them odd."""
    words = _SIGNS.sub(" ", " ".join(mails.usage(chance))).split()
    return " ".join(_PLACE.sub(lambda found: fact(found[0], chance, who), one) for one in words)


def fact(place: str, chance: random.Random, who: People) -> str:
    """Return what stands in a place: mostly what belongs there."""
    game = chance.choice(names())
    fitting = {
        "GAME": [game],
        "BOARD": [str(board) for board in who.boards],
        "USERID": ["ann"],
        "PASSWORD": [PASSWORD],
        "MOVE": list(mails.first_moves(game)),
        "N": ["1", "5"],
    }.get(place, ["bob", "ann", "eve", "1", "2026-12-24", "c3", "off", "on", "all"])
    return chance.choice(fitting) if chance.random() < 0.8 else mails.letters(chance)
