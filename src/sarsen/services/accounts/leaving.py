"""Leaving the server: asked once, then every running game is resigned."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import F

from sarsen.language.accounts import Exported, QuestionVoid, SignedOff, SignOffAsked
from sarsen.language.commands import ConfirmAccount, Export, SignOff
from sarsen.language.replies import Reply
from sarsen.services import questions, speakers, task_queue
from sarsen.services.accounts import forgetting
from sarsen.services.accounts.forgetting import drop_account_rows
from sarsen.services.challenges import challenges
from sarsen.services.contests.acts import entering, hosting
from sarsen.services.mail import outgoing
from sarsen.services.matches import agreements
from sarsen.services.notices import messages
from sarsen.services.players import lock_player
from sarsen.services.request import Actor, AfterEvents, Request
from sarsen.storage.models import (
    AbuseReport,
    Analyst,
    Challenge,
    ChallengeSeat,
    ChatLine,
    Contest,
    ContestEntry,
    Device,
    DigestItem,
    GameWish,
    InvitedAddress,
    LessonProgress,
    Match,
    MatchSeat,
    Note,
    OutgoingMail,
    OwnPuzzle,
    Passkey,
    Plan,
    Player,
    PuzzleRating,
    PuzzleReport,
    PuzzleSubscription,
    PuzzleTry,
    PuzzleVote,
    Rating,
    RatingStep,
    Result,
    ReviewRequest,
    Standing,
    Subscription,
    Token,
    Vacation,
    WebhookCall,
    WebSession,
)
from sarsen.storage.transactions import in_transaction

MAX_SHOWN = 30  # boards that the question names; all are resigned
_SETTINGS = (
    "userid",
    "timezone",
    "language",
    "colours",
    "place",
    "about",
    "weekends_are_off",
    "wants_coordinates",
    "refuses",
    "accepts",
    "most_games",
    "wants_reviews",
    "wants_puzzle_ratings",
    "wants_puzzle_days",
    "channels",
    "quiet_from",
    "quiet_until",
    "digest_hour",
    "webhook",
    "is_bot",
)


def sign_off(command: SignOff, request: Request) -> SignOffAsked | SignedOff:
    """Ask to confirm leaving; leave at once where the door has confirmed it."""
    player = request.player("signoff USERID PASSWORD")
    if command.confirmed:
        return (leave_without_trace if command.forgets else leave)({}, request)
    # Two questions, each with a yes of its own: a page of before must not answer the graver one.
    kind, other = ("forget", "signoff") if command.forgets else ("signoff", "forget")
    questions.drop(player, other)
    questions.ask(player, kind, {}, request.now)
    boards = tuple(_running_boards(player)[:MAX_SHOWN])
    return SignOffAsked(player.userid, boards, command.forgets)


def leave(facts: dict[str, Any], request: Request) -> SignedOff:
    """Close the speaker's account.

    Their finished games stay on record under their userid, which nobody else can take.

    Args:
        facts: What was kept with the question: nothing.
    """
    player = request.player("signoff USERID PASSWORD")
    # What the batch of this mail has read of boards would show them without the resignations.
    request.boards.load_locked(())
    # First, so that a game which starts just now is among those to resign.
    leave_challenges(player, request)
    # Their rows are locked before those of boards.
    entering.leave_all(player, request)
    boards = lock_running_boards(player)
    for board in boards:
        agreements.leave_board(board, player, request)
    # The letter goes to an address without a player, and so without a language.
    goodbye = {"userid": player.userid, "boards": len(boards), "language": player.language}
    for address in player.addresses.all():
        outgoing.queue(outgoing.NewLetter(address.address, "goodbye", goodbye), request.now)
    drop_account_rows(player)
    player.set_unusable_password()
    player.is_active = False
    player.left_at = request.now
    player.webhook = ""
    player.place = player.about = ""
    player.has_stream = False
    player.digest_due_at = None
    player.save()
    return SignedOff(player.userid, tuple(boards))


def leave_without_trace(facts: dict[str, Any], request: Request) -> SignedOff:
    """Close the speaker's account and forget them: their games stay under a neutral name."""
    signed_off = leave(facts, request)
    name = forgetting.wipe(request.player("signoff USERID PASSWORD"), request.now)
    task_queue.wake(task_queue.SEND_MAIL)
    return SignedOff(name, signed_off.boards, forgets=True)


