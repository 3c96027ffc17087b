"""A form to challenge with: it sends the fields of one command, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import GameInfo
from sarsen.doors.web.challenges.option_fields import option_fields, presets
from sarsen.doors.web.frame.answers import answer, needs_login, perform_posted
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.hints import read_hint
from sarsen.doors.web.frame.live_updates import challenge_news
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.posted_forms import Posted, read_post
from sarsen.doors.web.frame.visitors import PRIVATE, actor, number_in, speaker
from sarsen.games import find, known_names, load
from sarsen.language.challenges import ANYONE, ME, terms_words
from sarsen.language.commands import MakeChallenge, Withdraw
from sarsen.language.replies import ChallengeStands, Refusal
from sarsen.language.schema.schemas import FieldRefused
from sarsen.language.terms import SPEEDS, TERMS, speed_of
from sarsen.language.translating import N_, _
from sarsen.services.bots.accounts import list_programs
from sarsen.services.bots.offers import game_at_ones_strength
from sarsen.services.challenges.lists import ListedChallenge, challenges_of, open_challenges
from sarsen.services.challenges.pages import ChallengePage, view_challenge_page
from sarsen.services.command_lines import LineResult
from sarsen.services.dispatch import perform
from sarsen.services.matches.terms import offered_terms
from sarsen.services.request import Player

KINDS = ("link", "player", "open", "program")
FIRSTS = {
    "me": N_("Me"),
    "them": N_("My opponent"),
    "chance": N_("Random"),
}
# Refusals about the names.
ABOUT_NAMES = (
    *("unknown-player", "challenge-refused", "enough-games", "player-left", "nobody-named"),
    *("invitation-names", "invitation-address", "invitations-flood", "address-form"),
    *("seat-count", "names-missing", "challenge-flood", "bot-seats", "no-bots"),
)


@dataclass(frozen=True)
class ChallengeForm:
    """The content of the form.

    Attributes:
        names: Of the other players, in the order of seats.
        preset: Options as typed.
        speed: The key of one of the speeds.
        values_by_name: Options and terms that are filled in, by name with dashes.
        instead: The challenge that this one takes the place of, or None.
    """

    kind: str = "link"
    names: tuple[str, ...] = ()
    program: str = ""
    first: str = "me"
    preset: str = ""
    speed: str = "usual"
    values_by_name: Mapping[str, str] = field(default_factory=dict)
    instead: int | None = None


@takes({"change": NUMBER})
@with_refusal_pages
def show_challenge_form(request: HttpRequest, name: str) -> HttpResponse:
    """Show the form; a POST challenges."""
    info = load(name).info
    if request.method == "POST":
        return _challenge(request, info)
    changed, player = number_in(request.GET.get("change", "")), speaker(request)
    if changed is not None and player is not None:
        page = view_challenge_page(changed, player)
        if page.challenge.may_withdraw and page.challenge.game.name == info.name:
            return _page(request, info, _form_of(page, player))
    return _page(request, info, _read_form(request.GET, info))


def challenge_fields(info: GameInfo, form: ChallengeForm, token: str) -> dict[str, list[str]]:
    """Return the fields of the challenge that the form asks for.

    Args:
        token: Names the form; it is the coin where chance decides who begins, so that a
            second press of the button asks for the same again.
    """
    others = [name or ANYONE for name in _others(info, form)]
    seats = _ordered_seats([ME, *others], form.first, token)
    speed_terms = next((speed.terms for speed in SPEEDS if speed.key == form.speed), "")
    options = _options_by_name(f"{form.preset} {speed_terms}".split()) | dict(form.values_by_name)
    words = [_option_word(key, value) for key, value in options.items()]
    link = ["--link"] if form.kind == "link" and ANYONE in others else []
    terms = [word for word in words if word.startswith("--")]
    return {
        "game": [info.name],
        "options": [" ".join(word for word in words if word not in terms)],
        "terms": [*terms, *link],
        "names": seats,
    }


def _option_word(name: str, value: str) -> str:
    """Write an option as it is typed."""
    return name if value == "on" else f"{name}={value}"


def _ordered_seats(seats: list[str], first: str, token: str) -> list[str]:
    rotated = [*seats[1:], seats[0]]
    if first == "chance":
        return rotated if sha256(token.encode()).digest()[0] % 2 else seats
    return rotated if first == "them" else seats


def _others(info: GameInfo, form: ChallengeForm) -> tuple[str, ...]:
    count = len(info.seats) - 1
    match form.kind:
        case "program":
            return (form.program,) * count
        case "player":
            return (*form.names, *[""] * count)[:count]
        case _:
            return ("",) * count


def _options_by_name(words: Iterable[str]) -> dict[str, str]:
    """Return options as typed by name: `-size=5 -swap`."""
    pairs = (word.partition("=") for word in words if word.startswith("-"))
    return {name: value or "on" for name, _, value in pairs}


def _challenge(request: HttpRequest, info: GameInfo) -> HttpResponse:
    form, posted = _read_form(request.POST, info), read_post(request)
    fields = challenge_fields(info, form, posted.token)
    posted = replace(posted, command=MakeChallenge, fields=fields, back=request.path)
    result = perform_posted(request, posted)
    if isinstance(result.reply, Refusal) and not needs_login(result):
        return _page(request, info, form, result)
    response = answer(request, posted, result)
    if isinstance(result.reply, ChallengeStands) and form.instead is not None:
        _withdraw(request, form.instead, posted)
    return response


def _withdraw(request: HttpRequest, number: int, posted: Posted) -> None:
    """Withdraw the challenge that the new one stands for; it may have started meanwhile."""
    requester = actor(request)
    request_id = f"{posted.request_id(requester.player)}:instead"
    try:
        perform(Withdraw(number), requester, request_id, timezone.now())
    except UserError as refused:
        text = _("The earlier challenge could not be withdrawn: {reason}")
        messages.info(request, text.format(reason=refused.text))


def _read_form(fields: QueryDict, info: GameInfo) -> ChallengeForm:
    """Read the form, or an address that fills it in."""
    keys = [f"-{option.name}" for option in info.options] + [f"--{option.name}" for option in TERMS]
    entered = fields.get("with", "").split()[:1] + fields.getlist("names") + fields.getlist("rest")
    names = tuple(" ".join(name.split()) for name in entered)
    programs = {program.userid for program in list_programs()}
    names = tuple("" if name == ANYONE else name for name in names[: len(info.seats) - 1])
    kind = fields.get("kind", "") or _kind(fields, names, programs)
    return ChallengeForm(
        kind=kind if kind in KINDS else KINDS[0],
        names=names,
        program=fields.get("program", next((name for name in names if name in programs), "")),
        first=fields.get("first", "me"),
        preset=fields.get("preset", "")[:100],
        speed=fields.get("speed", "usual"),
        values_by_name={key: _value(fields.get(key, "")) for key in keys if fields.get(key)},
        instead=number_in(fields.get("instead", "")),
    )


def _kind(fields: QueryDict, names: tuple[str, ...], programs: set[str]) -> str:
    if any(name in programs for name in names):
        return "program"
    if any(names):
        return "player"
    return "open" if fields.get("with") == ANYONE else KINDS[0]


def _value(text: str) -> str:
    return "".join(text.split())


def _form_of(page: ChallengePage, player: Player) -> ChallengeForm:
    """Fill the form in as a challenge stands."""
    challenge = page.challenge
    names = tuple(seat.userid for seat in page.seats if seat.userid != player.userid)
    kind = "player" if any(names) else "link" if page.is_by_link else "open"
    speed = speed_of(challenge.terms)
    times = set(speed.terms.split()) if speed else set()
    terms = [word for word in challenge.terms.split() if word not in times]
    return ChallengeForm(
        kind=kind,
        names=names,
        first="me" if page.seats[0].userid == player.userid else "them",
        speed=speed.key if speed else "",
        values_by_name=_options_by_name([*challenge.options.split(), *terms]),
        instead=challenge.number,
    )


def _page(
    request: HttpRequest,
    info: GameInfo,
    form: ChallengeForm,
    result: LineResult | None = None,
) -> HttpResponse:
    refusal = result.reply if result and isinstance(result.reply, Refusal) else None
    refused = result.refused.word if result and isinstance(result.refused, BadOption) else ""
    player = speaker(request)
    programs = list_programs(with_ratings=True) if len(info.seats) == 2 else ()
    terms = [term for term in offered_terms(load(info.name)) if term.name != "link"]
    facts = {
        "game": info,
        "form": form,
        "kinds": [kind for kind in KINDS if programs or kind != "program"],
        "others": _name_fields(info, form),
        "firsts": FIRSTS.items(),
        "programs": programs,
        "presets": presets(info.options),
        "speeds": SPEEDS,
        "options": option_fields(info.options, "-", form.values_by_name, refused),
        "terms": option_fields(terms, "--", form.values_by_name, refused),
        "refusal": refusal,
        "hint": read_hint(refusal.hint, player.userid if player else "") if refusal else None,
        "is_about_names": _is_about_names(result),
        "refused_key": f"option{refused}" if refused else "",
    }
    return render(request, "web/challenges/form.html", facts, status=422 if refusal else 200)


def _is_about_names(result: LineResult | None) -> bool:
    if result is None or not isinstance(result.reply, Refusal):
        return False
    refused = result.refused
    is_of_field = isinstance(refused, FieldRefused) and refused.field == "names"
    return is_of_field or result.reply.code in ABOUT_NAMES


def _name_fields(info: GameInfo, form: ChallengeForm) -> list[tuple[str, str]]:
    """Return the label and the text of the field of each other player."""
    count = len(info.seats) - 1
    player = _("Player {number}")
    labels = [player.format(number=at) for at in range(2, count + 2)] if count > 1 else [_("Name")]
    return list(zip(labels, (*form.names, *[""] * count), strict=False))


@takes({"game": known_names, "speed": tuple(speed.key for speed in SPEEDS)})
@with_refusal_pages
def show_challenges(request: HttpRequest) -> HttpResponse:
    """Show the challenges that anybody may take, of a game or speed only, and the viewer's own."""
    player = speaker(request)
    own = challenges_of(player) if player else ()
    challenges = open_challenges(player)
    chosen = {name: request.GET.get(name, "") for name in ("game", "speed")}
    shown = [
        challenge
        for challenge in challenges
        if chosen["game"] in ("", challenge.game.name)
        and chosen["speed"] in ("", _speed_key(challenge))
    ]
    facts = {
        "invitations": [challenge for challenge in own if challenge.may_accept],
        "own": [challenge for challenge in own if not challenge.may_accept],
        "challenges": shown,
        "offered": None if shown else game_at_ones_strength(player, timezone.now()),
        "filters": _filters(challenges, chosen),
        "programs": list_programs(),
        "games": [game.info for game in find().values()],
    }
    return render(request, "web/challenges/list.html", facts)


