"""What a notice says on a device: a sentence that anybody may see on its screen."""

from __future__ import annotations

_SAID = {
    "turn": "It is your move.",
    "moved": "A move was played.",
    "started": "Your game has begun.",
    "ended": "The game is over.",
    "invitation": "Somebody challenges you.",
    "challenge": "There is news of a challenge of yours.",
    "offer": "Something is offered, or was answered.",
    "chat": "Somebody wrote at this board.",
    "reminder": "Your time is running out.",
    "plan": "A move you kept ready was played, or dropped.",
    "message": "A player has written to you.",
    "broadcast": "There are words to everybody.",
    "review": "The review of your game is done.",
    "watched": "Something happened where you watch.",
    "weekly": "Games of the week.",
}


def push_sentence(event: str) -> str:
    """Return a text that says what happened, without names of people or what they wrote."""
    return _SAID.get(event, "There is news for you.")
