"""The archive of broadcasts: publishing, finding, withdrawing and hiding them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.grammar.typography import one_line
from sarsen.language.publishing.news import (
    HIDDEN,
    MAX_SEARCH,
    WITHDRAWN,
    NewsFacts,
    NewsShown,
    NewsWithdrawn,
    ShowNews,
    WithdrawNews,
)
from sarsen.language.ratings import Table
from sarsen.services.notices.announced_games import challenge_lines
from sarsen.services.request import Request
from sarsen.storage.models import Announcement, DigestItem, News, OutgoingMail, Player, WebhookCall

WITHDRAWN_WITHIN = timedelta(hours=1)
MAX_LISTED = 30  # of one page or mail
MAX_SEARCHED = 2_000  # the newest: no index knows their words
MAX_TITLE = 70  # characters: it is a subject, and a line of a list
# Of archives, and the tag that a list puts before a subject.
_LINKS = re.compile(r"\[(?:Date|Thread) (?:Prev|Next|Index)\]|^\s*\[[a-z][\w.-]*\] ")
COLUMNS = ("news", "sent", "player", "title")


@dataclass(frozen=True)
class NewsPage:
    """A broadcast with those around it: by date, and of its thread."""

    item: NewsFacts
    previous: int | None
    next: int | None
    thread: tuple[NewsFacts, ...]

    @property
    def previous_in_thread(self) -> NewsFacts | None:
        """Return the one before it in its thread."""
        older = [item for item in self.thread if item.number < self.item.number]
        return older[-1] if older else None

    @property
    def next_in_thread(self) -> NewsFacts | None:
        """Return the one after it in its thread."""
        return next((item for item in self.thread if item.number > self.item.number), None)


def publish(
    author: Player,
    kind: News.Kind,
    text: str,
    now: datetime,
    *,
    thread: int = 0,
    game: str = "",
    options: str = "",
) -> dict[str, int]:
    """Add a broadcast to the archive; return what its letters need to know of that.

    Args:
        thread: The number of a broadcast that it replies to; 0 for none.
        game, options: What it announces, if it announces a game.
    """
    first = find(thread) if thread else None
    root = (first.thread or first.pk) if first else None
    news = News.objects.create(
        author=author, kind=kind, text=text, at=now, thread=root, game=game, options=options
    )
    return {"news": news.pk, "thread": root or news.pk}


def find(number: int) -> News:
    """Return a broadcast of the archive.

    Raises:
        UserError: There is none of this number.
    """
    news = News.objects.select_related("author").filter(pk=number).first()
    if news is None:
        raise UserError(
            "There is no broadcast {number}.", code="unknown-news", hint="news", number=number
        )
    return news


def title_of(text: str) -> str:
    """Return the title of a broadcast: its first line with words, shortened.

    Pasted announcements begin with the links of an archive, and with rules of signs.
    """
    lines = (" ".join(_LINKS.sub("", line).split()) for line in text.split("\n"))
    first = next((line for line in lines if re.search(r"\w", line)), "")
    return first if len(first) <= MAX_TITLE else f"{first[: MAX_TITLE - 1].rstrip()}…"


def newest(*, search: str = "", before: int = 0, most: int = MAX_LISTED) -> list[NewsFacts]:
    """Return broadcasts, the newest first.

    Args:
        search: Words that all stand in them; what was withdrawn or hidden is not found.
        before: Only those with smaller numbers; 0 for all.

    Raises:
        UserError: The search is too long.
    """
    rows = News.objects.all()
    if before:
        rows = rows.filter(pk__lt=before)
    if len(search) > MAX_SEARCH:
        raise UserError(
            "A search has at most {most} characters.",
            code="search-too-long",
            hint="news tournament",
            most=MAX_SEARCH,
        )
    # Addresses of pages may hold what no text has: PostgreSQL refuses NUL.
    if words := one_line(search).split():
        rows = _with_words(rows, words)
    return [_item(news) for news in rows.select_related("author").order_by("-pk")[:most]]


def view_page(number: int) -> NewsPage:
    """Return a broadcast with its neighbours.

    Raises:
        UserError: There is none of this number.
    """
    news = find(number)
    root = news.thread or news.pk
    thread = News.objects.filter(Q(pk=root) | Q(thread=root)).select_related("author")
    numbers = News.objects.order_by("pk").values_list("pk", flat=True)
    return NewsPage(
        _item(news),
        numbers.filter(pk__lt=number).last(),
        numbers.filter(pk__gt=number).first(),
        tuple(map(_item, thread.order_by("pk")[:MAX_LISTED])),
    )


def show_news(command: ShowNews, request: Request) -> NewsShown | Table:
    """Show one broadcast, or list the newest."""
    if not command.number:
        items = newest(search=command.search)
        return Table(_title(command.search), COLUMNS, tuple(map(_row, items)))
    page = view_page(command.number)
    item = page.item
    return NewsShown(
        item.number,
        item.author,
        f"{item.at:%Y-%m-%d}",
        item.news_kind,
        item.title,
        item.text,
        item.state,
        item.reason,
        item.thread,
        page.previous,
        page.next,
    )


def announced_challenge(number: int) -> str:
    """Return the line that begins the game which a broadcast announces; "" for none."""
    return _challenge_of(News.objects.select_related("author").filter(pk=number).first())


def last_announced_challenge(author: Player) -> str:
    """Return the same of the author's last broadcast."""
    news = News.objects.select_related("author").filter(author=author)
    return _challenge_of(news.order_by("-pk").first())


