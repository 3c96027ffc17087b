"""Commands about contests: making, joining, leaving, starting, closing, showing."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.core.options import Choice, Flag
from sarsen.core.phrases import Phrase, Typed, quoted
from sarsen.language.challenges import MAX_REASON
from sarsen.language.command import Command, Scope
from sarsen.language.contests.law import LAWS, STARTS, WITH
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import (
    AnyCase,
    BoardNumber,
    Bounds,
    Example,
    GameName,
    GameOptions,
    MayLack,
    OneOf,
    Terms,
    Userid,
)
from sarsen.language.terms import TERMS
from sarsen.language.translating import N_

# Words at the end of a line, with other spellings of each.
_ONCE, _WAIT, _YES, _NO = "once", "wait", "yes", "no"
_JOINING = {_ONCE: ("einmal",), _WAIT: ("warten",)}
_LEAVING = {_YES: ("ja", "confirm"), _NO: ("nein",)}
_DECLINE = "contest decline"  # of the words for leaving, the one that takes a reason
MIN_NAME, MAX_NAME = 3, 40  # characters of the name of a contest
WHICH = ("", "open", "running", "ended")
RESULTS = ("1-0", "0-1", "=", "void")
PARTS = ("", "boards", "law", "log")
_TABLE = "table"  # the part that is shown without a word
# As an answer names a match.
_GAMES_IN_WORDS = re.compile(r"(?:of |with |in )?(\d+) games?\b", re.IGNORECASE)
_FORMAT_IN_WORDS = re.compile(r"round[ -]?robin", re.IGNORECASE)
ContestNumber = Annotated[int, Example(12)]


# Options with two dashes whose value is a figure, or one of some words; flags have none.
_VALUED = {
    f"--{option.name}": option.words if isinstance(option, Choice) else ()
    for option in (*(one for law in LAWS.values() for one in law), *TERMS)
    if not isinstance(option, Flag)
}
_FIGURE = re.compile(r"\d+([.,]\d+)?%?")


def _number(tokens: Tokens, hint: str) -> int:
    """Take the number of a contest.

    Args:
        hint: Where numbers can be read; an example might be a contest in which the line acts.
    """
    return tokens.number(Phrase("a contest"), Phrase("contest"), hint)


def _last_words(tokens: Tokens, line: str, known: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Take the words that are left, and return which of the known ones stand there.

    Args:
        line: What stands before them.

    Raises:
        UserError: There is another word; the hint has the known one that is meant, or none.
    """
    found = set()
    for typed in tokens.rest_words():
        word = typed.lower().strip(".,!")
        if not word:
            continue
        name = next((one for one in known if word == one or word in known[one]), "")
        if not name:
            near = difflib.get_close_matches(word, known, n=1)
            raise UserError(
                "{typed} is not understood here.",
                code="unknown-part",
                hint=" ".join([line, *near]),
                typed=quoted(typed),
            )
        found.add(name)
    return found


def _yes_or_no(typed: str) -> str:
    """Return what a word means as an answer to the server's question; "" for another word."""
    word = typed.lower().strip(".,!")
    return next((one for one in _LEAVING if word == one or word in _LEAVING[one]), "")


def _with_values(words: tuple[str, ...]) -> list[str]:
    """Return words in which each option has its value, also if that was typed after a blank."""
    joined: list[str] = []
    for word in words:
        last = joined[-1].lower() if joined else ""
        is_value = (
            not word.startswith("-")
            if last in (STARTS, WITH)
            else bool(_FIGURE.fullmatch(word) or word.lower() in _VALUED[last])
            if last in _VALUED
            else False
        )
        if is_value:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def check_result(result: str, line: str) -> None:
    """Refuse what is no result of a board.

    Args:
        line: What stands before it in the line that would have worked.
    """
    if result not in RESULTS:
        raise UserError(
            "{typed} is no result. There are: {known}."
            if result
            else "Which result? There are: {known}.",
            code="result-missing",
            hint=f"{line} 1-0 wrong board",
            typed=quoted(result),
            known=", ".join(RESULTS),
        )


