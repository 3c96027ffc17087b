"""Replies about challenges."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.replies.boards import ShownBoard


@dataclass(frozen=True)
class ChallengeStands:
    """A challenge as it stands now.

    Attributes:
        names: By seat; `anyone` for an open one.
        waiting_for: Who still has to accept; `anyone` for an open seat.
        board: The board that has started, or None.
        pair_board: The other board of a pair, or None.
        terms: The server's options where they are not the usual ones: `--unrated`.
        link: What stands after `accept` to take the free seat: `5-0123…`; told only to who
            made the challenge, and "" unless it waits for whoever has the link.
    """

    number: int
    game: str
    options: str
    names: tuple[str, ...]
    waiting_for: tuple[str, ...]
    board: int | None
    pair_board: int | None = None
    terms: str = ""
    link: str = ""

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return () if self.board is None else (ShownBoard(self.board, 0),)


@dataclass(frozen=True)
class ChallengeEnded:
    """A challenge was declined or withdrawn."""

    number: int
    how: str


@dataclass(frozen=True)
class ChallengeAsked:
    """A mail from a player's address asked for a challenge, without proof.

    The player is asked by a letter; nothing else has been done.
    """


ChallengeReply = ChallengeStands | ChallengeEnded | ChallengeAsked
