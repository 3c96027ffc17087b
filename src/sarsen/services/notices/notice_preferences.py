"""What a player wants to hear of, how and when: the command `notices`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.language.commands import ChangeNotices
from sarsen.language.notices import NoticesStand
from sarsen.services.notices.channels import (
    CHOSEN,
    LAST_WARNINGS,
    Channel,
    Event,
    channel_of,
    channels_by_event,
    wanted_on_devices,
    with_choice,
)
from sarsen.services.notices.notify import digest_time
from sarsen.services.notices.outgoing_requests import check_address
from sarsen.services.players import lock_player
from sarsen.services.request import Request
from sarsen.storage.models import Player
from sarsen.storage.models.players import new_key

_HOUR = r"([01]?\d|2[0-4])(?::00)?"
_HOURS = re.compile(rf"{_HOUR}\s*(?:-|to|until)\s*{_HOUR}")
_OFF = ("off", "none", "no")
EXAMPLE = "notices USERID PASSWORD turn digest"


def change_notices(command: ChangeNotices, request: Request) -> NoticesStand:
    """Change one setting of the speaker; nothing named: show them all."""
    player = request.player("notices USERID PASSWORD")
    value = command.channel.strip()
    setting = _SETTINGS.get(command.event)
    if not command.event:
        return notice_settings(player)
    if setting is not None:
        return setting(player, value, request.now)
    events, channel = _events(command.event), _channel(command.event, value)
    if command.event == "all" and channel is Channel.DIGEST:
        # The weekly letter is a digest itself, and stays as it is.
        events = tuple(event for event in events if event is not Event.WEEKLY)
    return choose(player, events, channel)


def choose(player: Player, events: tuple[Event, ...], channel: Channel) -> NoticesStand:
    """Set the channel of some events."""
    for event in events:
        _check_possible(event, channel)
    lock_player(player, "channels")  # one choice is added to those of other events
    player.channels = with_choice(player.channels, events, channel)
    player.save(update_fields=["channels"])
    return notice_settings(player, changed=events)


def notice_settings(
    player: Player,
    *,
    changed: tuple[Event, ...] = (),
    feeds: tuple[str, ...] = (),
    webhook_key: str = "",
    has_pushes: bool = False,
) -> NoticesStand:
    """Return all settings of a player."""
    begins, ends = player.quiet_from, player.quiet_until
    return NoticesStand(
        changed=tuple(str(event) for event in changed),
        rows=tuple(
            (str(event), str(channel)) for event, channel in channels_by_event(player).items()
        ),
        quiet="" if begins is None or ends is None else f"{begins}-{ends}",
        digest_hour=player.digest_hour,
        webhook=player.webhook,
        webhook_key=webhook_key,
        feeds=feeds,
        pushed=tuple(str(event) for event in wanted_on_devices(player)) if has_pushes else None,
        risky=tuple(
            str(event)
            for event in Event
            if event in LAST_WARNINGS and channel_of(player, event) is Channel.NONE
        ),
    )


def feed_addresses(player: Player) -> tuple[str, ...]:
    """Return the secret addresses of a player's feeds; "" before they have asked for any."""
    if not player.feed_key:
        return ()
    start = f"{settings.SARSEN_URL}/feeds/{player.feed_key}"
    return (f"{start}/boards.atom", f"{start}/deadlines.ics", f"{start}/contests.ics")


def _events(name: str) -> tuple[Event, ...]:
    if name == "all":
        # The last warnings are changed only where they are named.
        return tuple(event for event in CHOSEN if event not in LAST_WARNINGS)
    if name in CHOSEN:
        return (Event(name),)
    if name == Event.RATING:
        return ()  # a setting of release 0.4: the last letter of a game tells of ratings now
    if name == Event.ACCOUNT:
        raise UserError(
            "Mails about the security of your account are always sent.",
            code="notices-account",
            hint=EXAMPLE,
        )
    names = ", ".join(CHOSEN)
    raise UserError(
        "There are no notices called {event}. There are: {known}; and all, quiet, digest, "
        "webhook, feeds.",
        code="notices-event",
        hint=EXAMPLE,
        event=quoted(name),
        known=names,
    )


