"""The settings of an account: five pages, each with one button that saves what was changed.

Each field that was changed becomes a command; a refusal names the field, and keeps what was typed
in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.frame.replies import done_sentence
from sarsen.doors.web.frame.visitors import actor, needs_account, owner
from sarsen.games import load
from sarsen.language.accounts import MAX_ABOUT, MAX_PLACE
from sarsen.language.commands import (
    AutoAccept,
    ChangeAbout,
    ChangeAddress,
    ChangeCoordinates,
    ChangeDailyPuzzle,
    ChangeNotices,
    ChangePlace,
    ChangePuzzles,
    ChangeTimezone,
    ChangeWeekends,
    Command,
    Limit,
    Refuse,
    SetReviews,
    Subscribe,
    TakeVacation,
    Unsubscribe,
)
from sarsen.language.grammar.time_zones import zone_names
from sarsen.language.notices import Watching
from sarsen.language.replies import Refusal
from sarsen.language.schema.schemas import command_from_form
from sarsen.language.translating import N_, _
from sarsen.learning.puzzles.shelf import has_daily, puzzled
from sarsen.services.accounts.bounces import suspended
from sarsen.services.clocks.vacations import planned
from sarsen.services.dispatch import perform
from sarsen.services.learning.daily_puzzles import subscribed_games
from sarsen.services.notices import Channel, Event
from sarsen.services.notices.notice_preferences import notice_settings

TABS = (
    ("account", N_("Profile")),
    ("account-play", N_("Play")),
    ("account-notices", N_("Mail")),
    ("account-look", N_("Appearance")),
    ("account-security", N_("Security")),
)
EVENTS = {
    "turn": N_("It's your move"),
    "moved": N_("A move was played, and it is not your turn"),
    "reminder": N_("Your clock is running out"),
    "plan": N_("A planned move was played or dropped"),
    "started": N_("A game of yours has begun"),
    "ended": N_("A game of yours is over"),
    "review": N_("The review of a game is done"),
    "invitation": N_("Somebody challenges you"),
    "challenge": N_("Your challenge was accepted or declined"),
    "contest": N_("Invitations to matches, and news of your contests"),
    "offer": N_("Draw offers and takebacks"),
    "chat": N_("Chat on your boards"),
    "message": N_("Somebody writes to you"),
    "broadcast": N_("Broadcasts"),
    "newgame": N_("New games"),
    "watched": N_("News from boards you follow"),
    "weekly": N_("The weekly mail of finished games"),
    "puzzle": N_("The puzzle of the day"),
}
EVENT_GROUPS = (
    (
        N_("Your games"),
        ("turn", "moved", "reminder", "plan", "started", "ended", "contest", "review"),
    ),
    (N_("People"), ("invitation", "challenge", "offer", "chat", "message", "broadcast", "newgame")),
)
CHANNELS = (
    (Channel.MAIL, N_("Mail")),
    (Channel.DIGEST, N_("Daily digest")),
    (Channel.NONE, N_("Nothing")),
)
HOURS = tuple((str(hour), f"{hour}:00") for hour in range(24))
OFF = "off"


class CommandFields(NamedTuple):
    """A command, and the texts of its fields as a form sends them."""

    command: type[Command]
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Setting:
    """One field of a settings page.

    Attributes:
        saved: What it holds, as its form sends it; "" for a box that is not ticked.
        command: Returns what sets it, for what was sent.
        kind: The field of the form. `list` and `names` hold words with blanks between; the
            command of a `list` says all of them, that of `names` what is added or removed.
        choices: Pairs of a value and its words, to choose from.
        is_told: Whether the answer of the command says more than that it is done.
        most: Characters that it takes.
        typed: What was sent, and does not hold for this `refusal`.
        is_saved: Whether it has just been changed.
    """

    name: str
    label: str
    saved: str
    command: Callable[[str], CommandFields]
    kind: Literal["text", "number", "zone", "days", "list", "names", "tick", "choice", "prose"] = (
        "text"
    )
    hint: str = ""
    choices: Sequence[tuple[str, str]] = ()
    is_told: bool = False
    most: int = 900
    typed: str = ""
    refusal: Refusal | None = None
    is_saved: bool = False

    @property
    def shown(self) -> str:
        return self.typed if self.refusal else self.saved

    @property
    def days(self) -> tuple[str, str]:
        """The two fields of `days`."""
        first, _bar, last = self.shown.partition("|")
        return first, last

    def commands(self, typed: str, before: str) -> Iterator[CommandFields]:
        """Yield the commands for what was typed where `before` was shown."""
        if self.kind not in ("list", "names"):
            yield self.command(typed)
            return
        # "off" would be read as the end of all names.
        new = [word for word in typed.replace(",", " ").split() if word != OFF]
        old, now = before.split(), self.saved.split()
        added = [word for word in new if word not in old]
        removed = [word for word in old if word not in new]
        if self.kind == "list":
            stay = [word for word in now if word not in removed + added]
            yield self.command(" ".join(stay + added))
            return
        if added:
            yield self.command(" ".join(added))
        if removed:
            yield self.command(" ".join((*removed, OFF)))


@dataclass(frozen=True)
class SettingGroup:
    """Settings under one heading."""

    title: str
    settings: Sequence[Setting]


def tabs(chosen: str) -> list[tuple[str, str, bool]]:
    """Return each page of settings: its name, its words, and whether it is this one."""
    return [(name, _(words), name == chosen) for name, words in TABS]


@needs_account
def show_profile(request: HttpRequest) -> HttpResponse:
    """Show the player's profile and addresses; a POST changes them."""
    player = owner(request)
    place = Setting(
        "place",
        _("Where you live"),
        player.place,
        lambda typed: CommandFields(ChangePlace, {"text": typed or OFF}),
        kind="prose",
        most=MAX_PLACE,
        hint=_("A town or a country, if you like. Everyone can see it."),
    )
    about = Setting(
        "about",
        _("About you"),
        player.about,
        lambda typed: CommandFields(ChangeAbout, {"text": typed or OFF}),
        kind="prose",
        most=MAX_ABOUT,
        hint=_("A few words for your page. Everyone can see them."),
    )
    addresses = Setting(
        "addresses",
        _("Mail addresses"),
        " ".join(player.addresses.values_list("address", flat=True)),
        lambda typed: CommandFields(ChangeAddress, {"addresses": typed}),
        kind="list",
        hint=_(
            "Separate them with spaces. A new address gets a confirmation mail. Nobody else "
            "sees them."
        ),
        is_told=True,
    )
    zone = Setting(
        "zone",
        _("Time zone"),
        player.timezone,
        lambda typed: CommandFields(ChangeTimezone, {"zone": typed}),
        kind="zone",
        hint=_("Used for deadlines, quiet hours and the digest."),
    )

    def facts() -> dict[str, object]:
        return {
            "player": player,
            "zones": zone_names(),
            "suspended": suspended(player),
            "addresses": addresses.saved,
        }

    groups = [
        SettingGroup(_("Your page"), (about, place)),
        SettingGroup(_("Mail and time"), (addresses, zone)),
    ]
    return _answer(request, groups, "account", facts)


