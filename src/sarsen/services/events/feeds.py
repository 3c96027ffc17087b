"""A player's boards and contests, for a feed reader or a calendar, under a secret address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.games import find
from sarsen.services.contests.views.calendar import ContestDate, dates_of_contests
from sarsen.services.notices import Channel, Event, channel_of
from sarsen.storage.models import Challenge, Match, Player

MAX_BOARDS = 50  # of a feed: readers fetch it whole, again and again
MAX_DEADLINES = 200  # those that come first: calendars fetch all of them each time


@dataclass(frozen=True)
class BoardEntry:
    """How a board stands, as one entry.

    Attributes:
        title: Of the board, to be translated.
        others: Userids of the other seats.
        happened: How many events the board has seen; with the number it names the entry.
        to_move: Whose turn it is; "" once the game is over.
        is_mine: Whether that is the feed's owner.
        due_at: When the move is lost; None when no clock runs.
    """

    number: int
    title: str
    others: tuple[str, ...]
    ply: int
    happened: int
    to_move: str
    is_mine: bool
    due_at: datetime | None
    result: str
    at: datetime


@dataclass(frozen=True)
class InvitationEntry:
    """A challenge that waits for the feed's owner."""

    number: int
    title: str
    by: str
    at: datetime


@dataclass(frozen=True)
class Feed:
    """The content of a feed, the newest first.

    Attributes:
        language: The owner's, by its code; "" where none was chosen.
        zone: The owner's.
        changed_at: Of the newest entry, or when the owner joined.
    """

    userid: str
    language: str
    zone: str
    boards: tuple[BoardEntry, ...]
    invitations: tuple[InvitationEntry, ...]
    changed_at: datetime


@dataclass(frozen=True)
class ContestsFeed:
    """The dates of a player's contests; `language` as of `Feed`."""

    userid: str
    language: str
    dates: tuple[ContestDate, ...]


def boards_feed(key: str) -> Feed:
    """Return the boards and invitations of a key's owner that they want to hear of.

    Raises:
        UserError: The key is nobody's.
    """
    player = _owner(key)
    matches = Match.objects.filter(seats__player=player).order_by("-moved_at", "-pk").distinct()
    entries = _entries(matches.prefetch_related("seats__player")[:MAX_BOARDS], player)
    boards = tuple(entry for entry in entries if _is_wanted(player, entry))
    invitations = _invitations(player)
    times = [*(entry.at for entry in boards), *(invitation.at for invitation in invitations)]
    return _feed(player, boards, invitations, times)


def deadlines_feed(key: str) -> Feed:
    """Return the boards that wait for a key's owner by a certain time.

    Raises:
        UserError: The key is nobody's.
    """
    player = _owner(key)
    matches = Match.objects.filter(seats__player=player, ended_at=None, due_at__isnull=False)
    ordered = matches.order_by("due_at", "pk").distinct().prefetch_related("seats__player")
    boards = tuple(entry for entry in _entries(ordered[:MAX_DEADLINES], player) if entry.is_mine)
    times = [entry.at for entry in boards]
    return _feed(player, boards, (), times)


def contests_feed(key: str) -> ContestsFeed:
    """Return the dates of the contests of a key's owner.

    Raises:
        UserError: The key is nobody's.
    """
    player = _owner(key)
    return ContestsFeed(player.userid, player.language, dates_of_contests(player, player))


def _feed(
    player: Player,
    boards: tuple[BoardEntry, ...],
    invitations: tuple[InvitationEntry, ...],
    times: Iterable[datetime],
) -> Feed:
    changed_at = max([player.joined_at, *times])
    return Feed(player.userid, player.language, player.timezone, boards, invitations, changed_at)


def _owner(key: str) -> Player:
    player = Player.objects.filter(feed_key=key, is_active=True).first() if key else None
    if player is None:
        raise UserError(
            "This feed does not exist, or has been replaced.",
            code="feed-key",
            hint="notices USERID PASSWORD feeds",
        )
    return player


def _entries(matches: Iterable[Match], player: Player) -> list[BoardEntry]:
    games = find()
    entries = []
    for match in matches:
        seats = list(match.seats.all())
        is_over = match.ended_at is not None
        mover = seats[match.seat_to_move].player
        game = games.get(match.game)
        entries.append(
            BoardEntry(
                number=match.pk,
                title=Phrase(
                    "{game} Board {board}",
                    game=game.info.title if game else match.game,
                    board=match.pk,
                ),
                others=tuple(
                    dict.fromkeys(seat.player.userid for seat in seats if seat.player != player)
                ),
                ply=match.ply,
                happened=match.event_count,
                to_move="" if is_over else mover.userid,
                is_mine=not is_over and mover == player,
                due_at=match.due_at,
                result=match.reason,
                at=match.moved_at,
            )
        )
    return entries


def _is_wanted(player: Player, entry: BoardEntry) -> bool:
    """Return whether its owner wants to hear of a board as it stands."""
    if not entry.to_move:
        event = Event.ENDED
    elif not entry.happened:
        event = Event.STARTED
    else:
        event = Event.TURN if entry.is_mine else Event.MOVED
    return channel_of(player, event) is not Channel.NONE


def _invitations(player: Player) -> tuple[InvitationEntry, ...]:
    if channel_of(player, Event.INVITATION) is Channel.NONE:
        return ()
    games = find()
    challenges = Challenge.objects.filter(
        state=Challenge.State.OPEN, seats__player=player, seats__has_accepted=False
    )
    listed = challenges.order_by("-pk").distinct().select_related("challenger")[:MAX_BOARDS]
    return tuple(
        InvitationEntry(
            number=challenge.pk,
            title=games[challenge.game].info.title if challenge.game in games else challenge.game,
            by=challenge.challenger.userid if challenge.challenger else "",
            at=challenge.made_at,
        )
        for challenge in listed
    )
