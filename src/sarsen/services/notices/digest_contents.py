"""The contents of a digest: items folded into entries by the current state. No database here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarsen.services.notices.channels import Event

MAX_ENTRIES = 200  # of one digest, so that it can be read; it says how many are left out
MAX_SAID = 10  # of one board, the newest words: the board itself has all
# Said by the state of the board, or not worth saying once the board has moved on.
_ABOUT_MY_MOVE = frozenset({str(Event.TURN), str(Event.REMINDER)})
FAR_FUTURE = "9999"


@dataclass(frozen=True)
class WaitingNotice:
    """One notice that waited.

    Attributes:
        kind, facts: Of the letter it would have been.
        board: None when it is about none.
        at: When it happened, in ISO form.
    """

    event: str
    kind: str
    facts: Mapping[str, Any]
    board: int | None
    at: str

    @property
    def challenge(self) -> int | None:
        number = self.facts.get("challenge")
        is_invitation = self.event == Event.INVITATION and isinstance(number, int)
        return number if is_invitation else None


@dataclass(frozen=True)
class BoardState:
    """A board as it now stands.

    Attributes:
        due_at: In ISO form; "" when no clock runs.
        offer: What one side has asked the other, as `Match.offer` keeps it, or None.
        scores: By seat; () while it runs.
    """

    number: int
    game: str
    player_ids: tuple[int, ...]
    players: tuple[str, ...]
    ply: int
    seat_to_move: int
    due_at: str
    offer: Mapping[str, Any] | None
    reason: str
    scores: tuple[float, ...]
    is_over: bool


@dataclass(frozen=True)
class ChallengeState:
    """A challenge as it now stands.

    Attributes:
        by: Who made it, or "".
        waiting_for: The ids of players who were named and have not agreed.
    """

    number: int
    game: str
    by: str
    names: tuple[str, ...]
    waiting_for: frozenset[int]
    is_open: bool


def digest_facts(
    player: int,
    items: Sequence[WaitingNotice],
    boards: Mapping[int, BoardState],
    challenges: Mapping[int, ChallengeState],
) -> dict[str, Any]:
    """Fold a player's items into the facts of one letter, their own moves first.

    Settled items are left out: a board that waits for another, a challenge that
    does not wait for this player.
    """
    entries = [
        *_board_entries(player, items, boards),
        *_invitation_entries(player, items, challenges),
        *_other_entries(items),
    ]
    entries.sort(key=_sort_key)
    left_out = max(len(entries) - MAX_ENTRIES, 0)
    return {"entries": entries[:MAX_ENTRIES], "left_out": left_out}


def _sort_key(entry: Mapping[str, Any]) -> tuple[int, str]:
    if entry["about"] == "board" and entry["is_mine"]:
        return 0, entry["due_at"] or FAR_FUTURE
    if entry["about"] == "invitation" or entry.get("asked"):
        return 1, ""
    return 2, ""  # the sort is stable: as they came


def _board_entries(
    player: int, items: Sequence[WaitingNotice], boards: Mapping[int, BoardState]
) -> list[dict[str, Any]]:
    by_board: dict[int, list[WaitingNotice]] = {}
    for item in items:
        if item.board is not None:
            by_board.setdefault(item.board, []).append(item)
    entries = []
    for number, board_items in by_board.items():
        state = boards.get(number)
        if state is None:
            continue
        is_mine = not state.is_over and state.player_ids[state.seat_to_move] == player
        left_out = frozenset() if is_mine else _ABOUT_MY_MOVE
        news = [item for item in board_items if item.event not in left_out]
        # An end is said by the result, however it was noticed.
        if news or state.is_over:
            entries.append(_board_entry(player, state, news, is_mine=is_mine))
    return entries


def _board_entry(
    player: int, state: BoardState, news: Sequence[WaitingNotice], *, is_mine: bool
) -> dict[str, Any]:
    chat = [item.facts for item in news if item.event == Event.CHAT]
    return {
        "about": "board",
        "board": state.number,
        "game": state.game,
        "players": list(state.players),
        "ply": state.ply,
        "is_mine": is_mine,
        "is_watched": player not in state.player_ids,
        "mover": "" if state.is_over else state.players[state.seat_to_move],
        "due_at": state.due_at,
        "asked": _open_offer(player, state),
        "result": state.reason,
        "winner": state.players[state.scores.index(1.0)] if 1.0 in state.scores else "",
        "is_over": state.is_over,
        "events": dict(Counter(item.event for item in news)),
        "said": [[facts.get("by", ""), facts.get("text", "")] for facts in chat[-MAX_SAID:]],
    }


def _open_offer(player: int, state: BoardState) -> str:
    """Return what the others ask of a player at a board: `draw`, `undo`, or ""."""
    offer = state.offer
    if offer is None or state.is_over or not offer["is_open"]:
        return ""
    own_seats = {seat for seat, key in enumerate(state.player_ids) if key == player}
    return str(offer["kind"]) if own_seats - set(offer["agreed"]) else ""


def _invitation_entries(
    player: int, items: Sequence[WaitingNotice], challenges: Mapping[int, ChallengeState]
) -> list[dict[str, Any]]:
    numbers = dict.fromkeys(item.challenge for item in items if item.challenge is not None)
    entries = []
    for number in numbers:
        state = challenges.get(number)
        if state is not None and state.is_open and player in state.waiting_for:
            entries.append(
                {
                    "about": "invitation",
                    "challenge": state.number,
                    "game": state.game,
                    "by": state.by,
                    "names": list(state.names),
                }
            )
    return entries


def _other_entries(items: Sequence[WaitingNotice]) -> list[dict[str, Any]]:
    return [
        {
            "about": "other",
            "event": item.event,
            "kind": item.kind,
            "facts": dict(item.facts),
            "at": item.at,
        }
        for item in items
        if item.board is None and item.challenge is None
    ]