@needs_account
def show_play(request: HttpRequest) -> HttpResponse:
    """Show what holds in the player's games; a POST changes it."""
    player = owner(request)
    weekends = Setting(
        "weekends",
        _("Stop the clocks at weekends in new games, if my opponents want that, too"),
        "on" if player.weekends_are_off else "",
        lambda typed: CommandFields(ChangeWeekends, {"are_off": typed}),
        kind="tick",
    )
    vacation = Setting(
        "vacation",
        _("Next vacation: first and last day"),
        "",
        _vacation,
        kind="days",
        hint=_("Your clocks are stopped on these days."),
        is_told=True,
    )
    limit = Setting(
        "limit",
        _("Limit of games at once"),
        str(player.most_games or ""),
        lambda typed: CommandFields(Limit, {"most": typed}),
        kind="number",
        hint=_(
            "You get no new challenges while you have this many games. Leave empty for no limit."
        ),
    )
    reviews = Setting(
        "reviews",
        _("Review all my games when they are over"),
        "on" if player.wants_reviews else "",
        lambda typed: CommandFields(SetReviews, {"are_on": typed}),
        kind="tick",
    )
    puzzles = [
        Setting(
            f"puzzle-{what}",
            words,
            "on" if is_on else "",
            partial(_puzzle_choice, what),
            kind="tick",
        )
        for what, words, is_on in (
            ("rated", _("Rate my first try at a puzzle"), player.wants_puzzle_ratings),
            ("days", _("Show my puzzle days"), player.wants_puzzle_days),
        )
    ]
    hint = _("Names or games, separated by spaces, or “anyone”.")
    refuse = Setting(
        "refuse",
        _("Block challenges from"),
        " ".join(player.refuses),
        lambda typed: CommandFields(Refuse, {"names": typed}),
        kind="names",
        hint=hint,
    )
    accept = Setting(
        "autoaccept",
        _("Start games at once with"),
        " ".join(player.accepts),
        lambda typed: CommandFields(AutoAccept, {"names": typed}),
        kind="names",
        hint=hint,
    )
    groups = [
        SettingGroup(_("Time"), (weekends, vacation)),
        SettingGroup(_("Challenges"), (refuse, accept, limit)),
        SettingGroup(_("Reviews"), (reviews,)),
        SettingGroup(_("Puzzles"), puzzles),
    ]

    def facts() -> dict[str, object]:
        return {"vacations": planned(player, timezone.now())}

    return _answer(request, groups, "account-play", facts)


