"""Players, and boards with the moves that shall be played at them, all legal.

Runs as a process of its own, in the environment of the server: `python world.py SEED PLIES
[GAME[,OPTION]...]...`. It prints JSON: a list of boards, each move with all that a door needs.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

PAIRS = 4  # pairs of players, who share the boards
TRIES = 8  # moves tried at a ply until one does not end the game


def _main(seed: int, plies: int, kinds: list[str]) -> None:
    from sarsen.server.setup import set_up

    set_up()
    from django.db import transaction

    chance = random.Random(seed)
    with transaction.atomic():
        people = [_player(f"player{number}") for number in range(2 * PAIRS)]
        pairs = [people[2 * number : 2 * number + 2] for number in range(PAIRS)]
        boards = [
            _board(kind, pairs[number % PAIRS], chance, plies) for number, kind in enumerate(kinds)
        ]
        _forget_letters()
    json.dump(boards, sys.stdout)


def _player(userid: str) -> dict[str, Any]:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.utils import timezone

    from sarsen.services.accounts import tokens
    from sarsen.services.accounts.sessions import BEGAN, SessionStore
    from sarsen.storage.models import Address, Player

    now, address = timezone.now(), f"{userid}@people.example"
    player = Player.objects.create(key=userid, userid=userid, joined_at=now)
    player.set_password(f"secret-{userid}")
    player.save()
    Address.objects.create(player=player, address=address, confirmed_at=now)
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "sarsen.services.accounts.login_methods.PlayerBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session[BEGAN] = now.isoformat()
    session.create()
    token = tokens.make(player, "tests", ("read", "play", "chat"), now).secret
    made = {"userid": userid, "address": address, "token": token, "password": f"secret-{userid}"}
    return made | {"session": session.session_key, "player": player}


def _board(kind: str, pair: list[dict[str, Any]], chance: random.Random, plies: int) -> Any:
    from django.utils import timezone

    from sarsen.games import load
    from sarsen.language.commands import Accept, MakeChallenge
    from sarsen.services.dispatch import perform
    from sarsen.services.mail import reply_addresses
    from sarsen.services.request import Actor
    from sarsen.storage.models import MatchSeat

    game, *options = kind.split(",")
    first, second = (one["player"] for one in pair)
    named = (first.userid, second.userid)
    asked: Any = MakeChallenge(game, " ".join(options), (), named)
    made: Any = perform(asked, Actor(first), "", timezone.now())
    begun: Any = perform(Accept(made.number), Actor(second), "", timezone.now())
    seats = list(MatchSeat.objects.filter(match_id=begun.board).order_by("seat"))
    by_player = {one["player"].pk: one for one in pair}
    position, moves = load(game).start(" ".join(options)), []
    while position.outcome() is None and len(moves) < plies:
        move = _move(position, chance)
        seat = seats[position.seat]
        ply = len(moves) + 1
        # As the letter about the move before says it: after so many events.
        signed = reply_addresses._address(
            "board", (begun.board, seat.seat, ply, ply - 1, 0), seat.letter_key
        )
        who = {name: word for name, word in by_player[seat.player_id].items() if name != "player"}
        moves.append({"ply": ply, "text": position.format(move), "signed": signed, **who})
        position = position.play(move)
    return {
        "board": begun.board,
        "game": game,
        "moves": moves,
        "ends": position.outcome() is not None,
    }


def _move(position: Any, chance: random.Random) -> Any:
    """Choose a move at random, for some tries one that does not end the game."""
    legal = list(position.legal_moves())
    tried = chance.sample(legal, min(TRIES, len(legal)))
    return next((move for move in tried if position.play(move).outcome() is None), tried[0])


def _forget_letters() -> None:
    """Call the letters sent that the making of boards has caused."""
    from sarsen.storage.models import OutgoingMail

    OutgoingMail.objects.all().delete()


if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