def _challenge_of(news: News | None) -> str:
    if news is None or not news.game or news.withdrawn_at or news.hidden_reason:
        return ""
    return challenge_lines(news.game, news.options, "me", news.author.userid)[0]


def withdraw_news(command: WithdrawNews, request: Request) -> NewsWithdrawn:
    """Delete the text of the speaker's broadcast, and its mails that wait."""
    player = request.player("withdraw news 12 USERID PASSWORD")
    news = find(command.number)
    if news.author_id != player.pk:
        raise UserError(
            "Broadcast {number} is not yours.", code="not-your-news", hint="news", number=news.pk
        )
    if not may_withdraw(news.at, request.now) or news.withdrawn_at or news.hidden_reason:
        raise UserError(
            "A broadcast can be withdrawn once, within an hour after it was sent.",
            code="too-late-to-withdraw",
            hint="broadcast: A correction: …",
        )
    news.text, news.withdrawn_at = "", request.now
    news.save(update_fields=["text", "withdrawn_at"])
    stop_sending(news.pk)
    return NewsWithdrawn(news.pk)


def may_withdraw(at: datetime, now: datetime) -> bool:
    """Return whether a broadcast is young enough for its author to withdraw it."""
    return now < at + WITHDRAWN_WITHIN


def hide(news: News, reason: str) -> None:
    """Hide a broadcast from everybody but operators, and stop its mails that wait."""
    news.hidden_reason = reason
    news.save(update_fields=["hidden_reason"])
    stop_sending(news.pk)


def unhide(news: News) -> None:
    """Show a hidden broadcast again."""
    news.hidden_reason = ""
    news.save(update_fields=["hidden_reason"])


def stop_sending(number: int) -> None:
    """Delete what of a broadcast waits to be sent: its batches, mails and lines of digests."""
    Announcement.objects.filter(is_done=False, facts__news=number).update(is_done=True)
    letters = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING, kind="broadcast")
    letters.filter(facts__news=number).delete()
    calls = WebhookCall.objects.filter(state=WebhookCall.State.WAITING)
    calls.filter(facts__news=number).delete()
    DigestItem.objects.filter(facts__kind="broadcast", facts__facts__news=number).delete()


def _with_words(rows: QuerySet[News], words: list[str]) -> QuerySet[News]:
    shown = rows.filter(withdrawn_at=None, hidden_reason="")
    searched = shown.order_by("-pk").values_list("pk", flat=True)[:MAX_SEARCHED]
    found = News.objects.filter(pk__in=list(searched))
    for word in words:
        found = found.filter(text__icontains=word)
    return found


def _title(search: str) -> Phrase:
    if not search:
        return Phrase("News")
    return Phrase("News with {words}", words=quoted(search))


def _item(news: News) -> NewsFacts:
    state = WITHDRAWN if news.withdrawn_at else HIDDEN if news.hidden_reason else ""
    text = "" if state else news.text
    return NewsFacts(
        number=news.pk,
        author=news.author.userid,
        news_kind=news.kind,
        at=news.at,
        title=title_of(text),
        text=text,
        state=state,
        reason=news.hidden_reason if state == HIDDEN else "",
        thread=news.thread or news.pk,
        changed_at=news.withdrawn_at or news.at,
        game=news.game,
        options=news.options,
    )


def _row(item: NewsFacts) -> tuple[str, ...]:
    states = {WITHDRAWN: Phrase("withdrawn"), HIDDEN: Phrase("hidden by the operators")}
    title = item.title or states.get(item.state, "")
    return str(item.number), f"{item.at:%Y-%m-%d}", item.author, title
