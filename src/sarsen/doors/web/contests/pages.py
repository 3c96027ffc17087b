"""The contests of this server, and the page of each."""

from __future__ import annotations

import re
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.doors.web.frame.agreed_terms import option_words
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.live_updates import contest_news
from sarsen.doors.web.frame.visitors import has_account, speaker, zone_of
from sarsen.games import find, load
from sarsen.language.contests.commands import MAX_NAME
from sarsen.language.contests.facts import ContestLine
from sarsen.language.contests.law import FORMAT_NAMES
from sarsen.language.grammar.dates import day_words, moment
from sarsen.language.translating import translated
from sarsen.services.contests.views.listing import list_contests
from sarsen.services.contests.views.pages import view_page
from sarsen.services.contests.views.wording import last_day

PLAYERS = (3, 4, 5, 6, 7, 8, 10, 12, 16)  # how many the form offers
FORMATS_OF_FORM = ("round-robin", "league")
DAYS = (30, 60, 90, 120, 180)


@require_safe
def show_contests(request: HttpRequest) -> HttpResponse:
    """List one's own contests, the others by how far they have come, and a form to make one."""
    today, player = timezone.now().date(), speaker(request)
    mine = list_contests(player=player, still_in=True) if player else ()
    listed = {contest.number for contest in mine}
    groups = [("mine", [_shown(contest, today) for contest in mine])] + [
        (
            which,
            [
                _shown(contest, today)
                for contest in list_contests(which=which)
                if contest.number not in listed
            ],
        )
        for which in ("open", "running", "ended")
    ]
    facts = {
        "groups": groups,
        "has_own": bool(mine),
        "games": [game.info for game in find().values() if len(game.info.seats) == 2],
        "may_make": has_account(request),
        "formats": [(named, FORMAT_NAMES[named]) for named in FORMATS_OF_FORM],
        "players": PLAYERS,
        "days": DAYS,
        "longest": MAX_NAME,
    }
    return render(request, "web/contests/list.html", facts)


def _shown(contest: ContestLine, today: date) -> tuple[ContestLine, str, str]:
    """Return a contest with what is played, and the day on which entry, or all of it, ends."""
    kind = translated(FORMAT_NAMES[contest.format])
    game = load(contest.game).info
    title = ", ".join((game.title, *option_words(contest.options, game)))
    end = contest.starts_at if contest.state == "open" else contest.ends_at
    return contest, f"{title} · {kind}", day_words(last_day(end), today) if end else ""


@require_safe
@with_refusal_pages
def show_contest(request: HttpRequest, number: int) -> HttpResponse:
    """Show the table of a contest, its law, and what its visitor may do."""
    viewer, now = speaker(request), timezone.now()
    tier = request.GET.get("tier", "")
    asked = int(tier) if re.fullmatch(r"[0-9]{1,4}", tier) else None
    # The stamp is older than the page: what comes between is news there.
    news = contest_news(number, viewer)
    page, zone = view_page(number, viewer, now, asked), zone_of(request)
    facts = {
        "contest": page,
        "may_join": page.may_join and has_account(request),
        "may_wait": page.may_wait and not page.may_join and has_account(request),
        "log": [(happening, moment(happening.at, zone, now)) for happening in page.log],
        "news": news,
    }
    return render(request, "web/contests/page.html", facts)
