"""An invitation as one letter or reply shows it."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.challenges import ANYONE
from sarsen.services.challenges.challenges import unknown_challenge
from sarsen.services.matches.terms import write_terms
from sarsen.storage.models import Challenge


@dataclass(frozen=True)
class Invitation:
    """A challenge as people see it.

    Attributes:
        challenger: Who made it, or "" when that was not proved.
        rematch_of: The board that it wants to play again, or None.
        terms: The server's options where they are not the usual ones: `--unrated`.
        names: Userids by seat, `anyone` for an open one.
    """

    number: int
    game: str
    options: str
    terms: str
    challenger: str
    names: tuple[str, ...]
    state: str
    rematch_of: int | None = None


def view_invitation(number: int) -> Invitation:
    """Return a challenge by its number.

    Raises:
        UserError: There is none.
    """
    challenge = Challenge.objects.select_related("challenger").filter(pk=number).first()
    if challenge is None:
        raise unknown_challenge(number)
    seats = challenge.seats.select_related("player")
    return Invitation(
        number=challenge.pk,
        game=challenge.game,
        options=challenge.options,
        terms=write_terms(challenge.terms),
        challenger=challenge.challenger.userid if challenge.challenger else "",
        names=tuple(seat.player.userid if seat.player else ANYONE for seat in seats),
        state=challenge.state,
        rematch_of=challenge.rematch_of_id,
    )


def find_link(number: int) -> str:
    """Return what stands after `accept` to take the free seat of a challenge with a link."""
    return f"{number}-{Challenge.objects.values_list('link_key', flat=True).get(pk=number)}"
