"""Signed reply addresses: a mail to one speaks for the player the letter was written to.

A local part is its kind, its numbers, 80 bits of a keyed digest and 20 bits of another, all
in letters and digits that survive any mail program's change of case:

    board-123-0-15-16-1-k3v…    seat 0 of board 123, written when ply 15 was due and the
                                match had 16 events, to ask for a draw (`MATTERS`)
    invited-7-42-20778-q8d…     player 42 about challenge 7, written on day 20778
    player-42-20778-x2a…        player 42 in general
    watching-123-42-20778-r5t…  player 42, who watches board 123
    talk-7-42-20778-p3h…        player 42 to player 7, who has written to them
    lesson-9-42-1357-24-20778-b2d…  player 42 at a step of the lesson whose progress is row 9,
                                after a line of own moves, each as a number of itself
    puzzle-9-42-571-20778-w4f…  player 42 at the puzzle of try 9, after a line of own moves
    welcome-4fe0…               a sign-up, by its own random code
    friend-91c2…                an invitation to somebody without an account, likewise
    bounce-8051-m4c…            where letter 8051 comes back to, when nobody takes it

The 80 bits prove who speaks. They hold a key of the seat or player, so only the database tells
whether they are right. The 20 bits hold the server's key alone: by them the listener sends a
guessed address away without asking anybody. Letters of the first versions lack them.

An address that is too old is known and speaks for nobody: a seat's some time after its
game has ended, the others some time after they were written. Anyone who suspects that
somebody else has one of theirs changes the key, a seat's or their own; see `revoking`.
"""

from __future__ import annotations

import base64
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.utils import timezone

from sarsen.language.grammar.tokens import MATTERS, TALK
from sarsen.services.board_cache import BoardCache
from sarsen.storage import move_path
from sarsen.storage.models import Match, MatchSeat, Player

_SIGNED = re.compile(
    r"(board|invited|player|talk|watching|lesson|puzzle)((?:-\d{1,9}){1,5})-([a-z2-7]{16})([a-z2-7]{4})?"
)
_BOUNCE = re.compile(r"bounce-(\d{1,15})-([a-z2-7]{16})")
_IN_TEXT = re.compile(
    r"((?:board|invited|player|talk|watching|lesson|puzzle|bounce)(?:-\d+)+|welcome|friend)-[0-9a-z]{16,20}",
    re.IGNORECASE,
)
# For a rematch, a word, the record; then the permission in old mailboxes ends (decision 0042).
SPEAKS_AFTER_THE_GAME = timedelta(days=60)
# An address of a player, from its letter on: a year, and some weeks for who answers late.
SPEAKS = timedelta(days=400)
# The numbers in an address of a player, before the day.
_PLACES = {
    "player": ("player",),
    "lesson": ("about", "player", "step", "line"),
    "puzzle": ("about", "player", "line"),
}
BOARD_MAILS = "turn"  # the letters that the shortest unsubscribe address stops
_BY_CODE = re.compile(r"(welcome|friend)-([0-9a-f]{20})")


@dataclass(frozen=True)
class LessonNumbers:
    """The place in a lesson that an address says, in numbers.

    Attributes:
        row: The number of the reader's `LessonProgress`.
        step: `Step.number` of the step.
        line: `line_number` of the own moves that stand in it.
    """

    row: int
    step: int
    line: int


@dataclass(frozen=True)
class PuzzleNumbers:
    """The puzzle and the line that an address says, in numbers.

    Attributes:
        row: The number of the reader's `PuzzleTry`.
        line: `line_number` of the own moves that stand in it.
    """

    row: int
    line: int


@dataclass(frozen=True)
class SignedAddress:
    """The facts that a signed address proves.

    Attributes:
        player: Who speaks.
        board, seat, ply: Of a board letter; None otherwise.
        event: How many events the match had when the letter was written.
        matter: What the letter asked at the board, one of `MATTERS`.
        challenge: Of an invitation; None otherwise.
        author: Who wrote what it answers; None where the server did.
        lesson: Where the letter stood in a lesson; None for any other letter.
        puzzle: The same of a puzzle.
        is_too_old: Says who was written to; speaks for nobody any more.
    """

    player: Player
    board: int | None = None
    seat: int | None = None
    ply: int | None = None
    challenge: int | None = None
    event: int | None = None
    matter: str = ""
    is_too_old: bool = False
    author: Player | None = None
    lesson: LessonNumbers | None = None
    puzzle: PuzzleNumbers | None = None

    @property
    def is_talk(self) -> bool:
        """Whether it answers what a person wrote, so that words are for people."""
        return self.author is not None or self.matter == TALK

    @property
    def proves_account(self) -> bool:
        """Whether it speaks for the account, too, which no letter about a game or a person's does.

        These are passed on to others.
        """
        about = (self.board, self.challenge, self.author, self.lesson, self.puzzle)
        return all(one is None for one in about)


