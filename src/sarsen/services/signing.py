"""Signed reply addresses: who writes to one is who the letter was written to.

A local part is its kind, its numbers and 80 bits of a keyed digest, all in
letters and digits that survive any mail program's change of case:

    board-123-0-15-k3v…   seat 0 of board 123, written when ply 15 was due
    invited-7-42-q8d…     player 42 about challenge 7
    player-42-x2a…        player 42 in general
    welcome-4fe0…         a sign-up, by its own random code
"""

from __future__ import annotations

import base64
import hmac
import re
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings

from sarsen.storage.models import MatchSeat, Player

_SIGNED = re.compile(r"(board|invited|player)((?:-\d{1,9}){1,3})-([a-z2-7]{16})")
_WELCOME = re.compile(r"welcome-([0-9a-f]{20})")


@dataclass(frozen=True)
class Bearer:
    """Say what a signed address proves.

    Attributes:
        player: Who speaks.
        board, seat, ply: Of a board letter; None otherwise.
        challenge: Of an invitation; None otherwise.
    """

    player: Player
    board: int | None = None
    seat: int | None = None
    ply: int | None = None
    challenge: int | None = None


def board_address(player: Player, board: int, due_ply: int) -> str | None:
    """Give the address that speaks for a player's seat; None if there is no seat.

    Who sits at several seats of a board gets the address of the seat to move.
    """
    seats = list(MatchSeat.objects.select_related("match").filter(match_id=board, player=player))
    if not seats:
        return None
    seat = next((one for one in seats if one.seat == one.match.seat_to_move), seats[0])
    return _address("board", (board, seat.seat, due_ply), seat.letter_key)


def invitation_address(player: Player, challenge: int) -> str:
    """Give the address by which a player answers an invitation."""
    return _address("invited", (challenge, player.pk), player.letter_key)


def player_address(player: Player) -> str:
    """Give the address that speaks for a player."""
    return _address("player", (player.pk,), player.letter_key)


def welcome_address(code: str) -> str:
    """Give the address that confirms a sign-up."""
    return f"welcome-{code}@{settings.SARSEN_DOMAIN}"


def is_signed(local_part: str) -> bool:
    """Tell whether a local part has the form of a signed address."""
    lower = local_part.lower()
    return bool(_SIGNED.fullmatch(lower) or _WELCOME.fullmatch(lower))


def welcome_code(local_part: str) -> str | None:
    """Give the code of a sign-up's address, or None for any other."""
    found = _WELCOME.fullmatch(local_part.lower())
    return found[1] if found else None


def bearer(local_part: str) -> Bearer | None:
    """Give what a signed address proves; None when it proves nothing."""
    found = _SIGNED.fullmatch(local_part.lower())
    if not found:
        return None
    kind, mac = found[1], found[3]
    numbers = tuple(int(number) for number in found[2][1:].split("-"))
    if kind == "board" and len(numbers) == 3:
        seat = (
            MatchSeat.objects.select_related("player")
            .filter(match_id=numbers[0], seat=numbers[1])
            .first()
        )
        if seat and _matches(mac, kind, numbers, seat.letter_key):
            return Bearer(seat.player, board=numbers[0], seat=numbers[1], ply=numbers[2])
    if kind == "invited" and len(numbers) == 2:
        player = Player.objects.filter(pk=numbers[1], is_active=True).first()
        if player and _matches(mac, kind, numbers, player.letter_key):
            return Bearer(player, challenge=numbers[0])
    if kind == "player" and len(numbers) == 1:
        player = Player.objects.filter(pk=numbers[0], is_active=True).first()
        if player and _matches(mac, kind, numbers, player.letter_key):
            return Bearer(player)
    return None


def unsubscribe_token(player: Player) -> str:
    """Give the token of a player's one-click address (RFC 8058)."""
    return f"{player.pk}-{_mac('unsubscribe', (player.pk,), player.letter_key)}"


def unsubscribe_bearer(token: str) -> Player | None:
    """Give the player whose token this is; None when it is nobody's."""
    number, _, mac = token.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    player = Player.objects.filter(pk=int(number), is_active=True).first()
    if player and _matches(mac, "unsubscribe", (player.pk,), player.letter_key):
        return player
    return None


def _address(kind: str, numbers: tuple[int, ...], key: str) -> str:
    words = "-".join(str(number) for number in numbers)
    return f"{kind}-{words}-{_mac(kind, numbers, key)}@{settings.SARSEN_DOMAIN}"


def _matches(mac: str, kind: str, numbers: tuple[int, ...], key: str) -> bool:
    return hmac.compare_digest(mac.encode(), _mac(kind, numbers, key).encode())


def _mac(kind: str, numbers: tuple[int, ...], key: str) -> str:
    text = ":".join([kind, *(str(number) for number in numbers), key])
    digest = hmac.digest(settings.SECRET_KEY.encode(), text.encode(), sha256)
    return base64.b32encode(digest[:10]).decode().lower()
