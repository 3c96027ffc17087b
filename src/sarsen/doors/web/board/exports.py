"""What other programs fetch: records of games, feeds for readers (Atom), deadlines (iCal)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from sarsen.doors.web.board.pictures import FOR_A_WHILE
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.visitors import PRIVATE, REVALIDATED, number_in, speaker
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.events.feeds import BoardEntry, InvitationEntry, boards_feed, deadlines_feed
from sarsen.services.records.collections import Selection, page
from sarsen.services.records.recording import view_record
from sarsen.services.records.signatures import public_keys

TEXT = "text/plain; charset=utf-8"
JSON_LINES = "application/jsonl"
SGF = "application/x-go-sgf; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"
CALENDAR = "text/calendar; charset=utf-8"
DEADLINE_LASTS = timedelta(minutes=30)  # how much of a calendar's day a deadline fills
MOST_MOVES = 50  # of a feed, the newest; readers ask more often than so much happens


@dataclass(frozen=True)
class _Item:
    """One entry of a feed; its name is the same for ever and no other's."""

    title: str
    link: str
    name: str
    at: datetime
    summary: str = ""


@dataclass(frozen=True)
class _Deadline:
    """One entry of a calendar: until when the move of a ply must come at a board."""

    board: int
    ply: int
    summary: str
    changed_at: datetime
    due_at: datetime


@require_safe
@explains_refusals
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
@explains_refusals
def send_collection(
    request: HttpRequest, *, form: str, name: str = "", userid: str = ""
) -> HttpResponse:
    """Send the finished public games of a game, of a player, or all, a page at a time."""
    after = request.GET.get("after", "")
    asked = number_in(after)
    found = page(Selection(game=name, userid=userid, after=asked))
    further = ""
    if found.further is not None:
        further = f"{settings.SARSEN_URL}{request.path}?after={found.further}"
    if form == "jsonl":
        lines = "".join(f"{file.json_line}\n" for file in found.files)
        response = HttpResponse(lines, JSON_LINES)
    else:
        records = [file.text for file in found.files]
        if further:
            records.append(f"# Further games: {further}\n")
        response = HttpResponse("\n".join(records) or "# No game yet.\n", TEXT)
    if further:
        response["Link"] = f'<{further}>; rel="next"'
    if form == "jsonl" or further:
        saved = "-".join(filter(None, ("records", name or userid, after and f"after-{asked}")))
        response["Content-Disposition"] = f'attachment; filename="{saved}.{form}"'
    response["Cache-Control"] = FOR_A_WHILE
    return response


@require_safe
@explains_refusals
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
@explains_refusals
def send_boards(request: HttpRequest, key: str) -> HttpResponse:
    """Send the boards and invitations of a key's owner, as a feed."""
    feed = boards_feed(key)
    items = [*map(_board_item, feed.boards), *map(_invitation_item, feed.invitations)]
    body = _atom(
        f"Boards of {feed.userid}",
        "/",
        f"/feeds/{key}/boards.atom",
        f"boards-of-{feed.userid.lower()}",
        sorted(items, key=lambda item: item.at, reverse=True),
        feed.changed_at,
    )
    return _feed(request, body, ATOM, feed.changed_at)


@require_safe
@explains_refusals
def send_deadlines(request: HttpRequest, key: str) -> HttpResponse:
    """Send the deadlines of a key's owner, as a calendar."""
    feed = deadlines_feed(key)
    deadlines = (
        _Deadline(
            entry.number,
            entry.ply + 1,
            f"Move by then: {entry.title} v {', '.join(entry.others)}",
            entry.at,
            entry.due_at,
        )
        for entry in feed.boards
        if entry.due_at is not None
    )
    # Not dated: a vacation moves a deadline although nothing happens at its board.
    return _feed(request, _calendar(f"Deadlines of {feed.userid}", deadlines), CALENDAR, None)


@require_safe
@explains_refusals
def send_moves(request: HttpRequest, board: int) -> HttpResponse:
    """Send the newest moves of a board and how it ended, as a feed."""
    # A reader of feeds is nobody: what only players see is no feed.
    view = view_board(board)
    page = f"/boards/{board}/"
    title = f"{view.title}: {' v '.join(view.players)}"
    items = _board_events(view, f"{settings.SARSEN_URL}{page}")
    body = _atom(title, page, f"{page}moves.atom", f"board-{board}", items, view.moved_at)
    return _feed(request, body, ATOM, None)


