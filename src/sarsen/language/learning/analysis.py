"""The analysis board: the command that asks about a position, and what is found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import (
    AtMost,
    BoardNumber,
    Bounds,
    GameName,
    GameOptions,
    MaxItems,
    MayLack,
    Moves,
    PlyNumber,
)
from sarsen.language.translating import N_, _, _n, sentence, translated, typed_next

MAX_MOVES = 300  # of a line: each is played again for every answer
MAX_POSITION = 800  # characters of a position that is set up: with some moves it fits a line
NEARLY = 0.1  # of a chance: moves that are worse by more are not drawn
# A board's number begins a line, and a word that no game has for a move a position.
_BOARD = re.compile(r"#?\d{1,9}(#[1-9]\d{0,5}(\.\d{1,7})?)?")
FROM, THEN = "from", "then"


@dataclass(frozen=True)
class Analyse(Command):
    """Ask what is proven of a position, or else which moves are likely the best.

    Attributes:
        options: Options of the game, as typed.
        moves: From the first position on; none for the beginning.
        position: The first position, as the game writes it; "" for that of a new game.
        board: Begin with the moves of this board, in place of a game; 0 for none.
        due: Of these moves, those before the one that is due as this ply; 0 for all, in a game
            that is over for all but the last one.
    """

    words = ("analyse", "analyze", "analysis")
    usage = "analyse GAME|BOARD [-OPTIONS|from POSITION then] [MOVE …]"
    summary = N_("See what is proven of a position, or its likely best moves.")
    details = N_(
        "Name the moves from the beginning on; options come first, as in a challenge: `-size=6`. "
        "`analyse 123` begins with the moves of board 123, `analyse 123#14` with those before "
        "move 14.\n\n"
        "A position of your own comes after `from`, as the analysis board on the web writes it: "
        "`analyse gyges from S 231123/f/f/f/f/321123 then 11-31`.\n\n"
        "There is no answer about a game you are still playing, from its fourth move on. In a "
        "rated game that goes for all positions that are the same when turned or mirrored, and for "
        "what comes after them.\n\n"
        "You have some minutes of search every hour, without an account some seconds; positions "
        "that anybody has asked about before are free."
    )
    # As for playing a game; what is stored of it is the speaker's own.
    scope = Scope.PLAY
    is_query = True
    for_visitors = True
    for_guests = True

    game: GameName
    options: GameOptions = ""
    moves: Annotated[Moves, MaxItems(MAX_MOVES), MayLack()] = ()
    position: Annotated[str, Bounds(MAX_POSITION), MayLack()] = ""
    board: Annotated[BoardNumber, AtMost(999_999_999), MayLack()] = 0
    due: Annotated[PlyNumber, MayLack()] = 0

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the game and its options, a position, or a board; then moves.

        A blank may follow a semicolon in a move.
        """
        board, due = 0, 0
        word = "" if tokens.game else tokens.peek()
        if _BOARD.fullmatch(word):
            board, ply = tokens.board("analyse 123")
            due = ply or 0
        elif word.lstrip("#")[:1].isdigit():  # no game's name begins so
            raise UserError(
                "{typed} is not the number of a board, or of a board and a move.",
                code="board-missing",
                hint="analyse 123#14",
                typed=quoted(word),
            )
        game = tokens.game or ("" if board else tokens.take().lower())
        position = ""
        if not board and tokens.peek().lower() == FROM:
            tokens.take()
            position = " ".join(iter(lambda: _word_before(tokens, THEN), ""))
            if not position:
                raise UserError(
                    "A position stands after `from`, as the game writes it.",
                    code="analysis-word",
                    hint=analysis_line(game, "", "", ()),
                )
        options, moves = [], list[str]()
        for word in tokens.rest_words():
            if word.startswith("-") and not moves:
                options.append(word)
            elif moves and moves[-1].endswith(";") and word.lower() not in (FROM, THEN):
                moves[-1] += f" {word}"
            else:
                moves.append(word)
        return cls(game, " ".join(options), tuple(moves), position, board, due)


def _word_before(tokens: Tokens, end: str) -> str:
    """Take the next word; "" at the end, and at a word that ends a part, which is taken, too."""
    word = tokens.take()
    return "" if word.lower() == end else word


def analysis_line(game: str, options: str, position: str, moves: Sequence[str]) -> str:
    """Return the command that asks about a line."""
    begun = [FROM, position, *([THEN] if moves else ())] if position else options.split()
    return " ".join(("analyse", game, *begun, *moves))


