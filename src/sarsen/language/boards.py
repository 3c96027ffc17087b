"""Commands at a board: moving, offering, answering, resigning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.plans import joined
from sarsen.language.grammar.sentence import Context, Sentence

_PLY = re.compile(r"\s*#\s*(\d{1,6})(?:\.(\d{1,7}))?$")


@dataclass(frozen=True)
class PlayMove:
    """Play a move.

    Attributes:
        game: The game named, or "" when the line named none.
        text: The move as typed.
        ply: Plays only if this ply, counted from 1, is due.
        event: Plays only if the match has had exactly so many events: a ply can be
            due again after moves were taken back, in another position. Written
            behind the ply: `#14.16`.
    """

    words: ClassVar[tuple[str, ...]] = ("move", "mvoe", "board", "pass", "swap")
    usage: ClassVar[str] = "GAME move BOARD [USERID PASSWORD] MOVE[#PLY]"
    summary: ClassVar[str] = (
        "Play a move; with #PLY only if that ply is due. `pass` and `swap` where a game has them."
    )

    game: str
    board: int
    text: str
    ply: int | None = None
    event: int | None = None

    @classmethod
    def read(cls, sentence: Sentence) -> BoardWords:
        """Read the board, the speaker and a move, or a word such as `draw` in its place."""
        example = f"{sentence.game or 'druid'} move 123 USERID PASSWORD c3"
        board, ply = sentence.board(example)
        if sentence.verb in ("pass", "swap"):
            sentence.speaker()
            # "Swap was a good idea" is no move: the rules refuse it as a whole.
            text = f"{sentence.verb} {sentence.rest()}".strip()
            text = read_phrase(text, sentence.context.body) or text
            return cls(
                sentence.game, board, *_guarded(text, sentence.context, board, ply, sentence.event)
            )
        sentence.speaker(leaves=1)
        text = sentence.rest()
        if not text:
            raise UserError(
                "Which move on board {board}?",
                code="move-missing",
                hint=example.replace("123", str(board)),
                board=board,
            )
        word = text.lower().rstrip(".!")
        if word in ("accept", "reject"):
            return AnswerOffer(sentence.game, board, accepts=word == "accept", matter="offer")
        for other in (Resign, OfferDraw, AskUndo, Confirm):
            if word in other.words:
                return other(sentence.game, board)
        return cls(
            sentence.game, board, *_guarded(text, sentence.context, board, ply, sentence.event)
        )

    @classmethod
    def bare(cls, text: str, context: Context) -> Self:
        """Read a line that is nothing but a move, in a reply to a board mail."""
        assert context.board is not None  # the grammar asks only then
        return cls("", context.board, *_guarded(text, context, context.board, context.ply))


def _guarded(
    text: str, context: Context, board: int, ply: int | None, event: int | None = None
) -> tuple[str, int | None, int | None]:
    """Take a guard such as `#14` or `#14.16` off a move; return move, ply and event."""
    text = text.rstrip(" .,!")  # what people end a line with
    found = _PLY.search(text)
    if found is None:
        return text, ply, event if event is not None else context.event_at(board, ply)
    typed = int(found[1])
    event = int(found[2]) if found[2] else context.event_at(board, typed)
    return text[: found.start()], typed, event


@dataclass(frozen=True)
class Resign:
    """Resign at a board.

    Attributes:
        confirmed: Whether the door has made sure; by mail the server asks once.
        matter: What the mail asked that this answers; see `Confirm`.
    """

    words: ClassVar[tuple[str, ...]] = ("resign",)
    usage: ClassVar[str] = "GAME resign BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Give up a game. By mail the server asks you to confirm it."

    game: str
    board: int
    confirmed: bool = False
    matter: str = ""

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} resign 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board, matter=asked_of(sentence, board)[0])


@dataclass(frozen=True)
class Confirm:
    """Confirm the offer or move that waits for the speaker at a board.

    That is a resignation or a move they put forward, or what the other side asks.

    Attributes:
        matter: What the mail asked that this answers; "" for whatever waits.
        event: How many events the match had when that mail was written.
    """

    words: ClassVar[tuple[str, ...]] = ("confirm",)
    usage: ClassVar[str] = "GAME confirm BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Confirm a submitted move, or a resignation."

    game: str
    board: int
    matter: str = ""
    event: int | None = None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} confirm 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board, *asked_of(sentence, board))


@dataclass(frozen=True)
class Submit:
    """Put a move forward: shown, and played only when confirmed."""

    words: ClassVar[tuple[str, ...]] = ("submit",)
    usage: ClassVar[str] = "GAME submit BOARD [USERID PASSWORD] MOVE"
    summary: ClassVar[str] = "See the board after a move; `confirm` then plays it."

    game: str
    board: int
    text: str
    ply: int | None = None
    event: int | None = None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board and a move."""
        move = PlayMove.read(sentence)
        if not isinstance(move, PlayMove):
            raise UserError(
                "Only a move can be put forward.",
                code="submit-move",
                hint=f"submit {move.board} MOVE",
            )
        return cls(move.game, move.board, move.text, move.ply, move.event)


