"""What a player wants to be mailed, changed by the signed address in every letter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.language.accounts import MAX_ABOUT, MAX_PLACE
from sarsen.language.commands import (
    ChangeAbout,
    ChangeCoordinates,
    ChangeLanguage,
    ChangePlace,
    ChangeTimezone,
    ChangeWeekends,
)
from sarsen.language.grammar.time_zones import read_zone
from sarsen.language.grammar.typography import one_line
from sarsen.language.preferences import OFF
from sarsen.language.replies import (
    CoordinatesChanged,
    LanguageChanged,
    ProfileChanged,
    TimezoneChanged,
    WeekendsChanged,
)
from sarsen.language.translating import ENGLISH, current_language, read_language
from sarsen.services import clocks, task_queue
from sarsen.services.limits import daily
from sarsen.services.mail import outgoing
from sarsen.services.mail.reply_addresses import read_unsubscribe_token
from sarsen.services.notices import Channel, Event, channel_of
from sarsen.services.notices.channels import LAST_WARNINGS, with_choice
from sarsen.services.notices.digests import DIGEST
from sarsen.services.request import Request
from sarsen.storage.models import Player


@dataclass(frozen=True)
class MailPreference:
    """The preference of a player for one kind of letter.

    Attributes:
        event: In the words of `notices`, or `digest`.
        is_wanted: By mail or in the digest.
        is_last_warning: Without these letters a game may be lost unnoticed.
    """

    userid: str
    event: str
    is_wanted: bool
    is_last_warning: bool


def mail_preference(token: str) -> MailPreference:
    """Return what the bearer of a token wants.

    Raises:
        UserError: The token is nobody's.
    """
    return _preference(*_bearer(token))


def set_mails(token: str, now: datetime, *, wanted: bool) -> MailPreference:
    """Switch one kind of letter off or on for the bearer; the same again changes nothing.

    A player who stops the last warnings is told once more, by mail, what that means.

    Raises:
        UserError: The token is nobody's.
    """
    player, event = _bearer(token)
    channels = (
        _without_digest(player) if event == DIGEST else _changed_channels(player, event, wanted)
    )
    if channels != player.channels:
        player.channels = channels
        player.save(update_fields=["channels"])
        if event in LAST_WARNINGS and not wanted:
            for address in player.addresses.order_by("pk"):
                outgoing.queue(
                    outgoing.NewLetter(
                        address.address,
                        "warnings-off",
                        {"event": event},
                        player=player,
                        event=Event.ACCOUNT,
                    ),
                    now,
                )
            task_queue.wake(task_queue.SEND_MAIL)
    return _preference(player, event)


def _changed_channels(player: Player, event: str, wanted: bool) -> dict[str, str]:
    if wanted == _is_wanted(player, event):
        return dict(player.channels)
    return with_choice(player.channels, _events(event), Channel.MAIL if wanted else Channel.NONE)


def _without_digest(player: Player) -> dict[str, str]:
    """Return the choices without a digest: nothing of it is sent, but last warnings are mailed."""
    without_digest = {
        event: channel for event, channel in player.channels.items() if channel != DIGEST
    }
    ended = tuple(
        event
        for event in Event
        if channel_of(player, event) is Channel.DIGEST and event not in LAST_WARNINGS
    )
    return with_choice(without_digest, ended, Channel.NONE)


def _events(event: str) -> tuple[Event, ...]:
    # A player who wants no more mails about moves wants none after any move.
    return (Event.TURN, Event.MOVED) if event == Event.TURN else (Event(event),)


def _preference(player: Player, event: str) -> MailPreference:
    return MailPreference(player.userid, event, _is_wanted(player, event), event in LAST_WARNINGS)


def _is_wanted(player: Player, event: str) -> bool:
    if event == DIGEST:
        return DIGEST in player.channels.values()
    return channel_of(player, Event(event)) is not Channel.NONE


def _bearer(token: str) -> tuple[Player, str]:
    bearer = read_unsubscribe_token(token)
    if bearer is None or (bearer[1] not in tuple(Event) and bearer[1] != DIGEST):
        raise UserError(
            "This address is not valid, or no longer valid.",
            code="unsubscribe-token",
            hint="Use the link in the newest mail the server sent you.",
        )
    return bearer


def change_language(command: ChangeLanguage, request: Request) -> LanguageChanged:
    """Record the speaker's language; letters that wait are written in it."""
    player = request.player("change language USERID PASSWORD de")
    language = read_language(command.language)
    daily.check(player, "account", request.now)
    Player.objects.filter(pk=player.pk).update(language=language)
    player.language = language  # the page that answers this speaks it already
    return LanguageChanged(language)


