"""Forget a person, and keep the games: opponents have played them, too.

Their account stays as an empty one under a neutral name, at which the seats, results and
ratings hang that others' records and ratings stand on. All else that says who they were, or
that they wrote, goes. `MENTIONS` is where other people's rows may name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q

from sarsen.core.errors import UserError
from sarsen.services.userids import retire_userid
from sarsen.storage.models import (
    AbuseReport,
    Address,
    Analyst,
    Announcement,
    AnsweredRequest,
    AuditEntry,
    CaughtMail,
    Challenge,
    ChatLine,
    Contest,
    ContestEvent,
    DigestItem,
    GameWish,
    Import,
    InboundMail,
    InvitedAddress,
    LessonProgress,
    LoginLetterRequest,
    MailInvitation,
    MatchSeat,
    News,
    Note,
    OutgoingMail,
    OwnPuzzle,
    Plan,
    Player,
    PuzzleRating,
    PuzzleReport,
    PuzzleSubscription,
    PuzzleTry,
    PuzzleVote,
    Question,
    ReviewRequest,
    Signup,
    StreamItem,
    WebhookCall,
    WebSession,
)

# Rows of others whose facts may name them.
MENTIONS: tuple[tuple[type[Model], str], ...] = (
    (OutgoingMail, "facts"),
    (WebhookCall, "facts"),
    (DigestItem, "facts"),
    (StreamItem, "facts"),
    (Announcement, "facts"),
    (Question, "facts"),
    (AnsweredRequest, "reply"),
    (ContestEvent, "facts"),
)
# The keys of facts that name the author of their text.
_AUTHORS = ("by", "from", "author", "who", "player")
_WRITTEN = ("text", "reason", "message")
# Words of the server itself, which are nobody's name, whatever they were called.
_OWN = ("kind", "template", "event", "what", "how", "game", "options", "channel", "state")
_KEPT_OF_ACCOUNT = ("id", "key", "userid", "joined_at", "is_bot", "level", "is_elsewhere")
AT_ONCE = 200  # rows in memory: a player may have written for years
MAX_KEY_LENGTH = 20  # characters of `Player.key`, in which a neutral name must fit


def wipe(player: Player, now: datetime) -> str:
    """Erase everything of a person who has left; return the name that their games have now.

    Raises:
        UserError: The account is no person's, or operates the server.
    """
    check_may_forget(player)
    addresses = _addresses(player)
    userid, name = player.userid, neutral_name(player)
    retire_userid(userid)
    _delete_own_rows(player, addresses)
    _clear_replies(player)
    _clear_mentions(userid, name)
    _clear_log(player, userid, name)
    _clear_imports(player, name)
    _empty_account(player, name, now)
    return name


def neutral_name(player: Player) -> str:
    """Return the neutral name of a forgotten player, as records can write it.

    Nobody signs up under such a name; where somebody has it from before, it is a longer one.
    """
    name = f"former-player-{player.pk}"
    if len(name) > MAX_KEY_LENGTH or Player.objects.filter(key=name).exclude(pk=player.pk).exists():
        name = f"former-{player.pk:0{MAX_KEY_LENGTH - len('former-')}}"
    return name


def check_may_forget(player: Player) -> None:
    why, hint = "", ""
    if player.level is not None:
        why, hint = f"{player.userid} is a bot of this server.", "SARSEN_BOTS=off"
    elif player.is_staff:
        why = f"{player.userid} is an operator of this server."
        hint = f"sarsen operator remove {player.userid}"
    if why:
        raise UserError(why, code="cannot-forget", hint=hint)


def _addresses(player: Player) -> list[str]:
    """Return every known address of a player: confirmed, asked for, or written to."""
    addresses = set(Address.objects.filter(player=player).values_list("address", flat=True))
    of_player = Q(player=player) | Q(key=player.key)
    addresses |= set(Signup.objects.filter(of_player).values_list("address", flat=True))
    sent = OutgoingMail.objects.filter(Q(player=player) | Q(kind="goodbye"))
    for address, kind, facts, owner in sent.values_list("address", "kind", "facts", "player"):
        if owner == player.pk or (kind == "goodbye" and facts.get("userid") == player.userid):
            addresses.add(address)
    return sorted(addresses)


def _delete_own_rows(player: Player, addresses: list[str]) -> None:
    """Delete what they wrote, what was written to them, and what let them in."""
    of_player = (ChatLine, Note, Plan, AuditEntry, ReviewRequest, WebSession, WebhookCall)
    for model in of_player:
        model._default_manager.filter(player=player).delete()
    Announcement.objects.filter(author=player).delete()
    News.objects.filter(author=player).delete()
    GameWish.objects.filter(player=player).delete()
    # The names of contests are their hosts' words.
    for contest in Contest.objects.filter(host=player):
        contest.name = f"Contest {contest.pk}"
        contest.save(update_fields=["name"])
    AbuseReport.objects.filter(Q(player=player) | Q(about=player)).delete()
    drop_account_rows(player)  # what an earlier release left to those who went
    Signup.objects.filter(Q(key=player.key) | Q(address__in=addresses)).delete()
    MailInvitation.objects.filter(
        Q(address__in=addresses) | Q(challenge__challenger=player)
    ).delete()
    LoginLetterRequest.objects.filter(Q(name__iexact=player.key) | Q(name__in=addresses)).delete()
    OutgoingMail.objects.filter(Q(player=player) | Q(address__in=addresses)).delete()
    mails = InboundMail.objects.filter(envelope_sender__in=addresses)
    mails.update(envelope_sender="", note="")
    mails.filter(state=InboundMail.State.NEW).update(state=InboundMail.State.IGNORED, raw=b"")
    # Why somebody declined is their own words, or the other's; it is told, and history.
    is_participant = Q(challenger=player) | Q(seats__player=player)
    Challenge.objects.filter(
        pk__in=Challenge.objects.filter(is_participant).order_by().values("pk")
    ).update(reason="")
    for other in Player.objects.filter(
        Q(refuses__icontains=player.key) | Q(accepts__icontains=player.key)
    ):
        other.refuses = [name for name in other.refuses if name != player.key]
        other.accepts = [name for name in other.accepts if name != player.key]
        other.save(update_fields=["refuses", "accepts"])


def _clear_replies(player: Player) -> None:
    """Remove what they wrote from the answers they got, which stay so that repeats are known."""
    for row in AnsweredRequest.objects.filter(speaker=player.pk).iterator(chunk_size=AT_ONCE):
        row.reply = _without_words(row.reply)
        row.save(update_fields=["reply"])


def _without_words(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_words(item) for item in value]
    if isinstance(value, dict):
        return {
            key: "" if key in _WRITTEN and isinstance(item, str) else _without_words(item)
            for key, item in value.items()
        }
    return value


def _clear_mentions(userid: str, name: str) -> None:
    """Replace the name where others were told of them, and remove what they wrote there."""
    for model, field in MENTIONS:
        rows = model._default_manager.filter(**{f"{field}__icontains": userid})
        for row in rows.iterator(chunk_size=AT_ONCE):
            before = getattr(row, field)
            after = renamed(before, userid, name)
            if after != before:
                setattr(row, field, after)
                row.save(update_fields=[field])
    # Only where no relay is set: there are few, and they are shown to this machine alone.

    userid_bytes = userid.encode()
    for pk, subject, raw in CaughtMail.objects.values_list("pk", "subject", "raw").iterator():
        if userid in subject or userid_bytes in bytes(raw):
            CaughtMail.objects.filter(pk=pk).delete()


def renamed(value: Any, userid: str, name: str) -> Any:
    """Return facts with `name` in place of a userid, and without what that player wrote."""
    if isinstance(value, str):
        return re.sub(rf"(?<![\w-]){re.escape(userid)}(?![\w-])", name, value, flags=re.IGNORECASE)
    if isinstance(value, list):
        return [renamed(item, userid, name) for item in value]
    if isinstance(value, dict):
        is_theirs = any(str(value.get(author, "")).lower() == userid.lower() for author in _AUTHORS)
        return {
            key: ""
            if is_theirs and key in _WRITTEN
            else item
            if key in _OWN
            else renamed(item, userid, name)
            for key, item in value.items()
        }
    return value


def _clear_log(player: Player, userid: str, name: str) -> None:
    """Replace the name in the operators' log: it says what was done, but not to whom."""
    about = ContentType.objects.get_for_model(Player)
    of_player = Q(content_type=about, object_id=str(player.pk)) | Q(
        change_message__icontains=userid
    )
    for entry in LogEntry.objects.filter(of_player):
        entry.object_repr = renamed(entry.object_repr, userid, name)
        entry.change_message = renamed(entry.change_message, userid, name)
        entry.save(update_fields=["object_repr", "change_message"])