@require_safe
@explains_refusals
def send_deadline(request: HttpRequest, board: int) -> HttpResponse:
    """Send until when the next move of a board must come, as a calendar; empty without a clock."""
    view = view_board(board)
    deadlines = []
    if view.clock is not None:
        summary = f"{view.title}: {view.clock.userid} must move by then"
        deadlines.append(
            _Deadline(board, view.last_ply + 1, summary, view.moved_at, view.clock.due_at)
        )
    return _feed(request, _calendar(view.title, deadlines), CALENDAR, None)


def _feed(
    request: HttpRequest, body: bytes, kind: str, changed_at: datetime | None
) -> HttpResponse:
    """Send a feed, or 304 to anyone who has this one.

    Args:
        changed_at: None where it says other things at other times, though nothing happened.
    """
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": REVALIDATED}
    modified = int(changed_at.timestamp()) if changed_at else None
    if modified is not None:
        headers["Last-Modified"] = http_date(modified)
    response = HttpResponse(body, kind, headers=headers)
    return get_conditional_response(request, etag, modified, response) or response


def _atom(
    title: str, page: str, path: str, name: str, items: Iterable[_Item], changed_at: datetime
) -> bytes:
    tag = f"tag:{settings.SARSEN_DOMAIN},2026:"
    atom = Atom1Feed(
        title=title,
        link=f"{settings.SARSEN_URL}{page}",
        description="",
        feed_url=f"{settings.SARSEN_URL}{path}",
        feed_guid=f"{tag}{name}",
        language="en",
    )
    for item in items:
        atom.add_item(
            title=item.title,
            link=item.link,
            description=item.summary,
            unique_id=f"{tag}{item.name}",
            pubdate=item.at,
            updateddate=item.at,
        )
    # Without a date of its own, an empty feed would carry the time of each request.
    atom.latest_post_date = lambda: changed_at  # type: ignore[method-assign]
    return bytes(atom.writeString("utf-8").encode())


def _calendar(title: str, deadlines: Iterable[_Deadline]) -> bytes:
    # 94 modules, 2.5 MB of every server, for what most players never ask for.
    from icalendar import Calendar, Event

    calendar = Calendar()
    calendar.add("prodid", f"-//sarsen//{settings.SARSEN_DOMAIN}//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", title)
    for one in deadlines:
        event = Event()
        # The same turn is the same event: it moves when the deadline does.
        event.add("uid", f"board-{one.board}-{one.ply}@{settings.SARSEN_DOMAIN}")
        event.add("dtstamp", one.changed_at)
        event.add("dtstart", one.due_at - DEADLINE_LASTS)
        event.add("dtend", one.due_at)
        event.add("summary", one.summary)
        event.add("url", f"{settings.SARSEN_URL}/boards/{one.board}/")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _board_events(view: BoardView, page: str) -> Iterator[_Item]:
    """Yield the entries of a board, the newest first."""
    if view.result:
        ended_at = view.ending.at if view.ending else view.moved_at
        name = f"board-{view.number}-over"
        yield _Item(f"{view.title} is over: {view.result}", page, name, ended_at)
    for move in reversed(view.moves[-MOST_MOVES:]):
        title = f"{view.title}: {view.players[move.seat]} plays {move.text} as ply {move.ply}"
        # Named by its event: a move in place of one taken back is news.
        name = f"board-{view.number}-{move.event}"
        yield _Item(title, f"{page}{move.ply}/", name, move.at)


def _board_item(entry: BoardEntry) -> _Item:
    against = f" v {', '.join(entry.others)}" if entry.others else ""
    after = f"After {entry.ply} {'ply' if entry.ply == 1 else 'plies'}."
    if not entry.to_move:
        state, summary = "over", f"{entry.result} {after}"
    elif entry.is_mine:
        due = f" Move by {_utc(entry.due_at)}." if entry.due_at else ""
        state, summary = "your move", f"{after}{due}"
    else:
        state, summary = f"{entry.to_move} moves", after
    return _Item(
        title=f"{entry.title}{against}: {state}",
        link=f"{settings.SARSEN_URL}/boards/{entry.number}/",
        summary=summary,
        # A new entry for each event: readers show what they have not seen.
        name=f"board-{entry.number}-{entry.happened}",
        at=entry.at,
    )


def _invitation_item(entry: InvitationEntry) -> _Item:
    return _Item(
        title=f"{entry.title} Challenge {entry.number}: {entry.by or 'Somebody'} challenges you",
        link=f"{settings.SARSEN_URL}/",
        summary=f"To take it: accept {entry.number}",
        name=f"challenge-{entry.number}",
        at=entry.at,
    )


def _utc(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
