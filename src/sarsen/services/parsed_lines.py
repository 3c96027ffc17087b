"""A command line that was read, whose speaker is proved; and whether it holds a password."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.language.commands import Command, Multiple
from sarsen.language.grammar.grammar import ParsedCommand, Reading, read
from sarsen.language.grammar.tokens import Context, Credentials
from sarsen.language.replies import Refusal, Reply
from sarsen.services.accounts.passwords import (
    MAX_OWN_CHECKS,
    WrongPassword,
    is_password_of,
)
from sarsen.services.likely_passwords import candidates, unlike_words, userids_in, words_unlike_any
from sarsen.services.players import players_at
from sarsen.services.request import Actor, Player

Check = Callable[[Command], None]
Prove = Callable[[Credentials], Player]


@dataclass(frozen=True)
class ParsedLine:
    """A line that was read, with the speaker that it or the door has proved.

    Attributes:
        refusal: Why it is not performed, or None.
        request: As for `dispatch.perform`.
        is_proved: Whether a password in the line has proved its speaker.
        own_at: The places of words that are the password of the player who gets the answer.
    """

    line: str
    actor: Actor
    reading: Reading = field(default_factory=Reading)
    refusal: UserError | None = None
    request: str = ""
    is_proved: bool = False
    own_at: frozenset[int] = frozenset()

    @property
    def parsed(self) -> ParsedCommand | None:
        return self.reading.parsed

    @property
    def command(self) -> Command | None:
        return self.parsed.command if self.parsed else None

    @property
    def is_query(self) -> bool:
        return self.command is not None and self.command.is_query


@dataclass(frozen=True)
class PerformedLine:
    """A line with its reply; `refused` is what a `Refusal` was raised as."""

    line: ParsedLine
    reply: Reply | Refusal
    refused: UserError | None = None


def parse_line(
    line: str, context: Context, actor: Actor, prove: Prove, check: Check, request: str = ""
) -> ParsedLine:
    """Read a line and prove its speaker, before any transaction: a proof takes long on purpose.

    Args:
        check: Refuses what the door's proof does not cover. Not asked where the line itself
            proves its speaker.
    """
    reading = read(line, context)
    parsed, refused = reading.parsed, reading.refusal
    is_proved = False
    try:
        if parsed and parsed.credentials:
            player = prove(parsed.credentials)
            is_proved = True
            seat = actor.seat if player == actor.player else None
            actor = replace(actor, player=player, seat=seat, by_password=True)
            if _is_said_again(parsed.credentials.password, reading, context):
                raise _has_password()
        elif parsed and not isinstance(parsed.command, Multiple):  # each of its lines is checked
            check(parsed.command)
    except WrongPassword as refusal:
        refused = _without_need(refusal, reading, actor)
    except UserError as refusal:
        refused = refusal
    return ParsedLine(line, actor, reading, refused, request, is_proved)


def _without_need(refusal: WrongPassword, reading: Reading, actor: Actor) -> WrongPassword:
    """Return a refusal whose hint leaves the name and the password out, where neither is needed."""
    named = reading.parsed.credentials if reading.parsed else None
    if actor.player is None or named is None or named.userid.lower() != actor.player.key:
        return refusal
    if reading.command is not None and reading.command.sets_password:
        return refusal  # of its passwords one is needed
    hint = [word for at, word in enumerate(reading.words) if at not in _speaker_at(reading)]
    refusal = refusal.again()
    refusal.hint = Typed(" ".join(hint))
    return refusal


def _speaker_at(reading: Reading) -> frozenset[int]:
    speaker = () if reading.speaker_at is None else (reading.speaker_at,)
    return reading.secrets_at.union(speaker)


def with_own_passwords(
    lines: Sequence[ParsedLine], player: Player | None, address: str, now: datetime
) -> list[ParsedLine]:
    """Return the lines with the words found that are the password of who gets the answer.

    Only a reader's own password is looked for: an answer that masked another player's would tell
    its reader which guess was right. A few words of one mail are checked, the likeliest.

    Args:
        player: Who is known to speak, and gets the answer; otherwise it goes to the address.
    """
    results: dict[str, bool | None] = {}
    for line in lines:
        suspects = _suspects(line) if len(results) < MAX_OWN_CHECKS else []
        readers = [player] if player else players_at(address) if suspects else []
        for word in (line.reading.words[at] for at in suspects):
            if word not in results and len(results) < MAX_OWN_CHECKS:
                found = [is_password_of(reader, word, now) for reader in readers]
                results[word] = any(found) or (None if None in found else False)
    return [_with_own(line, results) for line in lines]


def refuse_own_password(text: str, player: Player | None, now: datetime) -> None:
    """Refuse words for others that hold their writer's password, as far as a few checks find it.

    Raises:
        UserError: They hold it.
    """
    if player is None or not player.has_usable_password():
        return
    for word in words_unlike_any(text)[: 2 * MAX_OWN_CHECKS]:  # each with its signs and without
        if is_password_of(player, word, now):
            raise _has_password()


def _with_own(line: ParsedLine, results: Mapping[str, bool | None]) -> ParsedLine:
    """Return a line with its speaker's password in it, which must not reach anybody else.

    A word that could not be checked is only masked, and only if it looks like no other word.
    """
    places = range(len(line.reading.words))
    found = {at: results.get(line.reading.words[at], False) for at in places}
    own_at = frozenset(at for at in places if found[at]) - line.reading.secrets_at
    unchecked_at = {at for at in places if found[at] is None} & unlike_words(line.reading)
    refusal = _has_password() if own_at and not line.refusal else line.refusal
    return replace(line, own_at=own_at | unchecked_at, refusal=refusal)


def _has_password() -> UserError:
    return UserError(
        "This line contains your password, so nothing was done with it.",
        code="password-in-line",
        hint="Send it again without the password: a reply to our mail needs none.",
    )


def _is_said_again(password: str, reading: Reading, context: Context) -> bool:
    """Return whether a password stands in a text for others, too; a command drops other words."""
    command = reading.command
    if command is None or not (command.takes_text or command.takes_reason):
        return False
    words = enumerate(reading.words)
    said = [word for at, word in words if at not in reading.secrets_at]
    return password in [*said, *(word for line in context.body for word in line.split())]


def _suspects(line: ParsedLine) -> list[int]:
    """Return the places of words that may be a password and would be repeated."""
    if line.is_proved:
        return []  # the password is the word that has proved it
    is_due = line.actor.player is None
    if not candidates(line.reading, (), is_due=True):
        return []  # as most lines: nobody need be asked who is called so
    places = candidates(line.reading, userids_in([line.reading]), is_due=is_due)
    return [at for at in places if at not in line.reading.secrets_at]
