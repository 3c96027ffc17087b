"""Contests as programs read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sarsen.core.errors import UserError
from sarsen.language.contests.facts import (
    ContestEventFacts,
    ContestFacts,
    ContestLog,
    ContestRow,
)
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.inviting import WITH
from sarsen.services.contests.settled import is_settled
from sarsen.services.contests.state import Phase
from sarsen.services.contests.table import Row
from sarsen.services.contests.views.wording import (
    Crosstable,
    board_line,
    crosstable_of,
    places_among_people,
    userids_of,
    waiting_userids,
)
from sarsen.services.matches.proofs import is_proof
from sarsen.services.matches.terms import write_terms
from sarsen.services.ratings.reliability import reliability_of
from sarsen.storage.models import Contest, ContestBoard, Player


def view_contest(number: int) -> ContestFacts:
    """Return a contest as programs read it.

    Raises:
        UserError: There is none of this number.
    """
    held = contest_log.read(contest_log.find(number))
    contest, state, names = held.contest, held.state, userids_of(held)
    rows = held.format.table(state) if state.phase is not Phase.CLOSED else ()
    crosstable = crosstable_of(held)
    tiers: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        if not held.format.is_endless:  # who met whom there changes places, and is no table
            tiers[row.tier].append(row.entrant.number)
    people = places_among_people(held, rows)
    reliability = reliability_of([entrant.player for entrant in state.entrants])
    return ContestFacts(
        number=contest.pk,
        name=contest.name,
        format=contest.format,
        season=contest.season,
        game=contest.game,
        options=contest.options,
        terms=write_terms(contest.terms),
        law=_law_facts(contest),
        state=state.phase,
        host=contest.host.userid if contest.host else "",
        starts_at=state.started_at or state.entry_ends_at,
        ends_at=state.ends_at,
        entrants=tuple(names.values()),
        reliability=tuple(reliability[entrant.player] for entrant in state.entrants),
        boards=tuple(board_line(board, names) for board in state.boards),
        table=tuple(_row_facts(crosstable, row, tiers[row.tier], names, people) for row in rows),
        waiting=waiting_userids(held),
        forecast=contest.forecast_at,
        is_settled=is_settled(held.format, state, rows),
    )


def _law_facts(contest: Contest) -> dict[str, Any]:
    """Return the law with a userid for the key of the player whom a match is for."""
    invited = Player.everyone.filter(pk=contest.law.get(WITH)).first()
    return contest.law if invited is None else {**contest.law, WITH: invited.userid}


def _row_facts(
    crosstable: Crosstable,
    row: Row,
    order: Sequence[int],
    names: Mapping[int, str],
    people: Mapping[int, int],
) -> ContestRow:
    return ContestRow(
        userid=names[row.entrant.number],
        place=row.place,
        shared_to=row.shared_to,
        games=tuple(crosstable.signs(row.entrant.number, other) for other in order),
        points=row.points,
        sb=row.berger,
        best=row.best,
        worst=row.worst,
        tier=row.tier,
        among_people=people.get(row.entrant.number),
    )


def view_log(number: int) -> ContestLog:
    """Return the log of a contest, with the userids of today.

    Raises:
        UserError: There is none of this number.
    """
    held = contest_log.read(contest_log.find(number))
    players = {entrant.player for entrant in held.state.entrants}
    players |= {key for event in held.log for key in event.facts.get("order", ())}
    for name in ("player", "host", "substitute"):
        players |= {event.facts[name] for event in held.log if event.facts.get(name) is not None}
    userids = dict(Player.everyone.filter(pk__in=players).values_list("pk", "userid"))
    return ContestLog(
        number,
        tuple(
            ContestEventFacts(
                event.number, event.kind, event.due, event.at, _named(event.public_facts, userids)
            )
            for event in held.log
        ),
    )


def view_proof(number: int, board: int) -> str:
    """Return the proof of a win at a board of a contest: answers, a line a position.

    Raises:
        UserError: There is no such contest, or no proof of the board.
    """
    contest = contest_log.find(number)
    row = ContestBoard.objects.filter(contest=contest, match=board).first()
    if row is None or not is_proof(row.proof):
        raise UserError(
            "No win is proven at board {board} of contest {number}.",
            code="no-proof",
            hint=f"contest {number} boards",
            board=board,
            number=number,
        )
    return row.proof


def _named(facts: Mapping[str, Any], userids: Mapping[int, str]) -> dict[str, object]:
    """Return the facts of an event with userids in the place of the keys of players."""
    # An operator speaks for the server; host and players are told no name either.
    named = {name: value for name, value in facts.items() if name != "by"}
    for name in ("player", "host", "substitute"):
        if facts.get(name) is not None:
            named[name] = userids.get(facts[name], "")
    if "order" in facts:
        named["order"] = [userids[key] for key in facts["order"]]
    if "table" in facts:
        named["table"] = [{**row, "player": userids[row["player"]]} for row in facts["table"]]
    if "finishes" in facts:
        named["finishes"] = [
            {"player": userids[player], "tier": tier, "place": place, "wish": wish}
            for player, tier, place, wish in facts["finishes"]
        ]
    return named
