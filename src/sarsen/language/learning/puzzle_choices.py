"""Votes on puzzles, and choices of a player: two commands and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.learning.puzzles import MAX_MOVES, MAX_NUMBER, puzzle_named
from sarsen.language.schema.fields import (
    AnyCase,
    AtMost,
    GameName,
    MaxItems,
    MayLack,
    Moves,
    OneOf,
)
from sarsen.language.translating import N_, _, sentence, typed_next


class Opinion(StrEnum):
    """What may be said of a puzzle.

    Attributes:
        REFUSED: A right move was refused.
    """

    GOOD = "good"
    BAD = "bad"
    REFUSED = "refused"


OPINIONS = tuple(Opinion)
SWITCHES = ("on", "off")


@dataclass(frozen=True)
class VotePuzzle(Command):
    """Vote on a puzzle, or report that it refused a right move.

    Attributes:
        moves: For `refused`: the own moves, the refused one last.
    """

    words = ("puzzle vote",)
    usage = "puzzle vote [USERID PASSWORD] GAME-NUMBER good|bad|refused [MOVE …]"
    summary = N_("Say what you think of a puzzle.")
    details = N_(
        "One vote for each puzzle that you have tried; a new one replaces it. Where 20 players or "
        "more have voted and 60% find a puzzle bad, this server gives it to nobody any more.\n\n"
        "`puzzle vote druid-17 refused b4` tells the people who run this server that b4 should be "
        "right. They have the puzzle proven again; if you are right, it is withdrawn."
    )
    scope = Scope.PLAY

    game: GameName
    puzzle: Annotated[int, AtMost(MAX_NUMBER)]
    opinion: Annotated[str, OneOf(OPINIONS), AnyCase()]
    moves: Annotated[Moves, MaxItems(MAX_MOVES), MayLack()] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the puzzle, unless a reply knows it, then the word and moves."""
        known = tokens.context.puzzle
        is_known = known is not None and tokens.peek().lower() in OPINIONS
        if not is_known:
            tokens.speaker(leaves=2)
        if is_known and known is not None:
            game, number, line = known.game, known.puzzle, known.line
        else:
            (game, number), line = puzzle_named(tokens), ()
        word = tokens.take().lower()
        if word not in OPINIONS:
            named = game if game in tokens.context.games else "druid"  # it may be a password
            raise UserError(
                "Say good, bad, or refused with the move that should be right.",
                code="puzzle-opinion",
                hint=f"puzzle vote {named}-{number or 1} good",
            )
        return cls(game, number, word, (*line, *rest) if (rest := tokens.rest_words()) else ())


@dataclass(frozen=True)
class ChangePuzzles(Command):
    """Show how many days one has solved, or change what is counted.

    Attributes:
        what: `days`: the page of days solved; `rated`: whether first tries are rated.
        switch: `on` or `off`; "" to see how it is.
    """

    words = ("puzzle days", "puzzle rated")
    usage = "puzzle days|rated [USERID PASSWORD] [on|off]"
    summary = N_("See your puzzles of the last 30 days, and choose what is counted.")
    details = N_(
        "`puzzle days` lists which puzzles of the day you have not solved yet; any of them can be "
        "solved later. Nobody else sees it. `puzzle days off` hides it.\n\n"
        "`puzzle rated off`: your tries change no rating, neither yours nor that of a puzzle."
    )
    scope = Scope.ACCOUNT

    what: Annotated[str, OneOf(("days", "rated")), AnyCase()]
    switch: Annotated[str, OneOf(SWITCHES), AnyCase(), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read `on` or `off`, if it is there."""
        what = tokens.verb.rpartition(" ")[2]
        if tokens.peek().lower() not in SWITCHES:
            tokens.speaker()
        word = tokens.take().lower()
        if word and word not in SWITCHES:
            raise UserError(
                "Say on or off, or nothing to see how it is.",
                code="on-or-off",
                hint=f"puzzle {what} on",
            )
        return cls(what, word)


@dataclass(frozen=True)
class PuzzleVoted:
    """What a player has said of a puzzle; `moves` are those that were refused."""

    game: str
    title: str
    puzzle: int
    opinion: str
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class PuzzleDays:
    """A player's puzzles of the day.

    Attributes:
        what, switch: What was asked for, as in `ChangePuzzles`.
        is_shown, is_rated: What the player wants.
        games: What was solved at each game with a puzzle of the day; empty where it is hidden.
        again: Own turning points that are due, as lines to type.
    """

    what: str
    switch: str
    is_shown: bool
    is_rated: bool
    games: tuple[GameDays, ...] = ()
    again: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameDays:
    """The puzzles of the last days of a game.

    Attributes:
        days: From today back.
    """

    game: str
    title: str
    days: tuple[PuzzleDay, ...]

    @property
    def solved(self) -> int:
        """How many of them are solved, on whichever day that was."""
        return sum(day.is_solved for day in self.days)


@dataclass(frozen=True)
class PuzzleDay:
    """The puzzle of a day, and whether the player has solved it; `day` is `2026-11-30`."""

    day: str
    puzzle: int
    is_solved: bool


PuzzleChoiceReply = PuzzleVoted | PuzzleDays


@sentence.register
def _puzzle_voted(reply: PuzzleVoted) -> str:
    name = f"{reply.game}-{reply.puzzle}"
    match reply.opinion:
        case "good":
            return _("Thank you: {name} is a good puzzle.").format(name=name)
        case "bad":
            return _("Thank you: {name} is a bad puzzle.").format(name=name)
        case _:
            told = _(
                "Thank you. The people who run this server see that {move} was refused at {name}. "
                "They can have every answer proven again; if {move} is right, the puzzle is "
                "withdrawn. You get no mail about it."
            )
            return told.format(move=" ".join(reply.moves), name=name)


@sentence.register
def _puzzle_days(reply: PuzzleDays) -> str:
    if reply.what == "rated":
        if reply.is_rated:
            return _("Your first try at a puzzle is rated.")
        return _("Your tries at puzzles change no rating.")
    if not reply.is_shown:
        return _("Your days are not shown.")
    return "\n".join(
        filter(None, (*(days_words(one) for one in reply.games), again_words(reply.again)))
    )


def days_words(days: GameDays) -> str:
    """Return how many days are solved, and which puzzles may still be."""
    solved = _("{title}: {count} of the last {all} puzzles of the day solved.").format(
        title=days.title, count=days.solved, all=len(days.days)
    )
    missed = [f"{days.game}-{day.puzzle}" for day in days.days if not day.is_solved]
    if not missed:
        return solved
    return f"{solved} {_('Still to solve: {names}.').format(names=', '.join(missed))}"


def again_words(lines: tuple[str, ...]) -> str:
    """Return which own turning points are due; "" for none."""
    return _("From your own games: {lines}.").format(lines=", ".join(lines)) if lines else ""


@typed_next.register
def _after_puzzle_voted(reply: PuzzleVoted) -> str:
    return _("Another one: {line}").format(line=f"puzzle {reply.game}")


@typed_next.register
def _after_puzzle_days(reply: PuzzleDays) -> str:
    is_on = reply.is_rated if reply.what == "rated" else reply.is_shown
    line = f"puzzle {reply.what} {'off' if is_on else 'on'}"
    return _("To change that: {line}").format(line=line)
