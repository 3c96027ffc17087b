"""What the last letter of a board tells beside the board: ratings, and the whole record."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from sarsen.language.finished import FinishedGame
from sarsen.language.wording.finished import ratings_text
from sarsen.services.call import Player
from sarsen.services.finished import view_finished
from sarsen.services.recording import view_record
from sarsen.services.viewing import BoardView

MOST_KEPT = 16  # finished games; both players get the same of theirs


@dataclass(frozen=True)
class Aftermath:
    """What is told after a game; all "" of one that runs."""

    ratings: str = ""
    record: str = ""


def aftermath(view: BoardView, reader: Player | None) -> Aftermath:
    """Return what a finished game does to ratings, and write its record."""
    game, record = _of_all_readers(view, reader)
    if game is None:
        return Aftermath()
    return Aftermath(ratings_text(game), record)


def _of_all_readers(view: BoardView, reader: Player | None) -> tuple[FinishedGame | None, str]:
    # By identity: a view is given to each reader with what only he may see, and the same names.
    # It is remembered no longer than the letters of a sweep take.
    if id(view.players) in _kept:
        return _kept[id(view.players)][1]
    game = view_finished(view.number, reader)
    told = game, view_record(view.number, reader).text if game else ""
    _kept[id(view.players)] = view.players, told
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return told


_Told = tuple[FinishedGame | None, str]  # with the record
_kept: OrderedDict[int, tuple[tuple[str, ...], _Told]] = OrderedDict()
