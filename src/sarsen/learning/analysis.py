"""Questions about positions: a line that is read, and the answer to it in words and moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sarsen.core.errors import BadOption, UnreadablePosition, UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.phrases import example_of, quoted
from sarsen.core.referee import judge, replay
from sarsen.core.symmetry import canonical, has_symmetry
from sarsen.games import load, names
from sarsen.language.learning.analysis import (
    FROM,
    MAX_MOVES,
    MAX_POSITION,
    THEN,
    AnalysisShown,
    LikelyMove,
    analysis_line,
)
from sarsen.search.analysis import Analysis, Likely
from sarsen.search.thought import refuse_when_over

# Moves of a stored line that are found again in a position that is turned or mirrored: each takes
# a look at all legal moves.
MAX_MAPPED = 6
MAX_TRIED = 20  # last words of what is no position, of which each may be a move after one
Check = Callable[[], None]


@dataclass(frozen=True)
class Question:
    """A line of a game, the last position of which is asked about.

    Attributes:
        options: As written by the game.
        moves: In full form.
        positions: One more than there are moves.
        setup: The first position, where it is set up; "" for that of a new game.
    """

    game: str
    options: str
    moves: tuple[str, ...]
    positions: tuple[AnyPosition, ...]
    setup: str = ""

    @property
    def position(self) -> AnyPosition:
        """The one that is asked about."""
        return self.positions[-1]


def read_question(
    game: str,
    options: str,
    texts: Sequence[str],
    check: Check = lambda: None,
    *,
    setup: str = "",
) -> Question:
    """Read a line and replay it.

    Args:
        setup: The first position, as the game writes it; "" for that of a new game.
        check: Called before each move; it may refuse to go on.

    Raises:
        UserError: No game is named, no such game, options or position, or the rules refuse a
            move, with its ply; the hint is the whole line, mended.
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
        start = begin(load(game), options, setup)
        positions.append(start)
        _check_words(game, options, setup, texts, check)
        for ruling in replay(start, texts):
            check()
            moves.append(ruling.text)
            positions.append(ruling.position)
    except UserError as refusal:
        if positions or not setup:  # a position that is no position has its own hint
            line = (game, options, setup)
            refusal.hint = _mended_line(refusal, *line, moves, _checked(texts, check))
        raise
    return Question(start.game.info.name, options, tuple(moves), tuple(positions), setup)


def begin(game: Game, options: str, setup: str) -> AnyPosition:
    """Return the first position of a line: of a new game, or one that is set up.

    Raises:
        UserError: No such options, or no such position; the hint is a line that works.
    """
    if not setup:
        return game.start(options)
    name = game.info.name
    if options:
        raise UserError(
            "A position that is set up has its options with it: {options} is not given besides.",
            code="position-options",
            hint=analysis_line(name, "", setup, ()),
            options=quoted(options),
        )
    example = analysis_line(name, "", game.start().write(), ())
    if not has_symmetry(game):
        # Whether somebody plays from a position just now could not be found out.
        raise UserError(
            "No positions are set up at {title}: it does not say which of them are the same.",
            code="no-setup",
            hint=analysis_line(name, options, "", ()),
            title=game.info.title,
        )
    if len(setup) > MAX_POSITION:
        raise UserError(
            "A position that is set up has at most {most} characters.",
            code="setup-long",
            hint=example,
            most=MAX_POSITION,
        )
    try:
        return game.read(setup)
    except UserError as refusal:
        _check_end(game, setup)
        raise UnreadablePosition(refusal.text, code=refusal.code, hint=example) from refusal


