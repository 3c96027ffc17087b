"""Commands at a board: moving, offering, answering, resigning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.sentence import Context, Sentence

_PLY = re.compile(r"\s*#\s*(\d{1,6})$")


@dataclass(frozen=True)
class PlayMove:
    """Play a move.

    Attributes:
        game: The game named, or "" when the line named none.
        text: The move as typed.
        ply: Plays only if this ply, counted from 1, is due.
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

    @classmethod
    def read(cls, sentence: Sentence) -> BoardWords:
        """Read the board, the speaker and a move, or a word such as `draw` in its place."""
        example = f"{sentence.game or 'druid'} move 123 USERID PASSWORD c3"
        board, ply = sentence.board(example)
        if sentence.verb in ("pass", "swap"):
            sentence.speaker()
            return cls(sentence.game, board, sentence.verb, ply)
        sentence.speaker(leaves=1)
        text = sentence.rest()
        if not text:
            raise UserError(
                f"Which move on board {board}?",
                code="move-missing",
                hint=example.replace("123", str(board)),
            )
        word = text.lower().rstrip(".!")
        if word in ("accept", "reject"):
            return AnswerOffer(sentence.game, board, accepts=word == "accept")
        for other in (Resign, OfferDraw, AskUndo, Confirm):
            if word in other.words:
                return other(sentence.game, board)
        return cls._with_ply(sentence.game, board, text, ply)

    @classmethod
    def bare(cls, text: str, context: Context) -> Self:
        """Read a line that is nothing but a move, in a reply to a board mail."""
        assert context.board is not None  # the grammar asks only then
        return cls._with_ply("", context.board, text, context.ply)

    @classmethod
    def _with_ply(cls, game: str, board: int, text: str, ply: int | None) -> Self:
        text = text.rstrip(" .,!")  # what people end a line with
        found = _PLY.search(text)
        if found:
            return cls(game, board, text[: found.start()], int(found[1]))
        return cls(game, board, text, ply)


@dataclass(frozen=True)
class Resign:
    """Give a board up.

    Attributes:
        confirmed: Whether the door has made sure; by mail the server asks once.
    """

    words: ClassVar[tuple[str, ...]] = ("resign",)
    usage: ClassVar[str] = "GAME resign BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Give a board up. By mail the server asks once whether you mean it."

    game: str
    board: int
    confirmed: bool = False

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} resign 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board)


@dataclass(frozen=True)
class Confirm:
    """Say yes to what waits for the speaker at a board.

    That is a resignation or a move he put forward, or what the other side asks.
    """

    words: ClassVar[tuple[str, ...]] = ("confirm",)
    usage: ClassVar[str] = "GAME confirm BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Make final what waits: a move put forward, or a resignation."

    game: str
    board: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} confirm 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board)


@dataclass(frozen=True)
class Submit:
    """Put a move forward: shown, and played only when confirmed."""

    words: ClassVar[tuple[str, ...]] = ("submit",)
    usage: ClassVar[str] = "GAME submit BOARD [USERID PASSWORD] MOVE"
    summary: ClassVar[str] = "Put a move forward and see the board; `confirm` makes it final."

    game: str
    board: int
    text: str
    ply: int | None = None

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
        return cls(move.game, move.board, move.text, move.ply)


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
    """Say yes or no to what the other side asks at a board.

    A no also takes back what the speaker himself left to be confirmed or answered.
    """

    words: ClassVar[tuple[str, ...]] = ("reject",)
    usage: ClassVar[str] = "GAME accept BOARD [USERID PASSWORD] | GAME reject BOARD [U P]"
    summary: ClassVar[str] = "Answer an offer of a draw, or a wish to take a move back."

    game: str
    board: int
    accepts: bool = False

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board; the word itself says no."""
        return cls(sentence.game, _only_board(sentence))


@dataclass(frozen=True)
class QueueMoves:
    """Keep moves ready for what may come.

    Attributes:
        text: `d3; if e4 then f5; if any then c1`; `off` forgets them, "" shows them.
    """

    words: ClassVar[tuple[str, ...]] = ("queue", "plan")
    usage: ClassVar[str] = "GAME queue BOARD [USERID PASSWORD] TEXT|off"
    summary: ClassVar[str] = (
        "Moves ahead: `d3; if e4 then f5; if any then c1`. They are played when their turn comes; "
        "one that is illegal then is dropped and reported."
    )

    game: str
    board: int
    text: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board and the moves."""
        example = f"{sentence.game or 'druid'} queue 123 USERID PASSWORD d3; if e4 then f5"
        board, _ = sentence.board(example)
        sentence.speaker()
        return cls(sentence.game, board, sentence.text())


def _only_board(sentence: Sentence) -> int:
    board, _ = sentence.board(f"{sentence.game or 'druid'} {sentence.verb} 123 USERID PASSWORD")
    sentence.speaker()
    return board


BoardWords = PlayMove | Resign | OfferDraw | AskUndo | AnswerOffer | Confirm
