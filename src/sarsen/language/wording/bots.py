"""What the server's own programs say to people."""

from __future__ import annotations

ANSWER_TO_CHAT = "I am a program of level {level}: I play, but I cannot talk. A good game to you!"
LAST_WORDS = "This is lost for me, whatever I play: you have shown it well. Thank you for the game."
