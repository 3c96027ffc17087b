"""The command `queue`: moves kept ready for what may come."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling, judge
from sarsen.language.commands import QueueMoves
from sarsen.language.plans import EXAMPLE, MAX_QUEUED, PlanLine, PlanText, read_plan
from sarsen.language.replies import PlanForgotten, PlanKept, PlanPublished, PlanReply, PlanShown
from sarsen.services.limits import daily
from sarsen.services.matches import matches, moves
from sarsen.services.matches.moves import Participant, check_running, lock_as_participant
from sarsen.services.plans import exploring
from sarsen.services.plans.stored_trees import (
    PlayedPath,
    check_depth,
    load,
    plan_after,
    played_path_of,
    save,
)
from sarsen.services.plans.tree import (
    ANY,
    ROOT,
    VariationTree,
    add,
    add_path,
    count_variations,
    mark,
    planned_reply,
    unmark,
)
from sarsen.services.request import Request

_FORGETS = frozenset({"off", "none", "clear"})
_PUBLISHES = {"publish": True, "unpublish": False}


def queue(command: QueueMoves, request: Request) -> PlanReply:
    """Plan, show, forget or publish moves ahead at a board."""
    participant = lock_as_participant(
        command.board, command.game, request, "queue|TEXT", running=False
    )
    word = command.text.strip().lower().rstrip(".!")
    if word in _PUBLISHES:
        return _publish(participant, _PUBLISHES[word], request)
    if not word:
        return _show(participant)
    if word in _FORGETS:
        return _forget(participant, request)
    check_running(participant.match)
    moves.check_present(participant.match, command)
    return _plan(participant, command.text, request)


def _plan(participant: Participant, text: str, request: Request) -> PlanKept:
    """Replace the plan by a new one; what is due now is played."""
    match, player = participant.match, participant.player
    _check_length(text, match.pk)
    daily.check(player, "plan", request.now)
    plan_text = _with_first_move(participant, read_plan(text))
    plan, tree = load(match, player)
    grounds = played_path_of(match)
    tree, first = _with_plan(unmark(tree, ROOT), plan_text, participant, grounds)
    save(plan, tree, grounds, request.now)
    if not first:
        return PlanKept(match.pk, plan_after(tree, grounds.path))
    # What was laid after the move must be known as active before it is played.
    plan.is_active = True
    plan.save(update_fields=["is_active"])
    played = moves.play_text(participant, first, request)
    plan, tree = load(match, player)
    return PlanKept(match.pk, plan_after(tree, played_path_of(match).path), played)


def _with_plan(
    tree: VariationTree, plan_text: PlanText, participant: Participant, grounds: PlayedPath
) -> tuple[VariationTree, str]:
    """Return the tree with a plan in it, and the full form of the move to play now."""
    match = participant.match
    everybody = match.seats.count()
    owner = Owner(participant.seats, has_all=len(participant.all_seats) == everybody)
    own_moves = (seat in participant.all_seats for seat in grounds.seats)
    tree, at = add_path(tree, grounds.path, own_moves)
    position = matches.position_of(match)
    first = ""
    if plan_text.first:
        ruling = judge_planned_move(position, plan_text.first, plan_text.first)
        first, position = ruling.text, ruling.position
        tree, at = add(tree, at, first, is_mine=True)
    check_depth(_length(plan_text))
    return add_lines(tree, at, plan_text.lines, position, owner), first


def _with_first_move(participant: Participant, written: PlanText) -> PlanText:
    """Read the first move by whose turn it is: played now, or the answer to anything."""
    match = participant.match
    is_due = match.seat_to_move in participant.seats
    if is_due and not written.first:
        raise UserError(
            "It is your turn on board {board}: begin with the move that you play now.",
            code="plan-your-turn",
            hint=f"queue {match.pk} MOVE; if {written.lines[0].answer or 'any'} then "
            f"{written.lines[0].reply}",
            board=match.pk,
        )
    if not is_due and written.first:
        return PlanText("", (PlanLine("", written.first, written.lines),))
    return written


def _length(plan: PlanText) -> int:
    """Count the moves of the longest line."""

    def deepest(lines: tuple[PlanLine, ...]) -> int:
        return max((2 + deepest(line.then) for line in lines), default=0)

    return deepest(plan.lines) + bool(plan.first)


def _show(participant: Participant) -> PlanShown:
    match = participant.match
    _, tree = load(match, participant.player)
    path = played_path_of(match).path
    plan = "" if match.ended_at else plan_after(tree, path)
    return PlanShown(match.pk, plan, count_variations(tree, path))


def _forget(participant: Participant, request: Request) -> PlanForgotten:
    match = participant.match
    plan, tree = load(match, participant.player)
    grounds = played_path_of(match)
    former = plan_after(tree, grounds.path)
    if plan.pk:
        save(plan, unmark(tree, ROOT), grounds, request.now)
    return PlanForgotten(match.pk, former)


def _publish(participant: Participant, is_public: bool, request: Request) -> PlanPublished:
    exploring.publish(participant.match.pk, participant.player, request.now, is_public=is_public)
    return PlanPublished(participant.match.pk, is_public)


def _check_length(text: str, board: int) -> None:
    longest = MAX_QUEUED
    if len(text) > longest:
        raise UserError(
            "A plan has at most {most} characters; this one has {count}. Nothing was planned.",
            code="plan-too-long",
            hint=f"queue {board} {EXAMPLE}",
            most=longest,
            count=len(text),
        )


@dataclass(frozen=True)
class Owner:
    """The player of a plan, and the seats whose moves it may hold.

    Attributes:
        seats: Their seats.
        has_all: They play against themselves.
    """

    seats: tuple[int, ...]
    has_all: bool

    def moves(self, position: AnyPosition) -> bool:
        """Return whether it is their turn."""
        return position.seat in self.seats


def add_lines(
    tree: VariationTree,
    at: int,
    lines: tuple[PlanLine, ...],
    position: AnyPosition | None,
    owner: Owner,
) -> VariationTree:
    """Plan some lines after a node.

    Args:
        position: At the node; None where it depends on an answer that is not known.

    Raises:
        UserError: Names the item and the rule that refuses it.
    """
    for line in lines:
        item = f"if {line.answer or ANY} then {line.reply}"
        answer, after_answer = _answer(line, position, item, owner)
        is_loose = answer != ANY and after_answer is None
        tree, answer_at = add(tree, at, answer, is_mine=False, is_loose=is_loose)
        if planned_reply(tree, answer_at) is not None:
            raise UserError(
                "In `{item}`: there is another reply to {answer} already. Nothing was planned.",
                code="plan-twice",
                item=_short(item),
                answer=answer,
            )
        reply, after_reply = _reply(line, after_answer, item, owner)
        tree, reply_at = add(tree, answer_at, reply, is_mine=True, is_loose=after_answer is None)
        tree = add_lines(mark(tree, at, reply_at), reply_at, line.then, after_reply, owner)
    return tree


def judge_planned_move(position: AnyPosition, text: str, item: str) -> Ruling:
    """Judge one move of a plan.

    Raises:
        UserError: What the referee says, with the item it is about.
    """
    try:
        return judge(position, text)
    except UserError as refusal:
        error = UserError(
            "{move}: {refusal} Nothing was planned."
            if item == text
            else "In `{item}`, {move}: {refusal} Nothing was planned.",
            code=refusal.code,
            hint=refusal.hint,
            item=_short(item),
            move=_short(text),
            refusal=refusal.text,
        )
        raise error from None


def _answer(
    line: PlanLine, position: AnyPosition | None, item: str, owner: Owner
) -> tuple[str, AnyPosition | None]:
    if position is None:
        return line.answer or ANY, None
    if position.outcome() is not None:
        raise UserError(
            "In `{item}`: the game is over before it. Nothing was planned.",
            code="plan-over",
            item=_short(item),
        )
    if owner.moves(position) and not owner.has_all:
        raise UserError(
            "In `{item}`: it is your turn again then, not the other side's. Nothing was planned.",
            code="plan-turn",
            item=_short(item),
        )
    if not line.answer:
        return ANY, None
    ruling = judge_planned_move(position, line.answer, item)
    return ruling.text, ruling.position


def _reply(
    line: PlanLine, position: AnyPosition | None, item: str, owner: Owner
) -> tuple[str, AnyPosition | None]:
    if position is None:
        return line.reply, None
    if position.outcome() is None and not owner.moves(position):
        raise UserError(
            "In `{item}`: after {answer} it is not your turn. Nothing was planned.",
            code="plan-turn",
            item=_short(item),
            answer=line.answer,
        )
    ruling = judge_planned_move(position, line.reply, item)
    return ruling.text, ruling.position


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]} …"
