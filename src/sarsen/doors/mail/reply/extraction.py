"""What a mail says: who speaks, and which line is the command."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.mail import ReadMail
from sarsen.doors.mail.receive.recipients import untagged
from sarsen.doors.mail.reply.redaction import may_quote
from sarsen.games import names
from sarsen.language.commands import (
    BY_WORD,
    TEXTS,
    Broadcast,
    ChangeAddress,
    ChangePassword,
    Command,
    ConfirmAccount,
    Help,
    SignOff,
    SignUp,
)
from sarsen.language.grammar.grammar import verb_of
from sarsen.language.grammar.move_phrases import is_phrase
from sarsen.language.grammar.sentence import Context
from sarsen.services import questions
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.reply_addresses import SignedAddress
from sarsen.services.request import Actor, Player

_BOARD_TITLE = re.compile(r"[\w' -]{1,40} board (\d{1,9})", re.IGNORECASE)
_OUR_TITLE = re.compile(r"[\w' -]{1,40} (?:board|challenge) \d{1,9}\b.*", re.IGNORECASE)
_LIKE_A_MOVE = re.compile(r"(?=.*\d)[\w;#=+-]{1,40}(?: [\w;#=+-]{1,40}){0,2}|pass|swap|resign")
# What people write above their move. Followed by anything else it is part of that.
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|hallo|moin|servus"
    r"|guten (?:morgen|tag|abend)|liebe[rs]?|bonjour|salut|hola|ciao)"
    r"(?: [^\W\d_]{1,20}){0,3} ?[,.!:]*",
    re.IGNORECASE,
)
_WRAPPINGS = "*_\"'`"
_POLITE = {"please", "thanks", "thank", "you", "very", "much", "sorry", "i", "for", "the", "game"}
# These commands give control of the account.
_OF_ACCOUNT = (ChangeAddress, ChangePassword, ConfirmAccount, SignOff)
ACCOUNT_PROOF = "account-proof"
_AGREES = {"accept", "accepted", "yes", "ok", "okay", "sure", "gladly"}


@dataclass(frozen=True)
class ParsedCommand:
    """The commands to perform.

    Attributes:
        lines: Command lines: one, or those of a `multiple`.
        notes: What else the sender should know.
        proves_account: What is known of the speaker proves more than a game of theirs.
    """

    actor: Actor
    context: Context
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    proves_account: bool = True

    def check_proof(self, command: Command) -> None:
        """Refuse what a letter about a game must not do, in case it was passed on.

        Raises:
            UserError: The answer has an address that may.
        """
        if not self.proves_account and isinstance(command, _OF_ACCOUNT):
            raise UserError(
                "A mail about a game speaks for the game, and not for your account, in case it "
                "was passed on. The address of this answer may: send it the same line.",
                code=ACCOUNT_PROOF,
                hint="Answer this mail with that line.",
            )


def hear(mail: ReadMail, local_part: str) -> ParsedCommand:
    """Find the speaker and the command line.

    Raises:
        UserError: A signed address that proves nothing.
    """
    code = reply_addresses.welcome_code(local_part)
    if code is not None:
        return ParsedCommand(Actor(address=mail.sender), Context(), (f"welcome {code}",), ())
    bearer = reply_addresses.bearer(local_part)
    if bearer is None and reply_addresses.is_signed(local_part):
        raise UserError(
            "The address you wrote to is not valid, or not any more. Nothing was changed.",
            code="reply-address",
            hint="Answer a newer mail of the board, or: GAME move BOARD USERID PASSWORD MOVE",
        )
    if bearer is not None and bearer.is_too_old:
        return _too_old(mail, bearer)
    if bearer is None:
        actor = Actor(address=mail.sender)
        line, body = _line_to_anyone(mail, local_part)
        titled = _BOARD_TITLE.fullmatch(mail.subject)
        board = int(titled[1]) if titled and line != mail.subject else None
        below = _with_paragraphs(mail, body)
        context = Context(names(), board=board, body=below, sender=mail.sender)
    else:
        seat = (bearer.board, bearer.seat) if bearer.seat is not None else None
        actor = Actor(bearer.player, seat, mail.sender)  # type: ignore[arg-type]
        line, body = _line_to_signed(mail)
        context = Context(
            games=names(),
            speaker=bearer.player.userid,
            board=bearer.board,
            ply=bearer.ply,
            event=bearer.event,
            matter=bearer.matter,
            challenge=bearer.challenge,
            asked="" if bearer.board or bearer.challenge else _asked(mail, bearer.player),
            body=_with_paragraphs(mail, body),
            sender=mail.sender,
        )
        line = _as_command(line, bearer)
    is_proof = bearer is None or bearer.proves_account
    if body and line.strip().lower() == "multiple":
        # Of several commands none may take the lines of the others for its text.
        return ParsedCommand(actor, replace(context, body=()), body, mail.notes, is_proof)
    unread = () if _takes_lines_below(line) else _unread(body)
    return ParsedCommand(actor, context, (line,), mail.notes + unread, is_proof)


def _too_old(mail: ReadMail, bearer: SignedAddress) -> ParsedCommand:
    """Do nothing of what a mail to an old address says; its player is shown how things stand."""
    line = "account" if bearer.board is None else f"show {bearer.board}"
    context = Context(names(), speaker=bearer.player.userid, board=bearer.board)
    note = (
        "The address you wrote to is too old to speak for you, and nothing else was done. That "
        "of this mail is new: answer it with your line."
    )
    return ParsedCommand(Actor(bearer.player, None, mail.sender), context, (line,), (note,))


def _asked(mail: ReadMail, player: Player) -> str:
    """Return what the server asks a player, if this mail answers the letter that asks it.

    A yes to any other letter must not close an account, or send a broadcast.
    """
    verb = "".join(mail.subject.lower().split()[:1]).rstrip(":.")
    command = BY_WORD.get(verb)
    asked = questions.only_one(player)
    asks = {"signoff": SignOff, "forget": SignOff, "broadcast": Broadcast}
    return asked if command is asks.get(asked) else ""


def _line_to_signed(mail: ReadMail) -> tuple[str, tuple[str, ...]]:
    """Take the first line of an answer; its subject only if that is a command by itself."""
    if mail.subject.lower() == "multiple" or _is_text_of_subject(mail):
        return mail.subject, mail.lines
    if mail.lines:
        lines = _without_greeting(mail.lines)
        return _unwrapped(lines[0]), lines[1:]
    return ("" if _OUR_TITLE.fullmatch(mail.subject) else _unwrapped(mail.subject)), ()


def _is_text_of_subject(mail: ReadMail) -> bool:
    """Return whether a new mail, no answer, says `message bob` in its subject, and what below."""
    return not mail.is_answer and bool(mail.lines) and _takes_lines_below(mail.subject)


def _line_to_anyone(mail: ReadMail, local_part: str) -> tuple[str, tuple[str, ...]]:
    """Take the subject, unless only the first line looks like a command."""
    game = untagged(local_part) if untagged(local_part) in names() else ""
    subject_is_title = _OUR_TITLE.fullmatch(mail.subject) is not None
    lines = _without_greeting(mail.lines)
    first = _unwrapped(lines[0]) if lines else ""
    if is_command(mail.subject) and not (subject_is_title and first):
        line, body = mail.subject, mail.lines
    elif first and (is_command(first) or not mail.subject or subject_is_title):
        line, body = first, lines[1:]
    else:
        line, body = mail.subject or first, mail.lines
    # A mail to druid@ need not say "druid" again.
    if game and is_command(line) and line.split()[0].lower() not in (*names(), "help"):
        line = f"{game} {line}"
    return line, body


def _with_paragraphs(mail: ReadMail, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the last lines of a mail with the empty rows between them."""
    left = len(mail.lines) - len(lines)
    at = 0
    while left:
        left -= bool(mail.rows[at])
        at += 1
    return mail.rows[at:]