@dataclass(frozen=True)
class OfferDraw:
    """Offer the other side a draw."""

    words: ClassVar[tuple[str, ...]] = ("draw", "propose")
    usage: ClassVar[str] = "GAME draw BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Offer a draw; the other side answers `accept` or `reject`."

    game: str
    board: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        return cls(sentence.game, _only_board(sentence))


@dataclass(frozen=True)
class AskUndo:
    """Ask the other side to take the speaker's last move back."""

    words: ClassVar[tuple[str, ...]] = ("undo", "takeback")
    usage: ClassVar[str] = "GAME undo BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Ask to take your last move back; the other side answers."

    game: str
    board: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        return cls(sentence.game, _only_board(sentence))


@dataclass(frozen=True)
class AnswerOffer:
    """Answer the offer of the other side at a board.

    A no also takes back what the speaker left to be confirmed or answered.

    Attributes:
        matter: What the mail asked that this answers; `offer` for what one side
            asks the other; "" for whatever waits.
        event: How many events the match had when that mail was written.
    """

    words: ClassVar[tuple[str, ...]] = ("reject",)
    usage: ClassVar[str] = "GAME accept BOARD [USERID PASSWORD] | GAME reject BOARD [U P]"
    summary: ClassVar[str] = "Answer the offer of a draw, or the request to take a move back."

    game: str
    board: int
    accepts: bool = False
    matter: str = ""
    event: int | None = None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board; the word itself says no."""
        board = _only_board(sentence)
        matter, event = asked_of(sentence, board)
        return cls(sentence.game, board, matter=matter or "offer", event=event)


@dataclass(frozen=True)
class QueueMoves:
    """Keep moves ready for what may come.

    Attributes:
        text: `d3; if e4 then f5; if any then c1`; `off` forgets them, "" shows them;
            `publish` shows the speaker's variations to all when the game is over.
        ply, event: As for a move: a plan is for the position its writer had before them.
    """

    words: ClassVar[tuple[str, ...]] = ("queue", "plan")
    usage: ClassVar[str] = "GAME queue BOARD [USERID PASSWORD] [TEXT|off|publish|unpublish]"
    summary: ClassVar[str] = (
        "Moves ahead: `d3; if e4 then f5; if any then c1`. They are played when their turn comes; "
        "one that is illegal then is dropped and reported. More: `help plans`."
    )

    game: str
    board: int
    text: str
    ply: int | None = None
    event: int | None = None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board and the moves."""
        example = f"{sentence.game or 'druid'} queue 123 USERID PASSWORD d3; if e4 then f5"
        board, ply = sentence.board(example)
        sentence.speaker()
        text = joined(sentence.rest(), sentence.context.body)
        return cls(sentence.game, board, text, ply, sentence.event)


def asked_of(sentence: Sentence, board: int) -> tuple[str, int | None]:
    """Return what the mail replied to asked at this board, and after how many events."""
    context = sentence.context
    return (context.matter, context.event) if context.board == board else ("", None)


def _only_board(sentence: Sentence) -> int:
    board, _ = sentence.board(f"{sentence.game or 'druid'} {sentence.verb} 123 USERID PASSWORD")
    sentence.speaker()
    return board


BoardWords = PlayMove | Resign | OfferDraw | AskUndo | AnswerOffer | Confirm


MOST_LINES = 50


@dataclass(frozen=True)
class Multiple:
    """Run every body line as a command; each is answered, a failing one stops nothing."""

    words: ClassVar[tuple[str, ...]] = ("multiple",)
    usage: ClassVar[str] = "multiple"
    summary: ClassVar[str] = f"Every line of the body is a command, up to {MOST_LINES} of them."

    lines: tuple[str, ...]

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Take the lines of the body."""
        lines = sentence.context.body
        if not lines:
            raise UserError(
                "`multiple` needs commands below it, one a line.",
                code="lines-missing",
                hint="help multiple",
            )
        return cls(lines)