def _channel(event: str, word: str) -> Channel:
    lower = {"off": "none", "no": "none", "on": "mail", "yes": "mail"}.get(word.lower())
    word = lower or word.lower()
    if word in tuple(Channel):
        return Channel(word)
    raise UserError(
        "A notice comes by `mail`, in the `digest`, or not at all (`none`), not by {typed}."
        if word
        else "By `mail`, in the `digest`, or `none`?",
        code="notices-channel",
        hint=f"notices {event} digest",
        typed=quoted(word),
    )


def _check_possible(event: Event, channel: Channel) -> None:
    if channel is Channel.DIGEST and event is Event.WEEKLY:
        raise UserError(
            "The weekly mail is a digest already: it comes by `mail` or not at all.",
            code="notices-weekly",
            hint="unsubscribe weekly",
        )
    if channel is Channel.DIGEST and event is Event.REMINDER:
        raise UserError(
            "A reminder in the digest could come after the clock has run out: it comes by `mail` "
            "or not at all.",
            code="notices-reminder",
            hint="notices reminder mail",
        )


def _set_quiet(player: Player, value: str, now: datetime) -> NoticesStand:
    hours_match = _HOURS.fullmatch(value.lower())
    if value.lower() in _OFF:
        player.quiet_from = player.quiet_until = None
    elif hours_match and int(hours_match[1]) % 24 != int(hours_match[2]) % 24:
        player.quiet_from, player.quiet_until = int(hours_match[1]) % 24, int(hours_match[2]) % 24
    else:
        raise UserError(
            "Quiet hours go from one full hour to another, in your time zone, or are `off`.",
            code="notices-hours",
            hint="notices quiet 22-7",
        )
    player.save(update_fields=["quiet_from", "quiet_until"])
    return notice_settings(player)


def _set_digest_hour(player: Player, value: str, now: datetime) -> NoticesStand:
    hour_match = re.fullmatch(_HOUR, value)
    if not hour_match:
        raise UserError(
            "The digest comes at a full hour from 0 to 23, in your time zone.",
            code="notices-hours",
            hint="notices digest 18",
        )
    player.digest_hour = int(hour_match[1]) % 24
    if player.digest_due_at is not None:
        player.digest_due_at = digest_time(player, now)
    player.save(update_fields=["digest_hour", "digest_due_at"])
    return notice_settings(player)


def _set_webhook(player: Player, value: str, now: datetime) -> NoticesStand:
    if value.lower() in _OFF:
        player.webhook = ""
        player.save(update_fields=["webhook"])
        return notice_settings(player)
    check_address(value)
    player.webhook = value
    # A new key for a new address: the owner of the old one cannot sign calls to this one.
    player.webhook_key = new_key() + new_key()
    player.save(update_fields=["webhook", "webhook_key"])
    return notice_settings(player, webhook_key=player.webhook_key)


def _set_pushed(player: Player, value: str, now: datetime) -> NoticesStand:
    words = value.replace(",", " ").lower().split()
    if words == ["usual"]:
        player.pushed = None
    elif words in (["all"], ["on"]):
        player.pushed = [str(event) for event in CHOSEN]
    elif not words or (len(words) == 1 and words[0] in _OFF):
        player.pushed = []
    else:
        player.pushed = [str(event) for word in words for event in _events(word)]
    player.save(update_fields=["pushed"])
    return notice_settings(player, has_pushes=True)


def _set_feeds(player: Player, value: str, now: datetime) -> NoticesStand:
    if value.lower() in _OFF:
        player.feed_key = ""
    elif value.lower() == "new" or not player.feed_key:
        player.feed_key = new_key()
    player.save(update_fields=["feed_key"])
    return notice_settings(player, feeds=feed_addresses(player))


_SETTINGS: dict[str, Callable[[Player, str, datetime], NoticesStand]] = {
    "quiet": _set_quiet,
    "digest": _set_digest_hour,
    "webhook": _set_webhook,
    "push": _set_pushed,
    "feeds": _set_feeds,
    "feed": _set_feeds,
}
