"""Answer `history`: finished games, searched by players, result, opening, length and date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Q, QuerySet

from sarsen.core.errors import UserError
from sarsen.core.options import read_options
from sarsen.core.phrases import Phrase, listed, quoted
from sarsen.games import load
from sarsen.language.commands import History
from sarsen.language.ratings import HISTORY_TERMS, present_words
from sarsen.language.replies import Table
from sarsen.language.schema.fields import MAX_COMPARED_PLAYERS
from sarsen.services.matches.openings import MAX_COUNTED, games_with
from sarsen.services.players import find_players, marked
from sarsen.services.ratings.counting import change_of
from sarsen.services.request import Player, Request
from sarsen.storage.models import Match, Result

MAX_LISTED = 50  # rows of one table or page, so that a mail of it can be read
# Games among which those of some result, length or options are looked for: no index knows these.
MAX_SEARCHED = 5_000
COLUMNS = ("ended", "board", "game", "players", "moves", "winner", "result", "rating")
_PLIES = re.compile(r"(\d{0,5})-(\d{0,5})|(\d{1,5})", re.ASCII)
_SCORES = {"won": Q(score=1), "lost": Q(score=0), "drawn": Q(score__gt=0, score__lt=1)}


@dataclass(frozen=True)
class Filters:
    """Which finished games are wanted, beside game and players.

    Attributes:
        result: `won`, `lost` or `drawn` by the first player named, else by who began; "" for all.
        least, most: Plies; None for no bound.
        since, until: When they ended, the second one excluded; None for no bound.
        opening: Moves they began with.
    """

    result: str = ""
    least: int | None = None
    most: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    opening: tuple[str, ...] = ()


def history(command: History, request: Request) -> Table:
    """Make a table of finished games: of a game, of a player, or of two."""
    game = load(command.game).info.name if command.game else ""
    filters = read_filters(command.terms)
    players = find_players(command.userids, MAX_COMPARED_PLAYERS, "history")
    query = _results(game, players, request.actor.player)
    query = _filtered(query, _written(game, command.options), filters)
    if filters.opening:
        boards = _with_opening(game, command.options, filters.opening)
        query = query.filter(match__in=boards)
    query = query.order_by("-at", "-match_id")[:MAX_LISTED]
    results = list(query.select_related("match").prefetch_related("match__seats__player"))
    first = players[0] if players else None
    title = _title(load(game).info.title if game else "", players)
    return Table(title, COLUMNS, tuple(_row(result, first) for result in results))


def read_filters(terms: tuple[str, ...]) -> Filters:
    """Read `--result=won`, `--plies=20-40`, `--from=DATE`, `--until=DATE`, `--opening=b4,c5`.

    Raises:
        UserError: Names the word that is none of these.
    """
    values: dict[str, str] = {}
    for term in terms:
        name, _, value = term.removeprefix("--").partition("=")
        if name not in HISTORY_TERMS or not value:
            raise _unreadable(term)
        values[name] = value
    least, most = _plies(values["plies"]) if "plies" in values else (None, None)
    result = values.get("result", "").lower()
    if result not in ("", *_SCORES):
        raise _unreadable(f"--result={result}")
    return Filters(
        result=result,
        least=least,
        most=most,
        since=_day("from", values["from"]) if "from" in values else None,
        until=_day("until", values["until"]) + timedelta(days=1) if "until" in values else None,
        opening=tuple(filter(None, values.get("opening", "").split(","))),
    )


def _plies(text: str) -> tuple[int | None, int | None]:
    range_match = _PLIES.fullmatch(text)
    if range_match is None:
        raise _unreadable(f"--plies={text}")
    if range_match[3]:
        return int(range_match[3]), int(range_match[3])
    return tuple(int(number) if number else None for number in range_match.groups()[:2])  # type: ignore[return-value]


def _day(name: str, text: str) -> datetime:
    try:
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    except ValueError:
        raise _unreadable(f"--{name}={text}") from None


def _unreadable(term: str) -> UserError:
    return UserError(
        "{term} is not understood here. You can search with: {terms}",
        code="search-term",
        hint="druid history --result=drawn --plies=10-40 --from=2026-01-31 --opening=b4,c5",
        term=quoted(term, 100),
        terms=", ".join(HISTORY_TERMS.values()),
    )


def _written(game: str, options: str) -> str | None:
    """Return options as boards keep them; None for any."""
    if not options:
        return None
    if not game:
        raise _game_missing()
    return read_options(load(game).info.options, options).write()


def _game_missing() -> UserError:
    return UserError(
        "Options and openings belong to a game: which one?",
        code="game-missing",
        hint="druid history --opening=b4,c5",
    )


def _with_opening(game: str, options: str, moves: tuple[str, ...]) -> list[int]:
    if not game:
        raise _game_missing()
    games = games_with(game, options, moves).values_list("match_id", flat=True)
    return list(games[:MAX_COUNTED])


def _results(game: str, players: list[Player], viewer: Player | None) -> QuerySet[Result]:
    """Find one row a match: the first player's, or that of the first seat."""
    results = Result.objects.order_by("-at", "-match_id")
    if game:
        results = results.filter(game=game)
    visible = Q(is_private=False)
    if viewer is not None:
        visible |= Q(match__in=Match.objects.filter(seats__player=viewer))
    results = results.filter(visible)
    if not players:
        return results.filter(seat=0)
    results = results.filter(player=players[0]).exclude(seat=1, opponent=players[0])
    return results.filter(opponent=players[1]) if len(players) == 2 else results


def _filtered(results: QuerySet[Result], options: str | None, filters: Filters) -> QuerySet[Result]:
    """Apply the filters; those without an index to the newest games only."""
    if filters.since:
        results = results.filter(at__gte=filters.since)
    if filters.until:
        results = results.filter(at__lt=filters.until)
    condition = _SCORES.get(filters.result, Q())
    if filters.least is not None:
        condition &= Q(match__ply__gte=filters.least)
    if filters.most is not None:
        condition &= Q(match__ply__lte=filters.most)
    if options is not None:
        condition &= Q(match__options=options)
    if not condition:
        return results
    newest = list(results.values_list("pk", flat=True)[:MAX_SEARCHED])
    return Result.objects.filter(condition, pk__in=newest)


def _title(game: str, players: list[Player]) -> Phrase:
    names = listed([player.userid for player in players], "and") if players else ""
    if game and names:
        return Phrase("{game}: past games of {players}", game=game, players=names)
    if game:
        return Phrase("{game}: past games", game=game)
    if names:
        return Phrase("Past games of {players}", players=names)
    return Phrase("Past games")


def _row(result: Result, first: Player | None) -> tuple[str, ...]:
    match = result.match
    players = [seat.player for seat in match.seats.all()]
    scores = match.scores or []
    return (
        f"{result.at:%Y-%m-%d}",
        str(match.pk),
        f"{match.game} {match.options}".strip(),
        " v ".join(map(marked, players)),
        str(match.ply),
        players[scores.index(1.0)].userid if 1.0 in scores else Phrase("drawn"),
        Phrase(match.reason),
        _change(result, first),
    )


def _change(result: Result, player: Player | None) -> str:
    """Return what a game did to the rating of the first player named."""
    if not result.is_rated:
        return Phrase("unrated")
    return (present_words(change_of(result, player)) if player else "") or Phrase("rated")