@dataclass(frozen=True)
class LikelyMove:
    """A move that is likely among the best, with the chance of its side to win, in [0, 1]."""

    move: str
    chance: float


@dataclass(frozen=True)
class AnalysisShown:
    """What is proven of a position, or which moves are likely the best.

    Attributes:
        game, title: The name and the title of the game.
        options, moves: The position, as its options and the line before it.
        position: Where that line begins, as the game writes it; "" for a new game.
        side: Who is to move there.
        is_waiting: The answer is still being searched: the same question again, which is free,
            tells when it is there.
        proved: What is proven for the side to move: `win`, `draw` or `loss`; "" for nothing.
        winner: The side that wins, proven; "" for none.
        plies: Moves of both sides to the proven end along the line; None where that is not known.
        line: Best play for both from there: proven, or likely.
        likely: Where nothing is proven, the best moves.
        seconds: Of the processor, that the answer took.
        left: Seconds of the processor that the speaker has left in this hour; None for any.
    """

    game: str
    title: str
    options: str
    moves: tuple[str, ...]
    side: str
    is_waiting: bool = False
    proved: str = ""
    winner: str = ""
    plies: int | None = None
    line: tuple[str, ...] = ()
    likely: tuple[LikelyMove, ...] = ()
    seconds: float = 0.0
    left: float | None = None
    position: str = ""


def proven_words(reply: AnalysisShown) -> str:
    """Return what is proven, a sentence in the language in force; "" for nothing."""
    if reply.proved == "draw":
        return _("Proven: a draw with best play.")
    if not reply.proved:
        return ""
    if reply.plies is None:
        return _("Proven: {side} wins.").format(side=translated(reply.winner))
    return _n(
        "Proven: {side} wins with the next move.",
        "Proven: {side} wins, by this line in {count} moves.",
        reply.plies,
    ).format(side=translated(reply.winner), count=reply.plies)


def percent(chance: float) -> str:
    """Return a chance as people read it: `64%`. Neither 0 nor 100 is ever likely."""
    return _("{chances}%").format(chances=min(max(round(100 * chance), 1), 99))


def analysis_words(reply: AnalysisShown) -> str:
    """Return what was found, in the language in force."""
    if reply.is_waiting:
        return _("The server is searching. The same question again shows what it has found.")
    if reply.proved:
        line = _("The line: {line}.").format(line=" ".join(reply.line))
        return f"{proven_words(reply)} {line}" if reply.line else proven_words(reply)
    moves = [f"{one.move} ({percent(one.chance)})" for one in reply.likely]
    likely = _("Nothing is proven. Likely best for {side}, with the chance to win: {moves}.")
    words = likely.format(side=translated(reply.side), moves=", ".join(moves))
    return words if _stands_out(reply) else f"{words} {_('No move stands out.')}"


def unproven_words(reply: AnalysisShown) -> str:
    """Return what stands below likely moves, in the language in force."""
    words = _("Nothing is proven here.")
    return words if _stands_out(reply) else f"{words} {_('No move stands out.')}"


def moves_pointed_out(reply: AnalysisShown) -> tuple[str, ...]:
    """Return the moves that a picture shows: the best one, then those that are nearly as good."""
    if reply.proved:
        return reply.line[:1]
    least = max((one.chance for one in reply.likely), default=0.0) - NEARLY
    moves = tuple(one.move for one in reply.likely if one.chance >= least)
    return moves if _stands_out(reply) else ()


def _stands_out(reply: AnalysisShown) -> bool:
    """Return whether some likely move looks better than another, or there is but one."""
    shown = {percent(one.chance) for one in reply.likely}
    return len(reply.likely) < 2 or len(shown) > 1


def left_words(reply: AnalysisShown) -> str:
    """Return how much may be searched in this hour; "" where there is no limit."""
    if reply.left is None:
        return ""
    seconds = round(reply.left)
    return _n(
        "You have {count} second of search left in this hour.",
        "You have {count} seconds of search left in this hour.",
        seconds,
    ).format(count=seconds)


@sentence.register
def _analysis_shown(reply: AnalysisShown) -> str:
    """Return what was found, and what is left of the hour."""
    return "\n\n".join(filter(None, (analysis_words(reply), left_words(reply))))


@typed_next.register
def _after_analysis_shown(reply: AnalysisShown) -> str:
    """Return the line of the position after the best move."""
    best = reply.line[:1] or tuple(one.move for one in reply.likely[:1])
    line = analysis_line(reply.game, reply.options, reply.position, (*reply.moves, *best))
    if reply.is_waiting or not best:
        return ""
    return _("To go on with {move}: {line}").format(move=best[0], line=line)
