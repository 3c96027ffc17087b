"""The dates of contests: when entry ends, and when they end themselves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Exists, Max, OuterRef, Q

from sarsen.core.phrases import Phrase
from sarsen.services.contests.inviting import shown_to
from sarsen.services.contests.state import GOING_ON, Kind, Phase
from sarsen.services.contests.views.wording import played_in_words, title_of
from sarsen.storage.models import Contest, ContestEntry, Player

MAX_CONTESTS = 200  # of a calendar: those that end first


class DateKind(StrEnum):
    """What happens at an instant."""

    ENTRY_ENDS = "entry-ends"
    STARTED = "started"
    ENDS = "ends"


@dataclass(frozen=True)
class ContestDate:
    """A date of a contest.

    Attributes:
        what: What is played: `Druid, size 5, round robin`.
        at: Days of UTC end at 24:00, which is the first instant of the next day (E4).
        changed_at: When the date was set last.
    """

    number: int
    name: str
    what: Phrase
    kind: DateKind
    at: datetime
    changed_at: datetime


def dates_of_contests(
    viewer: Player | None, player: Player | None = None
) -> tuple[ContestDate, ...]:
    """Return the dates of contests that are open or running, the earliest first.

    Args:
        viewer: Who reads them: a match that waits for somebody else is left out.
        player: Only of contests in which this player still is; None for all.
    """
    set_by = Q(log__kind__in=(Kind.MADE, Kind.OPENED, Kind.STARTED))
    contests = Contest.objects.filter(shown_to(viewer), state__in=GOING_ON)
    if player is not None:
        entries = ContestEntry.objects.filter(contest=OuterRef("pk"), player=player, is_out=False)
        contests = contests.filter(Exists(entries))
    listed = contests.annotate(changed_at=Max("log__at", filter=set_by)).order_by("ends_at", "pk")
    dates = []
    for contest in listed[:MAX_CONTESTS]:
        starts = DateKind.ENTRY_ENDS if contest.state == Phase.OPEN else DateKind.STARTED
        for kind, at in ((starts, contest.starts_at), (DateKind.ENDS, contest.ends_at)):
            if at is not None:
                what, changed_at = played_in_words(contest), contest.changed_at or contest.made_at
                dates.append(ContestDate(contest.pk, title_of(contest), what, kind, at, changed_at))
    return tuple(sorted(dates, key=lambda date: (date.at, date.number, date.kind)))
