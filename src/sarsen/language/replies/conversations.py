"""Replies about words at a board, and about boards as their player sees them."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.replies.boards import ShownBoard


@dataclass(frozen=True)
class ChatSaid:
    """Words went to these players of a board."""

    board: int
    to: tuple[str, ...]


@dataclass(frozen=True)
class NoteKept:
    """Private words are kept with a board; so many in all."""

    board: int
    notes: int


@dataclass(frozen=True)
class NoteLine:
    """One note: how many moves had been played, the day, and the words."""

    ply: int
    day: str
    text: str


@dataclass(frozen=True)
class NotesShown:
    """The speaker's notes of a board, the newest so many of them."""

    board: int
    notes: tuple[NoteLine, ...]
    of: int


@dataclass(frozen=True)
class OwnBoard:
    """A board with what only the speaker may see of it.

    Attributes:
        ply: How many plies to show; None for all.
        notes: The newest of his notes.
        plan: His moves kept ready, as he would type them; "" for none.
    """

    board: int
    ply: int | None
    notes: tuple[NoteLine, ...]
    plan: str = ""


@dataclass(frozen=True)
class OwnBoardsShown:
    """Boards as the speaker sees them."""

    boards: tuple[OwnBoard, ...]

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return tuple(ShownBoard(own.board, own.ply) for own in self.boards)


ConversationReply = ChatSaid | NoteKept | NotesShown | OwnBoardsShown