def board_address(
    player: Player,
    board: int,
    due_ply: int,
    *,
    event: int | None = None,
    matter: str = "",
    boards: BoardCache | None = None,
) -> str | None:
    """Return the address that speaks for a player's seat; None if there is no seat.

    A player at several seats of a board gets the address of the seat to move.

    Args:
        event: After how many events the board stood as the letter shows it; None for
            as it stands now.
        matter: What the letter asks: one of `MATTERS`, perhaps with a number behind it.
        boards: Where the board may be loaded already.
    """
    match, seats = _seats_of(player, board, boards or BoardCache())
    if match is None:
        return None
    seat = next((row for row in seats if row.seat == match.seat_to_move), seats[0])
    if event is None:
        # A letter of an earlier position must play no move in any later one.
        event = match.event_count if due_ply == match.ply + 1 else 0
    numbers = (board, seat.seat, due_ply, event, _matter_number(matter))
    return _address("board", numbers, seat.letter_key)


def _seats_of(
    player: Player, board: int, boards: BoardCache
) -> tuple[Match | None, list[MatchSeat]]:
    """Return a board at which a player sits, with their seats there; None for any other."""
    loaded = boards.loaded.get(board)
    if loaded is None:
        rows = MatchSeat.objects.select_related("match").filter(match=board, player=player)
        seats = list(rows)
        return (seats[0].match if seats else None), seats
    seats = [seat for seat in loaded.seat_rows if seat.player_id == player.pk]
    return (loaded if seats else None), seats


def invitation_address(player: Player, challenge: int) -> str:
    """Return the address by which a player answers an invitation."""
    return _address("invited", (challenge, player.pk, _today()), player.letter_key)


def player_address(player: Player) -> str:
    """Return the address that speaks for a player."""
    return _address("player", (player.pk, _today()), player.letter_key)


def watching_address(player: Player, board: int) -> str:
    """Return the address that speaks for a player about a board where they have no seat."""
    return _address("watching", (board, player.pk, _today()), player.letter_key)


def talk_address(player: Player, author: int) -> str:
    """Return the address by which a player answers somebody who has written to them."""
    return _address("talk", (author, player.pk, _today()), player.letter_key)


def lesson_address(player: Player, at: LessonNumbers) -> str:
    """Return the address by which a player answers the letter of a step of a lesson."""
    numbers = (at.row, player.pk, at.step, at.line, _today())
    return _address("lesson", numbers, player.letter_key)


def puzzle_address(player: Player, at: PuzzleNumbers) -> str:
    """Return the address by which a player answers the letter of a puzzle."""
    return _address("puzzle", (at.row, player.pk, at.line, _today()), player.letter_key)


def welcome_address(code: str) -> str:
    """Return the address that confirms a sign-up."""
    return f"{welcome_part(code)}@{settings.SARSEN_DOMAIN}"


def welcome_part(code: str) -> str:
    """Return the local part of `welcome_address`."""
    return f"welcome-{code}"


def friend_address(code: str) -> str:
    """Return the address that answers an invitation to somebody without an account."""
    return f"friend-{code}@{settings.SARSEN_DOMAIN}"


def is_signed(local_part: str) -> bool:
    """Return whether a local part has the form of a signed address."""
    lower = local_part.lower()
    return any(form.fullmatch(lower) for form in (_SIGNED, _BY_CODE, _BOUNCE))


def without_signatures(text: str) -> str:
    """Return a text, as another server wrote it, in which signed addresses prove nothing."""
    return _IN_TEXT.sub(r"\1-…", text)


