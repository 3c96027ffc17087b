"""Replies in plain English sentences, the same at every door.

`sentence` says what came of a command; a file a subject registers its replies.
Boards, pictures and pages are the doors' part. See decision 0006.
"""

from sarsen.language.wording import (
    account,
    boards,
    challenges,
    clocks,
    conversations,
    messages,
    notices,
    offers,
    plans,
    reviews,
)
from sarsen.language.wording.said import sentence
from sarsen.language.wording.tables import table_text

__all__ = [
    "account",
    "boards",
    "challenges",
    "clocks",
    "conversations",
    "messages",
    "notices",
    "offers",
    "plans",
    "reviews",
    "sentence",
    "table_text",
]
