"""Challenges: a game starts when all players named have agreed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from secrets import compare_digest

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import Accept, Decline, MakeChallenge, Withdraw
from sarsen.language.replies import (
    ChallengeAsked,
    ChallengeEnded,
    ChallengeStands,
    DrawAgreed,
    Offered,
    TakenBack,
)
from sarsen.services.bots import accounts
from sarsen.services.challenges import acceptance, bounds
from sarsen.services.limits import daily
from sarsen.services.matches import agreements, matches
from sarsen.services.matches.moves import lock_as_participant
from sarsen.services.matches.terms import agree, line, write_terms
from sarsen.services.matches.wanted import check_wanted
from sarsen.services.notices import Event, notify
from sarsen.services.players import correctable_line, find_player
from sarsen.services.reasons import read_reason
from sarsen.services.request import NOBODY, Request
from sarsen.storage.models import Challenge, ChallengeSeat, Match, Player
from sarsen.storage.models.players import new_key


def make(command: MakeChallenge, request: Request) -> ChallengeStands | ChallengeAsked:
    """Record a challenge; the speaker's own seat is accepted already.

    A mail that proves nobody but comes from a player's address makes none: the player is asked.
    """
    game = load(command.game)
    owner = acceptance.owner_of(command, request)
    if owner is not None:
        request = replace(request, actor=replace(request.actor, player=owner.player))
    options, agreed = agree(game, command)
    terms = agreed.as_dict()
    is_by_link = bool(terms.pop("link"))  # says who may come, and nothing of the game
    challenge = Challenge(game=game.info.name, options=options.write(), terms=terms)
    players = _players(game, command, request)
    if is_by_link:
        _check_link(game, command, request)
        challenge.link_key = new_key()
    if owner is not None:
        return acceptance.ask(challenge, players, owner, request.now)
    standing = None if is_by_link else bounds.standing_alike(challenge, players, request)
    if standing is not None:
        return replace(_advance(standing, request), stood_already=True)
    return propose(challenge, players, request)


def propose(
    challenge: Challenge, players: Sequence[Player | None], request: Request
) -> ChallengeStands:
    """Store a challenge of the speaker's to these players by seat, and invite them."""
    challenger, game = request.actor.player, challenge.game
    bounds.check_flood(players, request)
    accounts.check_watched_game(players, game, request)
    for named in dict.fromkeys(player for player in players if player is not None):
        # Guests refuse everybody but those with whom they have just played.
        if not (named.is_guest and challenge.rematch_of_id):
            check_wanted(named, challenger, game)
    challenge.challenger, challenge.made_at = challenger, request.now
    challenge.state = Challenge.State.OPEN
    challenge.save()
    for seat, player in enumerate(players):
        ChallengeSeat.objects.create(
            challenge=challenge,
            seat=seat,
            player=player,
            has_accepted=player is not None
            and (player == challenger or acceptance.starts_at_once(player, challenger, game)),
        )
    open_seats = challenge.seats.filter(has_accepted=False).exclude(player=None)
    for invited in dict.fromkeys(seat.player for seat in open_seats.select_related("player")):
        facts = {"challenge": challenge.pk}
        notify(invited, Event.INVITATION, "invitation", facts, request.now)  # type: ignore[arg-type]
    return _advance(challenge, request)


def accept(command: Accept, request: Request) -> ChallengeStands | Offered | DrawAgreed | TakenBack:
    """Accept what the other side asks at a board of the game named, or else a challenge."""
    player = request.actor.player
    board = Match.objects.filter(pk=command.number, game=command.game, seats__player=player)
    match = board.first() if command.game and player else None
    if match is None:
        return accept_challenge(command, request)
    offer = matches.read_offer(match.offer)
    if match.ended_at is None and offer is not None and offer.is_open:
        return agreements.agree(
            lock_as_participant(command.number, command.game, request, "accept"), request
        )
    try:
        return accept_challenge(command, request)
    except UserError as refusal:
        raise UserError(
            "There is nothing to confirm on board {board}. {refusal}",
            code="nothing-offered",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
            refusal=refusal.text,
        ) from None


