"""Letters that carry players' words: messages and broadcasts."""

from __future__ import annotations

from sarsen.doors.mail.composing import Letter
from sarsen.services import signing
from sarsen.services.outbox import DueLetter


def message(due: DueLetter) -> Letter:
    assert due.player is not None  # messages go to players
    sender, to = due.facts["from"], due.facts["to"]
    also = [name for name in to if name != due.player.userid]
    others = f" (also to {', '.join(also)})" if also else ""
    text = (
        f"{sender} writes to you{others}:\n\n"
        f"{due.facts['text']}\n\n"
        f"To answer, begin with the line\n\n    message {sender}: your words\n\n"
        "Nobody sees your address. To hear no more from this player: "
        f"refuse {sender}"
    )
    return Letter(f"A message from {sender}", text, reply_to=signing.player_address(due.player))


def broadcast(due: DueLetter) -> Letter:
    assert due.player is not None  # broadcasts go to players
    sender = due.facts["from"]
    who = f"{sender}, who operates this server," if due.facts.get("is_operator") else sender
    text = (
        f"{who} writes to everybody here:\n\n"
        f"{due.facts['text']}\n\n"
        f"To answer this player alone: message {sender}: your words"
    )
    return Letter(f"To everybody, from {sender}", text, reply_to=signing.player_address(due.player))
