"""After an upgrade: rate every result of earlier releases anew, from the results alone.

It may be stopped anywhere and goes on there; some games are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import Q, QuerySet

from sarsen.services.ratings import counting, rating
from sarsen.storage.models import Match

AT_ONCE = 500  # boards whose keys are in memory


def are_results_kept() -> bool:
    """Return whether every ended match has its results, which release 0.1 did not keep.

    They are made from the newest match to the oldest, so it is enough to look at the oldest.
    """
    oldest = _ended().order_by("ended_at", "pk").first()
    return oldest is None or oldest.results.exists()


def recompute(progress: Callable[[int, int], None]) -> None:
    """Rate all that waits; `progress` is called with how many games are rated, and of how many."""
    if not are_results_kept():
        _keep_results()
    rated, all_of_them = 0, rating.count_waiting()

    def seen(games: int) -> None:
        nonlocal rated
        rated += games
        progress(rated, all_of_them)

    rating.rate_all(seen)


def _ended() -> QuerySet[Match]:
    return Match.objects.exclude(ended_at=None).filter(is_imported=False)


def _keep_results() -> None:
    """Keep the results of matches that ended before there were any, the newest first."""
    missing = _ended().filter(results=None).order_by("-ended_at", "-pk")
    rest = missing
    while some := list(rest.values_list("pk", "ended_at")[:AT_ONCE]):
        for key, _ in some:
            with transaction.atomic():
                match = Match.objects.select_for_update(no_key=True).get(pk=key)
                assert match.ended_at is not None  # it was asked for
                if counting.keep_result(match, match.ended_at):
                    rating.rewind(match.game, match.ended_at, match.pk)
        last, at = some[-1]
        rest = missing.filter(Q(ended_at__lt=at) | Q(ended_at=at, pk__lt=last))
