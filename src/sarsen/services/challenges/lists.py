"""Lists of challenges, as far as they concern the viewer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.language.challenges import ANYONE
from sarsen.services.matches.terms import write_terms
from sarsen.services.players import marked
from sarsen.services.ratings.counting import present_strength
from sarsen.services.request import Player
from sarsen.storage import statements
from sarsen.storage.models import Challenge, ChallengeSeat, Rating

MOST = 100  # of a page and an answer, the newest: older ones are hardly accepted any more
_ChallengeSeats = tuple[Challenge, list[ChallengeSeat]]


@dataclass(frozen=True)
class ListedChallenge:
    """A challenge, as far as it concerns the viewer.

    Attributes:
        terms: The server's options that differ from the usual ones, as typed.
        names: Userids by seat, programs marked; `anyone` for a free one.
        waiting_for: Who still has to accept; `anyone` for a free seat.
        challenger: Who made it; "" when a mail that proved nobody did.
        state: `open`, `started`, `declined` or `withdrawn`.
        board: The board that has started, or None.
        may_accept, may_decline, may_withdraw: What the viewer may do.
        opponent: Whom the viewer meets: who made it, or who is asked; "" for anyone.
        rating: The opponent's at the game, in figures; "" without one.
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
    opponent: str = ""
    rating: str = ""


# Both looked for among the open ones, which have an index: not among all seats ever asked for.
_OPEN = """
SELECT {Challenge}, {Player}
FROM storage_challenge
LEFT JOIN storage_player ON storage_player.id = storage_challenge.challenger_id
WHERE storage_challenge.state = 'open' AND storage_challenge.link_key = '' AND EXISTS (
    SELECT 1 FROM storage_challengeseat
    WHERE challenge_id = storage_challenge.id AND player_id IS NULL
) AND NOT EXISTS (
    SELECT 1 FROM storage_challengeseat
    WHERE challenge_id = storage_challenge.id AND player_id IS NOT NULL AND NOT has_accepted
) AND storage_challenge.game IN ({keys})
ORDER BY storage_challenge.id DESC
"""
_OWN = """
SELECT {Challenge}, {Player}
FROM storage_challenge
LEFT JOIN storage_player ON storage_player.id = storage_challenge.challenger_id
WHERE storage_challenge.state = 'open' AND storage_challenge.id IN (
    SELECT challenge_id FROM storage_challengeseat WHERE player_id = %s
    UNION SELECT id FROM storage_challenge WHERE challenger_id = %s AND state = 'open'
) AND storage_challenge.game IN ({keys})
ORDER BY storage_challenge.id DESC
"""
_SEATS = """
SELECT {ChallengeSeat}, {Player}
FROM storage_challengeseat
LEFT JOIN storage_player ON storage_player.id = storage_challengeseat.player_id
WHERE storage_challengeseat.challenge_id IN ({keys})
ORDER BY storage_challengeseat.challenge_id, storage_challengeseat.seat
"""
_RATINGS = "SELECT {Rating} FROM storage_rating WHERE player_id IN ({keys})"


def challenges_of(player: Player) -> tuple[ListedChallenge, ...]:
    """List what waits and names a player, or was made by them; the newest first."""
    rows = statements.select(f"{_OWN} LIMIT {MOST}", player.pk, player.pk, keys=list(find()))
    return listed_all(_with_seats(rows), player)


def open_challenges(
    viewer: Player | None, *games: str, most: int = MOST
) -> tuple[ListedChallenge, ...]:
    """List those with a free seat that only waits for somebody to take it; the newest first.

    Args:
        games: Of which; of all without one.
    """
    rows = statements.select(f"{_OPEN} LIMIT {most}", keys=list(games or find()))
    return listed_all(_with_seats(rows), viewer)


def _with_seats(rows: Sequence[tuple[Any, ...]]) -> list[_ChallengeSeats]:
    """Return challenges with their challengers, seats and players."""
    seats: dict[int, list[ChallengeSeat]] = defaultdict(list)
    for seat, player in statements.select(_SEATS, keys=[challenge.pk for challenge, _ in rows]):
        seat.player = player
        seats[seat.challenge_id].append(seat)
    for challenge, challenger in rows:
        challenge.challenger = challenger
    return [(challenge, seats[challenge.pk]) for challenge, _ in rows]


def listed_all(
    challenges: Sequence[_ChallengeSeats], viewer: Player | None, *, has_link: bool = False
) -> tuple[ListedChallenge, ...]:
    """Return challenges with their seats as lists show them, with the ratings of opponents."""
    opponents = [_opponent(challenge, seats, viewer) for challenge, seats in challenges]
    rows = statements.select(_RATINGS, keys={player.pk for player in opponents if player})
    ratings = {(row.player_id, row.game): row for (row,) in rows}
    now = timezone.now()
    return tuple(
        replace(
            _listed(challenge, seats, viewer, has_link=has_link),
            opponent=player.userid if player else "",
            rating=_figures(ratings.get((player.pk, challenge.game)), now) if player else "",
        )
        for (challenge, seats), player in zip(challenges, opponents, strict=True)
    )


def _opponent(
    challenge: Challenge, seats: Sequence[ChallengeSeat], viewer: Player | None
) -> Player | None:
    """Return the viewer's opponent: the challenger, or else the first other player named."""
    others = [seat.player for seat in seats if seat.player and seat.player != viewer]
    maker = challenge.challenger
    return maker if maker in others else next(iter(others), None)


def _figures(row: Rating | None, now: datetime) -> str:
    return present_strength(row, now).figures if row else ""


def _listed(
    challenge: Challenge,
    seats: Iterable[ChallengeSeat],
    viewer: Player | None,
    *,
    has_link: bool,
) -> ListedChallenge:
    names = tuple(seat.player.userid if seat.player else ANYONE for seat in seats)
    waiting = [name for name, seat in zip(names, seats, strict=True) if not seat.has_accepted]
    own_seats = [seat for seat in seats if viewer is not None and seat.player_id == viewer.pk]
    is_open = challenge.state == Challenge.State.OPEN
    may_be_taken = has_link or not challenge.link_key
    has_free_seat = may_be_taken and any(seat.player_id is None for seat in seats)
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
        and (any(not seat.has_accepted for seat in own_seats) or (has_free_seat and not own_seats)),
        may_decline=is_open and bool(own_seats),
        may_withdraw=is_open and viewer is not None and challenge.challenger_id == viewer.pk,
    )
