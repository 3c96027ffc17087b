"""Many records at once: of a game, of a player, of everything; a bounded number in memory."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet, prefetch_related_objects

from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.services.matches.lobby import in_installed_games
from sarsen.services.players import find_any_player
from sarsen.services.records.recording import RecordFile, file_of, signing_key
from sarsen.storage.models import Import, Match, MatchSeat, Result
from sarsen.storage.models.matches import PUBLIC

MAX_OF_A_PAGE = 500  # records that are written for one answer; `after` asks for more
MAX_EVENTS_OF_A_PAGE = 100_000  # bounds the size where games are very long
_AT_ONCE = 100  # matches in memory, while a collection of any size is sent
EVENTS_AT_ONCE = 10_000  # their events; more only where one match alone has more


@dataclass(frozen=True)
class Selection:
    """Which finished games are wanted.

    Attributes:
        game: Its name; "" for all.
        userid: Of one who played; "" for all.
        board: One board alone; None for all.
        after: The board that the last page ended with; None for the first page.
        has_private: Private boards, too: only for the operator.
        has_imported: Games that were played elsewhere, too.
    """

    game: str = ""
    userid: str = ""
    board: int | None = None
    after: int | None = None
    has_private: bool = False
    has_imported: bool = True


@dataclass(frozen=True)
class RecordBatch:
    """Some records of a selection, made as they are taken.

    Attributes:
        further: What `after` must be for the rest; None when there is none.
    """

    files: Iterator[RecordFile]
    further: int | None


def count(selection: Selection) -> int:
    """Count the finished games of a selection.

    Raises:
        UserError: No such game, player or board.
    """
    chosen = _selected_ends(selection)
    last = _last(chosen, selection.after)
    return sum(_later(part, last).count() for part in chosen)


def collect(selection: Selection) -> Iterator[RecordFile]:
    """Yield the records of a selection, the game that ended first first.

    Games that end while they are read are among them, at the end. No query stays open between two
    records: the caller may be slow.

    Raises:
        UserError: No such game, player or board.
    """
    chosen, key = _selected_ends(selection), signing_key()
    last = _last(chosen, selection.after)
    while ends := _next(chosen, last, _AT_ONCE):
        yield from _files(_matches(ends), key)
        last = ends[-1]


def page(selection: Selection) -> RecordBatch:
    """Return the first records of a selection, in the order of `collect`.

    Raises:
        UserError: No such game, player or board.
    """
    chosen = _selected_ends(selection)
    ends = _next(chosen, _last(chosen, selection.after), MAX_OF_A_PAGE + 1)
    rows = _matches(ends)
    first = next(parts(rows[:MAX_OF_A_PAGE], MAX_EVENTS_OF_A_PAGE), [])
    # A board whose end was taken back meanwhile is among the ends, but not among the rows.
    has_more = len(first) < len(rows) or len(ends) > MAX_OF_A_PAGE
    further = first[-1].pk if first and has_more else None
    return RecordBatch(_files(first, signing_key()), further)


def _files(rows: list[Match], key: bytes | None) -> Iterator[RecordFile]:
    for match in loaded_in_parts(rows):
        yield file_of(match, key)


def loaded_in_parts(rows: list[Match]) -> Iterator[Match]:
    """Yield matches with seats, events and record, not too many events in memory at a time."""
    for part in parts(rows, EVENTS_AT_ONCE):
        # Copied: a match forgets its events when the next ones are loaded.
        loaded = [copy(match) for match in part]
        prefetch_related_objects(loaded, "seats__player", "events", "record")
        yield from loaded


def parts(rows: list[Match], most: int) -> Iterator[list[Match]]:
    """Part matches so that each part has so many events at the most, or one match alone more."""
    part: list[Match] = []
    events = 0
    for match in rows:
        if part and events + match.event_count > most:
            yield part
            part, events = [], 0
        part.append(match)
        events += match.event_count
    if part:
        yield part


class _End(NamedTuple):
    """When a board ended, and its number: what records are sorted by."""

    ended: datetime
    board: int


# Rows of `Match` or `Result`, whose columns are called as those of `_End`.
_Ends = QuerySet[Any]


def _selected_ends(selection: Selection) -> tuple[_Ends, ...]:
    """Return the ends of the games of a selection, in parts that indexes have in their order.

    A player's games that were played here are found by their results: those of a program are
    too many to sort them for each page. Imported games have no results, and are few.
    """
    matches = Match.objects.filter(in_installed_games(), ended_at__isnull=False)
    results = Result.objects.filter(in_installed_games())
    if not selection.has_private:
        matches, results = matches.filter(PUBLIC), results.filter(is_private=False)
    if not selection.has_imported:
        matches = matches.filter(is_imported=False)
    if selection.game:
        game = load(selection.game).info.name
        matches, results = matches.filter(game=game), results.filter(game=game)
    if selection.board is not None:
        matches, results = matches.filter(pk=selection.board), results.filter(match=selection.board)
    parts: list[_Ends] = [matches]
    if selection.userid:
        # The games of a player who has left stay on record under the userid.
        player = find_any_player(selection.userid)
        imports = Import.objects.values("match")
        seats = MatchSeat.objects.filter(player=player, match__in=imports)
        # A player who has several seats of a board has several results of it.
        other = Result.objects.filter(player=player, match=OuterRef("match"))
        has_earlier = Exists(other.filter(seat__lt=OuterRef("seat")))
        parts = [
            results.filter(~has_earlier, player=player),
            matches.filter(pk__in=seats.values("match")),
        ]
    ends = tuple(_ends(part) for part in parts)
    if selection.board is not None and not any(part.exists() for part in ends):
        raise _no_such(selection.board)
    return ends


def _ends(rows: QuerySet[Any]) -> _Ends:
    at, board = ("at", "match_id") if rows.model is Result else ("ended_at", "pk")
    ends: _Ends = rows.annotate(ended=F(at), board=F(board)).order_by("ended", "board")
    return ends


def _last(chosen: tuple[_Ends, ...], board: int | None) -> _End | None:
    """Return the end of the board that the last page ended with."""
    if board is None:
        return None
    for part in chosen:
        for end in part.filter(board=board).values_list("ended", "board")[:1]:
            return _End(*end)
    raise _no_such(board)


def _later(part: _Ends, last: _End | None) -> _Ends:
    if last is None:
        return part
    # A range of the index, which "later, or then with a higher number" is not.
    return part.filter(ended__gte=last.ended).exclude(ended=last.ended, board__lte=last.board)


def _next(chosen: tuple[_Ends, ...], last: _End | None, most: int) -> list[_End]:
    """Return the first ends after one."""
    ends = [
        _End(*end)
        for part in chosen
        for end in _later(part, last).values_list("ended", "board")[:most]
    ]
    return sorted(ends)[:most]


def _matches(ends: list[_End]) -> list[Match]:
    """Load the matches of ends; an end may have been undone since."""
    matches = Match.objects.filter(ended_at__isnull=False).in_bulk([end.board for end in ends])
    return [matches[end.board] for end in ends if end.board in matches]


def _no_such(board: int) -> UserError:
    return UserError(
        f"There is no finished board {board} in this selection.",
        code="unknown-board",
        hint="sarsen export --game druid",
    )
