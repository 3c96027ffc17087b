"""Whether anything is new at a board or for a player: asked often, so answered cheaply.

A page that was shown carries a key which says what it shows, signed. Anyone who has the page
may ask by it whether it is still the newest: no session is read and nothing is drawn. How
soon it asks again is for the server to say: soon where something is about to happen, and
later the more are asking.

An answer is kept for a second; then one line of SQL says whether it still holds, and only
when it does not are things looked at properly.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Generic, TypeVar
from zlib import crc32

from django.core import signing
from django.db import connection

from sarsen.core.errors import UserError
from sarsen.services.boards.lists import waiting_boards
from sarsen.services.request import Player
from sarsen.storage.models import Challenge, ChallengeSeat, ChatLine, Match, MatchSeat

KEY_LASTS = timedelta(days=7)
KEPT = 1.0  # seconds for which an answer is given to all who ask
MOST_KEPT = 20_000
# Seconds until a page asks again, by how long ago its board last changed.
PACES = (
    (timedelta(minutes=2), 3.0),
    (timedelta(minutes=15), 6.0),
    (timedelta(hours=2), 15.0),
)
SLOWEST, PROGRAMS, WITHOUT_BOARD = 30.0, 1.5, 30.0
AWAITED = timedelta(minutes=3)  # a program moves within this time, or is not waited for
MOST_A_SECOND = 350.0  # questions; more of them are spread over a longer time
_SIGNER = signing.TimestampSigner(salt="sarsen.live")
_T = TypeVar("_T")


@dataclass(frozen=True)
class News:
    """How things stand.

    Attributes:
        stamp: Another one whenever something has changed at the board or challenge; without
            either, whenever other boards wait for the player, or other challenges.
        waiting: Boards that wait for the player's move; None for a visitor.
        pause: Seconds after which to ask again.
    """

    stamp: str
    waiting: int | None
    pause: float


@dataclass(frozen=True)
class _BoardNews:
    stamp: str
    moved_at: datetime | None = None
    is_over: bool = True
    is_programs: bool = False


@dataclass(frozen=True)
class _OwnNews:
    stamp: str
    waiting: int


def new_key(board: int | None, player: Player | None, challenge: int = 0) -> str:
    """Sign what a page shows: a board or challenge its viewer may see, and who they are."""
    return _SIGNER.sign(f"{board or 0}.{player.pk if player else 0}.{challenge}")


def news(key: str, now: datetime) -> News:
    """Return how things stand for a page with this key.

    Raises:
        UserError: The key is none of ours, or too old.
    """
    try:
        board, player, challenge, ends = _read_key(key)
    except (signing.BadSignature, ValueError):
        board = player = challenge = ends = 0
    if ends < now.timestamp():
        raise UserError(
            "This page is out of date.",
            code="live-key",
            hint="Please reload it.",
        )
    found = _boards.give(board) if board else _BoardNews("")
    own = _own.give(player) if player else None
    stamp = found.stamp if board or own is None else own.stamp
    if challenge:
        stamp = _challenges.give(challenge)
    pause = round(_pause(found, now) * _load.factor(), 1)
    return News(stamp, own.waiting if own else None, pause)


def board_stamp(board: int, event: int | None = None) -> str:
    """Return the stamp of a board as it stands.

    Args:
        event: After so many events the page shows it: one that came since is news.
    """
    _boards.kept.pop(board, None)  # older than the page, it would be taken for news there
    events, said, *asked = _board_facts(board) or (0, None, None, None)
    return _board_words(events if event is None else event, said, *asked)


def challenge_stamp(challenge: int) -> str:
    """Return the stamp of a challenge as it stands."""
    _challenges.kept.pop(challenge, None)
    return _words(_challenge_facts(challenge))


def own_stamp(player: Player) -> str:
    """Return the stamp of all that waits for a player, as it stands."""
    _own.kept.pop(player.pk, None)
    return _words(_own_facts(player.pk))


def forget() -> None:
    """Forget all answers, as a process that has just begun."""
    _boards.kept.clear()
    _own.kept.clear()
    _challenges.kept.clear()


@lru_cache(MOST_KEPT)
def _read_key(key: str) -> tuple[int, int, int, float]:
    """Return the board, the player and the challenge of a key, 0 for none, and when it ends."""
    board, player, challenge = _SIGNER.unsign(key).split(".")
    made = signing.b62_decode(key.rsplit(":", 2)[1])
    return int(board), int(player), int(challenge), made + KEY_LASTS.total_seconds()


def _pause(found: _BoardNews, now: datetime) -> float:
    if found.moved_at is None or found.is_over:
        return WITHOUT_BOARD
    age = now - found.moved_at
    if found.is_programs and age < AWAITED:
        return PROGRAMS
    return next((pause for limit, pause in PACES if age < limit), SLOWEST)


_BOARD_SQL = (
    f"SELECT event_count, (SELECT MAX(id) FROM {ChatLine._meta.db_table} said"  # noqa: S608
    " WHERE said.match_id = board.id), offer,"
    f" (SELECT again.id || again.state FROM {Challenge._meta.db_table} again"
    " WHERE again.rematch_of_id = board.id ORDER BY again.id DESC LIMIT 1)"
    f" FROM {Match._meta.db_table} board WHERE id = %s"
)
_OWN_SQL = (
    f"SELECT 0, seat.match_id, seat.seat FROM {MatchSeat._meta.db_table} seat"  # noqa: S608
    f" JOIN {Match._meta.db_table} board ON board.id = seat.match_id"
    " WHERE seat.player_id = %s AND board.ended_at IS NULL AND seat.seat = board.seat_to_move"
    f" UNION ALL SELECT 1, asked.id, asked.seat FROM {ChallengeSeat._meta.db_table} asked"
    f" JOIN {Challenge._meta.db_table} challenge ON challenge.id = asked.challenge_id"
    f" WHERE asked.player_id = %s AND challenge.state = '{Challenge.State.OPEN}'"
    " AND NOT asked.has_accepted ORDER BY 1, 2, 3"
)


def _board_facts(board: int) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(_BOARD_SQL, [board])
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _own_facts(player: int) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_OWN_SQL, [player, player])
        return tuple(map(tuple, cursor.fetchall()))


def _challenge_facts(challenge: int) -> tuple[Any, ...]:
    seats = ChallengeSeat.objects.filter(challenge=challenge).order_by("seat")
    named = ("challenge__state", "challenge__match", "player", "has_accepted")
    return tuple(seats.values_list(*named))


def _board_words(events: int, said: int | None, offer: Any, rematch: str | None) -> str:
    return f"{events}-{said or 0}-{crc32(repr((offer, rematch)).encode()):x}"


def _words(facts: tuple[Any, ...]) -> str:
    return f"{crc32(repr(facts).encode()):x}"


def _board_news(board: int, facts: tuple[Any, ...] | None) -> _BoardNews:
    rows = Match.objects.filter(pk=board).values_list("moved_at", "ended_at", "bot_level")
    row = rows.first()
    if facts is None or row is None:
        return _BoardNews("")
    moved_at, ended_at, level = row
    return _BoardNews(_board_words(*facts), moved_at, ended_at is not None, level is not None)


def _own_news(player: int, facts: tuple[Any, ...]) -> _OwnNews:
    return _OwnNews(_words(facts), len(waiting_boards(player)))


@dataclass(frozen=True)
class _Answer(Generic[_T]):
    """An answer, the facts it was made from, and when these were last read."""

    facts: Any
    found: _T
    looked_at: float


@dataclass
class _Kept(Generic[_T]):
    """Answers by what they are about, each as long as its facts stay the same."""

    facts: Callable[[int], Any]
    look: Callable[[int, Any], _T]
    kept: OrderedDict[int, _Answer[_T]] = field(default_factory=OrderedDict)

    def give(self, about: int) -> _T:
        """Return what is kept if it still holds, else look."""
        now = time.monotonic()
        answer = self.kept.get(about)
        if answer is not None and now - answer.looked_at < KEPT:
            return answer.found
        facts = self.facts(about)
        if answer is not None and answer.facts == facts:
            answer = replace(answer, looked_at=now)
        else:
            answer = _Answer(facts, self.look(about, facts), now)
        self.kept[about] = answer
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        return answer.found


@dataclass
class _Load:
    """How many questions came in a second of the last while."""

    window: float = 10.0  # seconds
    began: float = 0.0
    count: int = 0
    rate: float = 0.0

    def factor(self) -> float:
        """Count one more question; return how much longer than usual pauses have to be."""
        now = time.monotonic()
        self.count += 1
        if now - self.began >= self.window:
            self.rate = self.count / (now - self.began) if self.began else 0.0
            self.began, self.count = now, 0
        return max(1.0, self.rate / MOST_A_SECOND)


_boards: _Kept[_BoardNews] = _Kept(_board_facts, _board_news)
_own: _Kept[_OwnNews] = _Kept(_own_facts, _own_news)
_challenges: _Kept[str] = _Kept(_challenge_facts, lambda _, facts: _words(facts))
_load = _Load()
