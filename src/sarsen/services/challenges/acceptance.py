"""Which challenges reach a player, and which start at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.games import load, names
from sarsen.language.challenges import ANYONE
from sarsen.language.commands import AutoAccept, Limit, MakeChallenge, Refuse
from sarsen.language.preferences import AcceptanceList, LimitStands
from sarsen.language.replies import ChallengeAsked
from sarsen.services.limits import mail_answers
from sarsen.services.limits.mail_answers import AnswerKind
from sarsen.services.mail import outgoing
from sarsen.services.matches.wanted import running_boards
from sarsen.services.players import correctable_line, find_player, lock_player
from sarsen.services.request import Request
from sarsen.storage.models import Address, Challenge, ChallengeSeat, Player
from sarsen.storage.models.players import ACCEPTS_SOMETHING

MAX_NAMES = 200  # of a list that each challenge to the player is compared with
MAX_GAMES = 10_000  # more than anybody plays: a number beyond is a slip
_OFF = "off"


def refuse(command: Refuse, request: Request) -> AcceptanceList:
    """Add to, take from, empty or show the list of what is refused."""
    player = request.player("refuse USERID PASSWORD bob")
    lock_player(player, "refuses")  # the list is changed, and not replaced
    player.refuses = _changed_list(player.refuses, command.names, "refuse")
    player.save(update_fields=["refuses"])
    return AcceptanceList("refuse", _as_written(player.refuses))


def auto_accept(command: AutoAccept, request: Request) -> AcceptanceList:
    """Add to, take from, empty or show the list of what starts at once."""
    player = request.player("autoaccept USERID PASSWORD bob")
    lock_player(player, "accepts")  # the list is changed, and not replaced
    player.accepts = _changed_list(player.accepts, command.names, "autoaccept")
    player.save(update_fields=["accepts"])
    return AcceptanceList("autoaccept", _as_written(player.accepts))


def limit(command: Limit, request: Request) -> LimitStands:
    """Bound the number of running games in which a player wants to be invited."""
    player = request.player("limit USERID PASSWORD 10")
    if command.most is not None and command.most > MAX_GAMES:
        raise UserError(
            "The limit can be at most {most} games.",
            code="limit-range",
            hint="limit off",
            most=MAX_GAMES,
        )
    player.most_games = command.most
    player.save(update_fields=["most_games"])
    return LimitStands(player.most_games, running_boards(player))


def starts_at_once(invited: Player, challenger: Player | None, game: str) -> bool:
    """Return whether a player agrees to a proved challenger's game without being asked."""
    if invited.level is not None:
        return True  # a program agrees to everything, no matter who asks
    if challenger is None:
        return False
    accepted = set(invited.accepts)
    return bool(accepted & {challenger.key, game, ANYONE})


def taken_at_once(player: Player) -> tuple[str, ...]:
    """Return what a player plays at once with anybody: `anyone` for every game, or their names.

    Which people may begin at once is between them and the player.
    """
    if ANYONE in player.refuses:
        return ()
    if ANYONE in player.accepts:
        return (ANYONE,)
    return tuple(name for name in names() if name in player.accepts and name not in player.refuses)


def taken_words(taken: tuple[str, ...]) -> Phrase:
    """Return what `taken_at_once` found, in words."""
    if taken == (ANYONE,):
        return Phrase("every game, with anyone")
    return Phrase("{games}, with anyone", games=", ".join(load(name).info.title for name in taken))


def willing_players(most: int) -> list[tuple[Player, tuple[str, ...]]]:
    """Return players with whom a game starts at once, the newest first, and which games."""
    willing = Player.objects.filter(ACCEPTS_SOMETHING, is_active=True).order_by("-pk")
    # Asked for in SQL, SQLite would look through all players who have no level.
    people = (player for player in willing[: most * 2] if player.level is None)
    found = ((player, taken_at_once(player)) for player in people)
    return [(player, taken) for player, taken in found if taken][:most]


def _changed_list(current: list[str], typed: tuple[str, ...], verb: str) -> list[str]:
    """Return the list after a command's words; a last word `off` takes names away."""
    words = [word.lower() for word in typed]
    if words == [_OFF]:
        return []
    takes_away = bool(words) and words[-1] == _OFF
    keys = list(dict.fromkeys(words[:-1] if takes_away else words))
    # Before one is looked up, too: a program may name any number.
    if len(keys) > MAX_NAMES:
        raise _too_many(verb)
    _check_known(keys, verb)
    if takes_away:
        return [key for key in current if key not in keys]
    changed = list(dict.fromkeys([*current, *keys]))
    if len(changed) > MAX_NAMES:
        raise _too_many(verb)
    return changed


def _check_known(words: list[str], verb: str) -> None:
    """Refuse a word that is no player, no game and not `anyone`; one look at the store for all."""
    userids = [word for word in words if word != ANYONE and word not in names()]
    players = Player.objects.filter(key__in=userids, is_active=True)
    existing = set(players.values_list("key", flat=True))
    for userid in userids:
        if userid not in existing:
            line = correctable_line(f"{verb} {' '.join(words)}", userids)
            find_player(userid, line, f"help {verb}")


def _too_many(verb: str) -> UserError:
    return UserError(
        "The list holds at most {most} names.",
        code="too-many-names",
        hint=f"help {verb}",
        most=MAX_NAMES,
    )


def _as_written(keys: list[str]) -> tuple[str, ...]:
    userids = dict(Player.objects.filter(key__in=keys).values_list("key", "userid"))
    return tuple(userids.get(key, key) for key in keys)


def owner_of(command: MakeChallenge, request: Request) -> Address | None:
    """Return the player's address that an unproved mail comes from.

    Of several players with this address the one that the challenge names.
    """
    actor = request.actor
    if actor.player is not None or not actor.address:
        return None
    addresses = Address.objects.select_related("player").filter(
        address__iexact=actor.address, player__is_active=True
    )
    names = {name.lower() for name in command.names}
    return min(
        addresses, key=lambda address: (address.player.key not in names, address.pk), default=None
    )


def ask(
    challenge: Challenge, players: Sequence[Player | None], owner: Address, now: datetime
) -> ChallengeAsked:
    """Store a challenge until its player confirms it, and send the letter that asks for that.

    Nothing is stored or sent when the address had enough of such letters today.
    """
    if mail_answers.may_answer(owner.address, AnswerKind.CHALLENGE, now):
        challenge.challenger, challenge.made_at = owner.player, now
        challenge.state = Challenge.State.ASKED
        challenge.save()
        ChallengeSeat.objects.bulk_create(
            ChallengeSeat(challenge=challenge, seat=seat, player=player)
            for seat, player in enumerate(players)
        )
        facts = {"challenge": challenge.pk}
        outgoing.queue(
            outgoing.NewLetter(owner.address, "challenge-asked", facts, player=owner.player), now
        )
    return ChallengeAsked()


def take_seats(challenge: Challenge) -> list[Player | None]:
    """Return the players of a challenge by seat, and delete its seats."""
    seats = list(challenge.seats.select_related("player"))
    challenge.seats.all().delete()
    return [seat.player for seat in seats]
