"""The analysis board: the command that asks about a position, and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.referee import MAX_MOVE
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import Bounds, GameName, GameOptions, MaxItems, MayLack
from sarsen.language.translating import N_, _, _n, sentence, translated, typed_next

MAX_MOVES = 300  # of a line: each is played again for every answer


@dataclass(frozen=True)
class Analyse(Command):
    """Ask what is proven of a position, or else which moves are likely the best.

    Attributes:
        options: Options of the game, as typed.
        moves: From the first position on; none for the beginning.
    """

    words = ("analyse", "analyze", "analysis")
    usage = "analyse GAME [-OPTIONS] [MOVE …]"
    summary = N_("See what is proven of a position, or its likely best moves.")
    details = N_(
        "Name the moves from the beginning on; options come first, as in a challenge: `-size=6`."
        "\n\n"
        "There is no answer about a game you are still playing. In a rated game that goes for all "
        "positions that are the same when turned or mirrored, and for what comes after them.\n\n"
        "You have some minutes of search every hour; positions that anybody has asked about "
        "before are free."
    )
    # As for playing a game; what is stored of it is the speaker's own.
    scope = Scope.PLAY
    is_query = True
    for_visitors = True
    for_guests = True

    game: GameName
    options: GameOptions = ""
    moves: Annotated[
        tuple[Annotated[str, Bounds(MAX_MOVE)], ...], MaxItems(MAX_MOVES), MayLack()
    ] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the game, its options, then moves; a blank may follow a semicolon in a move."""
        game = tokens.game or tokens.take().lower()
        options, moves = [], list[str]()
        for word in tokens.rest_words():
            if word.startswith("-") and not moves:
                options.append(word)
            elif moves and moves[-1].endswith(";"):
                moves[-1] += f" {word}"
            else:
                moves.append(word)
        return cls(game, " ".join(options), tuple(moves))


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
    words = ("analyse", reply.game, *reply.options.split(), *reply.moves, *best)
    if reply.is_waiting or not best:
        return ""
    return _("To go on with {move}: {line}").format(move=best[0], line=" ".join(words))