def forget(player: Player, now: datetime, after_events: AfterEvents) -> SignedOff:
    """Forget a player for an operator; they may have left before.

    Raises:
        UserError: The account is no person's, or operates the server.
    """
    return in_transaction(lambda: _forget(player, now, after_events))


def _forget(player: Player, now: datetime, after_events: AfterEvents) -> SignedOff:
    speakers.close_to_everybody()
    speakers.close_to_others(player)
    # Locked: of two who forget the same person the second finds that it is done.
    lock_player(player, "userid", "key", "left_at", "is_staff", "level")
    forgetting.check_may_forget(player)
    if player.left_at is None:
        return leave_without_trace({}, Request(Actor(player), now, after_events))
    return SignedOff(forgetting.wipe(player, now), (), forgets=True)


def lock_running_boards(player: Player) -> list[int]:
    """Lock all running boards at once, in the order of ids.

    One after the other would lock the results of the first ones while it waits for a
    board whose end waits for those results.
    """
    running = Match.objects.filter(pk__in=_running_boards(player), ended_at=None)
    locked = running.select_for_update(no_key=True).order_by("pk")
    return list(locked.values_list("pk", flat=True))


def leave_challenges(player: Player, request: Request) -> None:
    """End every open challenge a player made or was named in."""
    seats = ChallengeSeat.objects.filter(player=player, challenge__state=Challenge.State.OPEN)
    # Locked, then filtered: the last one named may be accepting just now.
    locked = Challenge.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    still_open = locked.filter(state=Challenge.State.OPEN)
    for challenge in still_open.filter(pk__in=list(seats.values_list("challenge", flat=True))):
        challenges.end(challenge, player, Challenge.State.DECLINED, "", request)
    for challenge in still_open.filter(challenger=player):
        challenges.end(challenge, player, Challenge.State.WITHDRAWN, "", request)


def export(command: Export, request: Request) -> Exported:
    """Count the lines of the speaker's file; the door writes it with `export_lines`."""
    player = request.player("export USERID PASSWORD")
    return Exported(player.userid, 1 + sum(rows.count() for _, rows in _stored_rows(player)))


def export_lines(player: Player) -> Iterator[str]:
    """Yield the file line by line: first the account, then one line a thing.

    Each line is a JSON object whose `kind` says what it is. Passwords, keys and
    other people's addresses are not in it.
    """
    for record in _records(player):
        yield json.dumps(record, ensure_ascii=False, default=_plain)


# What a yes does: called with what was kept when the server asked.
_DEEDS: dict[str, Callable[[dict[str, Any], Request], Reply]] = {
    "signoff": leave,
    "forget": leave_without_trace,
    "broadcast": messages.send_broadcast,
    "contest": entering.leave_as_asked,
    hosting.CLOSING: hosting.close_as_asked,
}
# What a no does, where it says more than that the question is void.
_KEPT: dict[str, Callable[[dict[str, Any], Request], Reply]] = {
    "contest": entering.stay_as_asked,
    hosting.CLOSING: hosting.keep_as_asked,
}


def confirm(command: ConfirmAccount, request: Request) -> Reply:
    """Do, or forget, what the server asked."""
    player = request.player(f"confirm {command.what} USERID PASSWORD")
    facts = questions.take(player, command.what, request.now)
    if not command.agrees and command.what in _KEPT:
        return _KEPT[command.what](facts, request)
    if not command.agrees:
        return QuestionVoid(command.what)
    return _DEEDS[command.what](facts, request)


def _running_boards(player: Player) -> list[int]:
    seats = MatchSeat.objects.filter(player=player, match__ended_at=None)
    return list(seats.order_by("match_id").values_list("match_id", flat=True).distinct())


def _records(player: Player) -> Iterator[dict[str, Any]]:
    settings = {name: getattr(player, name) for name in _SETTINGS}
    yield {"kind": "account", "joined_at": player.joined_at, **settings}
    for kind, rows in _stored_rows(player):
        for row in rows.iterator(chunk_size=200):
            yield _match(row) if isinstance(row, Match) else {"kind": kind, **row}


