"""Players and boards for the mail bench, made through the services of the server.

Runs as a process of its own, since it needs Django and the data folder in its environment:
`python -m bench.stocking BOARDS PLIES`. It prints a line a board, JSON: the moves of a legal
random game, each with the mail that plays it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Any

GAME = "druid"
PLAYERS = 16


@dataclass(frozen=True)
class MoveMail:
    """A move and what is needed to send it.

    Attributes:
        signed: The seat's reply address at that ply.
        quoted: What the board letter that is answered shows.
        token: By which a program speaks for the player.
    """

    board: int
    ply: int
    text: str
    sender: str
    userid: str
    password: str
    signed: str
    quoted: str
    token: str


def stock(boards: int, plies: int, environment: dict[str, str]) -> list[list[MoveMail]]:
    """Make boards; give the mails that play each of them, in order."""
    made = subprocess.run(
        [sys.executable, "-m", "bench.stocking", str(boards), str(plies)],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [[MoveMail(**mail) for mail in json.loads(line)] for line in made.stdout.splitlines()]


def _main(boards: int, plies: int) -> None:
    from sarsen.server.setup import set_up

    set_up()
    from django.db import transaction

    with transaction.atomic():
        userids = [f"bencher{number}" for number in range(PLAYERS)]
        for userid in userids:
            _sign_up(userid)
        _forget_letters()
        tokens = {userid: _token(userid) for userid in userids}
        for number in range(boards):
            first = userids[2 * number % PLAYERS]
            second = userids[(2 * number + 1) % PLAYERS]
            board = _start(first, second)
            mails = _mails(board, {first: tokens[first], second: tokens[second]}, number, plies)
            print(json.dumps([asdict(mail) for mail in mails]))
            _forget_letters()


def _sign_up(userid: str) -> None:
    address = _address(userid)
    _perform(f"signup {userid} {_password(userid)} {address}")
    for letter in _forget_letters():
        if letter.kind == "signup":
            _perform(f"welcome {letter.facts['code']}")


def _token(userid: str) -> str:
    from django.utils import timezone

    from sarsen.services import tokens
    from sarsen.services.players import find_player

    made = tokens.make(find_player(userid), "bench", ("read", "play"), timezone.now())
    return made.secret


def _start(first: str, second: str) -> int:
    made = _perform(f"{GAME} challenge {first} {second}", first)
    begun = _perform(f"accept {made.number}", second)
    return int(begun.board)


def _mails(board: int, tokens: dict[str, str], seed: int, plies: int) -> list[MoveMail]:
    from bench.games import random_record
    from sarsen import drawing
    from sarsen.games import load
    from sarsen.services.players import find_player
    from sarsen.services.signing import board_address

    record = random_record(load(GAME), seed, plies)
    players = tuple(tokens)
    found = {userid: find_player(userid) for userid in players}
    mails = []
    for ply, (text, position) in enumerate(zip(record.moves, record.positions, strict=True), 1):
        userid = players[position.seat]
        signed = board_address(found[userid], board, ply)
        assert signed is not None  # the player sits there
        quoted = drawing.text(position)
        who = (_address(userid), userid, _password(userid))
        mails.append(MoveMail(board, ply, text, *who, signed, quoted, tokens[userid]))
    return mails


def _perform(line: str, speaker: str = "") -> Any:
    from django.utils import timezone

    from sarsen.games import names
    from sarsen.language.grammar import read_line
    from sarsen.language.sentence import Context
    from sarsen.services.call import Actor
    from sarsen.services.dispatch import perform
    from sarsen.services.players import find_player

    actor = Actor(find_player(speaker)) if speaker else Actor()
    spoken = read_line(line, Context(names(), speaker=speaker))
    return perform(spoken.command, actor, "", timezone.now())


def _forget_letters() -> list[Any]:
    """Call the letters sent that the making of boards has caused; give them."""
    from django.utils import timezone

    from sarsen.services import outbox

    letters = outbox.claim_due(timezone.now(), 1000)
    outbox.mark_sent([letter.id for letter in letters], timezone.now())
    return letters


def _address(userid: str) -> str:
    return f"{userid}@players.example"


def _password(userid: str) -> str:
    return f"secret-{userid}"


if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]))
