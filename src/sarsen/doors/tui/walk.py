"""The positions of a game, where one stands among them, and moves that are only tried."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling, replay


@dataclass(frozen=True)
class Walk:
    """A record to step through, and at most one line that leaves it.

    Attributes:
        positions: One more than there are `texts`.
        at: Plies before what is shown; on the tried line, counted on.
        tried: Moves that were tried, after so many plies of the record (`left_at`).
    """

    positions: tuple[AnyPosition, ...]
    texts: tuple[str, ...] = ()
    at: int = 0
    tried: tuple[Ruling, ...] = ()
    left_at: int = 0
    is_exploring: bool = False

    @property
    def position(self) -> AnyPosition:
        """The position that is shown."""
        if self.is_exploring and self.at > self.left_at:
            return self.tried[self.at - self.left_at - 1].position
        return self.positions[self.at]

    @property
    def last(self) -> int:
        """How far one can step."""
        return self.left_at + len(self.tried) if self.is_exploring else len(self.texts)

    @property
    def is_at_end(self) -> bool:
        """Whether the newest position of the record is shown."""
        return not self.is_exploring and self.at == len(self.texts)

    @property
    def text(self) -> str:
        """The move that led here; "" at the beginning."""
        if not self.at:
            return ""
        if self.is_exploring and self.at > self.left_at:
            return self.tried[self.at - self.left_at - 1].text
        return self.texts[self.at - 1]

    @property
    def tried_texts(self) -> tuple[str, ...]:
        """The moves of the tried line, as far as it is shown."""
        return tuple(one.text for one in self.tried[: max(0, self.at - self.left_at)])

    def to(self, ply: int) -> Walk:
        """Step to a ply, as near as there is one."""
        return replace(self, at=max(0, min(ply, self.last)))

    def explore(self) -> Walk:
        """Begin to try moves from what is shown."""
        return replace(self, is_exploring=True, left_at=self.at, tried=())

    def leave(self) -> Walk:
        """Forget what was tried."""
        return replace(self, is_exploring=False, tried=(), at=self.left_at)

    def play(self, ruling: Ruling) -> Walk:
        """Try a move; what was tried after this position before is forgotten."""
        kept = self.tried[: max(0, self.at - self.left_at)]
        left_at = self.left_at if self.at >= self.left_at else self.at
        return replace(self, tried=(*kept, ruling), left_at=left_at, at=self.at + 1)


def walked(start: AnyPosition, texts: tuple[str, ...], known: Walk | None = None) -> Walk:
    """Replay a record; positions that an older walk has of it are taken from there.

    Raises:
        UserError: The rules here refuse a move of it.
    """
    same = 0
    if known is not None:
        while same < min(len(known.texts), len(texts)) and known.texts[same] == texts[same]:
            same += 1
    positions = list(known.positions[: same + 1]) if known is not None else [start]
    positions += [ruling.position for ruling in replay(positions[-1], texts[same:])]
    fresh = Walk(tuple(positions), texts, len(texts))
    if known is None or known.is_at_end:
        return fresh
    if known.is_exploring and same >= known.left_at:
        return replace(known, positions=fresh.positions, texts=texts)
    return fresh.to(min(known.at, same))
