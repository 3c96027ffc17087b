"""Extraction: who speaks in a mail, which line is the command, or whether it is only prose."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.doors.mail.addresses import untagged
from sarsen.doors.mail.parse.headings import GREETING
from sarsen.doors.mail.parse.mail import ReadMail
from sarsen.doors.mail.reply.lessons import (
    STILL_RUNS,
    game_after,
    game_of_stranger,
    lesson_answered,
    titled_lesson,
)
from sarsen.doors.mail.reply.mistakes import titled_mistake
from sarsen.doors.mail.reply.plain_answers import (
    agreement,
    as_command,
    declined_for,
    is_plain_answer,
    is_refusal,
)
from sarsen.doors.mail.reply.puzzles import puzzle_answered, titled_puzzle
from sarsen.doors.mail.reply.talk import NO_TALK, Meaning, Talk, read_talk
from sarsen.games import known_names, names
from sarsen.language.commands import (
    BY_WORD,
    Announce,
    Broadcast,
    CloseContest,
    Command,
    Help,
    LeaveContest,
    SignOff,
    SignUp,
    WithdrawFromContest,
)
from sarsen.language.grammar.grammar import verb_of
from sarsen.language.grammar.move_phrases import is_phrase, is_prose
from sarsen.language.grammar.tokens import TALK, Context, LessonContext
from sarsen.language.grammar.typography import normalise
from sarsen.language.invitations import ACCEPT, DECLINE
from sarsen.services import questions
from sarsen.services.contests import inviting
from sarsen.services.likely_passwords import is_like_a_move
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.reply_addresses import SignedAddress
from sarsen.services.notices.news import announced_challenge, last_announced_challenge
from sarsen.services.request import Actor, Player

# Subjects of letters about a board or a challenge, in each language.
_BOARD_TITLE = re.compile(r"[\w' -]{1,40} (?:board|brett) (\d{1,9})", re.IGNORECASE)
_CHALLENGE_TITLE = re.compile(
    r"[\w' -]{1,40} (?:challenge|herausforderung) (\d{1,9})", re.IGNORECASE
)
_CONTEST_TITLE = re.compile(r"(?:contest|wettbewerb) (\d{1,9})\b", re.IGNORECASE)
_NEWS = re.compile(r"<news\.(\d{1,9})@[^>]{1,255}>")  # the thread of a broadcast
# The same with anything behind it, as titles of some letters have.
_OUR_TITLE = re.compile(
    r"[\w' -]{1,40} (?:board|challenge|brett|herausforderung) \d{1,9}\b.*", re.IGNORECASE
)
# Lines below the command that were perhaps meant as one, with a digit, as moves have: the sender is
# told.
_LIKE_A_MOVE = re.compile(r"(?=.*\d)[\w;#=+-]{1,40}(?: [\w;#=+-]{1,40}){0,2}|pass|swap|resign")
_WRAPPINGS = "*_\"'`"
# Words above a name at the end, which are for nobody in particular.
_CLOSING = re.compile(
    r"(?:with |kind |best |warm |many |mit |viele |liebe |beste |herzliche |schöne |freundlichen )*"
    r"(?:regards|wishes|greetings|cheers|thanks|yours|grüße|grüßen|gruß|gruss|mfg|vg|lg)\b",
    re.IGNORECASE,
)
ACCOUNT_PROOF = "account-proof"


@dataclass(frozen=True)
class MailRequest:
    """The commands that a mail asks for.

    Attributes:
        lines: Command lines: one, or those of a `multiple`.
        notes: What else the sender should know.
        proves_account: Whether what is known of the speaker proves more than a seat in a game.
        talk: What it means as a reply to what a person wrote.
        answered: The local part of the signed address of an invitation or an exercise, which alone
            knows what it is about; "" for any other.
    """

    actor: Actor
    context: Context
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    proves_account: bool = True
    talk: Talk = NO_TALK
    answered: str = ""

    def check(self, command: Command) -> None:
        """Refuse what this mail must not do.

        Raises:
            UserError: A letter about a game is no proof for the account, in case it was passed
                on; or nothing is sent to what may be a password with an @ in it.
        """
        self.talk.check(command, self.actor.player)
        if not self.proves_account and command.is_of_account:
            raise UserError(
                "A reply to a game's mail can act in that game, but not on your account, in case "
                "the mail was forwarded. To change your account, reply to this mail with the "
                "same line.",
                code=ACCOUNT_PROOF,
                hint="Reply to this mail with that line.",
            )
        if isinstance(command, SignUp) and not all(map(_is_whole, command.addresses)):
            raise UserError(
                "One of the words with an @ is not a mail address, and a password cannot contain "
                "an @ here.",
                code="address-form",
                hint="signup USERID PASSWORD ann@example.org",
            )


def mail_request(mail: ReadMail, local_part: str) -> MailRequest:
    """Find the speaker and the command line.

    Raises:
        UserError: A signed address that proves nothing.
    """
    code = reply_addresses.welcome_code(local_part)
    if code is not None:
        _check_not_refused(mail)
        return MailRequest(Actor(address=mail.sender), Context(), (f"welcome {code}",), ())
    if (code := reply_addresses.friend_code(local_part)) is not None:
        line = f"invited {code} {_answer_to_invitation(mail)}"
        actor, context = Actor(address=mail.sender), Context(known_names())
        return MailRequest(actor, context, (line,), (), answered=local_part)
    signed, talk = reply_addresses.read_signed_address(local_part), NO_TALK
    notes = mail.notes
    if signed is None and reply_addresses.is_signed(local_part):
        raise UserError(
            "The address you wrote to is not valid, or no longer valid. Nothing was changed.",
            code="reply-address",
            hint="Reply to a newer mail of the board, or: GAME move BOARD USERID PASSWORD MOVE",
        )
    if signed is not None and signed.is_too_old:
        return _too_old(mail, signed)
    if signed is None:
        actor, is_proof = Actor(address=mail.sender), True
        line, body = _line_to_anyone(mail, local_part)
        titled = _BOARD_TITLE.fullmatch(mail.subject)
        board = int(titled[1]) if titled and line != mail.subject else None
        challenged = _CHALLENGE_TITLE.fullmatch(mail.subject)
        challenge = int(challenged[1]) if challenged and line != mail.subject else None
        lesson = titled_lesson(mail.subject) if line != mail.subject else None
        if lesson is not None and _is_play(line):
            line = game_of_stranger(lesson, mail.sender)
        context = Context(
            known_names(),
            board=board,
            challenge=challenge,
            lesson=lesson,
            puzzle=titled_puzzle(mail.subject) if line != mail.subject else None,
            mistake=titled_mistake(mail.subject) if line != mail.subject else None,
            sender=mail.sender,
        )
    else:
        seat = (signed.board, signed.seat) if signed.seat is not None else None
        actor = Actor(signed.player, seat, mail.sender)  # type: ignore[arg-type]
        is_proof = signed.proves_account
        line, body = _line_to_signed(mail)
        line = as_command(_answer_to_match(mail, line, signed.player), signed)
        passes_on = signed.challenge is not None or line.startswith("contest ")
        if passes_on and DECLINE in line.split()[:2] and not any(map(_is_like_a_line, body)):
            # The others read all of a reason, not what a mail program leaves in its first row.
            line, body = " ".join((line, *body)), ()
        lesson = lesson_answered(signed, mail.subject)
        if lesson is not None and not (lesson.step or is_command(line)):
            return _without_step(mail, signed, lesson)
        begins = _line_to_play(mail, signed, lesson) if _is_play(line) else ""
        if begins:
            line = begins
            notes += (STILL_RUNS,) if lesson is not None and line.startswith("show ") else ()
        elif signed.is_talk and not _is_text_of_subject(mail):
            talk = read_talk(mail.lines, line, signed)
            if talk.meaning is Meaning.WORDS:
                line, body = talk.line, mail.lines
        context = Context(
            games=known_names(),
            speaker=signed.player.userid,
            board=signed.board,
            ply=signed.ply,
            event=signed.event,
            matter="" if signed.matter == TALK else signed.matter,
            challenge=signed.challenge,
            lesson=lesson,
            puzzle=puzzle_answered(signed, mail.subject),
            mistake=titled_mistake(mail.subject, signed.board),
            asked=_open_question(mail, signed.player) if signed.proves_account else "",
            sender=mail.sender,
        )
    if body and line.strip().lower() == "multiple":
        # Of several commands none may take the lines of the others for its text.
        lines = map(_as_written, body, filter(None, _last(mail.written, len(body))))
        return MailRequest(actor, context, tuple(lines), notes, is_proof)
    context = replace(
        context,
        body=_last(mail.rows, len(body)),
        written_body=_last(mail.written, len(body)),
    )
    line = _as_written(line, _where_written(mail, len(body)))
    unread = () if _takes_lines_below(line) else _unread(body)
    # Not that of what a person wrote: words about a refusal are not for that person.
    is_kept = signed is not None and any((signed.challenge, signed.lesson, signed.puzzle))
    answered = local_part if is_kept else ""
    return MailRequest(actor, context, (line,), notes + unread, is_proof, talk, answered)


def _check_not_refused(mail: ReadMail) -> None:
    """Refuse a no to the letter that any other words confirm.

    Raises:
        UserError: Nothing is confirmed.
    """
    line, _ = _line_to_signed(mail)
    if is_refusal(line):
        raise UserError(
            "Your reply says no, so nothing was confirmed, and nothing more happens.",
            code="confirmation-refused",
            hint="To confirm after all, reply to that mail again with yes.",
        )


def _answer_to_invitation(mail: ReadMail) -> str:
    """Return the first line of an answer to an invitation, or the word that it means."""
    line, _ = _line_to_signed(mail)
    return DECLINE if is_refusal(line) else agreement(line)


def _answer_to_match(mail: ReadMail, line: str, player: Player) -> str:
    """Return the command that a word means in a reply to the invitation to a match, or the line."""
    titled = _CONTEST_TITLE.match(mail.subject)
    if titled is None or not inviting.awaits_answer(int(titled[1]), player):
        return line
    verbs = {ACCEPT: "join", "join": "join", DECLINE: "decline"}
    if verb := verbs.get(agreement(line).lower()):
        return f"contest {verb} {titled[1]}"
    reason = declined_for(line)
    # `decline 5` is about an invitation of this number.
    if reason is not None and not reason[:1].isdigit():
        return f"contest decline {titled[1]} {reason}"
    return line


def _line_to_play(mail: ReadMail, signed: SignedAddress, lesson: LessonContext | None) -> str:
    """Return the challenge that `play` means in a reply to a letter that announces a game, or of
    a lesson.
    """
    if lesson is not None:
        return game_after(lesson, signed.player)
    for thread in mail.references:
        if named := _NEWS.fullmatch(thread):
            return announced_challenge(int(named[1]))
    # Some programs name nothing, or only the letter itself.
    return last_announced_challenge(signed.author) if signed.author else ""


def _is_play(line: str) -> bool:
    return line.lower().strip(" .!") in ("play", "spiel", "spielen")


def _without_step(mail: ReadMail, signed: SignedAddress, lesson: LessonContext) -> MailRequest:
    """Show where the lesson goes on, as the step of the letter is there no more."""
    context = Context(known_names(), speaker=signed.player.userid)
    note = Phrase("That step is no longer part of the lesson, so nothing else was done.")
    actor = Actor(signed.player, None, mail.sender)
    return MailRequest(actor, context, (f"lesson {lesson.game}",), (note,), proves_account=False)


def _too_old(mail: ReadMail, signed: SignedAddress) -> MailRequest:
    """Do nothing of what a mail to an old address says; show its player how things stand."""
    line = "account" if signed.board is None else f"show {signed.board}"
    if lesson := lesson_answered(signed, ""):
        line = f"lesson {lesson.game}"
    if puzzle := puzzle_answered(signed, ""):
        line = f"puzzle {puzzle.game}-{puzzle.puzzle}"
    context = Context(known_names(), speaker=signed.player.userid, board=signed.board)
    note = Phrase(
        "The reply address you used is too old, so nothing else was done. Send your line again "
        "as a reply to this mail: its address is new."
    )
    return MailRequest(Actor(signed.player, None, mail.sender), context, (line,), (note,))


def _open_question(mail: ReadMail, player: Player) -> str:
    """Return what the server asks a player, if this mail answers the letter that asks it.

    A yes to any other letter must not close an account, or send a broadcast.
    """
    words = mail.subject.lower().split()[:2]
    verb = "".join(words[:1]).rstrip(":.")
    command = BY_WORD.get(" ".join(words)) or BY_WORD.get(verb)
    question = questions.only_waiting_kind(player)
    commands: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(("signoff", "forget"), (SignOff,)),
        "broadcast": (Broadcast, Announce),
        "contest": (LeaveContest, WithdrawFromContest),
        "close": (CloseContest,),
    }
    return question if command in commands.get(question, ()) else ""


def _line_to_signed(mail: ReadMail) -> tuple[str, tuple[str, ...]]:
    """Take the first line of an answer; its subject only if that is a command by itself."""
    if mail.subject.lower() == "multiple" or _is_text_of_subject(mail):
        return mail.subject, mail.lines
    if mail.lines:
        lines = _without_greeting(mail.lines)
        return _unwrapped(lines[0]), lines[1:]
    # The subject of an answer is ours, unless its writer has put a command there.
    is_typed = not mail.is_answer or is_command(mail.subject)
    if _OUR_TITLE.fullmatch(mail.subject) or not is_typed:
        return "", ()
    return _unwrapped(mail.subject), ()


def _is_text_of_subject(mail: ReadMail) -> bool:
    """Return whether a new mail, no answer, says `message bob` in its subject, and what below."""
    return not mail.is_answer and bool(mail.lines) and _takes_lines_below(mail.subject)


def _line_to_anyone(mail: ReadMail, local_part: str) -> tuple[str, tuple[str, ...]]:
    """Take the subject, unless only the first line looks like a command.

    In an answer to one of our letters the subject is the line that the letter answered.
    """
    game = untagged(local_part) if untagged(local_part) in names() else ""
    subject_is_title = is_title(mail.subject)
    lines = _without_greeting(mail.lines)
    first = _unwrapped(lines[0]) if lines else ""
    is_new = not (mail.is_answer and is_command(first))
    if is_command(mail.subject) and is_new and not (subject_is_title and first):
        line, body = mail.subject, mail.lines
    elif first and (is_command(first) or not mail.subject or subject_is_title):
        line, body = first, lines[1:]
    else:
        line, body = mail.subject or first, mail.lines
    # A mail to druid@ need not say "druid" again.
    if game and is_command(line) and line.split()[0].lower() not in (*known_names(), "help"):
        line = f"{game} {line}"
    return line, body


def _last(rows: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return so many rows with words from the end, with the empty ones above and between them."""
    places = [at for at, row in enumerate(rows) if row]
    above = places[: len(places) - count]
    return rows[above[-1] + 1 :] if above else rows


