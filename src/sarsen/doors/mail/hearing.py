"""What a mail says: who speaks, and which line is the command."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.doors.mail.reading import ReadMail
from sarsen.games import names
from sarsen.language.commands import BY_WORD
from sarsen.language.sentence import Context
from sarsen.services import signing
from sarsen.services.call import Actor

_BOARD_TITLE = re.compile(r"[\w' -]{1,40} board (\d{1,9})", re.IGNORECASE)
_OUR_TITLE = re.compile(r"[\w' -]{1,40} (?:board|challenge) \d{1,9}\b.*", re.IGNORECASE)
_LIKE_A_MOVE = re.compile(r"(?=.*\d)[\w;#=+-]{1,40}(?: [\w;#=+-]{1,40}){0,2}|pass|swap|resign")


@dataclass(frozen=True)
class Heard:
    """Say what is to be performed.

    Attributes:
        lines: Command lines: one, or those of a `multiple`.
        notes: What else the sender should know.
    """

    actor: Actor
    context: Context
    lines: tuple[str, ...]
    notes: tuple[str, ...]


def hear(mail: ReadMail, local_part: str) -> Heard:
    """Find the speaker and the command line.

    Raises:
        UserError: A signed address that proves nothing.
    """
    code = signing.welcome_code(local_part)
    if code is not None:
        return Heard(Actor(address=mail.sender), Context(), (f"welcome {code}",), ())
    bearer = signing.bearer(local_part)
    if bearer is None and signing.is_signed(local_part):
        raise UserError(
            "The address you wrote to is not valid, or not any more. Nothing was changed.",
            code="reply-address",
            hint="Answer a newer mail of the board, or: GAME move BOARD USERID PASSWORD MOVE",
        )
    if bearer is None:
        actor = Actor(address=mail.sender)
        line, body = _line_to_anyone(mail, local_part)
        titled = _BOARD_TITLE.fullmatch(mail.subject)
        board = int(titled[1]) if titled and line != mail.subject else None
        context = Context(names(), board=board, body=body, sender=mail.sender)
    else:
        seat = (bearer.board, bearer.seat) if bearer.seat is not None else None
        actor = Actor(bearer.player, seat, mail.sender)  # type: ignore[arg-type]
        line, body = _line_to_signed(mail)
        context = Context(
            games=names(),
            speaker=bearer.player.userid,
            board=bearer.board,
            ply=bearer.ply,
            challenge=bearer.challenge,
            body=body,
            sender=mail.sender,
        )
    if line.strip().lower() == "multiple":
        return Heard(actor, context, body, mail.notes)
    return Heard(actor, context, (line,), mail.notes + _unread(body))


def _line_to_signed(mail: ReadMail) -> tuple[str, tuple[str, ...]]:
    """Take the first line of an answer; its subject only if that is a command by itself."""
    if mail.subject.lower() == "multiple":
        return mail.subject, mail.lines
    if mail.lines:
        return mail.lines[0], mail.lines[1:]
    return ("" if _OUR_TITLE.fullmatch(mail.subject) else mail.subject), ()


def _line_to_anyone(mail: ReadMail, local_part: str) -> tuple[str, tuple[str, ...]]:
    """Take the subject, unless only the first line looks like a command."""
    game = local_part.lower() if local_part.lower() in names() else ""
    subject_is_title = _OUR_TITLE.fullmatch(mail.subject) is not None
    first = mail.lines[0] if mail.lines else ""
    if _is_command(mail.subject) and not (subject_is_title and first):
        line, body = mail.subject, mail.lines
    elif first and (_is_command(first) or not mail.subject or subject_is_title):
        line, body = first, mail.lines[1:]
    else:
        line, body = mail.subject or first, mail.lines
    # A mail to druid@ need not say "druid" again.
    if game and _is_command(line) and line.split()[0].lower() not in (*names(), "help"):
        line = f"{game} {line}"
    return line, body


def _is_command(line: str) -> bool:
    words = line.lower().split()
    if not words:
        return False
    if words[0] in names():
        return len(words) > 1
    return words[0] in BY_WORD or words[:2] == ["all", "show"]


def _unread(body: tuple[str, ...]) -> tuple[str, ...]:
    """Report lines below the command that look like further commands."""
    left = [line for line in body if _LIKE_A_MOVE.fullmatch(line.lower()) or _is_command(line)]
    if not left:
        return ()
    # Not quoted unless it is a bare move: a command may hold a password.
    moves = [line for line in left if len(line.split()) == 1]
    shown = f" Not read: {'; '.join(moves[:3])}." if moves else ""
    return (
        f"Only the first line was read as a command.{shown} "
        "To send several, write `multiple` first.",
    )