def _clear_imports(player: Player, name: str) -> None:
    """Replace the name in imported records, without signatures, which would be invalid now."""
    seats = MatchSeat.objects.filter(player=player, match__is_imported=True)
    for seat in seats.select_related("match__record"):
        record: Import = seat.match.record
        name_key = list(record.head["players"])[seat.seat]
        userid = record.head["players"][name_key]
        head = {key: item for key, item in record.head.items() if key != "signature"}
        head["players"] = {**head["players"], name_key: name}
        if userid and head.get("reason"):
            head["reason"] = renamed(head["reason"], userid, name)
            seat.match.reason = renamed(seat.match.reason, userid, name)
            seat.match.save(update_fields=["reason"])
        record.head = head
        record.save(update_fields=["head"])


def _empty_account(player: Player, name: str, now: datetime) -> None:
    """Set every field of the account as if it were new, but for what the games hang at."""
    for field in _fields_to_reset():
        setattr(player, field.attname, field.get_default())
    player.key, player.userid = name, name
    player.joined_at = player.joined_at.replace(
        month=1, day=1, hour=0, minute=0, second=0, microsecond=0
    )
    player.set_unusable_password()
    player.is_active, player.speaks_by_password = False, False
    player.left_at = now
    player.save()
    player.groups.clear()
    player.user_permissions.clear()


def _fields_to_reset() -> Iterator[Any]:
    for field in Player._meta.concrete_fields:
        if field.name not in _KEPT_OF_ACCOUNT:
            yield field


def drop_account_rows(player: Player) -> None:
    """Delete what lets a player in, what reaches them, and what they asked for."""
    for rows in (
        player.addresses,
        player.subscriptions,
        player.watchers,
        player.digest_items,
        player.vacations,
        player.tokens,
        player.passkeys,
        player.stream,
        player.devices,
    ):
        rows.all().delete()
    Question.objects.filter(player=player).delete()
    LessonProgress.objects.filter(player=player).delete()
    PuzzleTry.objects.filter(player=player).delete()
    PuzzleRating.objects.filter(player=player).delete()
    PuzzleSubscription.objects.filter(player=player).delete()
    Analyst.objects.filter(player=player).delete()
    PuzzleVote.objects.filter(player=player).delete()
    PuzzleReport.objects.filter(player=player).delete()
    OwnPuzzle.objects.filter(player=player).delete()
    # The digest stays, so that its address is not invited again; the account it became does not.
    InvitedAddress.objects.filter(player=player).update(player=None)
    # An address that answers later would belong to an account that is closed.
    Signup.objects.filter(player=player).delete()
