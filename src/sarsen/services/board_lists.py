"""Boards by game, player and state, a page at a time, as far as the viewer may see them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from sarsen.games import find, load
from sarsen.services.call import Player
from sarsen.services.lobby import PUBLIC, ListedBoard, listed
from sarsen.services.players import find_player
from sarsen.storage.models import Match, MatchSeat

MOST_OF_A_PAGE = 100
STATES = ("running", "ended", "all")


@dataclass(frozen=True)
class Wanted:
    """Which boards are wanted.

    Attributes:
        game, userid: "" for all.
        state: One of `STATES`.
        before: Only boards with a lower number; None from the newest on.
    """

    game: str = ""
    userid: str = ""
    state: str = "all"
    before: int | None = None


@dataclass(frozen=True)
class BoardPage:
    """Some boards, the newest first.

    Attributes:
        further: What `before` must be for the rest; None when there is none.
    """

    boards: tuple[ListedBoard, ...]
    further: int | None


def board_page(wanted: Wanted, viewer: Player | None, most: int = MOST_OF_A_PAGE) -> BoardPage:
    """Return boards that the viewer may see.

    Raises:
        UserError: No such game or player.
    """
    visible = PUBLIC
    if viewer is not None:
        visible = PUBLIC | Q(pk__in=MatchSeat.objects.filter(player=viewer).values("match"))
    found = Match.objects.filter(visible, game__in=find())
    if wanted.game:
        found = found.filter(game=load(wanted.game).info.name)
    if wanted.userid:
        player = find_player(wanted.userid)
        found = found.filter(pk__in=MatchSeat.objects.filter(player=player).values("match"))
    if wanted.state != "all":
        found = found.filter(ended_at__isnull=wanted.state == "running")
    if wanted.before is not None:
        found = found.filter(pk__lt=wanted.before)
    most = max(1, min(most, MOST_OF_A_PAGE))
    boards = listed(found.order_by("-pk")[: most + 1])
    shown = boards[:most]
    return BoardPage(shown, shown[-1].number if len(boards) > most else None)
