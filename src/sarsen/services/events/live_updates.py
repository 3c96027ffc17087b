"""Whether anything is new at a board or for a player: pages ask often, so answers are cheap.

A page carries a signed key that says what it shows. Any holder of the page may ask by it
whether it is still the newest: no session is read and nothing is drawn. The
question is held until there is news (`sarsen.server.long_polls`). Where there is no room for
that, the page asks again after a while: soon where something is about to happen, and later
the more are asking.

An answer is kept for a second; then one line of SQL for all that are asked says whether they
still hold, and only when one does not is it looked at properly.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from zlib import crc32

from django.core import signing

from sarsen.core.errors import UserError
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.events.news_cache import MAX_KEPT, NewsCache
from sarsen.services.events.topics import Topic, TopicKind, Watched
from sarsen.services.request import Player
from sarsen.storage import page_queries
from sarsen.storage.models import (
    Match,
)

KEY_LASTS = timedelta(days=7)  # a page that is open for longer is loaded again
# Seconds until a page asks again whose question is held: it waits there.
AGAIN = 0.2  # seconds until a page asks again whose question is held
# Seconds until another one asks again, by how long ago its board last changed.
PACES = (
    (timedelta(minutes=2), 3.0),
    (timedelta(minutes=15), 6.0),
    (timedelta(hours=2), 15.0),
)
# Seconds: boards where nothing has happened for hours, boards where a program thinks, and pages
# without a board (decision 0027).
SLOWEST, PROGRAMS, WITHOUT_BOARD = 30.0, 1.5, 30.0
AWAITED = timedelta(minutes=3)  # a program moves within this time, or is not waited for
# Questions at most, as pages ask less often the more of them are open (decision 0027).
MAX_A_SECOND = 350.0
_SIGNER = signing.TimestampSigner(salt="sarsen.live")


@dataclass(frozen=True)
class News:
    """How things stand.

    Attributes:
        stamp: Another one whenever something has changed at the board, challenge or contest;
            without any, whenever other boards wait for the player, or other challenges.
        waiting: Boards that wait for the player's move; None for a visitor.
        pause: Seconds after which to ask again.
    """

    stamp: str
    waiting: int | None
    pause: float


@dataclass(frozen=True)
class _Stamped:
    stamp: str


@dataclass(frozen=True)
class _BoardNews(_Stamped):
    moved_at: datetime | None = None
    is_over: bool = True
    is_programs: bool = False


@dataclass(frozen=True)
class _OwnNews(_Stamped):
    waiting: int


@dataclass(frozen=True)
class _Key:
    """What a page shows, 0 for none, and until when its key is good, in seconds."""

    board: int = 0
    player: int = 0
    challenge: int = 0
    contest: int = 0
    ends: float = 0.0


def new_key(board: int | None, player: Player | None, challenge: int = 0, contest: int = 0) -> str:
    """Sign what a page shows: a board, challenge or contest its viewer may see, and the viewer."""
    # Pages of older releases have keys of three numbers.
    more = f".{contest}" if contest else ""
    return _SIGNER.sign(f"{board or 0}.{player.pk if player else 0}.{challenge}{more}")


def news(key: str, now: datetime, *, is_held: bool = False) -> News:
    """Return how things stand for a page with this key.

    Args:
        is_held: The next question waits for news.

    Raises:
        UserError: The key is none of ours, or too old.
    """
    shown = _read_key(key)
    if shown.ends < now.timestamp():
        raise UserError(
            "This page is out of date.",
            code="live-key",
            hint="Please reload it.",
        )
    board_news = _boards.get(shown.board) if shown.board else _BoardNews("")
    own_news = _own.get(shown.player) if shown.player else None
    stamp = board_news.stamp if shown.board or own_news is None else own_news.stamp
    if shown.challenge:
        stamp = _challenges.get(shown.challenge).stamp
    if shown.contest:
        stamp = _contests.get(shown.contest).stamp
    pause = AGAIN if is_held else _pause(board_news, now)
    return News(stamp, own_news.waiting if own_news else None, round(pause * _load.factor(), 1))


def watched(key: str, seen: str, now: datetime) -> Watched | None:
    """Return what a page with this key watches; None when the key is none of ours, or too old."""
    shown = _read_key(key)
    if shown.ends < now.timestamp():
        return None
    topic = Topic(TopicKind.PLAYER, shown.player)
    if shown.board:
        topic = Topic(TopicKind.BOARD, shown.board)
    if shown.challenge:
        topic = Topic(TopicKind.CHALLENGE, shown.challenge)
    if shown.contest:
        topic = Topic(TopicKind.CONTEST, shown.contest)
    return Watched(topic, seen, bool(shown.player)) if topic.number else None


def stamps(topics: Collection[Topic]) -> dict[Topic, str]:
    """Return the stamps of topics as they stand now."""
    result: dict[Topic, str] = {}
    for kind, cache in _CACHES.items():
        numbers = [number for topic_kind, number in topics if topic_kind is kind]
        result |= {
            Topic(kind, number): stamped.stamp for number, stamped in cache.look(numbers).items()
        }
    return result


def board_stamp(board: int, event: int | None = None) -> str:
    """Return the stamp of a board as it stands.

    Args:
        event: After so many events the page shows it: one that came since is news.
    """
    _boards.answers.pop(board, None)  # older than the page, it would be taken for news there
    facts = page_queries.board_facts([board]).get(board, (0, None, None, None, 0))
    events, chat_line, offer, rematch, claims = facts
    shown = events if event is None else event
    return _board_stamp_of(shown, chat_line, offer, rematch, claims)


def challenge_stamp(challenge: int) -> str:
    """Return the stamp of a challenge as it stands."""
    _challenges.answers.pop(challenge, None)
    return _stamp_of(page_queries.challenge_facts([challenge]).get(challenge, ()))


def contest_stamp(contest: int) -> str:
    """Return the stamp of a contest as it stands."""
    _contests.answers.pop(contest, None)
    return _stamp_of(page_queries.contest_facts([contest]).get(contest, ()))


def own_stamp(player: Player) -> str:
    """Return the stamp of all that waits for a player, as it stands."""
    _own.answers.pop(player.pk, None)
    return _stamp_of(page_queries.own_facts([player.pk]).get(player.pk, ()))


def forget_answers() -> None:
    """Forget all answers, as a process that has just begun."""
    for cache in _CACHES.values():
        cache.answers.clear()


@lru_cache(MAX_KEPT)
def _read_key(key: str) -> _Key:
    """Return what a key says; one that is none of ours has ended long ago."""
    try:
        board, player, challenge, contest = map(int, (*_SIGNER.unsign(key).split("."), "0")[:4])
        made_at = signing.b62_decode(key.rsplit(":", 2)[1])
    except (signing.BadSignature, ValueError):
        return _Key()
    ends = made_at + KEY_LASTS.total_seconds()
    return _Key(board, player, challenge, contest, ends)


def _pause(board_news: _BoardNews, now: datetime) -> float:
    if board_news.moved_at is None or board_news.is_over:
        return WITHOUT_BOARD
    age = now - board_news.moved_at
    if board_news.is_programs and age < AWAITED:
        return PROGRAMS
    return next((pause for limit, pause in PACES if age < limit), SLOWEST)


def _board_stamp_of(
    events: int, chat_line: int | None, offer: Any, rematch: str | None, claims: int
) -> str:
    return f"{events}-{chat_line or 0}-{crc32(repr((offer, rematch, claims)).encode()):x}"


def _stamp_of(facts: tuple[Any, ...]) -> str:
    return f"{crc32(repr(facts).encode()):x}"


def _board_news(board: int, facts: tuple[Any, ...] | None) -> _BoardNews:
    rows = Match.objects.filter(pk=board).values_list("moved_at", "ended_at", "bot_level")
    row = rows.first()
    if facts is None or row is None:
        return _BoardNews("")
    moved_at, ended_at, level = row
    return _BoardNews(_board_stamp_of(*facts), moved_at, ended_at is not None, level is not None)


def _stamped(_number: int, facts: tuple[Any, ...] | None) -> _Stamped:
    return _Stamped(_stamp_of(facts or ()))


def _own_news(player: int, facts: tuple[Any, ...] | None) -> _OwnNews:
    return _OwnNews(_stamp_of(facts or ()), len(waiting_boards(player)))


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
        return max(1.0, self.rate / MAX_A_SECOND)


_boards: NewsCache[_BoardNews] = NewsCache(page_queries.board_facts, _board_news)
_own: NewsCache[_OwnNews] = NewsCache(page_queries.own_facts, _own_news)
_challenges: NewsCache[_Stamped] = NewsCache(page_queries.challenge_facts, _stamped)
_contests: NewsCache[_Stamped] = NewsCache(page_queries.contest_facts, _stamped)
_streams: NewsCache[_Stamped] = NewsCache(page_queries.stream_facts, _stamped)
_public: NewsCache[_Stamped] = NewsCache(page_queries.public_facts, _stamped)
_analysts: NewsCache[_Stamped] = NewsCache(page_queries.analyst_facts, _stamped)
_CACHES: dict[TopicKind, NewsCache[Any]] = {
    TopicKind.BOARD: _boards,
    TopicKind.CHALLENGE: _challenges,
    TopicKind.CONTEST: _contests,
    TopicKind.PLAYER: _own,
    TopicKind.STREAM: _streams,
    TopicKind.PUBLIC: _public,
    TopicKind.ANALYST: _analysts,
}
_load = _Load()
