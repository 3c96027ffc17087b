"""Puzzles: the command that shows one and takes a try, and what comes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import PuzzleContext, Tokens
from sarsen.language.schema.fields import (
    AtMost,
    Example,
    GameName,
    MaxItems,
    MayLack,
    Moves,
    OneOf,
)
from sarsen.language.translating import N_, _, _n, sentence, translated, typed_next

MAX_MOVES = 20  # own moves of a puzzle: the longest has a few
MAX_NUMBER = 999_999


class PuzzleWord(StrEnum):
    """The words that may stand in place of a move.

    Attributes:
        SHOW: The solution; the puzzle counts as not solved.
    """

    SHOW = "show"


WORDS = frozenset(PuzzleWord)
# What people say as well; answers are the same.
_SAID = dict.fromkeys(("solution", "zeig", "zeige", "zeigen", "lösung"), PuzzleWord.SHOW)
_POLITE = ("please", "thanks", "bitte", "danke")
LEVELS = ("easier", "harder")
_LEVELS = {
    **{word: word for word in LEVELS},
    **dict.fromkeys(("leichter", "einfacher"), "easier"),
    **dict.fromkeys(("schwerer", "schwieriger"), "harder"),
}
SWITCHES = {"on": True, "yes": True, "off": False, "no": False}


def word_of(text: str) -> PuzzleWord | None:
    """Return the word that somebody has typed in place of a move; None for anything else."""
    said = [word for word in re.findall(r"[\w-]+", text.lower()) if word not in _POLITE]
    if len(said) != 1:
        return None
    return PuzzleWord(said[0]) if said[0] in WORDS else _SAID.get(said[0])


@dataclass(frozen=True)
class TakePuzzle(Command):
    """Show a puzzle of a game, or try a move at it.

    Attributes:
        puzzle: Its number; 0 for one near the speaker's rating, or for that of the day.
        moves: The solver's own moves so far, and the new one or a `PuzzleWord` last.
        level: Without a number: `easier` or `harder` than the speaker's rating asks for.
    """

    words = ("puzzle", "puzzles")
    usage = "puzzle GAME[-NUMBER] [MOVE …|show] | puzzle GAME easier|harder"
    summary = N_("Get a puzzle, and try to solve it.")
    details = N_(
        "`puzzle GAME` gives you one near your rating that you have not seen for half a year; "
        "without an account it is that of the day. `puzzle GAME-NUMBER` gives that one, "
        "`puzzle GAME easier` one for a rating 200 below yours, `harder` one above.\n\n"
        "A right move is answered, and you go on. A move that is not proven to do it is met by a "
        "line, where one is proven, and you may try again; so you may after a win that comes too "
        "late, which does not count. Your first try is rated, apart from games.\n\n"
        "In place of a move, `show` gives a solution: the puzzle then counts as not solved.\n\n"
        "In a reply to the mail of a puzzle the move or the word is enough."
    )
    # As for playing a game; what is stored of it is the speaker's own.
    scope = Scope.PLAY
    for_visitors = True
    for_guests = True

    game: GameName
    puzzle: Annotated[int, AtMost(MAX_NUMBER), MayLack()] = 0
    moves: Annotated[Moves, MaxItems(MAX_MOVES), MayLack()] = ()
    level: Annotated[str, OneOf(LEVELS), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read `druid-17` or `druid 17`, then moves or a word; a reply knows the game."""
        known = tokens.context.puzzle
        game, number, ends = _named(tokens)
        if not game and known is not None:
            game = known.game
        if not game:
            game = tokens.take().lower()  # what has none is refused with those that have some
        if not number and (number := _number(tokens.peek().lstrip("#"))):
            tokens.take()
        if ends:
            return cls(game, number)
        if not number and tokens.peek().lower() in _LEVELS:
            return cls(game, level=_LEVELS[tokens.take().lower()])
        return cls(game, number, _moves(tokens.rest_words()))

    @classmethod
    def reply(cls, text: str, puzzle: PuzzleContext) -> Self:
        """Return what a line of a reply to a puzzle's letter means: a move, or a word."""
        said = text.rstrip(" .,!")  # what people end a line with
        if said.lower() in _LEVELS:
            return cls(puzzle.game, level=_LEVELS[said.lower()])
        return cls(puzzle.game, puzzle.puzzle, _moves((*puzzle.line, said)))


def puzzle_named(tokens: Tokens) -> tuple[str, int]:
    """Take `druid-17` or `druid 17`; a number of 0 is refused later."""
    game, number, _ = _named(tokens)
    game = game or tokens.take().lower()
    if not number and (number := _number(tokens.peek().lstrip("#"))):
        tokens.take()
    return game, number