def named_board(local_part: str) -> int | None:
    """Return the board that an address says it is about, proved or not."""
    address_match = _SIGNED.fullmatch(local_part.lower())
    if address_match is None or address_match[1] not in ("board", "watching"):
        return None
    return int(address_match[2].split("-")[1])


def is_forged(local_part: str) -> bool:
    """Return whether a signed address was never made here, as far as no database is needed."""
    lower = local_part.lower()
    if _BOUNCE.fullmatch(lower):
        return bounced_letter(lower) is None
    address_match = _SIGNED.fullmatch(lower)
    return bool(address_match and address_match[4]) and not _is_ours(address_match)  # type: ignore[arg-type]


def is_old(local_part: str) -> bool:
    """Return whether an address has the form of the first versions, whose bits need the
    database.
    """
    address_match = _SIGNED.fullmatch(local_part.lower())
    return address_match is not None and address_match[4] is None


def stem_of(local_part: str) -> str:
    """Return a signed local part without its signature; one with a code whole; "" for others."""
    lower = local_part.lower()
    address_match = _SIGNED.fullmatch(lower)
    if address_match:
        return address_match[1] + address_match[2]
    return lower if _BY_CODE.fullmatch(lower) else ""


def sign_stem(stem: str) -> list[str]:
    """Return the local parts that a stem has by each secret of the server, the newest first.

    What was revoked since gets another signature; a stem of nobody gets none.
    """
    if not stem or _BY_CODE.fullmatch(stem):
        return [stem]
    kind, *words = stem.split("-")
    numbers = tuple(map(int, words))
    if kind == "board":
        seat = move_path.signed_seat(numbers[0], numbers[1])
        key = seat.letter_key if seat else None
    else:
        player = numbers[0] if kind == "player" else numbers[1]
        keys = Player.objects.filter(pk=player, is_active=True).values_list("letter_key", flat=True)
        key = keys.first()
    if key is None:
        return []
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [_signed(kind, numbers, key, secret) for secret in secrets]


def letter_tag(letter: int, queued_at: datetime, local_part: str, secret: str = "") -> str:
    """Return the part of a Message-ID that proves, with From, that a mail answers a letter.

    It is made of the reply address, signature and all, and is revoked with it. A mail that is
    forwarded may carry it on, so that it counts only together with the letter's own address.
    """
    text = f"letter:{letter}:{int(queued_at.timestamp())}:{local_part}"
    digest = hmac.digest((secret or settings.SECRET_KEY).encode(), text.encode(), sha256)
    return base64.b32encode(digest[:10]).decode().lower()


def proves_letter(tag: str, letter: int, queued_at: datetime, stem: str) -> str | None:
    """Return the local part of the reply address of the letter whose tag this is, or None."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    for local_part in sign_stem(stem):
        tags = (letter_tag(letter, queued_at, local_part, secret) for secret in secrets)
        if any(hmac.compare_digest(tag, true_tag) for true_tag in tags):
            return local_part
    return None


def bounce_address(letter: int) -> str:
    """Return the envelope sender of a letter, by which a bounce says whose it is."""
    return _address("bounce", (letter,), "")


def bounced_letter(local_part: str) -> int | None:
    """Return the letter that came back to an address of `bounce_address`; None for a forged one."""
    address_match = _BOUNCE.fullmatch(local_part.lower())
    if address_match and _matches(address_match[2], "bounce", (int(address_match[1]),), ""):
        return int(address_match[1])
    return None


def welcome_code(local_part: str) -> str | None:
    """Return the code of a sign-up's address, or None for any other."""
    return _code("welcome", local_part)


def friend_code(local_part: str) -> str | None:
    """Return the code of an invitation's address, or None for any other."""
    return _code("friend", local_part)


def _code(kind: str, local_part: str) -> str | None:
    address_match = _BY_CODE.fullmatch(local_part.lower())
    return address_match[2] if address_match and address_match[1] == kind else None


