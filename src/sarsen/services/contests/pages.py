"""Contests as they are shown: lists, tables, boards and logs, for all doors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef

from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.contests.commands import ListContests, ShowContest
from sarsen.language.contests.facts import (
    ContestBoardLine,
    ContestEventFacts,
    ContestFacts,
    ContestLine,
    ContestLog,
    ContestRow,
)
from sarsen.language.contests.law import FORMAT_NAMES, law_sentences
from sarsen.language.grammar.dates import day_phrase, short_day_phrase
from sarsen.language.ratings import Table, fits
from sarsen.services.contests import log as contest_log
from sarsen.services.contests import running
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import ContestGame, Kind, Phase
from sarsen.services.contests.table import Row
from sarsen.services.matches.terms import write_terms
from sarsen.services.request import Request
from sarsen.storage.models import Contest, ContestEntry, Player

MAX_LISTED = 50
MAX_COLUMNS = 16  # entrants whose games a page shows beside each other
GOING_ON = (Phase.OPEN, Phase.RUNNING)
SELF, RUNNING, TO_COME, ANNULLED = ".", "*", "_", "x"
_PLAYED = {1.0: "1", 0.5: "=", 0.0: "0"}
_UNPLAYED = {1.0: "+", 0.5: "=", 0.0: "-"}  # on time, or decided
_RESULTS = {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}
_ORDINALS = (Phrase("1st"), Phrase("2nd"), Phrase("3rd"))
_STATES = {
    Phase.OPEN: Phrase("open"),
    Phase.RUNNING: Phrase("running"),
    Phase.ENDED: Phrase("ended"),
    Phase.CLOSED: Phrase("closed"),
}


# The kinds of events of a log, as tables show them.
_KINDS: Mapping[str, Phrase] = {
    Kind.MADE: Phrase("made"),
    Kind.ENTERED: Phrase("entered"),
    Kind.LEFT: Phrase("left"),
    Kind.OPENED: Phrase("opened"),
    Kind.STARTED: Phrase("started"),
    Kind.BOARD: Phrase("board"),
    Kind.PAIRED: Phrase("paired"),
    Kind.WARNED: Phrase("warned"),
    Kind.WITHDRAWN: Phrase("withdrawn"),
    Kind.DECIDED: Phrase("decided"),
    Kind.CORRECTED: Phrase("corrected"),
    Kind.CLOSED: Phrase("closed"),
    Kind.ENDED: Phrase("ended"),
}


def show_contests(command: ListContests, request: Request) -> Table:
    """Return the contests there are, the newest first."""
    game = load(command.game).info.name if command.game else ""
    today = request.now.date()
    rows = tuple(
        (
            str(line.number),
            line.name,
            f"{line.game} {line.options}".strip(),
            FORMAT_NAMES[line.format],
            _joined(line.entrants, line.most) if line.state == Phase.OPEN else str(line.entrants),
            _when(line, today),
        )
        for line in list_contests(game, command.which)
    )
    columns = ("contest", "title", "game", "format", "entrants", "when")
    return Table(Phrase("Contests"), columns, rows)


def _when(line: ContestLine, today: date) -> Phrase:
    """Return when a contest starts at the latest, or ends."""
    if line.state == Phase.OPEN and line.starts_at is not None:
        return Phrase("starts by {day}", day=short_day_phrase(last_day(line.starts_at), today))
    if line.state == Phase.RUNNING and line.ends_at is not None:
        return Phrase("ends on {day}", day=short_day_phrase(last_day(line.ends_at), today))
    return _STATES[Phase(line.state)]


def list_contests(
    game: str = "",
    which: str = "",
    *,
    player: Player | None = None,
    before: int = 0,
    most: int = MAX_LISTED,
) -> tuple[ContestLine, ...]:
    """Return contests, the newest first.

    Args:
        which: `open`, `running` or `ended`; "" for those that have not ended.
        before: Only numbers below this; 0 for all.
    """
    states = [Phase(which)] if which else GOING_ON
    contests = Contest.objects.filter(state__in=states)
    if game:
        contests = contests.filter(game=game)
    if player is not None:
        own = ContestEntry.objects.filter(contest=OuterRef("pk"), player=player)
        contests = contests.filter(Exists(own))
    if before:
        contests = contests.filter(pk__lt=before)
    newest = contests.annotate(entrants=Count("entries")).order_by("-pk")[:most]
    return tuple(
        ContestLine(
            number=contest.pk,
            name=contest.name,
            game=contest.game,
            options=contest.options,
            format=contest.format,
            state=contest.state,
            entrants=contest.entrants,
            most=contest.law["most"],
            starts_at=contest.starts_at,
            ends_at=contest.ends_at,
        )
        for contest in newest
    )


def show(command: ShowContest, request: Request) -> Table:
    """Return the table of a contest, or another part of it."""
    held = contest_log.read(contest_log.find(command.number))
    names = userids_of(held)
    match command.part:
        case "boards":
            return _boards_table(held, names)
        case "law":
            return _law_table(held)
        case "log":
            return _log_table(held)
    return shown_table(held, names, request.now)


def shown_table(held: Held, names: Mapping[int, str], now: datetime) -> Table:
    """Return the table of a contest, headed by what it is and how far it has come.

    The games stand in it where they fit within a mail beside each other.
    """
    rows = held.format.table(held.state)
    order = [row.entrant.number for row in rows]
    is_over = held.state.phase is Phase.ENDED
    left = [(_span(row.place, row.shared_to), names[row.entrant.number]) for row in rows]
    games = [tuple(games_words(held, row.entrant.number, other) for other in order) for row in rows]
    right = [
        (
            f"{row.points:.1f}",
            f"{row.berger:.2f}",
            *(() if is_over else (_reachable(row.best, row.worst),)),
        )
        for row in rows
    ]
    ends = ("points", "SB", *(() if is_over else ("can end",)))
    columns = ("place", "player", *map(str, range(1, len(rows) + 1)), *ends)
    cells = [(*one, *two, *three) for one, two, three in zip(left, games, right, strict=True)]
    if not fits(columns, cells):
        columns = ("place", "player", *ends)
        cells = [(*one, *three) for one, three in zip(left, right, strict=True)]
    return Table(_heading(held, now), columns, tuple(cells))


def view_contest(number: int) -> ContestFacts:
    """Return a contest as programs read it.

    Raises:
        UserError: There is none of this number.
    """
    held = contest_log.read(contest_log.find(number))
    contest, state, names = held.contest, held.state, userids_of(held)
    rows = held.format.table(state)
    order = [row.entrant.number for row in rows]
    return ContestFacts(
        number=contest.pk,
        name=contest.name,
        format=contest.format,
        game=contest.game,
        options=contest.options,
        terms=write_terms(contest.terms),
        law=contest.law,
        state=state.phase,
        host=contest.host.userid if contest.host else "",
        starts_at=state.started_at or state.starts_at,
        ends_at=state.ends_at,
        entrants=tuple(names.values()),
        boards=tuple(_board_line(board, names) for board in state.boards),
        table=tuple(_row_facts(held, row, order, names) for row in rows),
    )


def view_log(number: int) -> ContestLog:
    """Return the log of a contest, with the userids of today.

    Raises:
        UserError: There is none of this number.
    """
    held = contest_log.read(contest_log.find(number))
    players = {entrant.player for entrant in held.state.entrants}
    for name in ("player", "host"):
        players |= {event.facts[name] for event in held.log if event.facts.get(name) is not None}
    userids = dict(Player.objects.filter(pk__in=players).values_list("pk", "userid"))
    return ContestLog(
        number,
        tuple(
            ContestEventFacts(
                event.number, event.kind, event.due, event.at, _named(event.facts, userids)
            )
            for event in held.log
        ),
    )


def _named(facts: Mapping[str, object], userids: Mapping[int, str]) -> dict[str, object]:
    """Return the facts of an event with userids in the place of the keys of players."""
    named = dict(facts)
    for name in ("player", "host"):
        if facts.get(name) is not None:
            named[name] = userids.get(facts[name], "")  # type: ignore[call-overload]
    if "order" in facts:
        named["order"] = [userids[key] for key in facts["order"]]  # type: ignore[attr-defined]
    if "table" in facts:
        named["table"] = [
            {**row, "player": userids[row["player"]]}
            for row in facts["table"]  # type: ignore[attr-defined]
        ]
    return named


def userids_of(held: Held) -> Mapping[int, str]:
    """Return the userids of the entrants by number."""
    players = [entrant.player for entrant in held.state.entrants]
    userids = dict(Player.objects.filter(pk__in=players).values_list("pk", "userid"))
    return {entrant.number: userids[entrant.player] for entrant in held.state.entrants}


def games_words(held: Held, number: int, other: int) -> str:
    """Return the games of an entrant against another one, a sign each."""
    if number == other:
        return SELF
    pair = {number, other}
    signs = [_sign(board, number) for board in held.state.boards if set(board.numbers) == pair]
    waiting = sum(set(pairing.numbers) == pair for pairing in held.format.to_come(held.state))
    return "".join(signs) + TO_COME * waiting or TO_COME


def _sign(board: ContestGame, number: int) -> str:
    if board.is_closed:
        return ANNULLED
    if board.scores is None:
        return RUNNING
    score = board.scores[board.numbers.index(number)]
    return (_PLAYED if board.is_played else _UNPLAYED).get(score, f"{score:g}")


def _row_facts(held: Held, row: Row, order: Sequence[int], names: Mapping[int, str]) -> ContestRow:
    return ContestRow(
        userid=names[row.entrant.number],
        place=row.place,
        shared_to=row.shared_to,
        games=tuple(games_words(held, row.entrant.number, other) for other in order),
        points=row.points,
        sb=row.berger,
        best=row.best,
        worst=row.worst,
    )


def _board_line(board: ContestGame, names: Mapping[int, str]) -> ContestBoardLine:
    result = "" if board.scores is None else _RESULTS.get(board.scores[0], "")
    players = tuple(names[number] for number in board.numbers)
    return ContestBoardLine(board.key, board.board, players, result)


@dataclass(frozen=True)
class PageCell:
    """The games of an entrant against another one: pairs of a sign and a board, or None."""

    games: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class PageRow:
    """A row of the table as its page shows it; places and figures in words."""

    place: str
    userid: str
    is_bot: bool
    is_out: bool
    is_own: bool
    cells: tuple[PageCell, ...]
    points: str
    berger: str
    reachable: str


@dataclass(frozen=True)
class ContestPage:
    """A contest as its page shows it.

    Attributes:
        title: The heading of its table.
        numbers: The places that head the columns; empty when there are too many entrants.
        is_over: Its table is the final one.
        host: Who made it; "" for the server.
    """

    number: int
    name: str
    game: str
    game_title: str
    title: str
    state: str
    host: str
    entrants: tuple[str, ...]
    rows: tuple[PageRow, ...]
    numbers: tuple[int, ...]
    law: tuple[str, ...]
    is_over: bool
    may_join: bool
    may_leave: bool
    may_start: bool
    may_close: bool


def view_page(number: int, viewer: Player | None, now: datetime) -> ContestPage:
    """Return a contest as a page shows it to a viewer.

    Raises:
        UserError: There is none of this number.
    """
    held = contest_log.read(contest_log.find(number))
    contest, state = held.contest, held.state
    players = Player.objects.in_bulk([entrant.player for entrant in state.entrants])
    own = state.entrant_of(viewer.pk) if viewer is not None else None
    rows = held.format.table(state)
    order = [row.entrant.number for row in rows]
    columns = () if len(order) > MAX_COLUMNS else order
    is_open = state.phase is Phase.OPEN
    is_host = viewer is not None and contest.host == viewer
    return ContestPage(
        number=contest.pk,
        name=contest.name,
        game=contest.game,
        game_title=load(contest.game).info.title,
        title=_heading(held, now, _what(contest)),
        state=state.phase,
        host=contest.host.userid if contest.host else "",
        entrants=tuple(players[entrant.player].userid for entrant in state.entrants),
        rows=tuple(
            PageRow(
                place=_span(row.place, row.shared_to),
                userid=players[row.entrant.player].userid,
                is_bot=players[row.entrant.player].is_bot,
                is_out=row.entrant.is_out,
                is_own=row.entrant is own,
                cells=tuple(_page_cell(held, row.entrant.number, other) for other in columns),
                points=f"{row.points:.1f}",
                berger=f"{row.berger:.2f}",
                reachable=_reachable(row.best, row.worst),
            )
            for row in rows
        ),
        numbers=tuple(range(1, len(columns) + 1)),
        law=law_sentences(contest.law, contest.terms),
        is_over=state.phase is Phase.ENDED,
        may_join=is_open and own is None and len(state.entrants) < state.law.most,
        may_leave=own is not None and not own.is_out and state.phase in GOING_ON,
        may_start=is_open and is_host and len(state.entrants) >= state.law.least,
        may_close=is_open and is_host,
    )


def _page_cell(held: Held, number: int, other: int) -> PageCell:
    if number == other:
        return PageCell(((SELF, None),))
    pair = {number, other}
    games = [
        (_sign(game, number), game.board) for game in held.state.boards if set(game.numbers) == pair
    ]
    waiting = sum(set(pairing.numbers) == pair for pairing in held.format.to_come(held.state))
    return PageCell((*games, *((TO_COME, None),) * waiting))


@dataclass(frozen=True)
class ContestView:
    """A contest as its letters show it.

    Attributes:
        what: What is played: `Druid -size=8, round robin`.
        starts, ends: The last day of entry, and the end date.
        law: A sentence for each clause.
    """

    number: int
    name: str
    what: str
    starts: str
    ends: str
    law: tuple[str, ...]
    table: Table
    boards: tuple[ContestBoardLine, ...]


def view_for_letter(number: int, now: datetime) -> ContestView:
    """Return a contest as it stands when a letter about it is worded."""
    held = contest_log.read(contest_log.find(number))
    contest, state, names = held.contest, held.state, userids_of(held)
    assert state.starts_at is not None  # every contest has dates
    assert state.ends_at is not None
    return ContestView(
        number=contest.pk,
        name=contest.name,
        what=_what(contest),
        starts=day_phrase(last_day(state.starts_at), now.date()),
        ends=day_phrase(last_day(state.ends_at), now.date()),
        law=law_sentences(contest.law, contest.terms),
        table=shown_table(held, names, now),
        boards=tuple(_board_line(board, names) for board in state.boards),
    )


def own_boards(view: ContestView, player: Player) -> Table:
    """Return the boards of an entrant, and who moves first at each."""
    rows = tuple(
        (str(line.board), other, line.players[0], f"{settings.SARSEN_URL}/boards/{line.board}/")
        for line in view.boards
        if player.userid in line.players
        for other in [line.players[line.players[0] == player.userid]]
    )
    return Table(Phrase("Your games"), ("board", "opponent", "moves first", "address"), rows)


def userid_of(player: int) -> str:
    """Return the userid of a player, as it is today."""
    return str(Player.everyone.values_list("userid", flat=True).get(pk=player))


def _title(contest: Contest) -> Phrase:
    return Phrase(
        "Contest {number}, {name}: {what}",
        number=contest.pk,
        name=contest.name,
        what=_what(contest),
    )


def _what(contest: Contest) -> Phrase:
    """Return what is played; of a game whose value is known it says so (E32)."""
    game = f"{load(contest.game).info.title} {contest.options}".strip()
    kind = FORMAT_NAMES[contest.format]
    if contest.law.get("value") is None:
        return Phrase("{game}, {format}", game=game, format=kind)
    return Phrase("{game}, {format}, solved", game=game, format=kind)


def _heading(held: Held, now: datetime, title: Phrase | None = None) -> Phrase:
    """Return what a contest is, and how far it has come.

    Args:
        title: What it is; None for its number, name, game and format.
    """
    state, title = held.state, title or _title(held.contest)
    today = now.date()
    match state.phase:
        case Phase.OPEN:
            assert state.starts_at is not None  # an open contest has dates
            return Phrase(
                "{title}, open until {day}. {count} of {most} have joined.",
                title=title,
                day=day_phrase(last_day(running.filled_at(state) or state.starts_at), today),
                count=len(state.entrants),
                most=state.law.most,
            )
        case Phase.RUNNING:
            assert state.ends_at is not None
            all_boards = len(state.boards) + len(held.format.to_come(state))
            return Phrase(
                "{title}, running until {day}. {count} of {boards} boards are over.",
                title=title,
                day=day_phrase(last_day(state.ends_at), today),
                count=sum(not board.is_running for board in state.boards),
                boards=all_boards,
            )
        case Phase.ENDED:
            return Phrase("{title}. Final table.", title=title)
        case Phase.CLOSED:
            return Phrase("{title}. It was closed before it started.", title=title)


def last_day(end: datetime) -> date:
    """Return the day that ends at an instant: dates are days of UTC that end at 24:00 (E4)."""
    return (end.astimezone(UTC) - timedelta(seconds=1)).date()


def _boards_table(held: Held, names: Mapping[int, str]) -> Table:
    title = Phrase("Boards of contest {number}", number=held.contest.pk)
    lines = [_board_line(game, names) for game in held.state.boards]
    rows = tuple(
        (str(line.board or ""), *line.players, line.result or _no_result(game))
        for line, game in zip(lines, held.state.boards, strict=True)
    )
    return Table(title, ("board", "player", "opponent", "result"), rows)


def _no_result(game: ContestGame) -> Phrase:
    return Phrase("running") if game.is_running else Phrase("does not count")


def _law_table(held: Held) -> Table:
    title = Phrase("Law of contest {number}", number=held.contest.pk)
    sentences = law_sentences(held.contest.law, held.contest.terms)
    return Table(title, ("law",), tuple((sentence,) for sentence in sentences))


def _log_table(held: Held) -> Table:
    title = Phrase("Log of contest {number}", number=held.contest.pk)
    keys = {event.facts["player"] for event in held.log if "player" in event.facts}
    userids = dict(Player.everyone.filter(pk__in=keys).values_list("pk", "userid"))
    rows = tuple(
        (
            str(event.number),
            f"{event.due:%Y-%m-%d %H:%M}",
            _KINDS[event.kind],
            _subject(event.facts, userids),
        )
        for event in held.log
    )
    return Table(title, ("event", "due", "kind", "subject"), rows)


def _subject(facts: Mapping[str, Any], userids: Mapping[int, str]) -> str:
    """Return whom or what an event is about: a player, or a board by its key."""
    if "player" in facts:
        return userids.get(facts["player"], "")
    key = str(facts.get("key", ""))
    return f"{key} {facts['board']}" if facts.get("board") else key


def _joined(count: int, most: int) -> Phrase:
    return Phrase("{count} of {most}", count=count, most=most)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _reachable(best: int, worst: int) -> str:
    if best == worst:
        return _ordinal(best)
    if worst == best + 1:
        return Phrase("{best}, {worst}", best=_ordinal(best), worst=_ordinal(worst))
    return Phrase("{best} to {worst}", best=_ordinal(best), worst=_ordinal(worst))


def _ordinal(place: int) -> str:
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    return Phrase("{place}th", place=place)
