"""A challenge as a page shows it: its players, its terms, and who has accepted."""

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
from sarsen.services.challenges.challenges import opens, unknown_challenge
from sarsen.services.matches.lobby import ListedBoard, listed_boards
from sarsen.services.matches.terms import write_terms
from sarsen.services.players import marked
from sarsen.services.ratings.counting import present_strength
from sarsen.services.request import Player
from sarsen.storage import statements
from sarsen.storage.models import Challenge, ChallengeSeat, Match, Rating
from sarsen.storage.models.matches import PUBLIC

MOST = 100
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


@dataclass(frozen=True)
class AskedSeat:
    """A seat of a challenge, and whether its player has agreed; `userid` is "" for a free one."""

    side: str
    userid: str
    is_program: bool
    has_accepted: bool


@dataclass(frozen=True)
class ChallengePage:
    """One challenge with all of its life, from the proposal to the rematch of its game.

    Attributes:
        line: What makes the same challenge by mail.
        taking: What stands after `accept`: the number, or what the viewer's link holds.
        link: The same for its maker to give away, as long as the free seat waits; or "".
        rematch_of: The board that it wants to play again, or None.
        match: The board that has started, if the viewer may see it.
        rematch: The challenge that wants to play that board again, if it is the viewer's.
    """

    challenge: ListedChallenge
    seats: tuple[AskedSeat, ...]
    line: str
    taking: str
    link: str
    is_by_link: bool
    rematch_of: int | None
    match: ListedBoard | None
    rematch: int | None


def view_challenge(number: int, viewer: Player | None) -> ListedChallenge:
    """Return one challenge; those with no free seat only to whom they name.

    Raises:
        UserError: There is none that the viewer may see.
    """
    challenge = _find_visible(number, viewer, "")
    return _listed_all([(challenge, list(challenge.seats.all()))], viewer)[0]


def view_challenge_page(number: int, viewer: Player | None, key: str = "") -> ChallengePage:
    """Return all that the page of a challenge shows.

    Args:
        key: Of the link by which the viewer has come; "" for none.

    Raises:
        UserError: There is none that the viewer may see.
    """
    challenge = _find_visible(number, viewer, key)
    seats = list(challenge.seats.all())
    (listed_challenge,) = _listed_all([(challenge, seats)], viewer, has_link=opens(key, challenge))
    is_maker = viewer is not None and challenge.challenger_id == viewer.pk
    link = f"{number}-{challenge.link_key}"
    is_waiting = challenge.state == Challenge.State.OPEN and ANYONE in listed_challenge.waiting_for
    return ChallengePage(
        challenge=listed_challenge,
        seats=_asked_seats(challenge),
        line=_line(challenge),
        taking=link if opens(key, challenge) else str(number),
        link=link if is_maker and is_waiting and challenge.link_key else "",
        is_by_link=bool(challenge.link_key),
        rematch_of=challenge.rematch_of_id,
        match=_match_of(challenge, viewer),
        rematch=_rematch_of(challenge, viewer),
    )


def _find_visible(number: int, viewer: Player | None, key: str) -> Challenge:
    challenges = Challenge.objects.filter(pk=number, game__in=find())
    challenges = challenges.exclude(state=Challenge.State.ASKED)
    challenges = challenges.select_related("challenger", "match").prefetch_related("seats__player")
    challenge = challenges.first()
    if challenge is None or not _may_see(challenge, viewer, key):
        raise unknown_challenge(number)
    return challenge


def _may_see(challenge: Challenge, viewer: Player | None, key: str) -> bool:
    """Return whether a challenge is the viewer's business, has been everybody's, or its link is."""
    seats = list(challenge.seats.all())
    participants = {seat.player for seat in seats if seat.player} | {challenge.challenger}
    if (viewer is not None and viewer in participants) or opens(key, challenge):
        return True
    if challenge.link_key:
        return False
    if challenge.match is not None:
        return not challenge.match.terms.get("private")
    return any(seat.player_id is None for seat in seats)


def _asked_seats(challenge: Challenge) -> tuple[AskedSeat, ...]:
    sides = find()[challenge.game].info.seats
    return tuple(
        AskedSeat(
            side=side,
            userid=seat.player.userid if seat.player else "",
            is_program=seat.player is not None and seat.player.is_bot,
            has_accepted=seat.has_accepted,
        )
        for side, seat in zip(sides, challenge.seats.all(), strict=True)
    )


def _line(challenge: Challenge) -> str:
    """Write the line that makes the same challenge."""
    names = [seat.player.userid if seat.player else ANYONE for seat in challenge.seats.all()]
    link = "--link" if challenge.link_key and ANYONE in names else ""
    terms = write_terms(challenge.terms)
    words = (challenge.game, "challenge", challenge.options, terms, link, *names)
    return " ".join(filter(None, words))


def _match_of(challenge: Challenge, viewer: Player | None) -> ListedBoard | None:
    if challenge.match_id is None:
        return None
    matches = Match.objects.filter(pk=challenge.match_id)
    if viewer is None or viewer.pk not in [seat.player_id for seat in challenge.seats.all()]:
        matches = matches.filter(PUBLIC)
    return next(iter(listed_boards(matches)), None)


def _rematch_of(challenge: Challenge, viewer: Player | None) -> int | None:
    """Return the challenge that wants to play the board again: those it names look there next."""
    if challenge.match_id is None:
        return None
    rematches = Challenge.objects.filter(rematch_of=challenge.match_id)
    rematches = rematches.filter(seats__player=viewer) if viewer else rematches.none()
    newest: int | None = rematches.order_by("-pk").values_list("pk", flat=True).first()
    return newest


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
    return _listed_all(_with_seats(rows), player)


def open_challenges(
    viewer: Player | None, game: str = "", *, most: int = MOST
) -> tuple[ListedChallenge, ...]:
    """List those with a free seat that only waits for somebody to take it; the newest first."""
    rows = statements.select(f"{_OPEN} LIMIT {most}", keys=[game] if game else list(find()))
    return _listed_all(_with_seats(rows), viewer)


def _with_seats(rows: Sequence[tuple[Any, ...]]) -> list[_ChallengeSeats]:
    """Return challenges with their challengers, seats and players."""
    seats: dict[int, list[ChallengeSeat]] = defaultdict(list)
    for seat, player in statements.select(_SEATS, keys=[challenge.pk for challenge, _ in rows]):
        seat.player = player
        seats[seat.challenge_id].append(seat)
    for challenge, challenger in rows:
        challenge.challenger = challenger
    return [(challenge, seats[challenge.pk]) for challenge, _ in rows]


def _listed_all(
    challenges: Sequence[_ChallengeSeats], viewer: Player | None, *, has_link: bool = False
) -> tuple[ListedChallenge, ...]:
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
