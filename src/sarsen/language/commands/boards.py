"""Commands at a board: moving and resigning."""

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
    def read(cls, sentence: Sentence) -> PlayMove | Resign:
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
        if text.lower() in Resign.words:
            return Resign(sentence.game, board)
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
        board, _ = sentence.board(f"{sentence.game or 'druid'} resign 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board)


@dataclass(frozen=True)
class Confirm:
    """Say yes to what the server asked about at a board: a resignation."""

    words: ClassVar[tuple[str, ...]] = ("confirm",)
    usage: ClassVar[str] = "GAME confirm BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = "Say yes to what the server asked: a resignation."

    game: str
    board: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        board, _ = sentence.board(f"{sentence.game or 'druid'} confirm 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board)
