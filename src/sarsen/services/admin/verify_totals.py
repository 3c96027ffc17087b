"""Count standings again, from results.

Both sides come from the database in the same order and are compared row by row, so that
no more than a row of each is in memory. What differs is counted once more by itself: a
game may have ended in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from sarsen.services.admin.differences import Difference
from sarsen.storage.models import Encounter, Player, Result, Standing

AT_ONCE = 1000  # rows of one query in memory
_COUNTS = ("won", "lost", "drawn")
_TALLY = {
    "all_won": Count("pk", filter=Q(score=1.0)),
    "all_lost": Count("pk", filter=Q(score=0.0)),
    "all_drawn": Count("pk", filter=~Q(score=1.0) & ~Q(score=0.0)),
}
_OF_PLAYER = ("player_id", "game")
_OF_PAIR = ("player_id", "opponent_id", "game", "seat")
_Row = tuple[tuple[Any, ...], tuple[Any, ...]]  # its key, its numbers


def differences() -> Iterator[Difference]:
    """Yield every total that is not what its parts add up to."""
    counted = _counted_results()
    yield from _compare(
        "standing", Standing.objects.all(), _OF_PLAYER, _COUNTS, counted, tuple(_TALLY)
    )
    pairs = counted.exclude(opponent=None)
    yield from _compare(
        "encounters", Encounter.objects.all(), _OF_PAIR, _COUNTS, pairs, tuple(_TALLY)
    )


def _counted_results() -> QuerySet[Result]:
    """Return the results that standings count: of public games, each side another player."""
    twice = Result.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    double = Result.objects.filter(Exists(twice.exclude(pk=OuterRef("pk"))), opponent=None)
    found = Result.objects.filter(is_private=False).exclude(opponent=F("player"))
    return found.exclude(match__in=double.values("match"))


def _compare(
    what: str,
    stored: QuerySet[Any],
    key: tuple[str, ...],
    columns: tuple[str, ...],
    parts: QuerySet[Any],
    sums: tuple[str, ...],
) -> Iterator[Difference]:
    """Compare stored totals with the sums of their parts.

    Args:
        key: Columns that name one total, in both.
        columns, sums: What is compared.
    """
    totals = _grouped(parts, key, sums)
    kept = stored.order_by(*key).values_list(*key, *columns)
    nothing = (0,) * len(columns)
    for at, one, other in _paired(_rows(kept, len(key)), _rows(totals, len(key))):
        if (one or nothing) == (other or nothing):
            continue
        named = dict(zip(key, at, strict=True))
        again = _first(stored.filter(**named).values_list(*columns)) or nothing
        parted = _first(_grouped(parts.filter(**named), (), sums)) or nothing
        parted = tuple(value or 0 for value in parted)
        if again != parted:
            yield Difference(_about(named), what, _told(columns, again), _told(columns, parted))


def _grouped(parts: QuerySet[Any], key: tuple[str, ...], sums: tuple[str, ...]) -> Any:
    chosen = {name: _TALLY[name] for name in sums}
    if not key:
        found = parts.aggregate(**chosen)
        return [tuple(found[name] for name in sums)]
    return parts.order_by(*key).values(*key).annotate(**chosen).values_list(*key, *sums)


def _rows(found: Any, width: int) -> Iterator[_Row]:
    for row in found.iterator(chunk_size=AT_ONCE):
        yield tuple(row[:width]), tuple(row[width:])


def _paired(
    one: Iterator[_Row], other: Iterator[_Row]
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]]:
    """Join two lists that are in the order of their keys; () where one has no row."""
    left, right = next(one, None), next(other, None)
    while left or right:
        if right is None or (left is not None and left[0] < right[0]):
            assert left is not None  # one of the two is there
            yield left[0], left[1], ()
            left = next(one, None)
        elif left is None or right[0] < left[0]:
            yield right[0], (), right[1]
            right = next(other, None)
        else:
            yield left[0], left[1], right[1]
            left, right = next(one, None), next(other, None)


def _first(found: Any) -> tuple[Any, ...] | None:
    return next(iter(found), None)


def _about(named: dict[str, Any]) -> str:
    """Name who and what a total is of."""
    return " ".join(
        _userid(value) if name.endswith("_id") else str(value) for name, value in named.items()
    )


def _userid(key: int) -> str:
    found = Player.everyone.filter(pk=key).values_list("userid", flat=True).first()
    return found or f"player {key}"


def _told(names: Sequence[str], numbers: Sequence[Any]) -> str:
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=False))