@needs_account
def show_notices(request: HttpRequest) -> HttpResponse:
    """Show which mails the player gets, and when; a POST changes it."""
    player = owner(request)
    notices = notice_settings(player)
    channels = dict(notices.rows)
    watching = perform(Subscribe(), actor(request), "", timezone.now())
    assert isinstance(watching, Watching)  # nothing was named
    weekly = Setting(
        "weekly",
        _("Send me the weekly mail of finished games"),
        "on" if watching.is_weekly and channels[Event.WEEKLY] != Channel.NONE else "",
        lambda typed: CommandFields(Subscribe if typed else Unsubscribe, {"names": "weekly"}),
        kind="tick",
    )
    daily = [
        Setting(
            f"puzzle-{game}",
            _("Send me the puzzle of the day at {title}").format(title=load(game).info.title),
            "on" if game in subscribed_games(player) else "",
            partial(_daily_puzzle, game),
            kind="tick",
        )
        for game in filter(has_daily, puzzled())
    ]
    coordinates = Setting(
        "coordinates",
        _("Show coordinates around text boards"),
        "on" if player.wants_coordinates else "",
        lambda typed: CommandFields(ChangeCoordinates, {"are_on": typed}),
        kind="tick",
    )
    quiet = Setting(
        "quiet",
        _("Quiet hours"),
        notices.quiet,
        lambda typed: CommandFields(ChangeNotices, {"event": "quiet", "channel": typed or OFF}),
        hint=_(
            "For example 22-7: anything in those hours is sent in the morning. Leave empty for "
            "none."
        ),
    )
    digest = Setting(
        "digest",
        _("Send the daily digest at"),
        str(notices.digest_hour),
        lambda typed: CommandFields(ChangeNotices, {"event": "digest", "channel": typed}),
        kind="choice",
        choices=HOURS,
    )
    groups = [
        SettingGroup(_(title), [_channel_setting(event, channels[event]) for event in events])
        for title, events in EVENT_GROUPS
    ]
    watched = _channel_setting("watched", channels["watched"])
    groups += [
        SettingGroup(_("Following"), (watched, weekly, *daily)),
        SettingGroup(_("When"), (quiet, digest)),
        SettingGroup(_("Boards"), (coordinates,)),
    ]

    def facts() -> dict[str, object]:
        return {"watching": watching, "is_risky": bool(notice_settings(player).risky)}

    return _answer(request, groups, "account-notices", facts)


def _channel_setting(event: str, channel: str) -> Setting:
    """Return the field of an event; in a digest a reminder could come too late."""
    choices = [
        (str(option), _(words))
        for option, words in CHANNELS
        if (event, option) != (Event.REMINDER, Channel.DIGEST)
    ]
    return Setting(
        f"notice-{event}",
        _(EVENTS[event]),
        channel,
        lambda typed: CommandFields(ChangeNotices, {"event": event, "channel": typed}),
        kind="choice",
        choices=choices,
    )


def _puzzle_choice(what: str, typed: str) -> CommandFields:
    return CommandFields(ChangePuzzles, {"what": what, "switch": "on" if typed else "off"})


def _daily_puzzle(game: str, typed: str) -> CommandFields:
    return CommandFields(ChangeDailyPuzzle, {"game": game, "is_on": typed})


def _vacation(typed: str) -> CommandFields:
    first, _bar, last = typed.partition("|")
    return CommandFields(TakeVacation, {"starts": first, "ends": last})


def _answer(
    request: HttpRequest,
    groups: list[SettingGroup],
    tab: str,
    facts: Callable[[], Mapping[str, object]],
) -> HttpResponse:
    """Show a page of settings; after a POST save first what was changed.

    Args:
        facts: Returns what else the page shows; called when everything is saved.
    """
    status = 200
    if request.method == "POST":
        groups = [
            replace(group, settings=[_save(request, setting) for setting in group.settings])
            for group in groups
        ]
        if not any(setting.refusal for group in groups for setting in group.settings):
            messages.success(request, _("Saved."))
            return redirect(tab)
        if any(setting.is_saved for group in groups for setting in group.settings):
            messages.success(request, _("All other changes are saved."))
        status = 422
    context = {**facts(), "groups": groups, "tab": tab, "tabs": tabs(tab)}
    return render(request, "web/account/page.html", context, status=status)


def _save(request: HttpRequest, setting: Setting) -> Setting:
    """Perform the commands of a field that was changed; return it as it stands then.

    Changed is what differs from what the page had shown: a page that lay open for long changes
    nothing back.
    """
    before = request.POST.get(f"was-{setting.name}", setting.saved)
    typed = _typed_value(request.POST, setting, before)
    if typed == before:
        return setting
    requester = actor(request)
    for command, texts in setting.commands(typed, before):
        try:
            parsed = command_from_form(command, texts, requester.name)
            reply = perform(parsed, requester, "", timezone.now())
        except UserError as refused:
            # Keep what this page had shown: what another page has saved since stays.
            refusal = Refusal(refused.text, refused.code, refused.hint)
            return replace(setting, saved=before, typed=typed, refusal=refusal)
        if setting.is_told:
            messages.success(request, done_sentence(reply))
    saved = "" if setting.kind == "days" else typed
    return replace(setting, saved=saved, is_saved=True)


def _typed_value(post: QueryDict, setting: Setting, before: str) -> str:
    if setting.name not in post and setting.kind != "tick":
        return before
    separator = "|" if setting.kind == "days" else " "
    typed = separator.join(" ".join(text.split()) for text in post.getlist(setting.name))
    return "" if typed == "|" else typed
