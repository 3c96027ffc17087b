"""Who speaks, and when: what every handler is given beside its command."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.services.time_limits import Budget
from sarsen.storage.models import Player

__all__ = ["NOBODY", "Actor", "Player", "Request"]


@dataclass(frozen=True)
class Actor:
    """Say who a door has proved to be speaking.

    Attributes:
        player: None when nobody is proved.
        seat: The seat a signed reply address stands for: a pair of board number
            and seat, or None.
        address: Where a mail claims to come from; proof of nothing.
        place: Where on the net a request comes from, for `attempts`; "" at other doors.
        budget: The processor time that trying moves may take; None for any.
    """

    player: Player | None = None
    seat: tuple[int, int] | None = None
    address: str = ""
    place: str = ""
    budget: Budget | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        return self.player.userid if self.player else ""


NOBODY = Actor()


@dataclass(frozen=True)
class Request:
    """Pass the speaker and the time to a handler."""

    actor: Actor
    now: datetime

    def player(self, example: str) -> Player:
        """Return the speaker.

        Raises:
            UserError: Nobody is proved; the hint is the example.
        """
        if self.actor.player is None:
            raise UserError(
                "This command needs to know who speaks: answer a mail that the server sent you, "
                "or put your userid and password into the command.",
                code="who-speaks",
                hint=example,
            )
        return self.actor.player