def accept_challenge(command: Accept, request: Request) -> ChallengeStands:
    """Accept for every seat of the speaker, or take the open seat."""
    player = request.player(f"accept {command.number} USERID PASSWORD")
    challenge = _open(command.number, player, command.key)
    if challenge.state == Challenge.State.ASKED:
        return propose(challenge, acceptance.take_seats(challenge), request)
    seats = list(challenge.seats.select_related("player"))
    own_seats = [seat for seat in seats if seat.player_id == player.pk]
    waiting = [seat for seat in own_seats if not seat.has_accepted]
    free_seats = [seat for seat in seats if seat.player_id is None]
    if waiting:
        for seat in waiting:
            seat.has_accepted = True
            seat.save()
    elif free_seats and not own_seats:
        for invited in {seat.player for seat in seats if seat.player is not None}:
            # Guests refuse everybody but those to whom they have given their link.
            if not (invited.is_guest and opens(command.key, challenge)):
                check_wanted(invited, player, challenge.game)
        if player.is_guest:
            # Also where the guest has an account by the time the game ends.
            challenge.terms["unrated"] = True
            challenge.save(update_fields=["terms"])
        free_seats[0].player = player
        free_seats[0].has_accepted = True
        free_seats[0].save()
    elif own_seats:
        raise UserError(
            "You have already accepted challenge {number}; the others have yet to answer.",
            code="accepted-already",
            hint=f"withdraw {command.number}",
            number=command.number,
        )
    else:
        raise _not_yours(command.number)
    return _advance(challenge, request)


def decline(command: Decline, request: Request) -> ChallengeEnded:
    """End a challenge that names the speaker, and tell the others why."""
    player = request.player(f"decline {command.number} USERID PASSWORD")
    challenge = _open(command.number, player)
    if challenge.state == Challenge.State.ASKED:
        return end(challenge, player, Challenge.State.WITHDRAWN, "", request)
    if not challenge.seats.filter(player=player).exists():
        raise _not_yours(command.number)
    reason = read_reason(command.reason, f"decline {command.number}")
    return end(challenge, player, Challenge.State.DECLINED, reason, request)


def withdraw(command: Withdraw, request: Request) -> ChallengeEnded:
    """End a challenge of the speaker's own."""
    player = request.player(f"withdraw {command.number} USERID PASSWORD")
    challenge = _open(command.number, player)
    if challenge.challenger_id != player.pk:
        raise UserError(
            "Challenge {number} is not yours: you can decline it, but not withdraw it.",
            code="not-your-challenge",
            hint=f"decline {command.number}",
            number=command.number,
        )
    daily.check(player, "withdraw", request.now)
    return end(challenge, player, Challenge.State.WITHDRAWN, "", request)


def end(
    challenge: Challenge, by: Player, state: Challenge.State, reason: str, request: Request
) -> ChallengeEnded:
    """End a challenge that has not started, and tell the others."""
    is_known = challenge.state != Challenge.State.ASKED
    challenge.state, challenge.reason = state, reason
    challenge.save(update_fields=["state", "reason"])
    facts = {"challenge": challenge.pk, "by": by.userid, "how": str(state), "reason": reason}
    receivers = {seat.player for seat in challenge.seats.all() if seat.player}
    if challenge.challenger:
        receivers.add(challenge.challenger)
    for player in sorted(receivers - {by} if is_known else (), key=lambda player: player.pk):
        notify(player, Event.CHALLENGE, "challenge-ended", facts, request.now)
    return ChallengeEnded(challenge.pk, str(state))


def _advance(challenge: Challenge, request: Request) -> ChallengeStands:
    """Start the match once all have accepted; return the state of the challenge."""
    seats = list(challenge.seats.select_related("player"))
    names = tuple(seat.player.userid if seat.player else ANYONE for seat in seats)
    waiting = tuple(
        dict.fromkeys(
            name for name, seat in zip(names, seats, strict=True) if not seat.has_accepted
        )
    )
    if not waiting:
        _start(challenge, [seat.player for seat in seats if seat.player], request)
    return ChallengeStands(
        number=challenge.pk,
        game=challenge.game,
        options=challenge.options,
        names=names,
        waiting_for=waiting,
        board=challenge.match_id,
        pair_board=challenge.match.pair_id if challenge.match else None,
        terms=write_terms(challenge.terms),
        link=_link(challenge, request) if ANYONE in waiting else "",
    )


def _link(challenge: Challenge, request: Request) -> str:
    """Return what a challenge's link holds to its maker; "" to others, and without a link."""
    is_maker = challenge.challenger is not None and challenge.challenger == request.actor.player
    return f"{challenge.pk}-{challenge.link_key}" if is_maker and challenge.link_key else ""


def _start(challenge: Challenge, players: list[Player], request: Request) -> None:
    """Begin the match, or the two of a pair, and tell the players."""
    accounts.check_room(players, request, boards=2 if challenge.terms.get("pair") else 1)
    proposed = (challenge.game, challenge.options, challenge.terms)
    first_event = matches.start(*proposed, players, request)
    match = first_event.match
    challenge.state, challenge.match = Challenge.State.STARTED, match
    challenge.save(update_fields=["state", "match"])
    if challenge.terms.get("pair"):
        # The answer shows the first board only: of the other the speaker is told, too.
        by_nobody = replace(request, actor=NOBODY)
        second_event = matches.start(*proposed, [*players[1:], *players[:1]], by_nobody)
        second_match = second_event.match
        match.pair, second_match.pair = second_match, match
        match.save(update_fields=["pair"])
        second_match.save(update_fields=["pair"])
        matches.follow_up(second_event)
    matches.follow_up(first_event)