def read_signed_address(local_part: str) -> SignedAddress | None:
    """Return what a signed address proves; None when it proves nothing."""
    address_match = _SIGNED.fullmatch(local_part.lower())
    if not address_match or (address_match[4] and not _is_ours(address_match)):
        return None
    kind, mac = address_match[1], address_match[3]
    numbers = tuple(int(number) for number in address_match[2][1:].split("-"))
    if kind == "board":
        return _seat_bearer(numbers, mac)
    places = _PLACES.get(kind, ("about", "player"))
    if len(numbers) not in (len(places), len(places) + 1):
        return None
    # Letters of the first versions said no day: their addresses speak until they are revoked.
    values = dict(zip((*places, "day"), numbers, strict=False))
    player = Player.objects.filter(pk=values["player"], is_active=True).first()
    if player is None or not _matches(mac, kind, numbers, player.letter_key):
        return None
    author = None
    if kind == "talk":
        author = Player.objects.filter(pk=values["about"], is_active=True).first()
        if author is None:
            return None
    return SignedAddress(
        player,
        board=values["about"] if kind == "watching" else None,
        challenge=values["about"] if kind == "invited" else None,
        author=author,
        lesson=LessonNumbers(values["about"], values["step"], values["line"])
        if kind == "lesson"
        else None,
        puzzle=PuzzleNumbers(values["about"], values["line"]) if kind == "puzzle" else None,
        is_too_old=_today() - values.get("day", _today()) > SPEAKS.days,
    )


def _seat_bearer(numbers: tuple[int, ...], mac: str) -> SignedAddress | None:
    if len(numbers) not in (3, 5):
        return None
    seat = move_path.signed_seat(numbers[0], numbers[1])
    if seat is None or not _matches(mac, "board", numbers, seat.letter_key):
        return None
    board, at, ply, *details = numbers
    # Letters of the first version counted no events and asked nothing.
    event, matter = details or (None, 0)
    ended = seat.ended_at
    return SignedAddress(
        seat.player,
        board=board,
        seat=at,
        ply=ply,
        event=event,
        matter=_matter(matter or 0),
        is_too_old=ended is not None and ended + SPEAKS_AFTER_THE_GAME < timezone.now(),
    )


def unsubscribe_token(player: Player, event: str = BOARD_MAILS) -> str:
    """Return the token of a player's one-click address for one kind of letter (RFC 8058)."""
    mac = _mac(_unsubscribe(event), (player.pk,), player.letter_key)
    return f"{player.pk}-{mac}" if event == BOARD_MAILS else f"{player.pk}-{event}-{mac}"


def read_unsubscribe_token(token: str) -> tuple[Player, str] | None:
    """Return whose token this is and for which letters; None when it is nobody's."""
    number, _, remainder = token.partition("-")
    event, _, mac = remainder.rpartition("-")
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
    word, argument = MATTERS[number % 10], number // 10
    return f"{word} {argument}" if argument else word


def _address(kind: str, numbers: tuple[int, ...], key: str) -> str:
    return f"{_signed(kind, numbers, key, settings.SECRET_KEY)}@{settings.SARSEN_DOMAIN}"


def _signed(kind: str, numbers: tuple[int, ...], key: str, secret: str) -> str:
    words = "-".join(str(number) for number in numbers)
    signed = f"{kind}-{words}-{_mac(kind, numbers, key, secret)}"
    return signed if kind == "bounce" else f"{signed}{_mark(signed, secret)}"


def _is_ours(address_match: re.Match[str]) -> bool:
    """Return whether the last letters of an address were made here."""
    signed, mark = address_match[0][: -len(address_match[4])], address_match[4].encode()
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(mark, _mark(signed, secret).encode()) for secret in secrets)


def _mark(signed: str, secret: str) -> str:
    """Return the 20 bits that show that an address was made by this server."""
    digest = hmac.digest(secret.encode(), f"address:{signed}".encode(), sha256)
    return base64.b32encode(digest[:5]).decode().lower()[:4]


def _matches(mac: str, kind: str, numbers: tuple[int, ...], key: str) -> bool:
    # What was signed with an older key of the server holds while that one is kept.
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    mac_bytes = mac.encode()
    return any(
        hmac.compare_digest(mac_bytes, _mac(kind, numbers, key, secret).encode())
        for secret in secrets
    )


def _mac(kind: str, numbers: tuple[int, ...], key: str, secret: str = "") -> str:
    text = ":".join([kind, *(str(number) for number in numbers), key])
    digest = hmac.digest((secret or settings.SECRET_KEY).encode(), text.encode(), sha256)
    return base64.b32encode(digest[:10]).decode().lower()


def _today() -> int:
    """Return the number of the day, counted from 1970."""
    return int(timezone.now().timestamp()) // 86_400
