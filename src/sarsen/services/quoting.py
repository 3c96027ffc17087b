"""Repeat what a person typed in an answer, without a password that stands in it.

An answer quotes the line it belongs to, and its sentences and hints repeat words of it, which are
`Typed`. Nothing else is ever changed: a masked word is shown as `*****` in the quoted line, and
sentences do not repeat it. A word is masked where a password is due and it may be one
(`likely_passwords`); everywhere what a command took for a secret, what is a secret of ours, and
what was found to be the password of the player who gets the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from sarsen.core.phrases import Phrase, Typed
from sarsen.games import names
from sarsen.language.commands import ChangePassword, PlayMove, SignUp
from sarsen.language.grammar.grammar import Reading, read
from sarsen.language.grammar.move_phrases import is_prose, may_hold_move
from sarsen.language.grammar.placeholders import PASSWORD, explain_placeholders, placeholders_of
from sarsen.language.grammar.tokens import Context
from sarsen.language.replies import Answer, Refusal
from sarsen.language.schema.fields import MIN_PASSWORD
from sarsen.services.likely_passwords import (
    letters_of,
    likely_passwords,
    places_of_ours,
    unlike_words,
    userids_in,
)
from sarsen.services.parsed_lines import ParsedLine, PerformedLine
from sarsen.services.players import nearest_userid

MASK = "*****"
NO_MOVE = "no-move"  # words to people, where a move was expected
MAX_QUOTE = 120  # characters of a line above its answer, which is what matters
# Sentences repeat parts of words, too: games quote what they cannot read of a move.
_MIN_PIECE = 4

_SPEAKER = " USERID PASSWORD"
# Refusals of a move that words to the other players get, too, sent where a move was expected.
_OF_MOVES = (
    "not-your-turn",
    "stale-ply",
    "stale-board",
    "ambiguous-ply",
    "board-finished",
    "move-too-long",
    "line-too-long",
)
_ABOUT_PASSWORDS = (ChangePassword, SignUp)  # they take a new one of any speaker


@dataclass(frozen=True)
class Quote:
    """The words of one line, and which of them are not repeated.

    Attributes:
        line: As it was typed.
        words: Made plain.
        masked_at: Places among the words.
    """

    line: str
    words: tuple[str, ...]
    masked_at: frozenset[int] = frozenset()

    def text(self, mask: str = MASK) -> str:
        """Return the line with a mask in place of each masked word."""
        if not self.masked_at:
            return self.line
        words = enumerate(self.words)
        return " ".join(mask if at in self.masked_at else word for at, word in words)

    def above_answer(self) -> str:
        """Return the line as it stands above its answer, cut if it is long."""
        text = " ".join(self.text().split())
        return text if len(text) <= MAX_QUOTE else text[:MAX_QUOTE] + " …"

    def refusal(self, refusal: Refusal, usage: str) -> Refusal:
        """Return a refusal that repeats no masked word; the usage stands in for such a hint."""
        if not self.masked_at:
            return refusal
        text, hint = refusal.text, refusal.hint
        if isinstance(text, Phrase):
            text = text.without(self._repeats)
        if isinstance(hint, Phrase):
            hint = hint.without(self._repeats)
        elif isinstance(hint, Typed) and self._repeats(hint):
            hint = usage
        return replace(refusal, text=text, hint=hint)

    def with_masked(self, secrets: Collection[str]) -> Quote:
        """Return the same with each of these words masked, whatever their case and signs."""
        secrets = {_key(secret) for secret in secrets}
        words = enumerate(self.words) if secrets else ()
        again_at = {at for at, word in words if _key(word) in secrets}
        return replace(self, masked_at=self.masked_at | again_at)

    def _repeats(self, typed: Typed) -> bool:
        pieces = _pieces(typed)
        return any(pieces & _pieces(self.words[at]) for at in self.masked_at)


def quote(
    line: str,
    reading: Reading,
    userids: Collection[str],
    *,
    is_due: bool,
    masks_ours: bool = True,
    near: Callable[[str], str] = nearest_userid,
) -> Quote:
    """Return a line with the words masked that may be a password or are a secret of ours.

    Args:
        userids: Words of the line that are userids, in lower case.
        is_due: Whether only a password in the line can prove its speaker, and none has.
        near: As for `likely_passwords`.
        masks_ours: Not on the speaker's own screen, where the line may be sent again.
    """
    masked_at = likely_passwords(reading, userids, near) if is_due else reading.secrets_at
    if masks_ours:
        masked_at |= places_of_ours(reading, is_due=is_due)
    quoted = Quote(line, reading.words, masked_at)
    masked = (reading.words[at] for at in masked_at)
    return quoted.with_masked([word for word in masked if len(word) >= MIN_PASSWORD])


def line_to_keep(line: str, speaker: str) -> str:
    """Return a line that was not performed, for the next page, without what is surely a password.

    Args:
        speaker: The userid that the page it was typed on knew, or "".
    """
    reading = read(line, Context(names(), speaker=speaker))
    return Quote(line, reading.words, reading.secrets_at).text(PASSWORD)


def quote_lines(
    lines: Sequence[PerformedLine], board: int | None, *, is_known: bool
) -> list[Answer]:
    """Return each line with its reply, with what may be a password masked or left out.

    Args:
        board: The board that is meant where a line names none.
        is_known: Whether the door knows the speaker without words in the line.
    """
    parsed = [performed.line for performed in lines]
    quotes = [quote_line(line, is_known=is_known) for line in parsed]
    pairs = zip(parsed, quotes, strict=True)
    secrets = [word for line, quoted in pairs for word in _secrets(line, quoted)]
    quotes = [quoted.with_masked(secrets) for quoted in quotes]
    answers = []
    for performed, quoted in zip(lines, quotes, strict=True):
        reply = performed.reply
        if isinstance(reply, Refusal):
            board_meant = getattr(performed.line.command, "board", None) or board
            reply = refusal_to_show(performed, quoted, is_known=is_known, board=board_meant)
        answers.append(Answer(quoted.above_answer(), reply))
    return answers


def _secrets(parsed: ParsedLine, quoted: Quote) -> Iterator[str]:
    """Yield the masked words of a line that are surely a password: not to be repeated elsewhere."""
    sure_at = quoted.masked_at & (unlike_words(parsed.reading) | parsed.own_at)
    for at in quoted.masked_at & parsed.reading.secrets_at if parsed.is_proved else sure_at:
        if len(quoted.words[at]) >= MIN_PASSWORD:
            yield quoted.words[at]


def quote_line(parsed: ParsedLine, *, is_known: bool, masks_ours: bool = True) -> Quote:
    """Return a line that was parsed as its answer quotes it; see `quote` and `quote_lines`."""
    reading = parsed.reading
    is_due = not (is_known or parsed.is_proved) or reading.command in _ABOUT_PASSWORDS
    userids = userids_in([reading]) if is_due else frozenset()
    quoted = quote(parsed.line, reading, userids, is_due=is_due, masks_ours=masks_ours)
    return replace(quoted, masked_at=quoted.masked_at | parsed.own_at)


def refusal_to_show(
    performed: PerformedLine, quoted: Quote, *, is_known: bool, board: int | None = None
) -> Refusal:
    """Return a refusal as its answer words it."""
    parsed = performed.line
    assert isinstance(performed.reply, Refusal)
    usage = parsed.reading.command.usage if parsed.reading.command else "help commands"
    refusal = quoted.refusal(_of_words(performed, board) or performed.reply, usage)
    refusal = with_working_hint(refusal, is_known=is_known, board=board)
    if not placeholders_of(parsed.line, names()):
        return refusal
    userids = userids_in([parsed.reading])
    return explain_placeholders(parsed.line, refusal, names(), userids, quoted.text(PASSWORD))


def _of_words(performed: PerformedLine, board: int | None) -> Refusal | None:
    """Return the refusal of words to people that came where a move was expected; None otherwise."""
    parsed, refused = performed.line, performed.reply
    assert isinstance(refused, Refusal)
    command = parsed.command
    if isinstance(command, PlayMove):
        text, board = command.text, command.board
    elif parsed.reading.command is None and board is not None:
        text = parsed.line
    else:
        return None
    is_of_move = refused.code.endswith(".unreadable-move") or refused.code in _OF_MOVES
    if not is_of_move or not is_prose(text) or may_hold_move(text):
        return None
    # `Board looks good to me` begins as a command does, and names no board.
    names_board = str(board) in parsed.reading.words
    written = text if names_board else parsed.line
    return Refusal(
        Phrase(
            "There is no move in this. To send it to everyone on board {board}, begin with `chat`.",
            board=board,
        ),
        NO_MOVE,
        Typed(f"chat {board} USERID PASSWORD {_beginning(written)}"),
    )


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTE else f"{text[:MAX_QUOTE].rpartition(' ')[0]} …"


def with_working_hint(refusal: Refusal, *, is_known: bool, board: int | None = None) -> Refusal:
    """Insert the board that was meant into a hint, and omit a speaker whom the door knows."""
    hint = refusal.hint
    # Advice stays the phrase that it is, to be translated.
    if is_known and _SPEAKER in hint and not hint.startswith("signup"):
        hint = hint.replace(_SPEAKER, "")
    if board is not None and " BOARD " in hint:
        hint = hint.replace(" BOARD ", f" {board} ")
    return replace(refusal, hint=hint)


def _key(word: str) -> str:
    return letters_of(word) or word


def _pieces(text: str) -> frozenset[str]:
    """Return every run of some letters, once with signs and once without."""
    forms = (text.casefold(), letters_of(text))
    return frozenset(
        form[at : at + _MIN_PIECE] for form in forms for at in range(len(form) - _MIN_PIECE + 1)
    )
