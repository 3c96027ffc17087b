"""Words about chat, notes, and boards as their player sees them."""

from __future__ import annotations

from sarsen.language.replies.conversations import (
    ChatSaid,
    NoteKept,
    NoteLine,
    NotesShown,
    OwnBoard,
    OwnBoardsShown,
)
from sarsen.language.wording.said import sentence


@sentence.register
def _chat_said(reply: ChatSaid) -> str:
    to = " and ".join(reply.to) or "nobody else"
    return f"Your words at board {reply.board} go to {to}."


@sentence.register
def _note_kept(reply: NoteKept) -> str:
    notes = "1 note" if reply.notes == 1 else f"{reply.notes} notes"
    return (
        f"Your note is kept with board {reply.board}, where you have {notes} now. Only you see "
        f"them: notes {reply.board}"
    )


@sentence.register
def _notes_shown(reply: NotesShown) -> str:
    if not reply.notes:
        return (
            f"You have no notes at board {reply.board}. To write one: "
            f"notes {reply.board} and your words"
        )
    left = reply.of - len(reply.notes)
    older = f" (and {left} older ones, in `export`)" if left else ""
    return f"Your notes at board {reply.board}{older}:\n\n{_notes(reply.notes)}"


@sentence.register
def _own_boards(reply: OwnBoardsShown) -> str:
    return "\n\n".join(filter(None, map(_own, reply.boards)))


def _own(own: OwnBoard) -> str:
    parts = []
    if own.notes:
        parts.append(f"Your notes at board {own.board}:\n\n{_notes(own.notes)}")
    if own.plan:
        parts.append(f"Your plan at board {own.board}:\n\n{_indented(own.plan)}")
    return "\n\n".join(parts)


def _notes(notes: tuple[NoteLine, ...]) -> str:
    return "\n".join(
        f"  after ply {note.ply}, {note.day}:\n{_indented(note.text)}" for note in notes
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
