"""After a move: the answers that players have queued are played at once.

All in the transaction of the move that set it off, each move judged and recorded as if
it had been typed. Both sides may have plans; a bound ends the chain in any case.
"""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.language.replies import DroppedMove, FollowedMove
from sarsen.services.board_cache import RuledMove
from sarsen.services.matches import matches
from sarsen.services.plans import stored_trees
from sarsen.services.plans.stored_trees import has_plan_after, played_path_of, store
from sarsen.services.plans.tree import (
    VariationTree,
    decode,
    follow,
    planned_answers,
    planned_reply,
    unmark,
    with_full_text,
)
from sarsen.services.request import BoardEvent, Chain, Request
from sarsen.storage import move_path
from sarsen.storage.models import Match, MatchEvent, Plan

# Moves played at once, one after another: two plans may answer each other for ever.
MAX_FOLLOWED = 50


def follow_event(event: BoardEvent) -> Chain:
    """Play what is planned after a move, or find out which plans hold after a taking back."""
    match = event.match
    if event.kind == MatchEvent.Kind.UNDO:
        return Chain(match.ply, holding=_update_plans(match))
    if event.kind != MatchEvent.Kind.MOVE:
        return Chain(match.ply)
    rows = [] if match.has_plans is False else move_path.active_plans(match.pk)
    if not rows:
        return Chain(match.ply)
    return _PlanChain(match, rows, event.request).run()


def _update_plans(match: Match) -> frozenset[int]:
    """Find out which plans hold after moves were taken back; return the ids of their players."""
    path = played_path_of(match).path
    holding = []
    for plan in Plan.objects.filter(match=match).order_by("pk"):
        plan.is_active = has_plan_after(decode(plan.tree), path)
        plan.save(update_fields=["is_active"])
        if plan.is_active:
            holding.append(plan.player_id)
    return frozenset(holding)


class _Plan:
    """One player's tree while moves are played, and where in it the board stands."""

    def __init__(self, row: Plan, path: list[str]) -> None:
        self.row = row
        self.tree: VariationTree = decode(row.tree)
        self.at = self.tree.find(path)
        self.dropped: list[DroppedMove] = []
        self.is_uncovered = False

    def walk(self, text: str, path: list[str], position: AnyPosition) -> None:
        """Go down by one move that was played, `path` before it and `position` after."""
        self.is_uncovered = False
        if self.at is None:
            return
        was_planned = bool(planned_answers(self.tree, self.at))
        most = len(path) + stored_trees.MAX_MOVES
        self.tree, self.at = follow(self.tree, self.at, text, most=most)
        has_reply = self.at is not None and planned_reply(self.tree, self.at) is not None
        self.is_uncovered = was_planned and not has_reply
        if self.at is not None:
            self._settle(self.at, position)

    def drop(self, at: int, refusal: UserError, before: str = "") -> None:
        """Plan a move no more, nor what comes after it; the variation stays."""
        self.dropped.append(DroppedMove(before + self.tree.nodes[at].text, refusal.text))
        self.tree = unmark(self.tree, at)

    def _settle(self, at: int, position: AnyPosition) -> None:
        """Bring the answers awaited here to their full forms, now that they can be judged."""
        while True:
            loose = [
                index for index in planned_answers(self.tree, at) if self.tree.nodes[index].is_loose
            ]
            if not loose:
                return
            try:
                ruling = judge(position, self.tree.nodes[loose[0]].text)
            except UserError as refusal:
                self.drop(loose[0], refusal, "if ")
            else:
                self.tree = with_full_text(self.tree, loose[0], ruling.text)


class _PlanChain:
    """Play one chain of planned moves."""

    def __init__(self, match: Match, rows: list[Plan], request: Request) -> None:
        self.match = match
        self.request = request
        self.began = match.ply
        self.path = list(played_path_of(match).path)
        self.plans = {row.player_id: _Plan(row, self.path[:-1]) for row in rows}
        self.players = [seat.player_id for seat in match.seat_rows]
        self.followed: list[FollowedMove] = []

    def run(self) -> Chain:
        match, boards = self.match, self.request.boards
        position = boards.position_played(match.game, match.position)
        position = position or matches.position_of(match)
        self._walk(position)
        while len(self.followed) < MAX_FOLLOWED:
            ruling = self._next(position)
            if ruling is None:
                break
            position = ruling.position
            matches.record_move(self.match, ruling, self.request)
            self.path.append(ruling.text)
            self._walk(position)
        for plan in self.plans.values():
            store(plan.row, plan.tree, tuple(self.path), self.request.now)
        plans = self.plans.items()
        return Chain(
            self.began,
            tuple(self.followed),
            {player: tuple(plan.dropped) for player, plan in plans if plan.dropped},
            frozenset(player for player, plan in plans if plan.is_uncovered),
        )

    def _walk(self, position: AnyPosition) -> None:
        *before, text = self.path
        for plan in self.plans.values():
            plan.walk(text, before, position)

    def _next(self, position: AnyPosition) -> RuledMove | None:
        """Judge what the player to move has planned; None when nothing is played."""
        plan = self.plans.get(self.players[self.match.seat_to_move])
        if plan is None or plan.at is None or self.match.ended_at is not None:
            return None
        reply = planned_reply(plan.tree, plan.at)
        if reply is None:
            return None
        try:
            ruling = self.request.boards.judge_from(position, plan.tree.nodes[reply].text)
        except UserError as refusal:
            plan.drop(reply, refusal)
            return None
        plan.tree = with_full_text(plan.tree, reply, ruling.text)
        owner = plan.row.player.userid
        self.followed.append(FollowedMove(owner, self.match.ply + 1, ruling.text))
        return ruling
