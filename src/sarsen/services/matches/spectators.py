"""Spectators: the boards, players and games that a player watches without playing there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.games import names
from sarsen.language.commands import Subscribe, Unsubscribe
from sarsen.language.notices import MAX_SUBSCRIBED, Watching
from sarsen.services.matches import matches
from sarsen.services.matches.lobby import (
    ListedBoard,
    in_installed_games,
    listed_boards,
    newest_boards_of,
)
from sarsen.services.matches.matches import check_visible
from sarsen.services.notices import Channel, Event, channel_of
from sarsen.services.notices.channels import with_choice
from sarsen.services.players import find_player, lock_player
from sarsen.services.request import Request
from sarsen.storage.models import Match, Player, Subscription
from sarsen.storage.models.matches import PUBLIC

# Boards, players and games that one player watches: each event there may be a letter.
MAX_WATCHED = 200
MAX_WATCHERS = 10_000  # of one of them: an event there is written for each
MAX_FAVOURITES = 20  # players whose boards are looked up for a page: a query each
MAX_SHOWN = 6  # boards of theirs, as they fit beside a player's own
WEEKLY = "weekly"
ALL = "all"


def subscribe(command: Subscribe, request: Request) -> Watching:
    """Watch the boards, players or games named; without names, return what is watched."""
    player = request.player("subscribe 123 USERID PASSWORD")
    _check_names(command.names, "subscribe")
    for name in command.names:
        _watch(player, name, request)
        _open_channel(player, Event.WEEKLY if name.lower() == WEEKLY else Event.WATCHED)
    return _current_watching(player, begun=command.names)


def unsubscribe(command: Unsubscribe, request: Request) -> Watching:
    """Stop watching the boards, players or games named; a repeat changes nothing."""
    player = request.player("unsubscribe 123 USERID PASSWORD")
    _check_names(command.names, "unsubscribe")
    ended: list[str] = []
    unwatched: list[str] = []
    for name in command.names:
        subscriptions = Subscription.objects.filter(player=player)
        count, _ = subscriptions.filter(
            **({} if name.lower() == ALL else _subscription_fields(name))
        ).delete()
        (ended if count else unwatched).append(name)
    return _current_watching(player, ended=tuple(ended), unwatched=tuple(unwatched))


@dataclass(frozen=True)
class Favourite:
    """A player that another one follows.

    Attributes:
        running: Boards in play; only the newest are looked at.
    """

    userid: str
    running: int


def favourites_of(follower: Player) -> tuple[tuple[Favourite, ...], tuple[ListedBoard, ...]]:
    """Return the players somebody follows, most boards first, and their latest boards."""
    subscriptions = Subscription.objects.filter(player=follower, watched__is_active=True)
    followed = [row.watched for row in subscriptions.select_related("watched")[:MAX_FAVOURITES]]
    newest = {
        player: newest_boards_of((player,), ended=False)
        for player in followed
        if player is not None
    }
    public = Match.objects.filter(PUBLIC, in_installed_games(), ended_at=None)
    boards = public.filter(pk__in={board for numbers in newest.values() for board in numbers})
    open_to_all = set(boards.values_list("pk", flat=True))
    favourites = [
        Favourite(player.userid, len(open_to_all.intersection(numbers)))
        for player, numbers in newest.items()
    ]
    latest = boards.exclude(seats__player=follower).order_by("-moved_at", "-pk")
    ordered = sorted(
        favourites, key=lambda favourite: (-favourite.running, favourite.userid.lower())
    )
    return tuple(ordered), listed_boards(latest[:MAX_SHOWN])


def is_watching(player: Player, board: int) -> bool:
    """Return whether a player watches a board."""
    return Subscription.objects.filter(player=player, match_id=board).exists()


def _watch(player: Player, name: str, request: Request) -> None:
    """Watch a board, player or game; a repeat changes nothing."""
    fields = _subscription_fields(name)
    if Subscription.objects.filter(player=player, **fields).exists():
        return
    if "match_id" in fields:
        match = matches.find(fields["match_id"])
        # A private board looks unknown to anyone who does not play on it.
        check_visible(match, None)
        _check_not_ended(match)
        _check_not_mine(match, player)
    _check_room(player, fields, request)
    Subscription.objects.create(
        player=player, made_at=request.now, last_sent_at=request.now, **fields
    )


def _open_channel(player: Player, event: Event) -> None:
    """Set an event to mail for a player who asks for it but had switched it off."""
    if channel_of(player, event) is Channel.NONE:
        lock_player(player, "channels")  # one choice is added to those of other events
        player.channels = with_choice(player.channels, (event,), Channel.MAIL)
        player.save(update_fields=["channels"])


def _subscription_fields(name: str) -> dict[str, Any]:
    """Return the fields of what a name means: a board, a game, the letter, or a player."""
    lower = name.lower()
    if lower.isascii() and lower.isdigit() and len(lower) < 10:
        return {"match_id": int(lower)}
    if lower == WEEKLY:
        return {"is_weekly": True}
    if lower in names():
        return {"game": lower}
    return {"watched": find_player(name)}


def _check_names(given: tuple[str, ...], verb: str) -> None:
    if len(given) > MAX_SUBSCRIBED:
        raise UserError(
            "One command takes at most {most} names.",
            code="too-many-names",
            hint=Typed(f"{verb} {' '.join(given[:2])}"),
            most=MAX_SUBSCRIBED,
        )


def _check_not_ended(match: Match) -> None:
    if match.ended_at is not None:
        raise UserError(
            "The game on board {board} is over.",
            code="board-finished",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def _check_not_mine(match: Match, player: Player) -> None:
    if match.seats.filter(player=player).exists():
        raise UserError(
            "You play on board {board} yourself, so you get its mails anyway.",
            code="own-board",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def _check_room(player: Player, watched: dict[str, Any], request: Request) -> None:
    most = MAX_WATCHED
    # A finished board is watched no more, and takes no room.
    if Subscription.objects.filter(player=player, match__ended_at=None).count() >= most:
        raise UserError(
            "You follow {most} boards, players and games; that is the limit here.",
            code="watching-full",
            hint="unsubscribe all",
            most=most,
        )
    most_watchers = MAX_WATCHERS
    if (
        "is_weekly" not in watched
        and Subscription.objects.filter(**watched).count() >= most_watchers
    ):
        raise UserError(
            "{players} people follow it already; there is no room for more.",
            code="watchers-full",
            hint="subscribe weekly",
            players=most_watchers,
        )


def _current_watching(
    player: Player,
    *,
    begun: tuple[str, ...] = (),
    ended: tuple[str, ...] = (),
    unwatched: tuple[str, ...] = (),
) -> Watching:
    subscriptions = Subscription.objects.filter(player=player).order_by("pk")
    boards = subscriptions.filter(match__isnull=False, match__ended_at=None)
    return Watching(
        begun=begun,
        ended=ended,
        boards=tuple(boards.values_list("match_id", flat=True)),
        players=tuple(
            subscriptions.filter(watched__isnull=False).values_list("watched__userid", flat=True)
        ),
        games=tuple(subscriptions.exclude(game="").values_list("game", flat=True)),
        is_weekly=subscriptions.filter(is_weekly=True).exists(),
        unwatched=unwatched,
    )
