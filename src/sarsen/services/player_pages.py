"""A player as everybody may see him."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.language.levels import level_words
from sarsen.services.call import Player
from sarsen.services.lobby import ListedBoard, public_boards_of
from sarsen.services.players import find_player
from sarsen.services.ratings.pages import RatingPoint, rating_history
from sarsen.storage.models import Subscription

MOST_RUNNING = 50
MOST_ENDED = 20


@dataclass(frozen=True)
class GameStrength:
    """How a player's rating at a game has moved, the newest period first."""

    game: GameInfo
    points: tuple[RatingPoint, ...]


@dataclass(frozen=True)
class PlayerPage:
    """What is public of a player, and how the viewer stands to him.

    Attributes:
        level, words: Of one of the server's own programs; None and "" for others.
    """

    userid: str
    joined_at: datetime
    is_bot: bool
    level: int | None
    words: str
    is_viewer: bool
    is_watched: bool
    running: tuple[ListedBoard, ...]
    ended: tuple[ListedBoard, ...]
    strength: tuple[GameStrength, ...]


def view_player(userid: str, viewer: Player | None) -> PlayerPage:
    """Give a player's page.

    Raises:
        UserError: Nobody is called so.
    """
    player = find_player(userid)
    watching = Subscription.objects.filter(player=viewer, watched=player) if viewer else None
    return PlayerPage(
        userid=player.userid,
        joined_at=player.joined_at,
        is_bot=player.is_bot,
        level=player.level,
        words=level_words(player.level) if player.level else "",
        is_viewer=player == viewer,
        is_watched=watching is not None and watching.exists(),
        running=public_boards_of(player, ended=False, most=MOST_RUNNING),
        ended=public_boards_of(player, ended=True, most=MOST_ENDED),
        strength=_strength(player),
    )


def _strength(player: Player) -> tuple[GameStrength, ...]:
    histories = ((game.info, rating_history(player, name)) for name, game in find().items())
    return tuple(GameStrength(info, points[::-1]) for info, points in histories if points)
