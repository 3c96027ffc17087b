"""Replies about boards."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32


@dataclass(frozen=True)
class ShownBoard:
    """A board that a reply shows: after `ply` plies, None for all, and moves only tried.

    A reply that shows boards says which by its property `shows`.

    Attributes:
        event: As it stood after so many events; moves may be taken back later.
    """

    board: int
    ply: int | None = None
    tried: tuple[str, ...] = ()
    event: int | None = None


@dataclass(frozen=True)
class FollowedMove:
    """A move that a player's plan played at once, as this ply, in full form.

    Attributes:
        player: A userid; "" for whoever the reply answers.
    """

    player: str
    ply: int
    text: str


@dataclass(frozen=True)
class DroppedMove:
    """What the rules refused of a plan when its turn came, and their words.

    Attributes:
        text: The move, or `if` and the answer that cannot come.
    """

    text: str
    why: str


@dataclass(frozen=True)
class Moved:
    """A move was played, as this ply, in this full form.

    Attributes:
        followed: What plans played after it at once.
        dropped: What was taken out of the speaker's own plan then.
    """

    board: int
    ply: int
    text: str
    event: int | None = None
    followed: tuple[FollowedMove, ...] = ()
    dropped: tuple[DroppedMove, ...] = ()

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        last = self.followed[-1].ply if self.followed else self.ply
        return (ShownBoard(self.board, last, event=self.event),)


@dataclass(frozen=True)
class Submitted:
    """A move was put forward after this many plies, in this full form; a yes plays it."""

    board: int
    ply: int
    text: str
    event: int | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, (self.text,), self.event),)

    @property
    def matter(self) -> str:
        """What an answer to this reply is about."""
        return move_matter(self.text)


def move_matter(text: str) -> str:
    """Return the matter of a move put forward: a yes to one must not play another."""
    return f"move {crc32(text.encode()) % 9_999_999 + 1}"


@dataclass(frozen=True)
class ResignAsked:
    """The server asks whether the resignation is meant."""

    board: int

    @property
    def matter(self) -> str:
        """What an answer to this reply is about."""
        return "resign"


@dataclass(frozen=True)
class Resigned:
    """A board was given up after this many plies."""

    board: int
    ply: int
    event: int | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


@dataclass(frozen=True)
class BoardsShown:
    """Boards to draw: pairs of a number and how many plies to show, None for all."""

    boards: tuple[tuple[int, int | None], ...]

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return tuple(ShownBoard(board, ply) for board, ply in self.boards)


@dataclass(frozen=True)
class Previewed:
    """A board to draw after `ply` plies and these moves, in their full forms.

    Attributes:
        plan: The text by which the viewer would plan this line; "" where he cannot.
    """

    board: int
    ply: int
    moves: tuple[str, ...]
    plan: str = ""

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, self.moves),)


BoardReply = Moved | Submitted | ResignAsked | Resigned | BoardsShown | Previewed