class FilterLink(NamedTuple):
    """A link to a part of the challenges."""

    words: str
    query: str
    is_chosen: bool


def _filters(
    challenges: Sequence[ListedChallenge], chosen: Mapping[str, str]
) -> list[tuple[str, list[FilterLink]]]:
    """Return links to the games and speeds that there are, where there are several."""
    games = {challenge.game.name: challenge.game.title for challenge in challenges}
    speeds = {_speed_key(challenge) for challenge in challenges}
    filters = {
        "game": (_("Game"), _("All games"), games),
        "speed": (
            _("Speed"),
            _("Any speed"),
            {speed.key: _(speed.words) for speed in SPEEDS if speed.key in speeds},
        ),
    }
    return [
        (
            title,
            [
                FilterLink(words, urlencode({**chosen, name: key}), chosen[name] == key)
                for key, words in {"": any_label, **labels}.items()
            ],
        )
        for name, (title, any_label, labels) in filters.items()
        if len(labels) > 1 or chosen[name]
    ]


def _speed_key(challenge: ListedChallenge) -> str:
    speed = speed_of(challenge.terms)
    return speed.key if speed else ""


@with_refusal_pages
def show_challenge(request: HttpRequest, number: int, key: str = "") -> HttpResponse:
    """Show a challenge as it stands, with what the viewer may do about it.

    Args:
        key: Of the link by which a free seat is taken; "" at the usual address.
    """
    page = view_challenge_page(number, speaker(request), key)
    challenge = page.challenge
    facts = {
        "page": page,
        "challenge": challenge,
        "agreed": terms_words(challenge.terms),
        "speed": speed_of(challenge.terms),
        "link": _link(page.link),
        "title": _("{game}: {players}").format(
            game=challenge.game.title, players=_(" v ").join(challenge.names)
        ),
        "news": challenge_news(number, speaker(request)),
    }
    response = render(request, "web/challenges/page.html", facts)
    if key or page.link:
        # Not for histories of search engines, nor for anybody who presses "back" here later.
        response["Cache-Control"] = PRIVATE
        response["X-Robots-Tag"] = "noindex"
    return response


def _link(link: str) -> str:
    """Write the whole address that a maker gives away."""
    number, _, key = link.partition("-")
    return settings.SARSEN_URL + reverse("challenge-link", args=[number, key]) if key else ""