def _players(game: Game, command: MakeChallenge, request: Request) -> list[Player | None]:
    seats = len(game.info.seats)
    words = (*command.options.split(), *command.terms)
    if len(command.names) != seats:
        raise UserError(
            "{game} has {seats} seats; this names {players} players.",
            code="seat-count",
            hint=line(game, (*words, *_names_for_seats(command, seats))),
            game=game.info.title,
            seats=seats,
            players=len(command.names),
        )
    own = (ME, request.actor.name.lower())
    # A player's own userid for each seat asks for a game alone; `me`, read from `you`, does not.
    if {ME} <= {name.lower() for name in command.names} <= set(own):
        raise UserError(
            "This names only you. Name an opponent, too: a player or a program.",
            code="opponent-missing",
            hint=line(game, (*words, ME, "USERID2")),
        )
    example = line(game, ("USERID", "PASSWORD", *command.names))
    typed = correctable_line(
        line(game, (*words, *command.names)),
        [name for name in command.names if name.lower() not in (ANYONE, ME)],
    )
    players = [_player_named(name, request, example, typed) for name in command.names]
    if not any(players):
        raise UserError(
            "Even a challenge to anyone must name you.",
            code="nobody-named",
            hint=f"{game.info.name} challenge USERID {ANYONE}",
        )
    return players


def _check_link(game: Game, command: MakeChallenge, request: Request) -> None:
    """Refuse a link without a free seat, or from nobody that is proved."""
    example = line(game, (*command.options.split(), *command.terms, ME, ANYONE))
    request.player(line(game, ("USERID", "PASSWORD", "--link", ME, ANYONE)))
    if ANYONE not in map(str.lower, command.names):
        raise UserError(
            "--link is for a seat that `{anyone}` may take, and every seat has its player here.",
            code="link-without-seat",
            hint=example,
            anyone=ANYONE,
        )


def _names_for_seats(command: MakeChallenge, seats: int) -> tuple[str, ...]:
    """Return names for the seats: a program's number may stand apart, `bot 5`."""
    joined = re.sub(r"(?i)\b(bot) ([1-9])\b", r"\1\2", " ".join(command.names)).split()
    return tuple(joined) if len(joined) == seats else ("USERID1", "USERID2")


def _player_named(name: str, request: Request, example: str, typed: str) -> Player | None:
    """Return the player that a name of a challenge stands for; None for anyone."""
    if name.lower() == ME:
        return request.player(example)
    if name.lower() == ANYONE:
        return None
    return find_player(name, typed, "help challenge")


def _open(number: int, player: Player, key: str = "") -> Challenge:  # locked: a seat is taken once
    challenge = Challenge.objects.select_for_update(of=("self",)).filter(pk=number).first()
    if challenge is None or not _may_know(challenge, player, key):
        raise unknown_challenge(number)
    if challenge.state == Challenge.State.STARTED:
        raise UserError(
            "Challenge {number} has started as {game} board {board}.",
            code="challenge-started",
            hint=f"{challenge.game} show {challenge.match_id}",
            number=number,
            game=challenge.game,
            board=challenge.match_id or 0,
        )
    if challenge.state not in (Challenge.State.OPEN, Challenge.State.ASKED):
        is_declined = challenge.state == Challenge.State.DECLINED
        raise UserError(
            "Challenge {number} was {state}.",
            code="challenge-over",
            hint=f"{challenge.game} challenge USERID1 USERID2",
            number=number,
            state=Phrase("declined" if is_declined else "withdrawn"),
        )
    return challenge


def unknown_challenge(number: int) -> UserError:
    """Return the refusal of a challenge that does not exist, or that the sender may not see."""
    return UserError(
        "There is no challenge {number}.", code="unknown-challenge", hint="list", number=number
    )


def opens(key: str, challenge: Challenge) -> bool:
    """Return whether a key is that of a challenge's link."""
    link_key = challenge.link_key
    return bool(link_key) and compare_digest(key.lower().encode(), link_key.encode())


def _may_know(challenge: Challenge, player: Player, key: str) -> bool:
    """Return whether a player may learn that a challenge exists."""
    if challenge.challenger_id == player.pk:
        return True
    if challenge.state == Challenge.State.ASKED:
        return False
    if challenge.link_key:
        return opens(key, challenge) or challenge.seats.filter(player=player).exists()
    if not challenge.terms.get("private"):
        return True
    is_open = challenge.state == Challenge.State.OPEN
    seats = challenge.seats.values_list("player", flat=True)
    return any(player_key == player.pk or (is_open and player_key is None) for player_key in seats)


def _not_yours(number: int) -> UserError:
    return UserError(
        "Challenge {number} is not for you and has no free seat.",
        code="not-your-challenge",
        hint="list",
        number=number,
    )
