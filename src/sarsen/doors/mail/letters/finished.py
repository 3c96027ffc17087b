"""What the last letter of a board tells beside the board: ratings, and the whole record."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from sarsen.language.translating import _
from sarsen.language.wording.finished import ratings_text
from sarsen.services.call import Player
from sarsen.services.finished import view_finished
from sarsen.services.recording import view_record
from sarsen.services.viewing import BoardView


@dataclass(frozen=True)
class Aftermath:
    """What is told after a game; all "" of one that runs."""

    ratings: str = ""
    record: str = ""

    @property
    def text(self) -> str:
        """Both, to stand below a board."""
        record = f"{_('The record:')}\n\n{self.record}" if self.record else ""
        return "".join(f"\n\n{part}" for part in (self.ratings, record) if part)


def aftermath(view: BoardView, reader: Player | None) -> Aftermath:
    """Say what a finished game does to ratings, and write its record."""
    game = view_finished(view.number, reader)
    if game is None:
        return Aftermath()
    zone = reader.timezone if reader else ""
    record = view_record(view.number, reader).text.rstrip("\n")
    return Aftermath(ratings_text(game, zone, timezone.now()), record)