def _stored_rows(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield each kind of thing that is kept of a player with its rows: boards, or dictionaries."""
    yield "address", player.addresses.order_by("pk").values("address", "confirmed_at")
    boards = Match.objects.filter(pk__in=MatchSeat.objects.filter(player=player).values("match"))
    yield "board", boards.order_by("pk").prefetch_related("seats__player", "events")
    tables: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
        ("note", Note, ("match_id", "ply", "text", "at")),
        ("chat", ChatLine, ("match_id", "ply", "text", "at")),
        ("plan", Plan, ("match_id", "tree", "is_public", "changed_at")),
        ("vacation", Vacation, ("starts_at", "ends_at")),
        ("subscription", Subscription, ("match_id", "game", "is_weekly", "made_at")),
        ("review wish", ReviewRequest, ("review__match_id", "asked_at", "told_at")),
        ("token", Token, ("label", "scopes", "made_at", "used_at", "ends_at")),
        ("passkey", Passkey, ("label", "made_at", "used_at")),
        ("device", Device, ("label", "made_at")),
        ("report", AbuseReport, ("about_id", "news_id", "text", "at", "settled_at")),
        ("wish", GameWish, ("name", "at")),
        ("lesson", LessonProgress, ("game", "done", "step", "line", "is_declined", "at")),
        (
            "puzzle",
            PuzzleTry,
            ("game", "puzzle", "line", "result", "change", "seen_at", "solved_at"),
        ),
        (
            "puzzle rating",
            PuzzleRating,
            ("game", "rating", "deviation", "tries", "solved", "rated_at"),
        ),
        ("daily puzzle", PuzzleSubscription, ("game", "sent_on")),
        ("analysis", Analyst, ("game", "position", "asked_at", "hour_began_at", "spent")),
        ("puzzle vote", PuzzleVote, ("game", "puzzle", "is_good", "at")),
        ("puzzle report", PuzzleReport, ("game", "puzzle", "line", "at", "settled_at")),
        ("own puzzle", OwnPuzzle, ("match_id", "ply", "number", "stage", "due_on")),
        ("contest entry", ContestEntry, ("contest_id", "number", "is_waiting", "is_out")),
        ("invited address", InvitedAddress, ("digest",)),
        ("session", WebSession, ("began_at", "expire_date")),
        ("digest item", DigestItem, ("event", "match_id", "at")),
        ("webhook call", WebhookCall, ("event", "queued_at", "sent_at", "state")),
        (
            "result",
            Result,
            ("match_id", "seat", "game", "score", "at", "is_rated", "rating", "deviation"),
        ),
        ("standing", Standing, ("game", "won", "lost", "drawn")),
        ("rating", Rating, ("game", "rating", "deviation", "matches", "rated_at")),
        ("rating step", RatingStep, ("game", "period", "at", "rating", "deviation", "matches")),
    )
    for kind, model, fields in tables:
        yield kind, model.objects.filter(player=player).order_by("pk").values(*fields)
    broadcasts = player.news.order_by("pk").annotate(number=F("pk"))
    yield "broadcast", broadcasts.values("number", "text", "at", "withdrawn_at", "hidden_reason")
    challenges = Challenge.objects.filter(challenger=player).order_by("pk")
    yield "challenge", challenges.values("pk", "game", "options", "terms", "state", "made_at")
    contests = Contest.objects.filter(host=player).order_by("pk")
    yield "contest", contests.values("pk", "format", "game", "options", "name", "made_at")
    mails = OutgoingMail.objects.filter(player=player).order_by("pk").annotate(letter=F("kind"))
    yield "letter", mails.values("letter", "event", "match_id", "queued_at", "sent_at", "state")


def _match(match: Match) -> dict[str, Any]:
    return {
        "kind": "board",
        "board": match.pk,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": match.options,
        "terms": match.terms,
        "players": [seat.player.userid for seat in match.seats.all()],
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "scores": match.scores,
        "reason": match.reason,
        "events": [
            {"kind": event.kind, "ply": event.ply, "seat": event.seat, "text": event.text}
            | {"at": event.at}
            for event in match.events.all()
        ],
    }


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
