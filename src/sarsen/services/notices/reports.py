"""Reports of abuse: taken from players, and listed for the operators until they are settled."""

from __future__ import annotations

from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.language.grammar.kept_text import kept_text
from sarsen.language.publishing.reports import MAX_REPORT, REPORT_EXAMPLE, Report, Reported
from sarsen.services.limits import daily
from sarsen.services.notices import news
from sarsen.services.players import find_any_player
from sarsen.services.request import Player, Request
from sarsen.storage.models import AbuseReport, News


def report(command: Report, request: Request) -> Reported:
    """Store a report; the operators see it on their pages, and nobody else does."""
    player = request.player(REPORT_EXAMPLE)
    text = _clean(command)
    item = news.find(int(command.about)) if _is_number(command.about) else None
    about = item.author if item is not None else find_any_player(command.about)
    _check_about(about, player, item)
    standing = AbuseReport.objects.filter(player=player, about=about, news=item, settled_at=None)
    if standing.exists():
        raise UserError(
            "You have reported this already; the operators have not settled it yet.",
            code="reported-already",
            hint=f"refuse {about.userid}",
        )
    daily.check(player, "report", request.now)
    AbuseReport.objects.create(player=player, about=about, news=item, text=text, at=request.now)
    return Reported(about.userid, item.pk if item is not None else 0)


def settle(row: AbuseReport, now: datetime) -> None:
    """Mark a report as settled by an operator; it is deleted some time later."""
    row.settled_at = now
    row.save(update_fields=["settled_at"])


def _clean(command: Report) -> str:
    if len(command.text) > MAX_REPORT:
        raise UserError(
            "The text has {count} characters; at most {most} are allowed.",
            code="text-too-long",
            hint="Send it in several parts.",
            count=len(command.text),
            most=MAX_REPORT,
        )
    text = kept_text(command.text)
    if not text:
        raise UserError(
            "Please add what is wrong with it.",
            code="text-missing",
            hint=f"report {command.about} This is an advertisement.",
        )
    return text


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _check_about(about: Player, player: Player, item: News | None) -> None:
    if about == player:
        raise UserError(
            "That is you. You can take back a broadcast of yours yourself.",
            code="report-yourself",
            hint=f"withdraw news {item.pk}" if item is not None else "help report",
        )
    if about.level is not None:
        raise UserError(
            "{program} is a program of this server and writes nothing of its own.",
            code="report-program",
            hint="help bots",
            program=about.userid,
        )