def keep_language(player: Player) -> None:
    """Choose the language of the page for a player who has chosen none, so that mail has it, too.

    English stays unset: pages follow the browser then.
    """
    if not player.language and current_language() != ENGLISH:
        Player.objects.filter(pk=player.pk, language="").update(language=current_language())
        player.refresh_from_db(fields=["language"])


def change_timezone(command: ChangeTimezone, request: Request) -> TimezoneChanged:
    """Record the speaker's zone; running clocks whose weekends do not count follow it."""
    player = request.player("change timezone USERID PASSWORD Europe/Berlin")
    zone = read_zone(command.zone)
    daily.check(player, "account", request.now)
    boards = clocks.lock_boards_of(player)
    Player.objects.filter(pk=player.pk).update(timezone=zone)
    clocks.recalculate_deadlines(boards, request.now)
    return TimezoneChanged(zone, request.now.isoformat())


def change_weekends(command: ChangeWeekends, request: Request) -> WeekendsChanged:
    """Record whether weekends count in the speaker's games to come."""
    player = request.player("change weekends USERID PASSWORD off")
    daily.check(player, "account", request.now)
    Player.objects.filter(pk=player.pk).update(weekends_are_off=command.are_off)
    return WeekendsChanged(command.are_off)


def change_coordinates(command: ChangeCoordinates, request: Request) -> CoordinatesChanged:
    """Record whether text boards in the speaker's mails have coordinates around them."""
    player = request.player("change coordinates USERID PASSWORD off")
    daily.check(player, "account", request.now)
    Player.objects.filter(pk=player.pk).update(wants_coordinates=command.are_on)
    return CoordinatesChanged(command.are_on)


def change_place(command: ChangePlace, request: Request) -> ProfileChanged:
    """Record where the speaker is at home."""
    example = "change place USERID PASSWORD Berlin"
    return _change_profile("place", MAX_PLACE, command.text, request, example)


def change_about(command: ChangeAbout, request: Request) -> ProfileChanged:
    """Record what the speaker's page says of the speaker."""
    example = "change about USERID PASSWORD I like chess, too."
    return _change_profile("about", MAX_ABOUT, command.text, request, example)


def _change_profile(
    column: str, most: int, text: str, request: Request, example: str
) -> ProfileChanged:
    """Record a line for the speaker's page; `off` removes it."""
    player = request.player(example)
    line = one_line(text)
    if not line:
        raise UserError(
            "What should your page say? With `off` it says nothing.",
            code="text-missing",
            hint=example,
        )
    if len(line) > most:
        raise UserError(
            "That has {count} characters; at most {most} are allowed.",
            code="text-too-long",
            hint=example,
            count=len(line),
            most=most,
        )
    line = "" if line.lower() == OFF else line
    daily.check(player, "account", request.now)
    Player.objects.filter(pk=player.pk).update(**{column: line})
    return ProfileChanged(column, is_removed=not line)


LONGEST = 40  # characters of the column


def remember(player: Player, colours: str) -> None:
    """Store a player's choice, for all browsers."""
    player.colours = colours[:LONGEST]
    player.save(update_fields=["colours"])
