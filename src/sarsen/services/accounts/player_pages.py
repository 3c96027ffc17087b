"""A player as everybody may see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, F

from sarsen.core.game import GameInfo
from sarsen.core.phrases import Phrase
from sarsen.games import find
from sarsen.language.commands import ShowProfile
from sarsen.language.ratings import MARK, level_words
from sarsen.language.replies import Table
from sarsen.services.challenges.acceptance import taken_at_once, taken_words
from sarsen.services.clocks.vacations import next_vacation
from sarsen.services.matches.lobby import (
    MAX_SEARCHED,
    ListedBoard,
    newest_boards_of,
    public_boards_of,
)
from sarsen.services.players import find_player
from sarsen.services.ratings.pages import (
    RatedPlayer,
    RatingPoint,
    period_histories,
    rated_games,
    rating_histories,
)
from sarsen.services.ratings.reliability import reliability_of, reliability_words
from sarsen.services.ratings.tables import Meeting, meetings
from sarsen.services.request import Player, Request
from sarsen.storage.models import Match, MatchEvent, Result, Standing, Subscription
from sarsen.storage.models.matches import PUBLIC

MAX_RUNNING = 50  # boards on the page; programs have thousands, and each is a row or a picture
MAX_ENDED = 20  # boards on the page; the list of past games has all


@dataclass(frozen=True)
class GameStrength:
    """How a player's rating at a game has moved, the newest game first.

    Attributes:
        published: What rating periods gave, until release 0.4; the newest first.
    """

    game: GameInfo
    points: tuple[RatingPoint, ...]
    published: tuple[RatingPoint, ...] = ()


@dataclass(frozen=True)
class GamePlayed:
    """How much a player plays a game: public boards in play, and all that are over.

    Attributes:
        running: Of the boards in play that were begun last; see `newest_boards_of`.
        is_more: There are more of them.
    """

    game: GameInfo
    running: int
    won: int
    lost: int
    drawn: int
    is_more: bool = False


@dataclass(frozen=True)
class Milestone:
    """A public win that a person may look back to.

    Attributes:
        program: The userid of the program that was beaten; "" for anybody.
    """

    board: int
    game: GameInfo
    at: datetime
    program: str = ""


@dataclass(frozen=True)
class PlayerPage:
    """The public facts of a player, and the viewer's relation to them.

    Attributes:
        place, about: As the player tells; "" of one who is banned or whom the viewer blocks.
        level, words: Of one of the server's own programs; None and "" for others.
        is_refused: Neither challenges nor messages of this player reach the viewer.
        milestones: The first win, and the first against the strongest program beaten; for people.
        takes: Games that start at once with anybody: their names, or `anyone` for all.
        away: The first and last day of the present or next vacation; None without one.
        reliability: Per cent of the last games not lost on time; None under ten games.
        finished: Those of `ended` that have a result: no contest has closed them.
        late: How many of these the player lost on time.
        meetings: How often the viewer has met this player, seen from the viewer's side.
    """

    userid: str
    joined_at: datetime
    place: str
    about: str
    is_bot: bool
    level: int | None
    words: str
    is_viewer: bool
    is_watched: bool
    is_refused: bool
    running: tuple[ListedBoard, ...]
    ended: tuple[ListedBoard, ...]
    finished: tuple[ListedBoard, ...]
    late: int
    reliability: int | None
    strength: tuple[GameStrength, ...]
    played: tuple[GamePlayed, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    away: tuple[date, date] | None = None
    takes: tuple[str, ...] = ()


def view_player(userid: str, viewer: Player | None, now: datetime) -> PlayerPage:
    """Return a player's page.

    Raises:
        UserError: Nobody is called so.
    """
    player = find_player(userid)
    is_refused = viewer is not None and player.key in viewer.refuses
    is_heard = player.banned_at is None and not is_refused
    ended = public_boards_of(player, ended=True, most=MAX_ENDED)
    watching = Subscription.objects.filter(player=viewer, watched=player) if viewer else None
    return PlayerPage(
        userid=player.userid,
        joined_at=player.joined_at,
        place=player.place if is_heard else "",
        about=player.about if is_heard else "",
        is_bot=player.is_bot,
        level=player.level,
        words=level_words(player.level) if player.level else "",
        is_viewer=player == viewer,
        is_watched=watching is not None and watching.exists(),
        is_refused=is_refused,
        running=public_boards_of(player, ended=False, most=MAX_RUNNING),
        ended=ended,
        finished=tuple(board for board in ended if not board.has_no_result),
        late=_lost_on_time(player, ended),
        reliability=reliability_of([player.pk])[player.pk],
        strength=_strength(player),
        played=_played(player),
        meetings=meetings(viewer, player) if viewer and viewer != player else (),
        milestones=() if player.is_bot else _milestones(player),
        away=next_vacation(player, now),
        takes=taken_at_once(player) if is_heard and player.is_active else (),
    )


def profile(command: ShowProfile, request: Request) -> Table:
    """Show a player's profile: what they say of themselves, their games and ratings."""
    page = view_player(command.userid, request.actor.player, request.now)
    days = [day.isoformat() for day in page.away or ()]
    away = Phrase("{first} to {last}", first=days[0], last=days[1]) if days else ""
    profile_rows = (
        ("player", f"{page.userid}{MARK if page.is_bot else ''}"),
        ("place", page.place),
        ("about", page.about or page.words),
        ("joined", f"{page.joined_at:%Y-%m-%d}"),
        ("away", away),
        (
            "reliability",
            reliability_words(page.reliability),
        ),
        ("start at once", taken_words(page.takes) if page.takes else ""),
    )
    rated = rated_games(find_player(command.userid), request.now)
    games = (
        (played.game.name, _game_words(played, rated.get(played.game.name)))
        for played in page.played
    )
    rows = tuple((what, text) for what, text in (*profile_rows, *games) if text)
    return Table(Phrase("Profile of {player}", player=page.userid), ("what", "is"), rows)


