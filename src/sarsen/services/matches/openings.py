"""The first moves of public games that are over: what was played in a position, with what result.

A sweep stores them when a game has ended, and of boards from before; see decision 0064. A
position is found by a digest of what its game writes: games meet again where they transpose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import islice

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Avg, QuerySet

from sarsen.core.errors import PluginBusy, UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.games import find, load
from sarsen.services import crash_log, task_queue
from sarsen.services.matches import history
from sarsen.services.matches.lobby import ListedBoard, boards_numbered
from sarsen.storage.models import Match, OpeningMove, Rating

PLIES = 12  # of each game: further on hardly two games agree, and a ply is a row
MAX_COUNTED = 5_000  # games of a position, those begun last: a page reads them all
# Games in one run of the job, at 2 ms each: other jobs get their turn (decision 0064).
MAX_STORED = 200
AT_ONCE = 20  # games in one transaction, for which other writers wait
MAX_LISTED = 10  # games of a page, the newest: each is a link to look at one
log = structlog.get_logger()


@dataclass(frozen=True)
class CountedMove:
    """A move that was played in a position.

    Attributes:
        won, drawn, lost: Games, for the seat that moves first in the game.
        rating: Of those who played them, on average; None where none was rated.
    """

    text: str
    won: int
    drawn: int
    lost: int
    rating: float | None

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True)
class OpeningStatistics:
    """The moves that were played in a position.

    Attributes:
        moves: Those played in it, the most frequent first.
        games: How many games they were counted in.
        is_more: There are older games, which are not counted.
        newest: Boards at which it was played.
    """

    moves: tuple[CountedMove, ...]
    games: int
    is_more: bool
    newest: tuple[ListedBoard, ...]


def look_up(position: AnyPosition) -> OpeningStatistics:
    """Return what was played in a position."""
    query = _rows_at(position)
    rows = list(query.values_list("match_id", "text", "score", "rating")[: MAX_COUNTED + 1])
    counted = rows[:MAX_COUNTED]
    played: dict[str, list[tuple[float, float | None]]] = defaultdict(list)
    for _, text, score, rating in counted:
        played[text].append((score, rating))
    moves = sorted((_counted_move(*item) for item in played.items()), key=lambda move: -move.games)
    newest = boards_numbered([board for board, *_ in counted[:MAX_LISTED]])
    return OpeningStatistics(tuple(moves), len(counted), len(rows) > MAX_COUNTED, newest)


def games_with(game: str, options: str, moves: Sequence[str]) -> QuerySet[OpeningMove]:
    """Return a row for each game that began with these moves, in this order or another.

    Raises:
        UserError: A move is illegal, or there are more than are stored.
    """
    if len(moves) > PLIES:
        raise UserError(
            "Of each game the first {most} moves can be searched for; these are {count}.",
            code="opening-too-long",
            hint=f"{game} history --opening={','.join(moves[:2])}",
            most=PLIES,
            count=len(moves),
        )
    position = load(game).start(options)
    for text in moves[:-1]:
        position = judge(position, text).position
    return _rows_at(position).filter(text=judge(position, moves[-1]).text)


def is_any_due(_now: datetime) -> bool:
    """Return whether a game is over whose first moves are not stored."""
    return _waiting().exists()


def store_some() -> int:
    """Store the first moves of games that are over; return how many games were looked at."""
    boards = list(_waiting().order_by("pk").values_list("pk", flat=True)[:MAX_STORED])
    for first in range(0, len(boards), AT_ONCE):
        crash_log.note_progress()
        openings = _openings(boards[first : first + AT_ONCE])
        with transaction.atomic():
            _store(openings)
    if len(boards) == MAX_STORED:
        task_queue.wake(task_queue.STORE_OPENINGS)
    return len(boards)


def _waiting() -> QuerySet[Match]:
    return Match.objects.filter(ended_at__isnull=False, has_opening=None)


def _openings(boards: Sequence[int]) -> dict[int, list[OpeningMove]]:
    """Return the first moves of games by board; those whose rules are busy come later.

    Before the transaction: it replays games, whose rules may be a plug-in's.
    """
    openings = {}
    for match in Match.objects.filter(pk__in=boards).prefetch_related("seats__player"):
        try:
            openings[match.pk] = list(_opening(match))
        except DatabaseError:
            raise
        except PluginBusy:
            continue
        except Exception:
            # A game may be anybody's code: a board whose rules are broken holds up no others.
            log.exception("the opening of a game cannot be stored", board=match.pk)
            openings[match.pk] = []
    return openings


def _store(openings: dict[int, list[OpeningMove]]) -> None:
    rows = [row for opening in openings.values() for row in opening]
    OpeningMove.objects.bulk_create(rows, ignore_conflicts=True)
    for has_opening in (True, False):
        boards = [board for board, opening in openings.items() if bool(opening) is has_opening]
        Match.objects.filter(pk__in=boards).update(has_opening=has_opening)


def _opening(match: Match) -> Iterator[OpeningMove]:
    """Yield the first moves of a game; none of a private one, or one that a guest played."""
    players = [seat.player for seat in match.seats.all()]
    is_hidden = match.terms.get("private") or any(player.is_guest for player in players)
    game = find().get(match.game)
    if is_hidden or not match.scores or game is None or len(match.scores) != len(players):
        return
    if match.rules_version != game.info.rules_version:
        return
    # The ratings of this server do not apply to a game that was played elsewhere.
    rated = Rating.objects.filter(game=match.game, player__in=players)
    rating = None if match.is_imported else rated.aggregate(mean=Avg("rating"))["mean"]
    position, digests = game.start(match.options), set()
    for move in islice(history.moves_of(match), PLIES):
        digest = _digest(position)
        if digest not in digests:  # a position that comes again counts once
            digests.add(digest)
            yield OpeningMove(
                match=match, position=digest, text=move.text, score=match.scores[0], rating=rating
            )
        position = position.play(position.parse(move.text))


def _rows_at(position: AnyPosition) -> QuerySet[OpeningMove]:
    return OpeningMove.objects.filter(position=_digest(position)).order_by("-match_id")


def _digest(position: AnyPosition) -> int:
    info = position.game.info
    options = sorted(position.options.items())
    text = f"{info.name} {info.rules_version} {options} {position.write()}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


def _counted_move(text: str, games: Sequence[tuple[float, float | None]]) -> CountedMove:
    won = sum(score == 1 for score, _ in games)
    lost = sum(score == 0 for score, _ in games)
    ratings = [rating for _, rating in games if rating is not None]
    mean = sum(ratings) / len(ratings) if ratings else None
    return CountedMove(text, won, len(games) - won - lost, lost, mean)
