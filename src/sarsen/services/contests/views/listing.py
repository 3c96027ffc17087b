"""Lists of contests, for all doors."""

from __future__ import annotations

from datetime import date

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, When

from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.contests.commands import ListContests
from sarsen.language.contests.facts import ContestLine
from sarsen.language.contests.law import LADDER
from sarsen.language.grammar.dates import short_day_phrase
from sarsen.language.ratings import Table
from sarsen.services.contests.formats import FORMATS
from sarsen.services.contests.inviting import WITH, shown_to
from sarsen.services.contests.state import GOING_ON, Phase
from sarsen.services.contests.views.wording import beside_name, last_day, title_of
from sarsen.services.request import Request
from sarsen.storage.models import Contest, ContestEntry, Player

MAX_LISTED = 50
OVER = (Phase.ENDED, Phase.CLOSED)
_STATES = {
    Phase.OPEN: Phrase("open"),
    Phase.RUNNING: Phrase("running"),
    Phase.ENDED: Phrase("ended"),
    Phase.CLOSED: Phrase("closed"),
}


def show_contests(command: ListContests, request: Request) -> Table:
    """Return the contests there are, the newest first.

    What is played stands beside a name that does not say it: with more columns no row would fit.
    """
    game = load(command.game).info.name if command.game else ""
    today = request.now.date()
    lines = list_contests(game, command.which, viewer=request.actor.player)
    contests = Contest.objects.in_bulk([line.number for line in lines])
    rows = tuple(
        (
            str(line.number),
            line.name,
            beside_name(contests[line.number]),
            _joined(line) if line.state == Phase.OPEN else str(line.entrants),
            _when(line, today),
        )
        for line in lines
    )
    columns = ("no.", "title", "what", "players", "when")
    return Table(Phrase("Contests"), columns, rows)


def _when(line: ContestLine, today: date) -> Phrase:
    """Return when a contest starts at the latest, or ends."""
    if line.state == Phase.OPEN and line.starts_at is not None:
        return Phrase("open to {day}", day=short_day_phrase(last_day(line.starts_at), today))
    if line.state == Phase.RUNNING and line.ends_at is not None:
        return Phrase("ends on {day}", day=short_day_phrase(last_day(line.ends_at), today))
    return _STATES[Phase(line.state)]


def _joined(line: ContestLine) -> str:
    if FORMATS[line.format].has_seasons:
        return str(line.entrants)  # it has room for all
    return Phrase("{count} of {most}", count=line.entrants, most=line.most)


def name_of(number: int | None) -> str:
    """Return the name of a contest; "" for none."""
    if not number:
        return ""
    contest = Contest.objects.filter(pk=number).first()
    return title_of(contest) if contest else ""


def list_contests(
    game: str = "",
    which: str = "",
    *,
    viewer: Player | None,
    player: Player | None = None,
    still_in: bool = False,
    before: int = 0,
    most: int = MAX_LISTED,
) -> tuple[ContestLine, ...]:
    """Return contests, the newest first.

    Args:
        which: `open`, `running` or `ended`, which closed ones are, too; "" for the first two.
        viewer: Who reads the list: a match that waits for somebody else is left out.
        still_in: Only those that the player has not left.
        before: Only numbers below this; 0 for all.
    """
    states = {"": GOING_ON, Phase.ENDED: OVER}.get(which) or (Phase(which),)
    contests = Contest.objects.filter(shown_to(viewer), state__in=states)
    if game:
        contests = contests.filter(game=game)
    if player is not None:
        own = ContestEntry.objects.filter(contest=OuterRef("pk"), player=player)
        contests = contests.filter(Exists(own.filter(is_out=False) if still_in else own))
    if before:
        contests = contests.filter(pk__lt=before)
    return _lines(contests.order_by("-pk")[:most])


def contests_to_join(player: Player | None, most: int) -> tuple[ContestLine, ...]:
    """Return contests open for entry, the newest first; matches that are for the player lead.

    Those for somebody else are left out, and those in which the player is already.
    """
    contests = Contest.objects.filter(shown_to(player), state=Phase.OPEN)
    if player is None:
        return _lines(contests.order_by("-pk")[:most])
    entered = Exists(ContestEntry.objects.filter(contest=OuterRef("pk"), player=player))
    leading = Case(When(law__has_key=WITH, then=0), default=1)
    return _lines(contests.exclude(entered).order_by(leading, "-pk")[:most])


def _lines(contests: QuerySet[Contest]) -> tuple[ContestLine, ...]:
    # Those who have left a ladder are not in it; of a round robin they stay in the table.
    is_in = Q(entries__is_out=False) | ~Q(format=LADDER)
    counted = contests.annotate(
        entrants=Count("entries", filter=Q(entries__is_waiting=False) & is_in)
    )
    return tuple(
        ContestLine(
            number=contest.pk,
            name=title_of(contest),
            game=contest.game,
            options=contest.options,
            format=contest.format,
            state=contest.state,
            entrants=contest.entrants,
            most=contest.law["most"],
            starts_at=contest.starts_at,
            ends_at=contest.ends_at,
        )
        for contest in counted
    )