@dataclass(frozen=True)
class MakeContest(Command):
    """Make a contest, and enter it.

    Attributes:
        format: Its kind: `round-robin`, `match`, `league` or `ladder`.
        options: Options of the game, as typed: `-size=6`.
        terms: Options of the contest and of its boards: `--most=4 --days=60 --unrated`.
        name: What it is called; "" for a name that the server finds.
    """

    words = ("contest new", "contest make", "event new", "contest create")
    usage = "contest new [USERID PASSWORD] GAME FORMAT [--OPTIONS] [NAME]"
    summary = N_("Make a contest that others can join: `contest new druid round-robin`.")
    scope = Scope.PLAY
    takes_reason = True  # others read the name: no password may stand in it

    game: GameName
    format: Annotated[str, AnyCase(), Example("round-robin")]
    options: GameOptions = ""
    terms: Annotated[Terms, Example(["--most=4"])] = ()
    name: Annotated[str, Bounds(MAX_NAME), MayLack(), Example("Four Corners")] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a game, a format, options anywhere behind them, and a name of several words."""
        # The format may stand before the game.
        before = tokens.take().lower() if tokens.peek().lower() in LAWS else ""
        if not tokens.game and tokens.peek().lower() not in tokens.context.games:
            tokens.speaker(leaves=1)
        game = tokens.game or tokens.take().lower()
        words = _with_values(tokens.rest_words())
        plain = " ".join([before, *(word for word in words if not word.startswith("-"))]).strip()
        spoken = _FORMAT_IN_WORDS.match(plain)
        kind, _, name = plain.partition(" ")
        if spoken:
            kind, name = "round-robin", plain[spoken.end() :].strip()
        terms = [word for word in words if word.startswith("--")]
        if kind.lower() == "match" and (games := _GAMES_IN_WORDS.match(name)):
            terms.append(f"--games={games[1]}")
            name = name[games.end() :].strip(" ,")
        if not game:
            raise UserError(
                "A contest is about a game. Which one?",
                code="game-missing",
                hint="contest new druid round-robin",
            )
        if not kind:
            raise UserError(
                "Which kind of contest? There are: {formats}.",
                code="format-missing",
                hint=Typed(" ".join(["contest new", game, "round-robin", *words])),
                formats=", ".join(LAWS),
            )
        return cls(
            game=game,
            format=kind.lower(),
            options=" ".join(word for word in words if re.match(r"-[^-]", word)),
            terms=tuple(terms),
            name=name,
        )


@dataclass(frozen=True)
class JoinContest(Command):
    """Enter a contest that has not started yet.

    Attributes:
        once: For one season of a league only; else the player stays for the next ones.
        waits: Of one that has started, wait for a seat whose player does not come.
    """

    words = ("contest join", "contest enter", "event join")
    usage = "contest join NUMBER [USERID PASSWORD] [once|wait]"
    summary = N_(
        "Join a contest before it starts (`once`: for one season), or wait for a seat in one that "
        "has started."
    )
    scope = Scope.PLAY

    number: ContestNumber
    once: bool = False
    waits: bool = False

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number, and `once` or `wait`."""
        number = _number(tokens, "contests open")
        tokens.speaker()
        words = _last_words(tokens, f"contest join {number}", _JOINING)
        return cls(number, _ONCE in words, _WAIT in words)


