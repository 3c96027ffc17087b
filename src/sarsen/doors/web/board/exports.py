"""What other programs fetch: records of games, feeds for readers (Atom), deadlines (iCal)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from sarsen.doors.web.board.feeds import (
    ATOM,
    CALENDAR,
    Deadline,
    FeedItem,
    atom,
    calendar,
    feed_language,
    send_feed,
)
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.pictures import FOR_A_WHILE
from sarsen.doors.web.frame.visitors import PRIVATE, number_in, speaker
from sarsen.language.grammar.dates import moment
from sarsen.language.publishing.news import NewsFacts, absence
from sarsen.language.ratings import reason_words
from sarsen.language.translating import _, _n, current_language, translated, use_language
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.events.feeds import BoardEntry, InvitationEntry, boards_feed, deadlines_feed
from sarsen.services.notices.news import newest
from sarsen.services.records.collections import Selection, page
from sarsen.services.records.recording import view_record
from sarsen.services.records.signatures import public_keys

TEXT = "text/plain; charset=utf-8"
JSON_LINES = "application/jsonl"
SGF = "application/x-go-sgf; charset=utf-8"
_NO_NEWS = datetime(2026, 1, 1, tzinfo=UTC)  # of a feed without entries, so that it stays the same
MAX_MOVES = 50  # of a feed, the newest; readers ask more often than so much happens


@require_safe
@with_refusal_pages
def send_record(request: HttpRequest, board: int, form: str) -> HttpResponse:
    """Send the record of a finished game as text, JSON or SGF."""
    file = view_record(board, speaker(request))
    content, kind = {
        "txt": (file.text, TEXT),
        "json": (file.json_line + "\n", "application/json"),
        "sgf": (file.sgf, SGF),
    }[form]
    keep = PRIVATE if file.is_private else FOR_A_WHILE
    response = HttpResponse(content, kind, headers={"Cache-Control": keep})
    if form == "sgf":
        name = f"{file.record.game}-{file.board}.sgf"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@takes({"after": NUMBER})
@with_refusal_pages
def send_collection(
    request: HttpRequest, *, form: str, name: str = "", userid: str = ""
) -> HttpResponse:
    """Send the finished public games of a game, of a player, or all, a page at a time."""
    after = request.GET.get("after", "")
    start = number_in(after)
    collection = page(Selection(game=name, userid=userid, after=start))
    further = ""
    if collection.further is not None:
        further = f"{settings.SARSEN_URL}{request.path}?after={collection.further}"
    if form == "jsonl":
        lines = "".join(f"{file.json_line}\n" for file in collection.files)
        response = HttpResponse(lines, JSON_LINES)
    else:
        records = [file.text for file in collection.files]
        if further:
            records.append(f"# Further games: {further}\n")
        response = HttpResponse("\n".join(records) or "# No game yet.\n", TEXT)
    if further:
        response["Link"] = f'<{further}>; rel="next"'
    if form == "jsonl" or further:
        stem = "-".join(filter(None, ("records", name or userid, after and f"after-{start}")))
        response["Content-Disposition"] = f'attachment; filename="{stem}.{form}"'
    response["Cache-Control"] = FOR_A_WHILE
    return response


@require_safe
@with_refusal_pages
def send_keys(request: HttpRequest) -> HttpResponse:
    """Send the public keys that records of this server are signed with, the present one first."""
    keys = [
        {"name": key.name, "kind": "Ed25519", "public": key.public}
        | {name: at for name, at in (("since", key.since), ("until", key.until)) if at}
        for key in public_keys()
    ]
    headers = {"Cache-Control": FOR_A_WHILE, "Access-Control-Allow-Origin": "*"}
    return JsonResponse({"sarsen-keys": 1, "keys": keys}, headers=headers)


@require_safe
@with_refusal_pages
def send_boards(request: HttpRequest, key: str) -> HttpResponse:
    """Send the boards and invitations of a key's owner, as a feed."""
    feed = boards_feed(key)
    with use_language(feed.language or current_language()):
        items = [_board_item(entry, feed.zone) for entry in feed.boards]
        items += map(_invitation_item, feed.invitations)
        body = atom(
            _("Boards of {player}").format(player=feed.userid),
            "/",
            f"/feeds/{key}/boards.atom",
            f"boards-of-{feed.userid.lower()}",
            sorted(items, key=lambda item: item.at, reverse=True),
            feed.changed_at,
        )
    return send_feed(request, body, ATOM, feed.changed_at)


@require_safe
@with_refusal_pages
def send_deadlines(request: HttpRequest, key: str) -> HttpResponse:
    """Send the deadlines of a key's owner, as a calendar."""
    feed = deadlines_feed(key)
    with use_language(feed.language or current_language()):
        deadlines = [
            _deadline(
                entry.number,
                entry.ply + 1,
                _("Move due: {board}").format(board=_titled(entry)),
                entry.at,
                entry.due_at,
            )
            for entry in feed.boards
            if entry.due_at is not None
        ]
        title = _("Deadlines of {player}").format(player=feed.userid)
    # Not dated: a vacation moves a deadline although nothing happens at its board.
    return send_feed(request, calendar(title, deadlines), CALENDAR, None)


