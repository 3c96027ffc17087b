"""The accounts of the server's own programs: bot1 to bot8, without address or password."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.games import measured_strengths, names
from sarsen.language.ratings import LEVELS, level_words
from sarsen.search.bots import MOST, SEATS, strongest
from sarsen.services.limits import daily
from sarsen.services.ratings.counting import present_strength
from sarsen.services.ratings.glicko import Strength, first_strength
from sarsen.services.request import Request
from sarsen.storage import statements
from sarsen.storage.models import Match, Measurement, Player, Rating

MAX_GAMES = 20  # with programs, that one person has in play: one thinker serves all
log = structlog.get_logger()


def make_accounts(now: datetime) -> int:
    """Make the accounts that are missing; return how many were made."""
    count = 0
    for level in LEVELS:
        with transaction.atomic():
            count += _make_account(level, now)
    return count


def _make_account(level: int, now: datetime) -> bool:
    if Player.objects.filter(level=level).exists():
        return False
    names = _spellings(level)
    userid = next(name for name in names if not Player.objects.filter(key=name).exists())
    if userid != f"bot{level}":
        log.warning("the userid of a bot is already taken", wanted=f"bot{level}", got=userid)
    # Another start of the server may make the same one just now.
    account = Player(
        key=userid,
        userid=userid,
        level=level,
        is_bot=True,
        joined_at=now,
        speaks_by_password=False,
        password=make_password(None),
    )
    Player.objects.bulk_create([account], ignore_conflicts=True)
    return True


def _spellings(level: int) -> Iterator[str]:
    """Yield the userids that would do, the best first; one of them is free."""
    yield f"bot{level}"
    yield f"robot{level}"
    for number in range(Player.objects.count() + 1):
        yield f"bot{level}-{number}"


@dataclass(frozen=True)
class Program:
    """A program to play with.

    Attributes:
        words: How strong it is: `beginner`.
        ratings: In figures, by game in the order of `games.names`; "" where there is none, and
            where they were not asked for.
    """

    userid: str
    level: int
    words: str
    ratings: tuple[str, ...]

    def strength(self, game: str) -> str:
        """Return the rating at a game, or `+270`: Elo above the weakest, measured elsewhere.

        It is "" where neither is known.
        """
        rating, measured = self.ratings[list(names()).index(game)], measured_strengths(game)
        if rating or self.level > len(measured):
            return rating
        return f"+{measured[self.level - 1]}"


_PROGRAMS = """
SELECT {Player.id}, {Player.userid}, {Player.level}
FROM storage_player WHERE level <= %s AND is_active ORDER BY level
"""


def list_programs(*, with_ratings: bool = False) -> tuple[Program, ...]:
    """Return the programs that can be challenged, the weakest first."""
    if not settings.SARSEN_BOTS:
        return ()
    players = statements.select(_PROGRAMS, strongest_here())
    levels = {key: level for key, _, level in players}
    ratings = _ratings(levels, timezone.now()) if with_ratings else {}
    return tuple(
        Program(
            userid,
            level,
            level_words(level),
            tuple(ratings.get(key, {}).get(game, "") for game in names()),
        )
        for key, userid, level in players
    )


def _ratings(levels: Mapping[int, int], now: datetime) -> dict[int, dict[str, str]]:
    """Return today's ratings of programs by key and game, in figures.

    A provisional one is left out: where a program began in the game was not measured.

    Args:
        levels: Of the programs, by key.
    """
    return {
        key: {
            game: strength.figures
            for game, strength in strengths.items()
            if not strength.is_provisional
        }
        for key, strengths in _strengths(levels, now).items()
    }


def _strengths(levels: Mapping[int, int], now: datetime) -> dict[int, dict[str, Strength]]:
    """Return how strong programs are now, by key and game.

    Before its first rated game a program has the strength that was measured, if any.
    """
    by_program: dict[int, dict[str, Strength]] = defaultdict(dict)
    for game, measured in Measurement.objects.values_list("game", "ratings"):
        for key, level in levels.items():
            by_program[key][game] = first_strength(level, measured)
    for row in Rating.objects.filter(player__in=levels):
        by_program[row.player_id][row.game] = present_strength(row, now)
    return by_program


def nearest_program(rating: float, game: str, now: datetime) -> Program | None:
    """Return the program of a rating nearest to this one at a game; None where none has one."""
    programs = list_programs()
    players = {key: level for key, _, level in statements.select(_PROGRAMS, strongest_here())}
    strengths = _strengths(players, now)
    known = {
        level: strengths[key][game].rating
        for key, level in players.items()
        if key in strengths and game in strengths[key] and not strengths[key][game].is_provisional
    }
    rated = [program for program in programs if program.level in known]
    return min(rated, key=lambda program: abs(known[program.level] - rating), default=None)


def strongest_here() -> int:
    """Return the highest level that can be challenged."""
    # Without a thinker of its own it cannot tell what the one elsewhere can do.
    return strongest() if settings.SARSEN_THINKERS else MOST


def check_watched_game(players: Sequence[Player | None], game: str, request: Request) -> None:
    """Bound the games between programs only, which somebody challenges to watch them.

    Raises:
        UserError: Nobody is proved, or it was enough for today.
    """
    if any(player is None or player.level is None for player in players):
        return
    names = " ".join(player.userid for player in players if player)
    watcher = request.player(f"{game} challenge USERID PASSWORD {names}")
    daily.check(watcher, "bots", request.now)


def check_room(players: Sequence[Player], request: Request, *, boards: int) -> None:
    """Refuse games with programs that they cannot play, or beyond what one person may have.

    Args:
        boards: How many begin.

    Raises:
        UserError: Says which, and when there is room again.
    """
    people = {player for player in players if player.level is None}
    if len(people) == len(set(players)):
        return
    if len(players) != SEATS:
        raise UserError(
            "Programs play games of {seats} seats only; this one has {players}.",
            code="bot-seats",
            hint="list",
            seats=SEATS,
            players=len(players),
        )
    if not settings.SARSEN_BOTS:
        raise UserError(
            "There are no programs on this server right now, only people.",
            code="no-bots",
            hint="list",
        )
    _check_levels(players)
    most: int = MAX_GAMES
    for person in people:
        if _running(person) + boards > most:
            raise UserError(
                "You have {running} games against programs, and at most {most} at once are "
                "allowed here. Finish one of them first."
                if person == request.actor.player
                else (
                    "{player} has {running} games against programs, and at most {most} at once "
                    "are allowed here. One of them has to end first."
                ),
                code="bot-games",
                hint=f"games {person.userid} active",
                player=person.userid,
                running=_running(person),
                most=most,
            )


def _check_levels(players: Sequence[Player]) -> None:
    """Refuse the programs that this installation cannot run, because it has no Numba."""
    for player in players:
        if player.level is not None and player.level > strongest_here():
            raise UserError(
                "{player} does not play on this server; the strongest program here is of level "
                "{level}.",
                code="no-such-level",
                hint=f"bot{strongest_here()}",
                player=player.userid,
                level=strongest_here(),
            )


def _running(person: Player) -> int:
    matches = Match.objects.filter(ended_at=None, seats__player=person)
    return matches.exclude(bots=[]).distinct().count()
