"""Contests as their letters show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from sarsen.core.phrases import Phrase
from sarsen.language.contests.facts import ContestBoardLine
from sarsen.language.contests.law import law_sentences
from sarsen.language.grammar.dates import day_phrase
from sarsen.language.ratings import Table
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.tables import shown_table
from sarsen.services.contests.wording import (
    board_line,
    last_day,
    names_of,
    userids_of,
    what_is_played,
)
from sarsen.storage.models import Player


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
        what=what_is_played(contest),
        starts=day_phrase(last_day(state.starts_at), now.date()),
        ends=day_phrase(last_day(state.ends_at), now.date()),
        law=law_sentences(contest.law, contest.terms),
        table=shown_table(held, names_of(held), now),
        boards=tuple(board_line(board, names) for board in state.boards),
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