@require_safe
@with_refusal_pages
def send_moves(request: HttpRequest, board: int) -> HttpResponse:
    """Send the newest moves of a board and how it ended, as a feed."""
    # Feed readers are not logged in: they get what everybody may see.
    view = view_board(board)
    page = f"/boards/{board}/"
    with use_language(feed_language(request)):
        title = f"{translated(view.title)}: {_(' v ').join(view.players)}"
        items = list(_board_events(view, f"{settings.SARSEN_URL}{page}"))
        body = atom(title, page, request.get_full_path(), f"board-{board}", items, view.moved_at)
    return send_feed(request, body, ATOM, None)


@require_safe
@with_refusal_pages
def send_news(request: HttpRequest) -> HttpResponse:
    """Send the newest broadcasts with their texts, as a feed."""
    with use_language(feed_language(request)):
        items = [_news_item(item) for item in newest()]
        changed_at = max((item.at for item in items), default=_NO_NEWS)
        path = request.get_full_path()
        body = atom(_("News of sarsen"), reverse("news"), path, "news", items, changed_at)
    return send_feed(request, body, ATOM, None)


@require_safe
@with_refusal_pages
def send_deadline(request: HttpRequest, board: int) -> HttpResponse:
    """Send until when the next move of a board must come, as a calendar; empty without a clock."""
    view = view_board(board)
    deadlines = []
    with use_language(feed_language(request)):
        title = translated(view.title)
        if view.clock is not None:
            summary = _("{board}: {player}'s move is due").format(
                board=title, player=view.clock.userid
            )
            deadlines.append(
                _deadline(board, view.last_ply + 1, summary, view.moved_at, view.clock.due_at)
            )
    return send_feed(request, calendar(title, deadlines), CALENDAR, None)


def _deadline(board: int, ply: int, summary: str, at: datetime, due_at: datetime) -> Deadline:
    # The same turn is the same event: it moves when the deadline does.
    return Deadline(f"board-{board}-{ply}", summary, at, due_at, f"/boards/{board}/")


def _board_events(view: BoardView, page: str) -> Iterator[FeedItem]:
    """Yield the entries of a board, the newest first."""
    board = translated(view.title)
    if view.result:
        ended_at = view.ending.at if view.ending else view.moved_at
        name = f"board-{view.number}-over"
        over = _("{board} is over: {why}").format(board=board, why=reason_words(view.result))
        yield FeedItem(over, page, name, ended_at)
    for move in reversed(view.moves[-MAX_MOVES:]):
        title = _("{board}: {player} played {move} (move {ply})").format(
            board=board, player=view.players[move.seat], move=move.text, ply=move.ply
        )
        # Named by its event: a move in place of one taken back is news.
        name = f"board-{view.number}-{move.event}"
        yield FeedItem(title, f"{page}{move.ply}/", name, move.at)


def _titled(entry: BoardEntry) -> str:
    """Return the title of a board with the other players: `Druid Board 5 v bob`."""
    title = translated(entry.title)
    return _(" v ").join((title, ", ".join(entry.others))) if entry.others else title


def _board_item(entry: BoardEntry, zone: str) -> FeedItem:
    summary = _n("After {count} move.", "After {count} moves.", entry.ply).format(count=entry.ply)
    if not entry.to_move:
        title, summary = _("{board}: over"), f"{reason_words(entry.result)} {summary}"
    elif entry.is_mine:
        title = _("{board}: your move")
        if entry.due_at:
            due = _("Please move by {until}.")
            summary += f" {due.format(until=moment(entry.due_at, zone, entry.at))}"
    else:
        title = _("{board}: {player} to move")
    return FeedItem(
        title=title.format(board=_titled(entry), player=entry.to_move),
        link=f"{settings.SARSEN_URL}/boards/{entry.number}/",
        summary=summary,
        # A new entry for each event: readers show what they have not seen.
        name=f"board-{entry.number}-{entry.happened}",
        at=entry.at,
    )


def _news_item(item: NewsFacts) -> FeedItem:
    title = item.title or absence(item.state, item.author, item.reason)
    return FeedItem(
        title=_("{player}: {title}").format(player=item.author, title=title),
        link=f"{settings.SARSEN_URL}{reverse('news-item', args=[item.number])}",
        # Readers take it for HTML: so blanks and lines stay as they were written.
        summary=format_html("<pre>{}</pre>", item.text) if item.text else "",
        name=f"news-{item.number}",
        at=item.changed_at,
    )


def _invitation_item(entry: InvitationEntry) -> FeedItem:
    return FeedItem(
        title=_("{game}: {player} challenges you").format(
            game=entry.title, player=entry.by or _("Somebody")
        ),
        link=f"{settings.SARSEN_URL}{reverse('challenge', args=[entry.number])}",
        name=f"challenge-{entry.number}",
        at=entry.at,
    )
