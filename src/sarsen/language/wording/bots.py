"""What the server's own programs say to people."""

from __future__ import annotations

from sarsen.language.translating import _

ANSWER_TO_CHAT = "I am a program of level {level}: I play, but I cannot talk. A good game to you!"
LAST_WORDS = "This is lost for me, whatever I play: you have shown it well. Thank you for the game."


def warming_words(program: str) -> str:
    """Return a text that says that a program cannot move yet, and that nothing has to be done
    about it.
    """
    text = _(
        "{program} is warming up, about a minute after the first start of this server. Its move "
        "comes by itself."
    )
    return text.format(program=program)
