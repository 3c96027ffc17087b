"""A challenge as a page shows it: who is named, what is agreed, who still has to say yes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.language.commands.challenges import ANYONE
from sarsen.services.bots.marking import marked
from sarsen.services.call import Player
from sarsen.services.terms import write_terms
from sarsen.storage.models import Challenge, ChallengeSeat

MOST = 100


@dataclass(frozen=True)
class ListedChallenge:
    """A challenge, as far as it concerns whoever looks.

    Attributes:
        terms: The server's options that differ from the usual ones, as typed.
        names: Userids by seat, programs marked; `anyone` for a free one.
        waiting_for: Who still has to accept; `anyone` for a free seat.
        challenger: Who made it; "" when a mail that proved nobody did.
        state: `open`, `started`, `declined` or `withdrawn`.
        board: The board that has started, or None.
        may_accept, may_decline, may_withdraw: What whoever looks may do.
    """

    number: int
    game: GameInfo
    options: str
    terms: str
    names: tuple[str, ...]
    waiting_for: tuple[str, ...]
    challenger: str
    state: str
    reason: str
    made_at: datetime
    board: int | None
    may_accept: bool
    may_decline: bool
    may_withdraw: bool


def view_challenge(number: int, viewer: Player | None) -> ListedChallenge:
    """Give one challenge; those with no free seat only to whom they name.

    Raises:
        UserError: There is none that the viewer may see.
    """
    found = Challenge.objects.filter(pk=number, game__in=find()).select_related("challenger")
    challenge = found.prefetch_related("seats__player").first()
    if challenge is not None:
        seats = list(challenge.seats.all())
        named = {seat.player for seat in seats if seat.player} | {challenge.challenger}
        is_open = challenge.state == Challenge.State.OPEN and any(not one.player for one in seats)
        if is_open or (viewer is not None and viewer in named):
            return _listed(challenge, viewer)
    raise UserError(f"There is no challenge {number}.", code="unknown-challenge", hint="list")


def challenges_of(player: Player) -> tuple[ListedChallenge, ...]:
    """List what waits and names a player, or was made by him; the newest first."""
    named = ChallengeSeat.objects.filter(player=player).values("challenge")
    waiting = Challenge.objects.filter(state=Challenge.State.OPEN, game__in=find())
    found = waiting.filter(pk__in=named) | waiting.filter(challenger=player)
    found = found.select_related("challenger").prefetch_related("seats__player")
    return tuple(_listed(one, player) for one in found.order_by("-pk")[:MOST])


def open_challenges(viewer: Player | None, game: str = "") -> tuple[ListedChallenge, ...]:
    """List those with a free seat that only waits for somebody to take it."""
    free = ChallengeSeat.objects.filter(player=None).values("challenge")
    undecided = ChallengeSeat.objects.filter(player__isnull=False, has_accepted=False)
    found = Challenge.objects.filter(
        state=Challenge.State.OPEN, pk__in=free, game__in=[game] if game else find()
    ).exclude(pk__in=undecided.values("challenge"))
    found = found.select_related("challenger").prefetch_related("seats__player")
    return tuple(_listed(one, viewer) for one in found.order_by("-pk")[:MOST])


def _listed(challenge: Challenge, viewer: Player | None) -> ListedChallenge:
    seats = list(challenge.seats.all())
    names = tuple(seat.player.userid if seat.player else ANYONE for seat in seats)
    waiting = [name for name, seat in zip(names, seats, strict=True) if not seat.has_accepted]
    mine = [seat for seat in seats if viewer is not None and seat.player_id == viewer.pk]
    is_open = challenge.state == Challenge.State.OPEN
    has_free_seat = any(seat.player_id is None for seat in seats)
    return ListedChallenge(
        number=challenge.pk,
        game=find()[challenge.game].info,
        options=challenge.options,
        terms=write_terms(challenge.terms),
        names=tuple(marked(seat.player) if seat.player else ANYONE for seat in seats),
        waiting_for=tuple(dict.fromkeys(waiting)),
        challenger=challenge.challenger.userid if challenge.challenger else "",
        state=challenge.state,
        reason=challenge.reason,
        made_at=challenge.made_at,
        board=challenge.match_id,
        may_accept=is_open
        and (any(not seat.has_accepted for seat in mine) or (has_free_seat and not mine)),
        may_decline=is_open and bool(mine),
        may_withdraw=is_open and viewer is not None and challenge.challenger_id == viewer.pk,
    )
