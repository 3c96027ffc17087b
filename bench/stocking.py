"""Players and boards to play on, made through the services of the server.

Runs as a process of its own, since it needs Django and the data folder in its environment:
`python -m bench.stocking BOARDS PLIES SEED BY_MAIL_ONLY GAME...`. It prints a line a board, JSON:
the moves of a legal random game, each with all that a door needs to play it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
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
        session: Of a browser in which the player is logged in.
    """

    board: int
    game: str
    ply: int
    text: str
    sender: str
    userid: str
    password: str
    signed: str
    quoted: str
    token: str
    session: str


def stock(
    boards: int,
    plies: int,
    environment: dict[str, str],
    *,
    games: Sequence[str] = (GAME,),
    seed: int = 0,
    by_mail_only: bool = False,
) -> list[list[MoveMail]]:
    """Make boards of the games in turn; give the mails that play each of them, in order.

    Args:
        by_mail_only: Players have no program and no browser: what happens at the board of
            somebody who ever had a program is kept for the program, too.
    """
    numbers = (str(number) for number in (boards, plies, seed, int(by_mail_only)))
    made = subprocess.run(
        [sys.executable, "-m", "bench.stocking", *numbers, *games],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [[MoveMail(**mail) for mail in json.loads(line)] for line in made.stdout.splitlines()]


@dataclass(frozen=True)
class _Proofs:
    """By what a player is known at the doors: a program's token, a browser's session."""

    token: str
    session: str


def _main(boards: int, plies: int, seed: int, by_mail_only: int, games: Sequence[str]) -> None:
    from sarsen.server.setup import set_up

    set_up()
    from django.db import transaction

    with transaction.atomic():
        kind = "mailer" if by_mail_only else "bencher"
        userids = [f"{kind}{number}" for number in range(PLAYERS)]
        for userid in userids:
            _sign_up(userid)
        _forget_letters()
        nothing = _Proofs("", "")
        proofs = {userid: nothing if by_mail_only else _proofs(userid) for userid in userids}
        for number in range(boards):
            game = games[number % len(games)]
            pair = [userids[(2 * number + one) % PLAYERS] for one in range(2)]
            board = _start(game, *pair)
            players = {userid: proofs[userid] for userid in pair}
            mails = _mails(board, game, players, seed + number, plies)
            print(json.dumps([asdict(mail) for mail in mails]))
            _forget_letters()


def _sign_up(userid: str) -> None:
    from sarsen.storage.models import Player

    if Player.objects.filter(key=userid).exists():
        return
    address = _address(userid)
    _perform(f"signup {userid} {_password(userid)} {address}")
    for letter in _forget_letters():
        if letter.kind == "signup":
            _perform(f"welcome {letter.facts['code']}")


def _proofs(userid: str) -> _Proofs:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.utils import timezone

    from sarsen.services.accounts import tokens
    from sarsen.services.accounts.sessions import BEGAN, SessionStore
    from sarsen.services.players import find_player

    player, now = find_player(userid), timezone.now()
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "sarsen.services.accounts.login_methods.PlayerBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session[BEGAN] = now.isoformat()
    session.create()
    made = tokens.make(player, "bench", ("read", "play"), now)
    return _Proofs(made.secret, str(session.session_key))


def _start(game: str, first: str, second: str) -> int:
    made = _perform(f"{game} challenge {first} {second}", first)
    begun = _perform(f"accept {made.number}", second)
    return int(begun.board)


def _mails(
    board: int, game: str, proofs: dict[str, _Proofs], seed: int, plies: int
) -> list[MoveMail]:
    from bench.games import random_record
    from sarsen import drawing
    from sarsen.games import load
    from sarsen.services.mail.reply_addresses import board_address
    from sarsen.services.players import find_player

    record = random_record(load(game), seed, plies)
    players = tuple(proofs)
    found = {userid: find_player(userid) for userid in players}
    mails = []
    for ply, (text, position) in enumerate(zip(record.moves, record.positions, strict=True), 1):
        userid = players[position.seat]
        # As the letter about the move before says it: after so many events.
        signed = board_address(found[userid], board, ply, event=ply - 1)
        assert signed is not None  # the player sits there
        who = (_address(userid), userid, _password(userid))
        proof = proofs[userid]
        quoted = drawing.text(position)
        mails.append(
            MoveMail(board, game, ply, text, *who, signed, quoted, proof.token, proof.session)
        )
    return mails


def _perform(line: str, speaker: str = "") -> Any:
    from django.utils import timezone

    from sarsen.games import names
    from sarsen.language.grammar.grammar import read_line
    from sarsen.language.grammar.tokens import Context
    from sarsen.services.dispatch import perform
    from sarsen.services.players import find_player
    from sarsen.services.request import Actor

    actor = Actor(find_player(speaker)) if speaker else Actor()
    parsed = read_line(line, Context(names(), speaker=speaker))
    return perform(parsed.command, actor, "", timezone.now())


def _forget_letters() -> list[Any]:
    """Call the letters sent that the making of boards has caused; give them."""
    from django.utils import timezone

    from sarsen.services.mail import outgoing

    letters = outgoing.claim_due(timezone.now(), 1000)
    outgoing.mark_sent([letter.id for letter in letters], timezone.now())
    return letters


def _address(userid: str) -> str:
    return f"{userid}@players.example"


def _password(userid: str) -> str:
    return f"secret-{userid}"


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m bench.stocking", description=__doc__)
    for number in ("boards", "plies", "seed", "by_mail_only"):
        options.add_argument(number, type=int)
    options.add_argument("games", nargs="+")
    asked = options.parse_args()
    _main(asked.boards, asked.plies, asked.seed, asked.by_mail_only, asked.games)
