"""The tables that `contest N` shows: places, boards, law and log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sarsen.core.phrases import Phrase
from sarsen.language.contests.commands import ShowContest
from sarsen.language.contests.law import law_sentences
from sarsen.language.ratings import Table, fits
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import ContestGame, Kind, Phase, State
from sarsen.services.contests.table import Row
from sarsen.services.contests.views.ladders import list_table
from sarsen.services.contests.views.wording import (
    board_line,
    crosstable_of,
    decimal,
    heading,
    names_of,
    on_time_words,
    places_among_people,
    reachable,
    result_words,
    span,
    tiers_of,
)
from sarsen.services.request import Request
from sarsen.storage.models import Player

ON_TIME = "on time"  # the column of reliability
# The kinds of events of a log.
KINDS: Mapping[str, Phrase] = {
    Kind.MADE: Phrase("made"),
    Kind.ENTERED: Phrase("entered"),
    Kind.LEFT: Phrase("left"),
    Kind.OPENED: Phrase("opened"),
    Kind.STARTED: Phrase("started"),
    Kind.BOARD: Phrase("board"),
    Kind.PAIRED: Phrase("paired"),
    Kind.REMINDED: Phrase("reminded"),
    Kind.SUBSTITUTED: Phrase("substituted"),
    Kind.WARNED: Phrase("warned"),
    Kind.WITHDRAWN: Phrase("out"),
    Kind.LOWERED: Phrase("lowered"),
    Kind.DECIDED: Phrase("decided"),
    Kind.CORRECTED: Phrase("corrected"),
    Kind.CLOSED: Phrase("closed"),
    Kind.ENDED: Phrase("ended"),
}


def show(command: ShowContest, request: Request) -> Table:
    """Return the table of a contest, or another part of it."""
    held = contest_log.read(contest_log.find(command.number))
    names = names_of(held)
    match command.part:
        case "boards":
            return _boards_table(held, names)
        case "law":
            return _law_table(held)
        case "log":
            return _log_table(held)
    if held.format.is_endless:
        return list_table(held, request.actor.player, request.now)
    return shown_table(held, names, request.now)


def shown_table(
    held: Held, names: Mapping[int, str], now: datetime, tier: int | None = None
) -> Table:
    """Return the table of a contest, headed by what it is and how far it has come.

    The games stand in it where they fit within a mail beside each other.

    Args:
        tier: Only this one; None for all, one after another.
    """
    if held.format.is_endless:
        return list_table(held, None, now)
    if held.state.phase is Phase.CLOSED:  # nobody has a place in it
        return Table(heading(held, now), ("player",), tuple((name,) for name in names.values()))
    if tier is None and len(tiers_of(held)) > 1:
        return _all_tiers(held, names, now)
    only = None if tier is None else {tier}
    rows = [row for table in held.format.tables(held.state, only) for row in table]
    is_over = held.state.phase is Phase.ENDED
    left = [(span(row.place, row.shared_to), names[row.entrant.number]) for row in rows]
    lists_games = held.format.lists_games
    heads, games = _games(held, rows)
    right = [
        (
            decimal(row.points, 1),
            *(() if lists_games else (decimal(row.berger, 2),)),
            *(() if is_over else (reachable(row),)),
        )
        for row in rows
    ]
    if people := places_among_people(held, rows):
        right = [
            (*one, str(people.get(row.entrant.number, "")))
            for one, row in zip(right, rows, strict=True)
        ]
    ends = ("points", *(() if lists_games else ("SB",)), *(() if is_over else ("can end",)))
    ends = (*ends, *(("among people",) if people else ()))
    if on_time := on_time_words(held, [row.entrant.number for row in rows]):
        right = [(*one, on_time[row.entrant.number]) for one, row in zip(right, rows, strict=True)]
        ends = (*ends, ON_TIME)
    columns = ("rank", "player", *heads, *ends)
    cells = [(*one, *two, *three) for one, two, three in zip(left, games, right, strict=True)]
    if not fits(columns, cells):
        columns = ("rank", "player", *ends)
        cells = [(*one, *three) for one, three in zip(left, right, strict=True)]
    title, tiers = heading(held, now), len(tiers_of(held))
    if tier is not None and tiers > 1:
        title = Phrase("{title} Tier {tier} of {tiers}.", title=title, tier=tier, tiers=tiers)
    return Table(title, columns, tuple(cells))


def _games(held: Held, rows: Sequence[Row]) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    """Return the columns of a table that show its games: their heads, and their cells by row."""
    crosstable, order = crosstable_of(held), [row.entrant.number for row in rows]
    if held.format.lists_games:
        # Of a match: with the other one, where somebody has come.
        games = (
            "".join(crosstable.signs(number, other) for other in order if other != number)
            for number in order
        )
        return ("games",), [(cell,) for cell in games]
    cells = [tuple(crosstable.signs(number, other) for other in order) for number in order]
    return [str(place) for place in range(1, len(rows) + 1)], cells


def _all_tiers(held: Held, names: Mapping[int, str], now: datetime) -> Table:
    """Return the tables of all tiers one after another, without the games."""
    is_over, rows = held.state.phase is Phase.ENDED, held.format.table(held.state)
    on_time = on_time_words(held, [row.entrant.number for row in rows])
    cells = tuple(
        (
            str(row.tier),
            span(row.place, row.shared_to),
            names[row.entrant.number],
            decimal(row.points, 1),
            decimal(row.berger, 2),
            *(() if is_over else (reachable(row),)),
            *((on_time[row.entrant.number],) if on_time else ()),
        )
        for row in rows
    )
    ends = (*(() if is_over else ("can end",)), *((ON_TIME,) if on_time else ()))
    return Table(heading(held, now), ("tier", "rank", "player", "points", "SB", *ends), cells)


def _boards_table(held: Held, names: Mapping[int, str]) -> Table:
    title = Phrase("Boards of contest {number}", number=held.contest.pk)
    lines = [board_line(game, names) for game in held.state.boards]
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
    players = {entrant.player for entrant in held.state.entrants}
    players |= {
        event.facts[name]
        for event in held.log
        for name in ("player", "substitute")
        if name in event.facts
    }
    userids = dict(Player.everyone.filter(pk__in=players).values_list("pk", "userid"))
    games = {game.key: game for game in (*held.state.replaced, *held.state.boards)}
    rows = tuple(
        (
            str(event.number),
            f"{event.due:%Y-%m-%d %H:%M} UTC",
            KINDS[event.kind],
            _subject(event.facts, userids, held.state, games),
        )
        for event in held.log
    )
    return Table(title, ("event", "due", "kind", "subject"), rows)


def _subject(
    facts: Mapping[str, Any],
    userids: Mapping[int, str],
    state: State,
    games: Mapping[str, ContestGame],
) -> str:
    """Return whom or what an event is about: a player, or two with their board and its result."""
    if "substitute" in facts:
        return f"{userids.get(facts['player'], '')} {userids.get(facts['substitute'], '')}"
    if "player" in facts:
        return userids.get(facts["player"], "")
    game = games.get(facts.get("key", ""))
    if game is None:
        return ""  # it is about the contest
    first, second = (userids.get(state.by_number[one].player, "") for one in game.numbers)
    words = Phrase("{first} v {second}", first=first, second=second)
    if game.board:
        words = Phrase("{players} at board {number}", players=words, number=game.board)
    if scores := facts.get("scores"):
        words = Phrase("{what}: {result}", what=words, result=result_words(scores))
    return words
