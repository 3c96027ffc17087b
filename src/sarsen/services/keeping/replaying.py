"""Walk through the events of a board under the rules, and say what does not follow from them.

No database: what is stored is compared in `verifying_boards`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.services.records import Happening
from sarsen.storage.models import MatchEvent

_KIND = MatchEvent.Kind
_ENDINGS = (_KIND.RESIGN.value, _KIND.DRAW.value, _KIND.FORFEIT.value)


@dataclass
class Walk:
    """Where the events of a board lead.

    Attributes:
        positions: After 0, 1, … of the moves that stand.
        ending: What ended the game other than a move, if anything did.
        faults: Each event that does not follow: its number, as stored, as the rules have it.
        is_stopped: An event could not be taken at all, and those after it were not looked at.
    """

    positions: list[AnyPosition]
    ending: Happening | None = None
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    is_stopped: bool = False

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        return len(self.positions) - 1

    def _fault(self, happening: Happening, stored: object, found: object) -> None:
        self.faults.append((f"event {happening.number}", str(stored), str(found)))

    def stop(self, happening: Happening, stored: object, found: object) -> None:
        """Give up at an event."""
        self._fault(happening, stored, found)
        self.is_stopped = True

    def expect(self, happening: Happening, what: str, stored: object, found: object) -> None:
        """Note a fact of an event that should be another."""
        if stored != found:
            self._fault(happening, f"{what} {stored}", f"{what} {found}")


def walk(start: AnyPosition, happenings: Sequence[Happening]) -> Walk:
    """Take the events in order, as far as they can be taken."""
    found = Walk([start])
    for number, one in enumerate(happenings, start=1):
        found.expect(one, "number", one.number, number)
        _take(found, one)
        if found.is_stopped:
            break
    return found


def _take(found: Walk, one: Happening) -> None:
    if found.ending is not None and one.kind != _KIND.RESUME.value:
        found.stop(one, one.kind, f"nothing after {found.ending.kind}")
    elif one.kind == _KIND.MOVE.value:
        _move(found, one)
    elif one.kind == _KIND.UNDO.value:
        if not 0 <= one.ply < len(found.positions):
            found.stop(one, f"back to ply {one.ply}", f"at most {found.ply}")
        del found.positions[one.ply + 1 :]
    elif one.kind == _KIND.RESUME.value:
        was = found.ending.kind if found.ending else ""
        found.expect(one, "after", _KIND.FORFEIT.value, was)
        found.ending = None
    elif one.kind in _ENDINGS:
        found.expect(one, "ply", one.ply, found.ply)
        found.ending = one
    else:
        found.stop(one, one.kind, "no such kind")


def _move(found: Walk, one: Happening) -> None:
    found.expect(one, "ply", one.ply, found.ply + 1)
    found.expect(one, "seat", one.seat, found.position.seat)
    outcome = found.position.outcome()
    if outcome is not None:
        found.stop(one, one.text, f"nothing: {outcome.reason}")
        return
    try:
        # Not `referee.judge`: to write each move in full once more takes twenty times as long
        # as to play it, and no two moves that are kept in full are written alike.
        found.positions.append(found.position.play(found.position.parse(one.text)))
    except UserError as refusal:
        found.stop(one, one.text, f"{refusal.text} [{refusal.code}]")
