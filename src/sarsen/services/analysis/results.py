"""Answers that are kept, each for all positions that are the same up to symmetry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import F

from sarsen.core.game import AnyPosition
from sarsen.core.symmetry import canonical
from sarsen.games import load
from sarsen.learning.analysis import Question, mapped
from sarsen.search.analysis import VERSION, Analysis, read, write
from sarsen.storage.models import AnalysisResult

MAX_KEPT = 100_000  # answers, about 1 KB each; those asked for longest ago are deleted
CLEARED_EVERY = 100  # new answers: to count all of them takes a while
USE_NOTED = timedelta(days=1)  # an answer that is read often is not written each time


def key_of(position: AnyPosition) -> str:
    """Return the key of the answer about a position and all that are the same."""
    info = position.game.info
    parts = (str(VERSION), info.name, str(info.rules_version), canonical(position))
    return sha256("\n".join(parts).encode()).hexdigest()


def find(key: str, now: datetime) -> AnalysisResult | None:
    """Return a stored answer, and note that it is used; None where there is none."""
    found = AnalysisResult.objects.filter(key=key).first()
    if found is not None and now - found.used_at > USE_NOTED:
        AnalysisResult.objects.filter(pk=found.pk).update(used_at=now)
    return found


def is_final(result: AnalysisResult, seconds: float) -> bool:
    """Return whether a search of so many seconds would find no more."""
    return result.findings["proved"] is not None or result.seconds >= seconds


def answer_to(question: Question, result: AnalysisResult, go_on: Callable[[], None]) -> Analysis:
    """Return a stored answer in the moves of the position that is asked about."""
    stored = load(question.game).read(result.position)
    return mapped(read(result.findings), stored, question.position, go_on)


def store(key: str, position: str, analysis: Analysis, seconds: float, now: datetime) -> None:
    """Store an answer, unless a longer search has stored one; delete those too many."""
    facts = {
        "position": position,
        "findings": write(analysis),
        "seconds": seconds,
        "used_at": now,
    }
    row, is_new = AnalysisResult.objects.get_or_create(key=key, defaults=facts)
    if not is_new and not is_final(row, seconds):
        AnalysisResult.objects.filter(pk=row.pk, seconds__lt=seconds).update(**facts)
    if is_new and row.pk % CLEARED_EVERY == 0:
        clear()


def clear(most: int = MAX_KEPT) -> int:
    """Delete the answers asked for longest ago beyond so many; return how many."""
    surplus = AnalysisResult.objects.count() - most
    if surplus <= 0:
        return 0
    oldest = AnalysisResult.objects.order_by(F("used_at").asc(), "pk")
    keys = list(oldest.values_list("pk", flat=True)[:surplus])
    return AnalysisResult.objects.filter(pk__in=keys).delete()[0]