@dataclass(frozen=True)
class LeaveContest(Command):
    """Leave a contest: before it starts nothing is lost, later its games are.

    A player whom a match is for, and who has not joined it, declines the invitation.

    Attributes:
        confirmed: Whether the player knows what becomes of the games; else the server asks.
        stays: The answer is no: the player stays.
        declines: Only an invitation: nobody who is in a contest leaves it.
        reason: Why the player declines; the host alone reads it.
    """

    words = ("contest leave", "contest decline", "contest resign", "event leave")
    usage = "contest leave|decline NUMBER [USERID PASSWORD] [yes|no|REASON]"
    summary = N_(
        "Leave a contest, or decline a match that you are invited to, with a reason for its host. "
        "Once it runs, the server asks you to confirm it."
    )
    scope = Scope.PLAY
    takes_reason = True

    number: ContestNumber
    confirmed: bool = False
    stays: bool = False
    declines: bool = False
    reason: Annotated[str, Bounds(MAX_REASON), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number, and `yes` or `no`, or why a match is declined."""
        number = _number(tokens, "contests")
        tokens.speaker()
        if tokens.verb == _DECLINE and not _yes_or_no(tokens.peek()):
            return cls(number, declines=True, reason=tokens.rest())
        words = _last_words(tokens, f"contest leave {number}", _LEAVING)
        return cls(number, words == {_YES}, _NO in words)


@dataclass(frozen=True)
class StartContest(Command):
    """Start a contest of one's own before its day."""

    words = ("contest start", "contest begin", "event start")
    usage = "contest start NUMBER [USERID PASSWORD]"
    summary = N_("Start a contest of yours at once, with those who have joined.")
    scope = Scope.PLAY

    number: ContestNumber

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number."""
        number = _number(tokens, "contests")
        tokens.speaker()
        _last_words(tokens, f"contest start {number}", {})
        return cls(number)


@dataclass(frozen=True)
class CloseContest(Command):
    """Close a contest of one's own before it starts, or a ladder, with a reason for those in it.

    Operators may close anybody's.

    Attributes:
        confirmed: A ladder is to be closed for good; else the server asks.
        stays: The answer is no: the ladder stays.
    """

    words = ("contest close", "contest cancel", "event close")
    usage = "contest close NUMBER [USERID PASSWORD] [yes|no] [REASON]"
    summary = N_(
        "Close a contest of yours before it starts, or a ladder at any time, which the server asks "
        "you to confirm; the reason is passed on."
    )
    scope = Scope.PLAY
    takes_reason = True

    number: ContestNumber
    reason: Annotated[str, Bounds(MAX_REASON), MayLack()] = ""
    confirmed: bool = False
    stays: bool = False

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number, `yes` or `no`, and the reason."""
        number = _number(tokens, "contests")
        tokens.speaker()
        answer = _yes_or_no(tokens.peek())
        if answer == _YES:
            tokens.take()
            return cls(number, tokens.rest(), confirmed=True)
        # A reason may begin with it: no players.
        if answer == _NO and tokens.left == 1:
            tokens.take()
            return cls(number, stays=True)
        return cls(number, tokens.rest())


@dataclass(frozen=True)
class WithdrawFromContest(Command):
    """Take somebody out of a contest of one's own; operators may do it in all."""

    words = ("contest withdraw", "contest remove", "event withdraw")
    usage = "contest withdraw NUMBER [USERID PASSWORD] USERID [REASON]"
    summary = N_("Take a player out of a contest of yours; the reason is passed on.")
    scope = Scope.PLAY
    takes_reason = True

    number: ContestNumber
    userid: Userid
    reason: Annotated[str, Bounds(MAX_REASON), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number, a userid and the reason."""
        number = _number(tokens, "contests")
        tokens.speaker(leaves=1)
        userid = tokens.take()
        if not userid:
            raise UserError(
                "Who is to be withdrawn from contest {number}?",
                code="names-missing",
                hint=f"contest {number}",  # no example: it would withdraw somebody
                number=number,
            )
        return cls(number, userid, tokens.rest())


@dataclass(frozen=True)
class CorrectContest(Command):
    """Set the result of a board of a contest; for operators.

    Attributes:
        result: `1-0`, `0-1`, `=` for a draw, or `void`.
        reason: Both players are told.
    """

    words = ("contest correct", "event correct")
    usage = "contest correct NUMBER [USERID PASSWORD] BOARD 1-0|0-1|=|void REASON"
    summary = N_("For operators: set the result of a board of a contest, with a reason.")
    scope = Scope.ACCOUNT
    takes_reason = True

    number: ContestNumber
    board: BoardNumber
    result: Annotated[str, OneOf(RESULTS)]
    reason: Annotated[str, Bounds(MAX_REASON), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number, the board, the result and the reason."""
        number = _number(tokens, "contests")
        tokens.speaker(leaves=2)
        board = tokens.number(Phrase("a board"), Phrase("board"), f"contest {number} boards")
        result = tokens.take().lower()
        check_result(result, f"contest correct {number} {board}")
        return cls(number, board, result, tokens.rest())


@dataclass(frozen=True)
class ShowContest(Command):
    """Show a contest: its table, its boards, its law or its log."""

    words = ("contest", "event")
    usage = "contest NUMBER [boards|law|log]"
    summary = N_("Show the table of a contest, its boards, its law or its log.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    number: ContestNumber
    part: Annotated[str, OneOf(PARTS)] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number, and what to show."""
        word = tokens.peek().lower()
        before = tokens.take().lower() if word in (*PARTS[1:], _TABLE) else ""
        number = _number(tokens, f"contests {word}" if word in tokens.context.games else "contests")
        part = " ".join(filter(None, [before, tokens.rest().lower()]))
        part = "" if part == _TABLE else part
        if part not in PARTS:
            raise UserError(
                "A contest shows no {typed}. There are: {known}.",
                code="unknown-part",
                hint=f"contest {number}",
                typed=quoted(part),
                known=", ".join(PARTS[1:]),
            )
        return cls(number, part)


@dataclass(frozen=True)
class ListContests(Command):
    """List contests, the newest first.

    Attributes:
        game: Only of this one; "" for all.
        which: Open for entry, running or ended; "" for all that have not ended.
    """

    words = ("contests", "events", "contest list")
    usage = "contests [GAME] [open|running|ended]"
    summary = N_("The contests that are open for entry, running or ended.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName = ""
    which: Annotated[str, OneOf(WHICH)] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a game and a state, in any order."""
        words = [word.lower() for word in tokens.rest_words()]
        which = next((word for word in words if word in WHICH), "")
        game = next((word for word in words if word not in WHICH), tokens.game)
        return cls(game, which)
