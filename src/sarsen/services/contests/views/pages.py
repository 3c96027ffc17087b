"""The page of a contest, with what its visitor may do there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.games import load
from sarsen.language.contests.law import law_sentences
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import downtimes, seasons, seats
from sarsen.services.contests.course.proving import proved_boards
from sarsen.services.contests.inviting import is_invited, may_join
from sarsen.services.contests.log import Held
from sarsen.services.contests.settled import is_settled
from sarsen.services.contests.state import GOING_ON, PLAYED, Phase
from sarsen.services.contests.views.happenings import SHOWN, Happening, happenings
from sarsen.services.contests.views.ladders import LadderLine, lines_of
from sarsen.services.contests.views.wording import (
    crosstable_of,
    decimal,
    heading,
    places_among_people,
    played_in_words,
    reachable,
    span,
    tiers_of,
    title_of,
    waiting_userids,
)
from sarsen.services.ratings.reliability import reliability_of, reliability_words
from sarsen.storage.models import Player

MAX_JOINED = 100  # names of those who have joined that a page shows before the start
MAX_LOGGED = 20  # events on the page; the API has all
MAX_COLUMNS = 16  # entrants whose games a page shows beside each other


@dataclass(frozen=True)
class PageRow:
    """A row of the table as its page shows it; places and figures in words.

    Attributes:
        reliability: Per cent of games not lost on time; "" under ten games.
        cells: The games against each entrant, or each game of a match: signs with boards, or None.
    """

    place: str
    userid: str
    is_bot: bool
    is_out: bool
    is_own: bool
    cells: tuple[tuple[tuple[str, int | None], ...], ...]
    points: str
    berger: str
    reliability: str
    reachable: str
    among_people: int | None


@dataclass(frozen=True)
class ContestPage:
    """A contest as its page shows it.

    Attributes:
        title: The heading of its table.
        numbers: Those that head the columns: the places, or the games of a match; empty when there
            are too many entrants.
        has_berger: It has a column for Sonneborn-Berger.
        more: How many have joined whose names are left out.
        tier, tiers: The tier whose table is shown, and how many there are.
        has_seasons: It is a season of a league; `before` and `following` are the numbers of those
            beside it, None where there is none.
        has_people_places: Programs make up the number, and places among people stand beside.
        proofs: The boards where a win is proved.
        has_places: It has begun; else only those who have joined are shown.
        is_over: Its table is the final one.
        is_settled: No open game can change the places that matter.
        days_moved: By downtimes of the server, its end date.
        waiting: Userids of those who wait for a seat.
        may_join: Before the start, or in the place of a program; `may_wait` for a seat else.
        may_decline: It is a match for the viewer, who has not answered yet.
        host: Who made it; "" for the server.
        log: What happened last, the newest first.
        ladder: The places of a ladder, which has no other table.
    """

    number: int
    name: str
    format: str
    game: str
    game_title: str
    title: str
    state: str
    host: str
    entrants: tuple[str, ...]
    rows: tuple[PageRow, ...]
    log: tuple[Happening, ...]
    numbers: tuple[int, ...]
    has_berger: bool
    more: int
    tier: int
    tiers: range
    has_seasons: bool
    before: int | None
    following: int | None
    law: tuple[str, ...]
    has_people_places: bool
    proofs: tuple[int, ...]
    has_places: bool
    is_over: bool
    is_settled: bool
    days_moved: int
    waiting: tuple[str, ...]
    may_join: bool
    may_wait: bool
    may_leave: bool
    may_decline: bool
    may_start: bool
    may_close: bool
    ladder: tuple[LadderLine, ...] = ()


def view_page(
    number: int, viewer: Player | None, now: datetime, tier: int | None = None
) -> ContestPage:
    """Return a contest as a page shows it to a viewer.

    Args:
        tier: Which to show; None for the viewer's own, else the highest.

    Raises:
        UserError: There is none of this number.
    """
    held = contest_log.read_to_show(contest_log.find(number))
    contest, state = held.contest, held.state
    is_ladder = held.format.is_endless
    own = state.entrant_of(viewer.pk) if viewer is not None else None
    is_in = own is not None and not (own.is_out and is_ladder)
    waits = viewer is not None and viewer.pk in state.waiting
    is_welcome = may_join(contest, viewer)
    is_running = state.phase is Phase.RUNNING
    shown = own.tier if own else 1
    if tier is not None and tier in tiers_of(held):
        shown = tier
    tables = [] if is_ladder else held.format.tables(state, {shown})
    rows = tuple(row for table in tables for row in table)
    left_out = max(len(rows) - MAX_JOINED, 0) if state.phase is Phase.OPEN else 0
    rows = rows[: len(rows) - left_out]
    players = Player.objects.in_bulk([row.entrant.player for row in rows])
    reliability = reliability_of(players)
    order = [row.entrant.number for row in rows]
    crosstable = crosstable_of(held)
    people = places_among_people(held, rows)
    columns = () if len(order) > MAX_COLUMNS else order
    lists_games = held.format.lists_games
    cells = {
        number: tuple(
            (game,) for other in order if other != number for game in crosstable.cell(number, other)
        )
        if lists_games
        else tuple(crosstable.cell(number, other) for other in columns)
        for number in order
    }
    has_seasons = held.format.has_seasons
    before = seasons.before(contest) if has_seasons else None
    following = seasons.next_of(contest) if has_seasons else None
    is_open = state.phase is Phase.OPEN
    is_host = viewer is not None and contest.host == viewer
    may_close = is_host or (viewer is not None and viewer.is_staff)
    return ContestPage(
        number=contest.pk,
        name=title_of(contest),
        format=contest.format,
        game=contest.game,
        game_title=load(contest.game).info.title,
        title=heading(held, now, played_in_words(contest)),
        state=state.phase,
        host=contest.host.userid if contest.host else "",
        entrants=tuple(players[row.entrant.player].userid for row in rows),
        rows=tuple(
            PageRow(
                place=span(row.place, row.shared_to),
                userid=players[row.entrant.player].userid,
                is_bot=players[row.entrant.player].is_bot,
                is_out=row.entrant.is_out,
                is_own=row.entrant is own,
                cells=cells[row.entrant.number],
                points=decimal(row.points, 1),
                berger=decimal(row.berger, 2),
                reliability=reliability_words(known) if known is not None else "",
                reachable=reachable(row),
                among_people=people.get(row.entrant.number),
            )
            for row in rows
            for known in [reliability[row.entrant.player]]
        ),
        log=happenings(held, now, MAX_LOGGED, SHOWN),
        numbers=tuple(range(1, max(map(len, cells.values()), default=0) + 1)),
        has_berger=not lists_games,
        more=left_out,
        tier=shown,
        tiers=tiers_of(held),
        has_seasons=has_seasons,
        before=before.pk if before else None,
        following=following.pk if following else None,
        law=law_sentences(contest.law, contest.terms),
        has_people_places=bool(people),
        proofs=proved_boards(contest.pk) if _may_have_proofs(held, now) else (),
        has_places=state.phase in PLAYED,
        is_over=state.phase is Phase.ENDED,
        is_settled=not is_ladder
        and state.phase is Phase.RUNNING
        and is_settled(held.format, state, rows),
        days_moved=downtimes.days_moved(held.log),
        waiting=waiting_userids(held),
        may_join=not is_in
        and is_welcome
        and (is_open or (is_running and (is_ladder or seats.program_seat(held) is not None))),
        may_wait=not is_ladder
        and own is None
        and not waits
        and is_welcome
        and seats.may_become_free(state),
        may_leave=waits or (own is not None and not own.is_out and state.phase in GOING_ON),
        may_decline=viewer is not None and is_invited(held, viewer),
        may_start=is_open and is_host and len(state.entrants) >= state.law.least,
        may_close=(is_open or (is_ladder and is_running)) and may_close,
        ladder=lines_of(held, viewer, now) if is_ladder else (),
    )


def _may_have_proofs(held: Held, now: datetime) -> bool:
    """Return whether a win may have been asked for: at the end date, or behind a loss on time."""
    ends_at = held.state.ends_at
    is_at_end = ends_at is not None and now >= ends_at
    return is_at_end or any(result.by_time for result in held.results.values())
