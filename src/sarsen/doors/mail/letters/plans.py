"""What board letters say of their reader's plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarsen.language.replies import DroppedMove, FollowedMove
from sarsen.language.wording.plans import (
    dropped_words,
    followed_words,
    planned_words,
    uncovered_words,
)
from sarsen.services.viewing import BoardView


def chain_news(view: BoardView, news: Mapping[str, Any], reader: str) -> str:
    """Return a text that says which move set plans off, and what they played; "" when they played
    nothing.
    """
    by_plan = news.get("by_plan", ())
    moves = {move.ply: move for move in view.shown_moves}
    first = moves.get(news.get("began", 0))
    followed = [
        FollowedMove(_unless(reader, view.players[moves[ply].seat]), ply, moves[ply].text)
        for ply in by_plan
        if ply in moves
    ]
    if first is None or not followed:
        return ""
    return f"{view.players[first.seat]} played {first.text}. {followed_words(followed)}"


def own_news(view: BoardView, news: Mapping[str, Any]) -> str:
    """Return a text that says what became of the reader's own plan; "" for nothing new.

    Args:
        news: The fact `plan` of the letter; see `services.plans.following`.
    """
    dropped = [DroppedMove(text, why) for text, why in news.get("dropped", ())]
    sentences = [dropped_words(dropped)]
    if news.get("uncovered") and view.shown_moves:
        last = view.shown_moves[-1]
        sentences.append(uncovered_words(f"{last.text} by {view.players[last.seat]}"))
    if news.get("again"):
        sentences.append("Your plan holds again for the position as it stands now.")
    return " ".join(filter(None, sentences))


def standing_plan(view: BoardView) -> str:
    """Return a text that says what the reader has planned from here; "" for nothing."""
    return planned_words(view.own.plan) if view.own else ""


def _unless(reader: str, player: str) -> str:
    return "" if player == reader else player