def _without_greeting(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out a greeting above a command or a move."""
    if len(lines) < 2 or not _GREETING.fullmatch(lines[0]) or is_command(lines[0]):
        return lines
    second = _unwrapped(lines[1]).rstrip(" .,!")
    is_move = _LIKE_A_MOVE.fullmatch(second.lower()) or is_phrase(second)
    return lines[1:] if is_command(second) or is_move else lines


def _unwrapped(line: str) -> str:
    """Take a line out of the quotes, or the stars of bold type, around the whole of it."""
    while len(line) > 2 and line[0] == line[-1] and line[0] in _WRAPPINGS:
        if line[0] in line[1:-1].strip(line[0]):
            break
        line = line[1:-1].strip()
    return line


def _as_command(line: str, bearer: SignedAddress) -> str:
    """Return words that say of the grammar what people answer in words of their own."""
    words: list[str] = re.findall(r"[\w']+", line.lower())
    if "resign" in words and set(words) <= {"resign", *_POLITE}:
        return "resign"
    if bearer.challenge is not None and set(words) & _AGREES and set(words) <= _AGREES | _POLITE:
        return "accept"
    if bearer.challenge is not None:
        return re.sub(r"^no\b[,.!;]+ *", "no ", line, flags=re.IGNORECASE)
    if words[:1] in (["yes"], ["no"]) and set(words[1:]) <= _POLITE:
        return words[0]
    return line


def is_command(line: str) -> bool:
    """Return whether a line begins as a command does."""
    words = line.lower().split()
    if not words:
        return False
    if words[0] in names():
        return len(words) > 1
    calls = words[0] in BY_WORD or verb_of(words[0]) in Help.words
    return calls or " ".join(words[:2]) in BY_WORD


def check_addresses(command: Command) -> None:
    """Refuse a sign-up to what may be a password with an @ in it: nothing is sent there.

    Raises:
        UserError: One of the addresses is none.
    """
    if isinstance(command, SignUp) and not all(map(_is_whole, command.addresses)):
        raise UserError(
            "One of the words with an @ is not a mail address, and a password cannot have an @ "
            "in it here.",
            code="address-form",
            hint="signup USERID PASSWORD ann@example.org",
        )


def _is_whole(address: str) -> bool:
    host, dot, top = address.rpartition("@")[2].rstrip(">,;").rpartition(".")
    return bool(host and dot and top.isalpha())


def _takes_lines_below(line: str) -> bool:
    """Return whether a command's text may go on in the lines below it."""
    words = [word.rstrip(":.") for word in line.lower().split()[:2]]
    verb = words[1] if len(words) > 1 and words[0] in names() else "".join(words[:1])
    return BY_WORD.get(verb) in TEXTS


def _unread(body: tuple[str, ...]) -> tuple[str, ...]:
    """Report lines below the command that look like further commands."""
    left = [line for line in body if _LIKE_A_MOVE.fullmatch(line.lower()) or is_command(line)]
    if not left:
        return ()
    # Not quoted unless it is a bare move: a command may hold a password.
    moves = [line for line in left if len(line.split()) == 1 and may_quote(line)]
    shown = f" Not read: {'; '.join(moves[:3])}." if moves else ""
    return (
        f"Only the first line was read as a command.{shown} "
        "To send several, write `multiple` first.",
    )
