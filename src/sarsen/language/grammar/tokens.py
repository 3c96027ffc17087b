"""A command line being read, word by word, and what the door knows about it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.grammar.typography import QUOTES, normalise

_BOARD = re.compile(r"(\d{1,9})(?:#(\d{1,6})(?:\.(\d{1,7}))?)?")
_MAX_WORDS = 2500  # as many as the longest line can hold: none is ever lost

# What a mail of a board may ask its reader: to agree to a draw, or to take moves back;
# whether a resignation is meant, or a move put forward; or it brings what somebody says there,
# which is answered in words. Signed addresses count in this order.
TALK = "talk"
MATTERS = ("", "draw", "undo", "resign", "move", TALK)


@dataclass(frozen=True)
class Credentials:
    """A userid and a password as they stood in a command. Never printed."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class LessonContext:
    """The step of a lesson whose letter a mail answers, and the own moves that stand in it.

    Attributes:
        tries: Wrong tries so far, where only the letter knows them.
    """

    game: str
    step: str
    line: tuple[str, ...] = ()
    tries: int = 0


@dataclass(frozen=True)
class PuzzleContext:
    """The puzzle whose letter a mail answers, and the own moves that stand in it."""

    game: str
    puzzle: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True)
class MistakeContext:
    """The turning point of a reviewed board whose letter a mail answers; see `ShowReview.again`."""

    board: int
    number: int


@dataclass(frozen=True)
class Context:
    """The context that a door knows before it reads a line.

    Attributes:
        games: The names of all games.
        speaker: The userid that a signed address or a session has proved, or "".
        board: The board a reply belongs to, or None.
        ply: The ply that was due when the mail replied to was written, or None.
        event: How many events its board had then, or None.
        matter: What that mail asked at its board: one of `MATTERS`, perhaps with a number.
        challenge: The invitation a reply belongs to, or None.
        lesson: The step of a lesson that a reply belongs to, or None.
        puzzle: The puzzle that a reply belongs to, or None.
        mistake: The turning point of a review that a reply belongs to, or None.
        asked: What the server has asked the speaker about the account, or "".
        body: The lines after the command line.
        written_body: The same as they were written, where the door has made those plain.
        sender: The address a mail came from; proof of nothing.
    """

    games: Collection[str] = ()
    speaker: str = ""
    board: int | None = None
    ply: int | None = None
    event: int | None = None
    matter: str = ""
    challenge: int | None = None
    lesson: LessonContext | None = None
    puzzle: PuzzleContext | None = None
    mistake: MistakeContext | None = None
    asked: str = ""
    body: tuple[str, ...] = ()
    written_body: tuple[str, ...] = ()
    sender: str = ""

    def event_at(self, board: int, ply: int | None) -> int | None:
        """Return how many events the board had, if this ply of it was due in the mail."""
        return self.event if (board, ply) == (self.board, self.ply) else None


class Tokens:
    """Walk through the words of one command line.

    Attributes:
        game: The game named first, or "".
        verb: The command word as typed, in lower case.
        context: What the door knows.
        credentials: Userid and password, once a command has asked for its speaker.
        event: The 16 of a board written `123#14.16`, or what the mail replied to says
            of that ply; None otherwise.
        at: How many of its words are taken; the place of the next one.
        speaker_at: The place of the word taken for the speaker's userid, or None.
        secrets_at: The places of words taken for a password or a code.
    """

    def __init__(
        self,
        game: str,
        verb: str,
        words: list[str],
        context: Context,
        typed: list[str] | None = None,
        written: str = "",
    ) -> None:
        """Begin at the first word.

        Args:
            typed: The words as they were typed.
            written: What stands there before it is made plain.
        """
        self.game = game
        self.verb = verb
        self.context = context
        self.credentials: Credentials | None = None
        self.event: int | None = None
        self.at = 0
        self.speaker_at: int | None = None
        self.secrets_at: set[int] = set()
        self._words = words[:_MAX_WORDS]
        # A password is what was typed, to the sign.
        self._typed = self._words if typed is None else typed[:_MAX_WORDS]
        self._written = written

    @property
    def left(self) -> int:
        """How many words are still unread."""
        return len(self._words) - self.at

    def peek(self) -> str:
        """Return the next word without taking it; "" at the end."""
        return self._words[self.at] if self.left else ""

    def take(self) -> str:
        """Take the next word; "" at the end."""
        word = self.peek()
        self.at += bool(self.left)
        return word

    def take_secret(self) -> str:
        """Take the next word as typed, which is a password or a code; "" at the end."""
        if not self.left:
            return ""
        self.secrets_at.add(self.at)
        self.at += 1
        return self._typed[self.at - 1]

    def rest(self) -> str:
        """Take all words that are left, as one text."""
        return " ".join(self.rest_words())

    def rest_words(self) -> tuple[str, ...]:
        """Take all words that are left."""
        words = tuple(self._words[self.at :])
        self.at = len(self._words)
        return words

    def number(self, noun: Phrase, missing: Phrase, example: str) -> int:
        """Take the number of something.

        Raises:
            UserError: There is none; the hint is the example.
        """
        word = self.take().lstrip("#")
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise UserError(
                "{typed} is not the number of {what}."
                if word
                else "Which {what}? Its number is missing.",
                code="number-missing",
                hint=example,
                typed=quoted(word),
                what=noun if word else missing,
            )
        return int(word)

    def board(self, example: str) -> tuple[int, int | None]:
        """Take `123`, `123#14` or `123#14.16`; without one, the board of the mail replied to."""
        address = _BOARD.fullmatch(self.peek())
        if address is None and self.context.board is not None:
            self.event = self.context.event
            return self.context.board, self.context.ply
        if address is None:
            raise UserError(
                "{typed} is not a board number." if self.peek() else "Which board?",
                code="board-missing",
                hint=example,
                typed=quoted(self.peek()),
            )
        self.take()
        board, ply = int(address[1]), int(address[2]) if address[2] else None
        self.event = int(address[3]) if address[3] else self.context.event_at(board, ply)
        return board, ply

    def text(self) -> str:
        """Take what people write to people: the rest of the line, then the body's lines."""
        lines = [self._written_rest(), *(self.context.written_body or self.context.body)]
        return "\n".join(lines).strip("\n")

    def _written_rest(self) -> str:
        """Take all words that are left, with the blanks and signs they were written with."""
        taken = self.at
        plain = self.rest()
        written = self._written.split(None, taken)[taken:]
        # An option in several words is one when plain, so that the count may be another.
        is_same = normalise("".join(written)).split() == plain.split()
        return written[0].rstrip() if written and is_same else plain

    def sender(self) -> tuple[str, ...]:
        """Return the address that the mail came from, where there is one."""
        return (self.context.sender,) if self.context.sender else ()

    def speaker(self, *, leaves: int = 0) -> None:
        """Take `USERID PASSWORD` when they stand here.

        Where the door knows the speaker they may be left out; they are taken when
        the next word is the speaker's own userid. Where it does not, two words
        are taken if at least `leaves` words stay after them.
        """
        known = self.context.speaker
        if known and self.peek().lower() != known.lower():
            return
        if self.left >= 2 + leaves:
            self.speaker_from(self.at, self.at + 1)
            self.at += 2

    def speaker_from(self, userid_at: int, password_at: int) -> None:
        """Take the words at two places as `USERID PASSWORD`."""
        self.speaker_at = userid_at
        self.secrets_at.add(password_at)
        userid = self._words[userid_at].strip(QUOTES)
        self.credentials = Credentials(userid, self._typed[password_at])