def _check_words(game: str, options: str, setup: str, texts: Sequence[str], check: Check) -> None:
    """Refuse a word between moves that belongs elsewhere in the line.

    Raises:
        UserError: There is one; the hint is the line with the word in its place.
    """
    words = [text.lower() for text in texts]
    if FROM in words:
        at = words.index(FROM)
        end = words.index(THEN, at) if THEN in words[at:] else len(words)
        position = " ".join(texts[at + 1 : end])
        moves = [*texts[:at], *(text for text in texts[end:] if text.lower() != THEN)]
        raise UserError(
            "`from` stands right after the game, before a position, which has its options with it; "
            "its moves come after `then`.",
            code="analysis-word",
            hint=_nearest_line(game, options, setup or position, _checked(moves, check)),
        )
    if THEN in words:
        moves = [text for text in texts if text.lower() != THEN]
        raise UserError(
            "`then` stands once: after a position that begins with `from`, before its moves.",
            code="analysis-word",
            hint=_nearest_line(game, options, setup, _checked(moves, check)),
        )


def _check_end(game: Game, setup: str) -> None:
    """Refuse moves that follow a position without `then`.

    Raises:
        UserError: The position is one without its last words.
    """
    words = setup.split()
    for count in range(len(words) - 1, max(0, len(words) - MAX_TRIED), -1):
        position = " ".join(words[:count])
        if _is_position(game, position):
            raise UnreadablePosition(
                "`then` stands between a position and its moves.",
                code="analysis-word",
                hint=_nearest_line(game.info.name, "", position, words[count:]),
            )


def _is_position(game: Game, text: str) -> bool:
    try:
        game.read(text)
    except UserError:
        return False
    return True


def _nearest_line(game: str, options: str, setup: str, texts: Iterable[str]) -> str:
    """Return the line that works and is most like one that does not."""
    try:
        start = begin(load(game), "" if setup else options, setup)
    except UserError as refusal:
        is_line = refusal.hint.startswith(f"analyse {game} ")
        return refusal.hint if is_line else analysis_line(game, "", "", ())
    moves = list[str]()
    with suppress(UserError):
        moves.extend(ruling.text for ruling in replay(start, texts))
    return analysis_line(game, "" if setup else options, setup, moves)


def _mended_line(
    refusal: UserError,
    game: str,
    options: str,
    setup: str,
    moves: Sequence[str],
    texts: Iterable[str],
) -> str:
    """Return the line without the option refused, or with a legal move in place of the illegal one.

    Args:
        moves: Those before the refused one.
        texts: All moves, as typed; they may refuse to go on.
    """
    hint = refusal.hint
    if isinstance(refusal, BadOption):
        mended = mended_options(refusal, options)
        return analysis_line(game, mended, "", _legal(game, mended, texts))
    if example := example_of(hint):
        return analysis_line(game, options, setup, (*moves, example))
    return hint


def mended_options(refusal: BadOption, options: str) -> str:
    """Return options without the one refused, or with what its hint has in its place."""
    hint = refusal.hint
    replaced = [hint] if hint.startswith("-") and " " not in hint else []
    words = options.split()
    # A word without a dash is refused with its value.
    kept = [word for word in words if refusal.word not in (word, word.partition("=")[0])]
    return " ".join((*kept, *replaced))


def _checked(texts: Sequence[str], check: Check) -> Iterator[str]:
    for text in texts:
        check()
        yield text


def _legal(game: str, options: str, texts: Iterable[str]) -> list[str]:
    """Return the moves that are legal with other options, up to the first that is not."""
    moves = list[str]()
    with suppress(UserError):
        moves.extend(ruling.text for ruling in replay(load(game).start(options), texts))
    return moves


def require_open(question: Question) -> None:
    """Refuse a position in which there is nothing to find.

    Raises:
        UserError: The game is over there; the hint is the line before its last move.
    """
    if question.position.outcome() is not None:
        before = (question.options, question.setup, question.moves[:-1])
        hint = analysis_line(question.game, *before) if question.moves else "help analyse"
        raise UserError(
            "The game is over there: no move is left to find.",
            code="game-over",
            hint=hint,
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
        position=question.setup,
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
        position=question.setup,
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
