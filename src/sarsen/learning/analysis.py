"""Questions about positions: a line that is read, and the answer to it in words and moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import AnyPosition
from sarsen.core.phrases import example_of
from sarsen.core.referee import judge, replay
from sarsen.core.symmetry import canonical
from sarsen.games import load, names
from sarsen.language.learning.analysis import MAX_MOVES, AnalysisShown, LikelyMove
from sarsen.search.analysis import Analysis, Likely
from sarsen.search.thought import refuse_when_over

# Moves of a stored line that are found again in a position that is turned or mirrored: each takes
# a look at all legal moves.
MAX_MAPPED = 6
Check = Callable[[], None]


@dataclass(frozen=True)
class Question:
    """A line of a game, the last position of which is asked about.

    Attributes:
        options: As written by the game.
        moves: In full form.
        positions: One more than there are moves.
    """

    game: str
    options: str
    moves: tuple[str, ...]
    positions: tuple[AnyPosition, ...]

    @property
    def position(self) -> AnyPosition:
        """The one that is asked about."""
        return self.positions[-1]


def read_question(
    game: str, options: str, texts: Sequence[str], check: Check = lambda: None
) -> Question:
    """Read a line and replay it.

    Args:
        check: Called before each move; it may refuse to go on.

    Raises:
        UserError: No game is named, no such game or options, or the rules refuse a move, with
            its ply; the hint is the whole line, mended.
    """
    if len(texts) > MAX_MOVES:
        raise UserError(
            "A line has at most {most} moves.",
            code="analysis-long",
            hint=f"analyse {game}",
            most=MAX_MOVES,
        )
    if not game:
        known = names()
        raise UserError(
            "A position of which game? There are: {games}.",
            code="analysis-game",
            hint=f"analyse {known[0]}" if known else "list",
            games=", ".join(known) or "-",
        )
    moves, positions = list[str](), list[AnyPosition]()
    try:
        start = load(game).start(options)
        positions.append(start)
        for ruling in replay(start, texts):
            check()
            moves.append(ruling.text)
            positions.append(ruling.position)
    except UserError as refusal:
        refusal.hint = _mended_line(refusal, game, options, moves)
        raise
    return Question(start.game.info.name, options, tuple(moves), tuple(positions))


def _mended_line(refusal: UserError, game: str, options: str, moves: Sequence[str]) -> str:
    """Return the line without the option refused, or with a legal move in place of the illegal one.

    Args:
        moves: Those before the refused one.
    """
    hint, words = refusal.hint, options.split()
    if isinstance(refusal, BadOption):
        replaced = [hint] if hint.startswith("-") and " " not in hint else []
        kept = [word for word in words if word.partition("=")[0] != refusal.word]
        return " ".join(("analyse", game, *kept, *replaced))
    if example := example_of(hint):
        return " ".join(("analyse", game, *words, *moves, example))
    return hint


def require_open(question: Question) -> None:
    """Refuse a position in which there is nothing to find.

    Raises:
        UserError: The game is over there; the hint is the line before its last move.
    """
    if question.position.outcome() is not None:
        words = ("analyse", question.game, *question.options.split(), *question.moves[:-1])
        raise UserError(
            "The game is over there: no move is left to find.",
            code="game-over",
            hint=" ".join(words),
        )
    refuse_when_over(question.position)


def shown(question: Question, analysis: Analysis, left: float | None = None) -> AnalysisShown:
    """Return the answer to a question.

    Args:
        left: Seconds of the processor that are left to the asker; None for any.
    """
    position = question.position
    outcome = {1.0: "win", 0.5: "draw", 0.0: "loss"}.get(
        -1.0 if analysis.proved is None else analysis.proved, ""
    )
    winner = {"win": position.seat, "loss": 1 - position.seat}.get(outcome)
    return AnalysisShown(
        question.game,
        position.game.info.title,
        question.options,
        question.moves,
        side=position.sides[position.seat],
        proved=outcome,
        winner="" if winner is None else position.sides[winner],
        plies=analysis.plies,
        line=analysis.line,
        likely=tuple(LikelyMove(one.move, one.chance) for one in analysis.likely),
        seconds=round(analysis.seconds, 3),
        left=left,
    )


def waiting(question: Question, left: float | None = None) -> AnalysisShown:
    """Return that a question is still being searched."""
    position = question.position
    return AnalysisShown(
        question.game,
        position.game.info.title,
        question.options,
        question.moves,
        side=position.sides[position.seat],
        is_waiting=True,
        left=left,
    )


def mapped(
    analysis: Analysis, stored: AnyPosition, position: AnyPosition, check: Check = lambda: None
) -> Analysis:
    """Return an answer about a position, from that about one that is the same under symmetry.

    Args:
        stored: The position that the answer is about.
        check: Called before each move that is looked for; it may refuse to go on.
    """
    if stored.write() == position.write():
        return analysis
    likely = []
    for one in analysis.likely:
        check()
        move = _same_move(stored, one.move, position)
        if move is not None:
            likely.append(Likely(move, one.chance))
    line: list[str] = []
    for text in analysis.line[:MAX_MAPPED]:
        check()
        move = _same_move(stored, text, position)
        if move is None:
            break
        stored, position = judge(stored, text).position, judge(position, move).position
        line.append(move)
    return Analysis(analysis.proved, tuple(line), analysis.plies, tuple(likely), analysis.seconds)


def _same_move(stored: AnyPosition, text: str, position: AnyPosition) -> str | None:
    """Return the move that does here what one does in a position that is the same."""
    after = canonical(judge(stored, text).position)
    for move in position.legal_moves():
        if canonical(position.play(move)) == after:
            return position.format(move)
    return None
