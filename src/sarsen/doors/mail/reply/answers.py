"""The answer to a mail: whether it gets one, and what the letter says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.mail import ReadMail
from sarsen.doors.mail.reply.extraction import ACCOUNT_PROOF, MailRequest, is_command
from sarsen.doors.mail.reply.prose import is_without_command, language_of
from sarsen.language.commands import MAX_LINES, Help
from sarsen.language.learning.lessons import TakeLesson
from sarsen.language.learning.puzzles import TakePuzzle
from sarsen.language.replies import (
    AddressConfirmed,
    Answer,
    ChallengeAsked,
    ChallengeStands,
    InvitationAccepted,
    InvitationDeclined,
    Moved,
    Refusal,
    Reply,
    Several,
    SignupAsked,
    encode,
)
from sarsen.language.reviews import ShowReview
from sarsen.services.board_cache import BoardCache
from sarsen.services.bots.due_boards import is_answer_near
from sarsen.services.command_lines import TOO_MANY_LINES
from sarsen.services.dispatch import perform
from sarsen.services.learning.lessons import step_refused
from sarsen.services.learning.puzzles import puzzle_refused
from sarsen.services.limits import mail_answers
from sarsen.services.limits.mail_answers import AnswerKind
from sarsen.services.mail import outgoing
from sarsen.services.parsed_lines import PerformedLine
from sarsen.services.quoting import quote_lines
from sarsen.services.request import Player
from sarsen.services.reviews.again import mistake_refused

LIMITS_OF_TRIES = (
    "lesson-flood",
    "puzzle-flood",
)  # said once a day: whoever tries on has been told
# Addresses where nobody reads mail, though no header says so.
_UNREAD = re.compile(
    r"(?:no|do|dont|donot|never)[._-]?(?:not[._-]?)?reply.*|bounces?(?:[._+-].*)?|.*[._+-]bounces?"
    r"|notifications?|alerts?|daemon|cron|root|www-data",
    re.IGNORECASE,
)


def queue_answer(
    mail: ReadMail,
    request: MailRequest,
    lines: Sequence[PerformedLine],
    now: datetime,
    boards: BoardCache,
) -> str:
    """Queue the answer to what was performed; return the codes of what was refused."""
    codes = _codes(lines)
    noted = ", ".join(dict.fromkeys(codes))
    only = lines[0] if len(lines) == 1 else None
    if only and _is_answered_by_letter(only, mail.sender):
        return noted
    speakers = [performed.line.actor.player for performed in lines]
    proved = next(filter(None, speakers), request.actor.player)
    last = _note_of_last(mail.sender, proved, request, lines, now)
    if last is None:
        return noted
    of_lines = dict.fromkeys(performed.line.reading.note for performed in lines)
    notes = tuple(filter(None, (*request.notes, *of_lines, last)))
    if only and _is_without_command(only):
        if not mail_answers.is_known_address(mail.sender):
            language = {"language": language_of(mail)}
            outgoing.queue(
                outgoing.NewLetter(
                    mail.sender, "introduction", language, in_reply_to=mail.message_id
                ),
                now,
            )
            return noted
        lines = [PerformedLine(only.line, perform(Help(), request.actor, "", now))]
    answers = quote_lines(lines, request.context.board, is_known=bool(request.context.speaker))
    if len(request.lines) > MAX_LINES:
        refusal = replace(TOO_MANY_LINES, hint="Send the rest in another mail.")
        answers.append(Answer("", refusal))
    answer = answers[0] if len(answers) == 1 else Answer("multiple", Several(tuple(answers)))
    facts = {
        "answer": encode(answer, with_templates=True),
        "notes": [encode(note, with_templates=True) for note in notes],
        # A refusal for want of proof is answered from an address that proves the account.
        "board": None if ACCOUNT_PROOF in codes else request.context.board,
    }
    if only:
        facts |= _refused_try(only)
    if codes and request.answered and ACCOUNT_PROOF not in codes:
        # What would have worked is an answer to the same letter.
        facts["answered"] = request.answered
    speaker = speakers[0] if len(set(speakers)) == 1 else request.actor.player
    if speaker is None:
        facts["language"] = language_of(mail)
        facts["is_known"] = mail_answers.is_known_address(mail.sender)
    # The program's answer comes with the confirmation of the move, where it comes soon.
    held_for = _board_of_answer(lines[0].reply, speaker, now, boards) if len(lines) == 1 else None
    if player := request.actor.player:
        # A signed address proves its player, not the sender: the player gets the answer.
        outgoing.queue_for(
            player, "answer", facts, now, in_reply_to=mail.message_id, held_for=held_for
        )
    else:
        letter = outgoing.NewLetter(
            mail.sender,
            "answer",
            facts,
            player=speaker,
            in_reply_to=mail.message_id,
            held_for=held_for,
        )
        outgoing.queue(letter, now)
    return noted


def _refused_try(performed: PerformedLine) -> dict[str, Any]:
    """Return what a try was refused at, as it stands; {} for other lines."""
    command = performed.line.command
    shown: Reply | None = None
    if isinstance(performed.reply, Refusal) and isinstance(command, TakeLesson):
        shown = step_refused(command)
    if isinstance(performed.reply, Refusal) and isinstance(command, TakePuzzle):
        shown = puzzle_refused(command)
    if isinstance(performed.reply, Refusal) and isinstance(command, ShowReview):
        shown = mistake_refused(command, performed.line.actor.player)
    names = {TakeLesson: "lesson", TakePuzzle: "puzzle"}
    name = names.get(type(command), "mistake")
    return {} if shown is None else {name: encode(shown, with_templates=True)}


def _codes(lines: Sequence[PerformedLine]) -> list[str]:
    return [performed.reply.code for performed in lines if isinstance(performed.reply, Refusal)]


def _is_answered_by_letter(performed: PerformedLine, sender: str) -> bool:
    """Return whether a letter of its own says all to the sender: a sign-up's, a question.

    Nobody who declines an invitation gets one more letter.
    """
    reply = performed.reply
    if isinstance(reply, InvitationAccepted | InvitationDeclined):
        return performed.line.actor.player is None
    if isinstance(reply, SignupAsked):
        return sender.lower() in (address.lower() for address in reply.addresses)
    return isinstance(reply, AddressConfirmed | ChallengeAsked)


def _is_no_answer(reply: Reply | Refusal) -> bool:
    """Return whether words do not answer an invitation: perhaps a machine says who is away."""
    return isinstance(reply, Refusal) and reply.code == "invitation-answer"


def _is_without_command(performed: PerformedLine) -> bool:
    """Return whether a line is no command, and nothing proves its sender."""
    parsed = performed.line.parsed
    if performed.line.actor.player or (parsed and parsed.credentials):
        return False
    if _is_no_answer(performed.reply):
        return False
    return is_without_command(performed.line.line, performed.reply)


def _board_of_answer(
    reply: Reply | Refusal, player: Player | None, now: datetime, boards: BoardCache
) -> int | None:
    """Return the board where a program is about to answer the only command of a mail."""
    if player is None or not isinstance(reply, Moved | ChallengeStands) or reply.board is None:
        return None
    return reply.board if is_answer_near(reply.board, player, now, boards) else None


def _note_of_last(
    sender: str,
    player: Player | None,
    request: MailRequest,
    lines: Sequence[PerformedLine],
    now: datetime,
) -> str | None:
    """Count an answer; return the note that it is the last of the day, None for no answer."""
    is_refused = all(isinstance(performed.reply, Refusal) for performed in lines)
    if player is not None:
        codes = set(_codes(lines))
        for limit in LIMITS_OF_TRIES:
            if is_refused and codes == {limit}:
                return "" if mail_answers.may_tell(player, limit, now) else None
        # A machine that writes in the player's name, and answers our answers, comes to an end so.
        is_told = not is_refused or mail_answers.may_refuse(player, now)
        return "" if is_told else mail_answers.last_refusal(player, now) or None
    if not is_refused:
        return note_of_last(sender, AnswerKind.ANSWER, now)
    has_command = any(performed.line.parsed for performed in lines) or any(
        map(is_command, request.lines)
    )
    if len(lines) == 1 and (_is_without_command(lines[0]) or _is_no_answer(lines[0].reply)):
        has_command = False
    return note_of_last(sender, AnswerKind.REFUSAL if has_command else AnswerKind.HELP, now)


def note_of_last(sender: str, why: AnswerKind, now: datetime) -> str | None:
    """Do so for an address that proved nothing."""
    if why is not AnswerKind.ANSWER and mail_answers.is_known_address(sender):
        why = AnswerKind.ANSWER
    if _UNREAD.fullmatch(sender.partition("@")[0]):
        why = AnswerKind.HELP
    return (
        mail_answers.last_answer(sender, why, now)
        if mail_answers.may_answer(sender, why, now)
        else None
    )


def queue_refusal(
    refusal: UserError, sender: str, message_id: str, why: AnswerKind, now: datetime
) -> str:
    """Queue the answer to a mail that was refused before any command of it was read."""
    last = note_of_last(sender, why, now) if sender else None
    if last is not None:
        refused = Answer("", Refusal(refusal.text, refusal.code, refusal.hint))
        notes = [encode(last, with_templates=True)] if last else []
        facts = {"answer": encode(refused, with_templates=True), "notes": notes, "board": None}
        outgoing.queue(outgoing.NewLetter(sender, "answer", facts, in_reply_to=message_id), now)
    return refusal.code


def queue_apology(sender: str, now: datetime) -> None:
    """Queue an apology for a mail that was given up."""
    if note_of_last(sender, AnswerKind.HELP, now) is not None:
        outgoing.queue(outgoing.NewLetter(sender, "sorry", {}), now)
