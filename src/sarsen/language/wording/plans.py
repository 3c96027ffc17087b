"""Words about plans."""

from __future__ import annotations

from collections.abc import Sequence

from sarsen.language.replies import (
    DroppedMove,
    FollowedMove,
    PlanForgotten,
    PlanKept,
    PlanPublished,
    PlanShown,
    Previewed,
)
from sarsen.language.translating import _
from sarsen.language.wording.refusals import reworded
from sarsen.language.wording.said import sentence

MOST_DROPPED = 5  # named one by one in a letter


@sentence.register
def _previewed(reply: Previewed) -> str:
    if not reply.plan:
        return ""
    return f"Nothing is played. To plan this line: queue {reply.board} {reply.plan}"


@sentence.register
def _plan_kept(reply: PlanKept) -> str:
    played = sentence(reply.played) if reply.played else ""
    plan = planned_words(reply.plan) if reply.plan else "Nothing of the plan is left to wait."
    forget = f"To forget it: queue {reply.board} off" if reply.plan else ""
    return "\n".join(filter(None, (played, plan, forget)))


@sentence.register
def _plan_shown(reply: PlanShown) -> str:
    kept = ""
    if reply.variations:
        moves = "1 move" if reply.variations == 1 else f"{reply.variations} moves"
        kept = f"Your variations there hold {moves}."
    if reply.plan:
        return f"Board {reply.board}. {planned_words(reply.plan)}\n{kept}".strip()
    return f"Nothing is planned on board {reply.board} for how it stands now. {kept}".strip()


@sentence.register
def _plan_forgotten(reply: PlanForgotten) -> str:
    if not reply.plan:
        return f"Nothing was planned on board {reply.board}."
    return f"The plan for board {reply.board} is forgotten. It was: {reply.plan}."


@sentence.register
def _plan_published(reply: PlanPublished) -> str:
    if reply.is_public:
        return (
            f"Your variations and comments at board {reply.board} are there for everybody to see. "
            f"To take them back: queue {reply.board} unpublish"
        )
    return f"Your variations at board {reply.board} are yours alone again."


def planned_words(plan: str) -> str:
    """Return a text that says what is planned: `Planned: if e4 then f5.`"""
    return f"Planned: {plan}." if plan else ""


def followed_words(followed: Sequence[FollowedMove]) -> str:
    """Return a text that says which moves were played by plans: `bob's queued answer e4 was played
    at once.`
    """
    sentences = []
    for move in followed:
        whose = f"{move.player}'s" if move.player else "Your"
        sentences.append(
            f"{whose} queued answer {move.text} was played at once, as ply {move.ply}."
        )
    return " ".join(sentences)


def dropped_words(dropped: Sequence[DroppedMove]) -> str:
    """Return a text that says what was taken out of the reader's plan, and why."""
    said = _("Dropped from your plan, with what was planned after it: {move}. {why}")
    sentences = [
        said.format(move=move.text, why=reworded(move.why)) for move in dropped[:MOST_DROPPED]
    ]
    left = len(dropped) - MOST_DROPPED
    more = [_("And {count} more.").format(count=left)] if left > 0 else []
    return " ".join([*sentences, *more])


def uncovered_words(answer: str) -> str:
    """Return a text that says that a plan has no line for what was played."""
    return f"Your plan does not cover {answer}; it waits no more."