def _game_words(played: GamePlayed, rated: RatedPlayer | None) -> str:
    counts = Phrase(
        "{won} won, {lost} lost, {drawn} drawn",
        won=played.won,
        lost=played.lost,
        drawn=played.drawn,
    )
    if rated is None:
        return counts
    return Phrase("{rating}; {counts}", rating=rated.strength.figures, counts=counts)


def _lost_on_time(player: Player, boards: tuple[ListedBoard, ...]) -> int:
    """Return how many of these boards ended because the player's time was used up."""
    ends = MatchEvent.objects.filter(
        match__in=[board.number for board in boards],
        kind=MatchEvent.Kind.FORFEIT,
        # The last event: a forfeit that was undone does not count.
        number=F("match__event_count"),
    )
    return ends.filter(match__seats__player=player, match__seats__seat=F("seat")).count()


def _milestones(player: Player) -> tuple[Milestone, ...]:
    """Return the first win of a player, and the first over the strongest program beaten."""
    won = Result.objects.filter(player=player, score=1, is_private=False, game__in=list(find()))
    fields = ("match_id", "game", "at")
    first = won.order_by("at", "match_id").values_list(*fields).first()
    over_programs = won.filter(opponent__level__isnull=False)
    strongest = over_programs.order_by("-opponent__level", "at", "match_id")
    best = strongest.values_list(*fields, "opponent__userid").first()
    return tuple(
        Milestone(board, find()[game].info, at, *program)
        for board, game, at, *program in filter(None, (first, best))
    )


def _strength(player: Player) -> tuple[GameStrength, ...]:
    rated, published = rating_histories(player), period_histories(player)
    return tuple(
        GameStrength(game.info, rated[name][::-1], published.get(name, ())[::-1])
        for name, game in find().items()
        if name in rated
    )


def _played(player: Player) -> tuple[GamePlayed, ...]:
    standings = {row.game: row for row in Standing.objects.filter(player=player)}
    newest = newest_boards_of((player,), ended=False)
    matches = Match.objects.filter(PUBLIC, pk__in=newest)
    boards = matches.order_by().values_list("game").annotate(boards=Count("pk"))
    running: dict[str, int] = dict(boards)
    games = []
    for name, game in find().items():
        row = standings.get(name)
        counts = (row.won, row.lost, row.drawn) if row else (0, 0, 0)
        if row or name in running:
            is_more = name in running and len(newest) == MAX_SEARCHED
            games.append(GamePlayed(game.info, running.get(name, 0), *counts, is_more))
    return tuple(games)