def _where_written(mail: ReadMail, below: int) -> str:
    """Return the row, or the subject, above so many lines, as it was written."""
    rows = [row for row in mail.written if row]
    return rows[-below - 1] if below < len(rows) else mail.written_subject


def _as_written(line: str, written: str) -> str:
    """Return a command that takes a text with the signs that it was written with."""
    words, plain = line.split(), normalise(written).split()
    if not plain or words[-len(plain) :] != plain or not _takes_lines_below(line):
        return line
    return " ".join([*words[: -len(plain)], written.strip()])


def _without_greeting(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out a greeting above a command or a move."""
    if len(lines) < 2 or not GREETING.fullmatch(lines[0]):
        return lines
    word = lines[0].rstrip(" .,!:")
    if is_command(word) or _LIKE_A_MOVE.fullmatch(word.lower()):
        return lines  # `resign,` is no name
    second = _unwrapped(lines[1]).rstrip(" .,!")
    is_move = _LIKE_A_MOVE.fullmatch(second.lower()) or is_phrase(second)
    is_answer = is_move or is_plain_answer(second)
    return lines[1:] if is_command(second) or is_answer else lines


def _unwrapped(line: str) -> str:
    """Take a line out of the quotes, or the stars of bold type, around the whole of it."""
    while len(line) > 2 and line[0] == line[-1] and line[0] in _WRAPPINGS:
        if line[0] in line[1:-1].strip(line[0]):
            break
        line = line[1:-1].strip()
    return line


def is_title(subject: str) -> bool:
    """Return whether a subject is that of a letter of ours: of a board, a lesson, or the like."""
    is_of_board = _OUR_TITLE.fullmatch(subject) is not None
    titles = (titled_lesson, titled_puzzle, titled_mistake)
    return is_of_board or any(titled(subject) for titled in titles)


def is_command(line: str) -> bool:
    """Return whether a line begins as a command does."""
    words = line.lower().split()
    if not words:
        return False
    if words[0] in known_names():
        return len(words) > 1
    calls = words[0] in BY_WORD or verb_of(words[0]) in Help.words
    return calls or " ".join(words[:2]) in BY_WORD


def _is_whole(address: str) -> bool:
    host, dot, top = address.rpartition("@")[2].rstrip(">,;").rpartition(".")
    return bool(host and dot and top.isalpha())


def _takes_lines_below(line: str) -> bool:
    """Return whether a command's text may go on in the lines below it."""
    words = [word.rstrip(":.") for word in line.lower().split()[:2]]
    verb = words[1] if len(words) > 1 and words[0] in known_names() else "".join(words[:1])
    command = BY_WORD.get(verb)
    return command is not None and command.takes_text


def _is_like_a_line(line: str) -> bool:
    return _LIKE_A_MOVE.fullmatch(line.lower()) is not None or is_command(line)


def _is_for_a_person(row: str) -> bool:
    """Return whether a row speaks to somebody, as no closing and no footer of a firm does."""
    is_said = row.endswith(("?", "!")) or (GREETING.match(row) and not GREETING.fullmatch(row))
    return bool(is_said) and is_prose(row) and not _CLOSING.match(row)


def _unread(body: tuple[str, ...]) -> tuple[str, ...]:
    """Report lines below the command: those that look like further commands, or other words."""
    suspects = list(filter(_is_like_a_line, body))
    if not suspects and any(map(_is_for_a_person, body)):
        return (
            Phrase(
                "What you wrote below that line went to nobody. To send words to the other side "
                "of a board, begin your reply with `chat`."
            ),
        )
    if not suspects:
        return ()
    # Not quoted unless it is a bare move: a command may hold a password.
    moves = [line for line in suspects if len(line.split()) == 1 and is_like_a_move(line)]
    if not moves:
        return (
            Phrase(
                "Only the first line was read as a command. To send several, write `multiple` "
                "first."
            ),
        )
    return (
        Phrase(
            "Only the first line was read as a command. Not read: {moves}. To send several, "
            "write `multiple` first.",
            moves="; ".join(moves[:3]),
        ),
    )
