"""What stands on a board of a kit: pieces, lines, walls, and the letters that show them in text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A piece, or anything else that stands on a place.

    Attributes:
        side: An index into the seats of the game, by which it is coloured; None is nobody's.
        letter: On the text board, and on the picture where it is a letter. If not given, the
            first of the side's name, or x and o where both names begin alike; `*` for nobody.
        name: What it is, for descriptions: `amazon`.
        height: Of a stack.
        is_crowned: It has a ring on the picture, and a capital letter in text, such as a king.
    """

    side: int | None
    letter: str = ""
    name: str = ""
    height: int = 1
    is_crowned: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether nothing but its place says what it is: nobody's, without a letter."""
        return self.side is None and not self.letter and self.height == 1


Contents = Mapping[str, "Piece | int"]


def mark_of(piece: Piece, seats: Sequence[str]) -> str:
    """Return what stands for a piece on the text board: `r`, `K`, `o12`."""
    letter = piece.letter or ("*" if piece.side is None else _initials(seats)[piece.side])
    letter = letter.upper() if piece.is_crowned else letter
    return f"{letter}{piece.height}" if piece.height > 1 else letter


def _initials(seats: Sequence[str]) -> str:
    letters = "".join(seat[0].lower() for seat in seats)
    return letters if len(set(letters)) == len(seats) else "xo#@%&"
