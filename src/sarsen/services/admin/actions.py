"""Actions of operators: undo a forfeit, announce, bar a player or let them in, end access."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.language.grammar.typography import one_line
from sarsen.services import ratings, task_queue
from sarsen.services.accounts import leaving
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.contests.acts import entering
from sarsen.services.mail import outgoing
from sarsen.services.matches import matches
from sarsen.services.notices import Event, announcements, news
from sarsen.services.notices.announcements import Audience
from sarsen.services.notices.board_letters import tell_players
from sarsen.services.notices.messages import clean_text
from sarsen.services.players import lock_player
from sarsen.services.ratings import counting
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    Announcement,
    Match,
    News,
    Plan,
    Player,
    Question,
    Review,
    Token,
    WebSession,
)

# So long a forfeit can be undone: all later games are rated again, ever more of them.
LASTS = timedelta(days=60)


def is_forfeited(match: Match) -> bool:
    """Return whether a match ended because the time of one side was used up."""
    return match.ended_at is not None and not match.is_imported and counting.is_forfeited(match)


@transaction.atomic
def undo_forfeit(board: int, reason: str, now: datetime) -> Match:
    """Resume a match that was lost on time, with a fresh turn for the late player.

    Standings and ratings forget its result: the games that ended after it are rated anew. Its
    review goes, too: it would tell both sides what to play.

    Raises:
        UserError: It was not lost on time, or too long ago, or somebody at the board does not
            play here any more.
    """
    # Locked: two operators may resume the same match.
    match = Match.objects.select_for_update(no_key=True).get(pk=board)
    _check_may_undo(match, now)
    ratings.uncount(match)
    Review.objects.filter(match=match).delete()
    request = Request(NOBODY, now, AFTER_EVENTS)
    matches.follow_up(matches.resume(match, reason, request))
    task_queue.wake(task_queue.SEND_MAIL)
    return match


def _check_may_undo(match: Match, now: datetime) -> None:
    why = ""
    players = [seat.player for seat in match.seats.select_related("player")]
    inactive = next((player.userid for player in players if not player.is_active), "")
    if not is_forfeited(match):
        why = f"Board {match.pk} was not lost on time."
    elif match.ended_at is not None and match.ended_at + LASTS < now:
        why = f"Board {match.pk} ended more than {LASTS.days} days ago."
    elif inactive:
        why = f"{inactive} no longer plays here."
    if why:
        raise UserError(why, code="cannot-undo-forfeit")


SAME_TEXT_LASTS = timedelta(hours=1)  # a form that is sent twice tells nobody twice


@transaction.atomic
def announce(operator: Player, text: str, now: datetime) -> str:
    """Send a broadcast to all who want them, in batches; return the text as it goes out.

    Raises:
        UserError: There are no words, or too many.
    """
    cleaned = clean_text(text, "The server moves to another machine on Sunday at noon UTC.")
    recent = Announcement.objects.filter(author=operator, made_at__gt=now - SAME_TEXT_LASTS)
    if any(announcement.facts.get("text") == cleaned for announcement in recent):
        raise UserError(
            "You have just sent the same message to everyone.", code="announced-already"
        )
    numbers = news.publish(operator, News.Kind.SERVER, cleaned, now)
    facts = {"from": operator.userid, "text": cleaned, "is_operator": True, **numbers}
    facts["number"] = operator.pk
    announcements.announce(Audience.ALL, Event.BROADCAST, "broadcast", facts, now, author=operator)
    return cleaned


MAX_REASON = 300  # characters: it is told to players, in one paragraph


def clean_reason(text: str) -> str:
    """Return a reason as it is kept and told.

    Raises:
        UserError: There is none, or it is too long.
    """
    reason = one_line(text)
    if not reason:
        raise UserError(
            "Give a reason: it is logged with the action, and sent to the players concerned.",
            code="reason-missing",
            hint="Uses three accounts at once.",
        )
    if len(reason) > MAX_REASON:
        raise UserError(
            f"A reason may have at most {MAX_REASON} characters; this one has {len(reason)}.",
            code="reason-too-long",
            hint="Send the rest with `message`.",
        )
    return reason


@dataclass(frozen=True)
class Banned:
    """The results at the boards, by their numbers."""

    resigned: tuple[int, ...]
    running: tuple[int, ...]


@transaction.atomic
def ban(player: Player, reason: str, now: datetime, *, resigns: bool) -> Banned:
    """Ban a player, and tell them and the others at their boards.

    Args:
        resigns: Give all their running boards up; False lets their clocks run on.

    Raises:
        UserError: The player is barred or has left already, operates the server, or is its program.
    """
    # Locked: what is checked here must hold until it is written.
    lock_player(player, "is_active", "is_staff", "banned_at")
    _check_may_ban(player)
    cut_off(player)
    request = Request(Actor(player), now, AFTER_EVENTS)
    # First, so that a game which starts just now is among those to look after.
    leaving.leave_challenges(player, request)
    # Their rows are locked before those of boards.
    entering.leave_all(player, request)
    boards = leaving.lock_running_boards(player)
    player.is_active = False
    player.banned_at = now
    player.ban_reason = reason
    player.digest_due_at = None
    player.save(update_fields=["is_active", "banned_at", "ban_reason", "digest_due_at"])
    # What they have queued would go on playing for them.
    Plan.objects.filter(player=player, is_active=True).update(is_active=False)
    banned = _leave_boards(boards, player, request, resigns=resigns)
    facts = {
        "userid": player.userid,
        "reason": reason,
        "resigned": list(banned.resigned),
        "running": list(banned.running),
    }
    outgoing.queue_for(player, "barred", facts, now)
    task_queue.wake(task_queue.SEND_MAIL)
    return banned


@transaction.atomic
def unban(player: Player, reason: str, now: datetime) -> None:
    """Lift the bar on a player, and notify them.

    Raises:
        UserError: They are not barred.
    """
    # Locked, as in `ban`.
    lock_player(player, "is_active", "banned_at", "left_at")
    if player.banned_at is None or player.left_at is not None:
        raise UserError(f"{player.userid} is not banned.", code="not-barred")
    player.is_active = True
    player.banned_at = None
    player.ban_reason = ""
    player.save(update_fields=["is_active", "banned_at", "ban_reason"])
    outgoing.queue_for(player, "let-in", {"userid": player.userid, "reason": reason}, now)
    task_queue.wake(task_queue.SEND_MAIL)


def _check_may_ban(player: Player) -> None:
    why = ""
    if player.is_staff:
        why = f"{player.userid} is an operator of this server; first use `sarsen operator remove`."
    elif player.level is not None:
        why = f"{player.userid} is a bot of this server; SARSEN_BOTS=off stops all bots."
    elif player.banned_at is not None:
        why = f"{player.userid} is already banned."
    elif not player.is_active:
        why = f"{player.userid} has left."
    if why:
        raise UserError(why, code="cannot-ban")


def _leave_boards(boards: list[int], player: Player, request: Request, *, resigns: bool) -> Banned:
    for board in boards:
        match = matches.find(board, viewer=player, lock=True)
        if resigns:
            seat = match.seats.filter(player=player).values_list("seat", flat=True)[0]
            matches.record_resignation(match, seat, request)
        tell_players(match, request, but=player, kind="barred-here", who=player.userid)
    return Banned(tuple(boards), ()) if resigns else Banned((), tuple(boards))


@dataclass(frozen=True)
class Ended:
    """How much was ended."""

    sessions: int
    tokens: int


@transaction.atomic
def end_access(player: Player, reason: str, now: datetime) -> Ended:
    """Log a player out everywhere and revoke their tokens, and tell them why."""
    ended = cut_off(player)
    facts = {"reason": reason, "sessions": ended.sessions, "tokens": ended.tokens}
    outgoing.queue_for(player, "access-ended", facts, now)
    task_queue.wake(task_queue.SEND_MAIL)
    return ended


def cut_off(player: Player) -> Ended:
    """End sessions, tokens, and letters to log in with that wait."""
    sessions = WebSession.objects.filter(player=player).delete()[0]
    tokens = Token.objects.filter(player=player).delete()[0]
    Question.objects.filter(player=player).delete()
    return Ended(sessions, tokens)
