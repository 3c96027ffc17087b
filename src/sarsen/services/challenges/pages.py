"""A challenge as a page shows it: its players, its terms, and who has accepted."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.games import find
from sarsen.language.challenges import ANYONE
from sarsen.services.challenges.challenges import opens, unknown_challenge
from sarsen.services.challenges.lists import ListedChallenge, listed_all
from sarsen.services.matches.lobby import ListedBoard, listed_boards
from sarsen.services.request import Player
from sarsen.storage.models import Challenge, Match
from sarsen.storage.models.matches import PUBLIC


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
        key: Of the link by which the viewer has come; "" for none.
        link: The number and the key, for its maker to give away as long as the free seat waits;
            or "".
        rematch_of: The board that it wants to play again, or None.
        match: The board that has started, if the viewer may see it.
        rematch: The challenge that wants to play that board again, if it is the viewer's.
    """

    challenge: ListedChallenge
    seats: tuple[AskedSeat, ...]
    key: str
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
    return listed_all([(challenge, list(challenge.seats.all()))], viewer)[0]


def view_challenge_page(number: int, viewer: Player | None, key: str = "") -> ChallengePage:
    """Return all that the page of a challenge shows.

    Args:
        key: Of the link by which the viewer has come; "" for none.

    Raises:
        UserError: There is none that the viewer may see.
    """
    challenge = _find_visible(number, viewer, key)
    seats = list(challenge.seats.all())
    (listed_challenge,) = listed_all([(challenge, seats)], viewer, has_link=opens(key, challenge))
    is_maker = viewer is not None and challenge.challenger_id == viewer.pk
    link = f"{number}-{challenge.link_key}"
    is_waiting = challenge.state == Challenge.State.OPEN and ANYONE in listed_challenge.waiting_for
    return ChallengePage(
        challenge=listed_challenge,
        seats=_asked_seats(challenge),
        key=challenge.link_key if opens(key, challenge) else "",
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
