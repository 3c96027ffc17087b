"""Signed reply addresses: who writes to one is who the letter was written to.

A local part is its kind, its numbers and 80 bits of a keyed digest, all in
letters and digits that survive any mail program's change of case:

    board-123-0-15-16-1-k3v…   seat 0 of board 123, written when ply 15 was due and the
                               match had 16 events, to ask for a draw (`MATTERS`)
    invited-7-42-q8d…     player 42 about challenge 7
    player-42-x2a…        player 42 in general
    watching-123-42-r5t…  player 42, who watches board 123
    welcome-4fe0…         a sign-up, by its own random code
"""

from __future__ import annotations

import base64
import hmac
import re
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings

from sarsen.language.sentence import MATTERS
from sarsen.storage.models import MatchSeat, Player

_SIGNED = re.compile(r"(board|invited|player|watching)((?:-\d{1,9}){1,5})-([a-z2-7]{16})")
BOARD_MAILS = "turn"  # the letters that the shortest unsubscribe address stops
_WELCOME = re.compile(r"welcome-([0-9a-f]{20})")


@dataclass(frozen=True)
class Bearer:
    """Say what a signed address proves.

    Attributes:
        player: Who speaks.
        board, seat, ply: Of a board letter; None otherwise.
        event: How many events the match had when the letter was written.
        matter: What the letter asked at the board, one of `MATTERS`.
        challenge: Of an invitation; None otherwise.
    """

    player: Player
    board: int | None = None
    seat: int | None = None
    ply: int | None = None
    challenge: int | None = None
    event: int | None = None
    matter: str = ""


def board_address(
    player: Player, board: int, due_ply: int, *, event: int | None = None, matter: str = ""
) -> str | None:
    """Give the address that speaks for a player's seat; None if there is no seat.

    Who sits at several seats of a board gets the address of the seat to move.

    Args:
        event: After how many events the board stood as the letter shows it; None for
            as it stands now.
        matter: What the letter asks: one of `MATTERS`, perhaps with a number behind it.
    """
    seats = list(MatchSeat.objects.select_related("match").filter(match_id=board, player=player))
    if not seats:
        return None
    seat = next((one for one in seats if one.seat == one.match.seat_to_move), seats[0])
    match = seat.match
    if event is None:
        # A letter of an earlier position must play no move in any later one.
        event = match.event_count if due_ply == match.ply + 1 else 0
    numbers = (board, seat.seat, due_ply, event, _matter_number(matter))
    return _address("board", numbers, seat.letter_key)


def invitation_address(player: Player, challenge: int) -> str:
    """Give the address by which a player answers an invitation."""
    return _address("invited", (challenge, player.pk), player.letter_key)


def player_address(player: Player) -> str:
    """Give the address that speaks for a player."""
    return _address("player", (player.pk,), player.letter_key)


def watching_address(player: Player, board: int) -> str:
    """Give the address that speaks for a player about a board where he has no seat."""
    return _address("watching", (board, player.pk), player.letter_key)


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
    if kind == "board" and len(numbers) in (3, 5):
        seat = (
            MatchSeat.objects.select_related("player")
            .filter(match_id=numbers[0], seat=numbers[1], player__is_active=True)
            .first()
        )
        if seat and _matches(mac, kind, numbers, seat.letter_key):
            board, at, ply, *rest = numbers
            # Letters of the first version counted no events and asked nothing.
            event, matter = rest or (None, 0)
            return Bearer(
                seat.player, board=board, seat=at, ply=ply, event=event, matter=_matter(matter or 0)
            )
    if kind == "invited" and len(numbers) == 2:
        player = Player.objects.filter(pk=numbers[1], is_active=True).first()
        if player and _matches(mac, kind, numbers, player.letter_key):
            return Bearer(player, challenge=numbers[0])
    if kind == "watching" and len(numbers) == 2:
        player = Player.objects.filter(pk=numbers[1], is_active=True).first()
        if player and _matches(mac, kind, numbers, player.letter_key):
            return Bearer(player, board=numbers[0])
    if kind == "player" and len(numbers) == 1:
        player = Player.objects.filter(pk=numbers[0], is_active=True).first()
        if player and _matches(mac, kind, numbers, player.letter_key):
            return Bearer(player)
    return None


def unsubscribe_token(player: Player, event: str = BOARD_MAILS) -> str:
    """Give the token of a player's one-click address for one kind of letter (RFC 8058)."""
    mac = _mac(_unsubscribe(event), (player.pk,), player.letter_key)
    return f"{player.pk}-{mac}" if event == BOARD_MAILS else f"{player.pk}-{event}-{mac}"


def unsubscribe_bearer(token: str) -> tuple[Player, str] | None:
    """Give whose token this is and for which letters; None when it is nobody's."""
    number, _, rest = token.partition("-")
    event, _, mac = rest.rpartition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    event = event or BOARD_MAILS
    player = Player.objects.filter(pk=int(number), is_active=True).first()
    if player and _matches(mac, _unsubscribe(event), (player.pk,), player.letter_key):
        return player, event
    return None


def _unsubscribe(event: str) -> str:
    # The first version knew board mails only; its addresses stand in people's mailboxes.
    return "unsubscribe" if event == BOARD_MAILS else f"unsubscribe-{event}"


def _matter_number(matter: str) -> int:
    word, _, number = matter.partition(" ")
    return MATTERS.index(word) + 10 * int(number or 0)


def _matter(number: int) -> str:
    """Read the pair of `_matter_number`."""
    word, behind = MATTERS[number % 10], number // 10
    return f"{word} {behind}" if behind else word


def _address(kind: str, numbers: tuple[int, ...], key: str) -> str:
    words = "-".join(str(number) for number in numbers)
    return f"{kind}-{words}-{_mac(kind, numbers, key)}@{settings.SARSEN_DOMAIN}"


def _matches(mac: str, kind: str, numbers: tuple[int, ...], key: str) -> bool:
    return hmac.compare_digest(mac.encode(), _mac(kind, numbers, key).encode())


def _mac(kind: str, numbers: tuple[int, ...], key: str) -> str:
    text = ":".join([kind, *(str(number) for number in numbers), key])
    digest = hmac.digest(settings.SECRET_KEY.encode(), text.encode(), sha256)
    return base64.b32encode(digest[:10]).decode().lower()
