"""Matches with somebody named: only they may join, and a letter asks them (`--with=bob`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db.models import Q

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Phase
from sarsen.services.matches.wanted import check_wanted
from sarsen.services.notices import Event, is_told, notify
from sarsen.services.players import find_player
from sarsen.services.request import Player
from sarsen.storage.models import Contest

INVITED, CLOSED = "contest-invited", "contest-closed"  # letters
WITH = "with"  # of a law: the key of the player


def find_invited(userid: str, host: Player, game: str, line: Callable[[str], Typed]) -> Player:
    """Return whom a new match is for.

    Args:
        line: Returns the line that makes the match, for a hint, with this in the option's place.

    Raises:
        UserError: Nobody is called so, or it is nobody to invite, or they want no such game.
    """
    player = find_player(userid, otherwise=str(line("")))
    if player == host or player.level is not None:
        raise UserError(
            "A match needs another player than yourself."
            if player == host
            else "{player} is a program, and plays no matches.",
            code="contest.invited",
            hint=line(""),
            player=player.userid,
        )
    check_wanted(player, host, game)
    return player


def invite(contest: Contest, now: datetime) -> None:
    """Write to the player whom a match is for, if there is one."""
    if contest.law.get(WITH) is not None:
        player = Player.objects.get(pk=contest.law[WITH])
        notify(player, Event.CONTEST, INVITED, {"contest": contest.pk}, now)


def is_invited(held: Held, player: Player) -> bool:
    """Return whether a player has still to answer the invitation to a match."""
    is_for_them = held.contest.law.get(WITH) == player.pk
    is_in = held.state.entrant_of(player.pk) is not None
    return is_for_them and not is_in and held.state.phase is Phase.OPEN


def awaits_answer(number: int, player: Player) -> bool:
    """Return whether a contest is a match for a player, who has not answered yet."""
    matches = Contest.objects.filter(pk=number, state=Phase.OPEN, **{f"law__{WITH}": player.pk})
    return matches.exclude(entries__player=player).exists()


def decline(held: Held, player: Player, now: datetime, reason: str = "") -> str:
    """Close a match that nobody else may join; return the userid of its host who is told, or "".

    Args:
        reason: For the host, who gets it in a letter; the log of a contest is public.
    """
    contest, host = held.contest, held.contest.host
    assert host is not None  # the server invites nobody
    held.add(Kind.CLOSED, now, {"player": player.pk})
    held.save(None)
    letter = {"contest": contest.pk, "by": player.userid, "declined": True, "reason": reason}
    notify(host, Event.CONTEST, CLOSED, letter, now)
    return host.userid if is_told(host, Event.CONTEST) else ""


def may_join(contest: Contest, player: Player | None) -> bool:
    """Return whether a contest is open to a player: a match may be for somebody else.

    Args:
        player: None for somebody who has no account yet.
    """
    invited = contest.law.get(WITH)
    if invited is None:
        return True
    return player is not None and (player.pk == invited or player == contest.host)


def shown_to(viewer: Player | None) -> Q:
    """Return the filter of the contests that lists show a viewer.

    Left out is what waits for somebody else: a match that only its host and the player whom it is
    for can join.
    """
    shown = ~Q(state=Phase.OPEN) | ~Q(law__has_key=WITH)
    if viewer is None:
        return shown
    return shown | Q(host=viewer) | Q(**{f"law__{WITH}": viewer.pk})


def invited_userid(contest: Contest) -> str:
    """Return the userid of the player whom a match is for; "" for a contest that is for anybody."""
    invited = contest.law.get(WITH)
    if invited is None:
        return ""
    return str(Player.everyone.values_list("userid", flat=True).get(pk=invited))


def check_invited(held: Held, player: Player) -> None:
    """Refuse a player whom a match is not for."""
    if not may_join(held.contest, player):
        raise UserError(
            "Contest {number} is a match for somebody else.",
            code="contest.invited",
            hint="contests open",
            number=held.contest.pk,
        )
