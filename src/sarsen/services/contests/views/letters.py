"""Contests as their letters show them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from sarsen.core.phrases import Phrase
from sarsen.language.contests.facts import ContestBoardLine
from sarsen.language.contests.law import law_sentences
from sarsen.language.grammar.dates import day_phrase
from sarsen.language.ratings import Table
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import seasons
from sarsen.services.contests.course.downtimes import days_moved
from sarsen.services.contests.formats.match import PLAYERS as MATCH_PLAYERS
from sarsen.services.contests.inviting import WITH
from sarsen.services.contests.log import Held
from sarsen.services.contests.settled import deciding_games, settled_tiers
from sarsen.services.contests.state import ContestGame, Entrant, Kind, Phase
from sarsen.services.contests.views.season_view import SeasonView, view_season
from sarsen.services.contests.views.tables import shown_table
from sarsen.services.contests.views.wording import (
    beside_name,
    board_line,
    last_day,
    names_of,
    title_of,
    userids_of,
)
from sarsen.storage.models import Player


@dataclass(frozen=True)
class DecidedBoard:
    """A board of the reader that the law has decided at the end date (E16).

    Attributes:
        why: As the board has it.
    """

    board: int
    opponent: str
    result: Phrase
    why: str


@dataclass(frozen=True)
class ContestView:
    """A contest as its letters show it.

    Attributes:
        what: What is played, as far as the name does not say it: `Druid -size=8, round robin`.
        host: Who has made it; "" for the server.
        games: Between each pair.
        starts, ends: The last day of entry, and the end date; "" for a ladder.
        law: A sentence for each clause.
        game: Its name, as typed.
        has_law: An earlier letter has brought the reader the law: the invitation to a match, or
            that of the season before.
        season: Of a league, what concerns the reader.
        decided: Of the reader's boards, those that the law has decided.
        winners: Who is first, or shares that, once it is over; in a league in the reader's tier.
    """

    number: int
    name: str
    what: str
    host: str
    games: int
    starts: str
    ends: str
    law: tuple[str, ...]
    table: Table
    boards: tuple[ContestBoardLine, ...]
    game: str
    is_ladder: bool
    has_law: bool = False
    season: SeasonView | None = None
    decided: tuple[DecidedBoard, ...] = ()
    winners: tuple[str, ...] = ()
    is_match: bool = False


def view_for_letter(number: int, now: datetime, reader: Player | None = None) -> ContestView:
    """Return a contest as it stands when a letter about it is worded.

    Args:
        reader: Of a league only the table and the boards of the reader's tier are shown.
    """
    held = contest_log.read(contest_log.find(number))
    contest, state, names = held.contest, held.state, userids_of(held)
    season = view_season(held, reader, now) if reader is not None else None
    tier = season.tier if season is not None else None
    return ContestView(
        number=contest.pk,
        name=title_of(contest),
        what=beside_name(contest),
        host=contest.host.userid if contest.host else "",
        games=state.law.games,
        starts=day_phrase(last_day(state.entry_ends_at), now.date()) if state.entry_ends_at else "",
        ends=day_phrase(last_day(state.ends_at), now.date()) if state.ends_at else "",
        law=law_sentences(contest.law, contest.terms),
        table=shown_table(held, names_of(held), now, tier),
        boards=tuple(
            board_line(board, names)
            for board in (state.boards if tier is None else state.boards_by_tier.get(tier, ()))
        ),
        game=contest.game,
        is_ladder=held.format.is_endless,
        has_law=reader is not None and _has_law(held, reader),
        season=season,
        decided=tuple(_decided(held, reader, names)) if reader is not None else (),
        winners=_winners(held, tier or 1),
        is_match=state.law.most == MATCH_PLAYERS,
    )


def _has_law(held: Held, reader: Player) -> bool:
    contest = held.contest
    if contest.law.get(WITH) == reader.pk:
        return True
    before = seasons.before(contest) if held.format.has_seasons else None
    return before is not None and before.entries.filter(player=reader, is_waiting=False).exists()


def _winners(held: Held, tier: int) -> tuple[str, ...]:
    if held.state.phase is not Phase.ENDED or held.format.is_endless:
        return ()
    rows = [row for table in held.format.tables(held.state, {tier}) for row in table]
    shown = names_of(held)
    return tuple(shown[row.entrant.number] for row in rows if row.place == 1 and row.points > 0)


def _decided(held: Held, reader: Player, names: Mapping[int, str]) -> Iterator[DecidedBoard]:
    own = held.state.entrant_of(reader.pk)
    why = {one.facts["key"]: one.facts["why"] for one in held.log if one.kind == Kind.DECIDED}
    for game in held.state.boards:
        if own is not None and own.number in game.numbers and game.key in why and game.board:
            seat = game.numbers.index(own.number)
            other, result = names[game.numbers[1 - seat]], _own_result(game, seat)
            yield DecidedBoard(game.board, other, result, why[game.key])


@dataclass(frozen=True)
class TierWeek:
    """A tier of a contest as the weekly letter shows it.

    Attributes:
        is_settled: No open game can change the places that matter.
        deciding: Running games that may settle it.
    """

    table: Table
    is_settled: bool
    deciding: tuple[ContestBoardLine, ...]


@dataclass(frozen=True)
class ContestWeek:
    """A contest as the weekly letter shows it to all who play in it.

    Attributes:
        days_moved: By downtimes of the server, its end date.
        tiers: By number, with those that somebody has asked for.
    """

    number: int
    name: str
    days_moved: int
    held: Held
    names: Mapping[int, str]
    settled: Collection[int]
    tiers: dict[int, TierWeek]


def week_for_letter(number: int) -> ContestWeek:
    """Return a contest as it stands when weekly letters about it are worded."""
    held = contest_log.read(contest_log.find(number))
    rows = held.format.table(held.state)
    return ContestWeek(
        held.contest.pk,
        title_of(held.contest),
        days_moved(held.log),
        held,
        names_of(held),
        settled_tiers(held.format, held.state, rows),
        {},
    )


def tier_week(week: ContestWeek, tier: int, now: datetime) -> TierWeek:
    """Return a tier of a contest; the second time what was found at the first."""
    if tier not in week.tiers:
        held, names = week.held, week.names
        is_settled = tier in week.settled
        games = () if is_settled else deciding_games(held.format, held.state, tier)
        lines = tuple(board_line(game, names) for game in games)
        week.tiers[tier] = TierWeek(shown_table(held, names, now, tier), is_settled, lines)
    return week.tiers[tier]


def own_week(week: ContestWeek, entrant: Entrant) -> Table:
    """Return the boards of an entrant: those that run with their addresses, the others' results."""
    rows = tuple(
        (
            str(game.board or ""),
            week.names[game.numbers[1 - seat]],
            _own_result(game, seat),
            f"{settings.SARSEN_URL}/boards/{game.board}/" if game.is_running else "",
        )
        for game in week.held.state.boards
        if entrant.number in game.numbers
        for seat in [game.numbers.index(entrant.number)]
    )
    return Table(Phrase("Your games"), ("board", "opponent", "result", "address"), rows)


def _own_result(game: ContestGame, seat: int) -> Phrase:
    if game.scores is None:
        return Phrase("running") if game.is_running else Phrase("does not count")
    words = {1.0: Phrase("won"), 0.0: Phrase("lost")}
    return words.get(game.scores[seat], Phrase("drawn"))


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