def _named(tokens: Tokens) -> tuple[str, int, bool]:
    """Take a game, and a number that is joined to it; and return whether the line ends there.

    Subjects of letters have `druid-17: win within 3`.
    """
    if tokens.game:
        return tokens.game, 0, False
    name, dash, digits = tokens.peek().lower().rstrip(":").rpartition("-")
    if dash and name and _number(digits):
        return name, _number(digits), tokens.take().endswith(":")
    if tokens.peek().lower() in tokens.context.games:
        return tokens.take().lower(), 0, False
    return "", 0, False


def _number(word: str) -> int:
    """Return the number of a puzzle that a word is; 0 for any other word."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 0


def _moves(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return own moves, the last of which may be a word in any case."""
    if words and (word := word_of(words[-1])) is not None:
        return (*words[:-1], word)
    return words


@dataclass(frozen=True)
class ChangeDailyPuzzle(Command):
    """Get the puzzle of the day of a game by mail, or no longer."""

    words = ("puzzle daily",)
    usage = "puzzle daily [USERID PASSWORD] GAME on|off"
    summary = N_("Get the puzzle of the day by mail.")
    scope = Scope.ACCOUNT

    game: GameName
    is_on: Annotated[bool, Example(True)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the game and `on` or `off`; a reply to a puzzle knows the game."""
        known = tokens.context.puzzle
        game = tokens.game or (known.game if known is not None else "")
        tokens.speaker(leaves=1 if game else 2)
        if tokens.peek().lower() not in SWITCHES:
            game = tokens.take().lower() or game
        word = tokens.take().lower()
        if word not in SWITCHES:
            named = game if game in tokens.context.games else "druid"  # it may be a password
            raise UserError(
                "Say on or off: whether the puzzle of the day comes by mail.",
                code="on-or-off",
                hint=f"puzzle daily USERID PASSWORD {named} on",
            )
        return cls(game, SWITCHES[word])


@dataclass(frozen=True)
class DailyPuzzleSet:
    """Whether a player gets the puzzle of the day of a game by mail.

    Attributes:
        games: All those whose puzzle comes.
    """

    game: str
    title: str
    is_on: bool
    games: tuple[str, ...]


@dataclass(frozen=True)
class PuzzleShown:
    """A puzzle, after a try at it.

    Attributes:
        game, title: The name and the title of the game.
        puzzle: The number of the puzzle.
        task: `win`, `keep` or `save`.
        within: Own moves in which to win; moves of the other side that a saving move holds.
        side: Who is to move at the puzzle's position.
        options, moves: The position shown, as its options and all moves of the line.
        rating: How hard it is.
        own: The own moves that stand.
        result: Of the try: `right`, `solved`, `late` or `not-proved`; "" where none was made.
        tried: The move tried.
        answer: The answer of the other side to a right move; "" where none comes.
        met: The line that meets a move that does not do it, where one is proven.
        solution: Moves of both sides that do it, once the puzzle is over.
        is_finished: Nothing more is asked.
        own_rating: The solver's after the try, where it was rated; with `?` as long as it is
            uncertain. "" for one that was not.
        change: How many points that is more, or less.
        retired: Why it is given to nobody any more; "" for one that is.
    """

    game: str
    title: str
    puzzle: int
    task: str
    within: int
    side: str
    options: str
    moves: tuple[str, ...]
    rating: int = 0
    own: tuple[str, ...] = ()
    result: str = ""
    tried: str = ""
    answer: str = ""
    met: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()
    is_finished: bool = False
    own_rating: str = ""
    change: int = 0
    retired: str = ""

    @property
    def name(self) -> str:
        """The puzzle as people and programs name it: `druid-17`."""
        return f"{self.game}-{self.puzzle}"


PuzzleReply = PuzzleShown | DailyPuzzleSet


@dataclass(frozen=True)
class PuzzleFacts:
    """A puzzle as programs read it, without what solves it.

    Attributes:
        name: `druid-17`, as in addresses and commands.
        game, number: The same in two parts.
        task: `win`, `keep` or `save`.
        within: Own moves in which to win; moves of the other side that a saving move holds.
        options, moves: The position, as its options and the line before it.
        position, side: The same as it is written, and who is to move.
        rating: How hard it is, by the tries so far.
        tries, solved: Rated first tries at this server, and how many of them solved it.
        good, bad: Votes of players at this server.
        first: The right first moves, where they were asked for.
        retired: Why it is given to nobody any more; "" for one that is.
    """

    name: str
    game: str
    number: int
    task: str
    within: int
    options: str
    moves: tuple[str, ...]
    position: str
    side: str
    rating: int
    tries: int
    solved: int
    good: int = 0
    bad: int = 0
    first: tuple[str, ...] = ()
    retired: str = ""


@dataclass(frozen=True)
class PuzzleLine:
    """A puzzle in a list; `rating` is how hard it is, by the tries so far."""

    name: str
    number: int
    task: str
    within: int
    options: str
    rating: int


@dataclass(frozen=True)
class PuzzleList:
    """Puzzles of a game, the newest first.

    Attributes:
        further: The number before which the next page begins; None for the last.
        count: How many the game has.
    """

    game: str
    puzzles: tuple[PuzzleLine, ...]
    further: int | None
    count: int


def short_task(task: str, within: int) -> str:
    """Return what a puzzle asks for in a few words, for subjects: `win within 3`."""
    match task:
        case "win":
            return _("win within {count}").format(count=within)
        case "keep":
            return _("keep the win")
        case _:
            return _("save the game")


def long_task(task: str, within: int) -> str:
    """Return what a puzzle asks for, a sentence in the language in force."""
    match task:
        case "win":
            return _("Win within {count} moves.").format(count=within)
        case "keep":
            keep = _n(
                "Keep the win: one move, and only one that still wins counts.",
                "Keep the win: {count} moves, and only those that still win count.",
                within,
            )
            return keep.format(count=within)
        case _:
            return _n(
                "Save the game: after every other move you lose within {count} move.",
                "Save the game: after every other move you lose within {count} moves.",
                within,
            ).format(count=within)


def result_words(reply: PuzzleShown) -> str:
    """Return the first words of an answer to a try; see `lessons.verdict_words`."""
    match reply.result:
        case "right":
            return _("Right.")
        case "solved":
            return _("Solved.")
        case "late":
            return _("Too late.")
        case "not-proved":
            return _("Not saved.") if reply.task == "save" else _("Not proven to win.")
    return ""


@sentence.register
def _daily_puzzle_set(reply: DailyPuzzleSet) -> str:
    """Return whether it comes from now on."""
    if reply.is_on:
        text = _("From tomorrow on, the puzzle of the day at {title} comes by mail.")
    else:
        text = _("The puzzle of the day at {title} no longer comes by mail.")
    return text.format(title=reply.title)


@sentence.register
def _puzzle_shown(reply: PuzzleShown) -> str:
    """Return what came of the try, and what is asked."""
    return "\n\n".join(filter(None, (news_words(reply), task_words(reply))))


def news_words(reply: PuzzleShown) -> str:
    """Return what came of a try or a word; "" where the puzzle was only asked for."""
    parts = [result_words(reply), *_reasons(reply)]
    if reply.solution and not reply.result:
        line = " ".join(reply.solution)
        parts.append(_("A solution: {line}.").format(line=line))
    if reply.own_rating:
        rated = _("Your rating at puzzles of {title}: {rating} ({change}).")
        change = f"{reply.change:+d}".replace("-", "−")
        parts.append(rated.format(title=reply.title, rating=reply.own_rating, change=change))
    return " ".join(filter(None, parts))


def _reasons(reply: PuzzleShown) -> list[str]:
    """Return the sentences that follow the first words."""
    match reply.result:
        case "right":
            return [_("{move} is played.").format(move=reply.answer)]
        case "solved" if reply.task == "save":
            return [
                _n(
                    "It is proven that you do not lose within {count} move.",
                    "It is proven that you do not lose within {count} moves.",
                    reply.within,
                ).format(count=reply.within)
            ]
        case "solved" if reply.answer:
            return [_("After {move} many moves win.").format(move=reply.answer)]
        case "late":
            late = _("{move} wins as well, but later. It does not count: try another move.")
            return [late.format(move=reply.tried)]
        case "not-proved":
            met = _("After {move} comes {line}.").format(move=reply.tried, line=" ".join(reply.met))
            return [met if reply.met else "", "" if reply.is_finished else _("Try again.")]
    return []


def task_words(reply: PuzzleShown) -> str:
    """Return what the puzzle asks for, and who is to move; "" once it is over."""
    if reply.is_finished:
        return ""
    to_move = _("{side} to move.").format(side=translated(reply.side))
    return " ".join((to_move, long_task(reply.task, reply.within)))


@typed_next.register
def _after_daily_puzzle_set(reply: DailyPuzzleSet) -> str:
    """Return how it is undone."""
    switch = "off" if reply.is_on else "on"
    return _("To undo that: {line}").format(line=f"puzzle daily {reply.game} {switch}")


@typed_next.register
def _after_puzzle_shown(reply: PuzzleShown) -> str:
    """Return what may be typed: a move, or the next puzzle."""
    if reply.is_finished:
        return _("Another one: {line}").format(line=f"puzzle {reply.game}")
    line = " ".join(("puzzle", reply.name, *reply.own))
    return _("To try a move: {line} MOVE. To see a solution: {line} show.").format(line=line)
