"""Replies in plain sentences."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.doors.mail.boards import board_text
from sarsen.language.replies import (
    AddressConfirmed,
    Answer,
    BoardsShown,
    ChallengeEnded,
    ChallengeStands,
    HelpPage,
    Moved,
    Previewed,
    Refusal,
    Reply,
    ResignAsked,
    Resigned,
    Several,
    SignupAsked,
    Table,
    Tables,
)
from sarsen.services.call import Player
from sarsen.services.viewing import BoardView, view_board

RULE = "\n\n" + "-" * 60 + "\n\n"


def answer_text(answer: Answer, viewer: Player | None) -> str:
    """Word one answer, with the command it belongs to above it."""
    said = reply_text(answer.reply, viewer)
    return f"> {answer.line}\n\n{said}" if answer.line else said


def reply_text(reply: Reply | Refusal, viewer: Player | None) -> str:
    """Word a reply."""
    match reply:
        case Refusal():
            hint = f"\n\n    {reply.hint}" if reply.hint else ""
            return f"Nothing was changed: {reply.text} [{reply.code}]{hint}"
        case HelpPage():
            return f"{reply.title}\n{'=' * len(reply.title)}\n\n{reply.text.strip()}"
        case Table():
            return table_text(reply)
        case Tables():
            return "\n\n".join(table_text(table) for table in reply.tables) or "Nothing yet."
        case Several():
            return RULE.join(answer_text(answer, viewer) for answer in reply.answers)
        case BoardsShown() | Previewed() | Moved() | Resigned():
            return _with_boards(reply, viewer)
        case ChallengeStands(board=int()):
            return _with_boards(reply, viewer)
        case _:
            return sentence(reply)


def sentence(
    reply: SignupAsked | AddressConfirmed | ChallengeStands | ChallengeEnded | ResignAsked,
) -> str:
    """Word a reply that shows no board."""
    match reply:
        case SignupAsked():
            return (
                f"Welcome, {reply.userid}. A mail is on its way to {', '.join(reply.addresses)}; "
                "answer it, and the account is yours."
            )
        case AddressConfirmed():
            return f"The address is confirmed for {reply.userid}."
        case ChallengeStands():
            return challenge_text(reply)
        case ChallengeEnded():
            return f"Challenge {reply.number} is {reply.how}."
        case ResignAsked():
            return (
                f"Do you mean to resign board {reply.board}? Answer this mail with `yes` "
                "and it is done. If you do nothing, the game goes on."
            )


def challenge_text(stands: ChallengeStands) -> str:
    """Word a challenge: started, or waiting for whom."""
    game = f"{stands.game} {stands.options}".strip()
    players = " v ".join(stands.names)
    if stands.board is not None:
        return (
            f"{game}, {players}: the game has started as board {stands.board}. "
            f"{stands.names[0]} moves first."
        )
    waiting = " and ".join(stands.waiting_for)
    return (
        f"Challenge {stands.number}: {game}, {players}. It starts when {waiting} accepts. "
        f"To take it back: withdraw {stands.number}"
    )


def table_text(table: Table) -> str:
    """Write a table in columns as wide as they need."""
    if not table.rows:
        return f"{table.title}\n\n  none"
    rows = [table.columns, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([table.title, "", *("  " + line for line in lines)])


def boards_of(reply: object, viewer: Player | None) -> list[BoardView]:
    """Give the boards that a reply shows."""
    match reply:
        case Moved() | Resigned():
            return [view_board(reply.board, reply.ply, viewer=viewer)]
        case Previewed():
            return [view_board(reply.board, reply.ply, viewer=viewer, tried=reply.moves)]
        case ChallengeStands(board=int(board)):
            return [view_board(board, 0, viewer=viewer)]
        case BoardsShown():
            return [view_board(number, ply, viewer=viewer) for number, ply in reply.boards]
        case _:
            return []


def _with_boards(
    reply: BoardsShown | Previewed | Moved | Resigned | ChallengeStands, viewer: Player | None
) -> str:
    try:
        boards = RULE.join(board_text(view) for view in boards_of(reply, viewer))
    except UserError as gone:
        return gone.text
    return "\n\n".join(filter(None, (lead(reply), boards)))


def lead(reply: object) -> str:
    """Say what a reply did, above the board it shows; "" when it only shows."""
    match reply:
        case Moved():
            return f"Your move {reply.text} is played, as ply {reply.ply}."
        case Resigned():
            return f"You have resigned board {reply.board}."
        case ChallengeStands():
            return challenge_text(reply)
        case _:
            return ""
