"""What the challenge form says as a line. Without a database where there is a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sarsen.core.options import read_options
from sarsen.doors.web.challenges.forms import KINDS, ChallengeForm, challenge_fields
from sarsen.doors.web.challenges.option_fields import presets, small_options
from sarsen.games import find, load
from sarsen.language.terms import SPEEDS, speed_of
from sarsen.services.matches import terms
from sarsen.services.matches.terms import read_terms, write_terms
from sarsen.storage.models import Challenge, OutgoingMail
from visitor import Visitor

Visit = Callable[..., Visitor]
DRUID = load("druid").info
TOKEN = "6560a1b2-0123456789abcdef"


def line_of(wanted: ChallengeForm, token: str = TOKEN) -> str:
    fields = challenge_fields(DRUID, wanted, token)
    options = " ".join(fields["options"]).split()
    return " ".join([*fields["game"], "challenge", *options, *fields["terms"], *fields["names"]])


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        (ChallengeForm(), "druid challenge --link me anyone"),
        (ChallengeForm("open"), "druid challenge me anyone"),
        (ChallengeForm("player", ("bob",)), "druid challenge me bob"),
        (ChallengeForm("player", ("bob",), first="them"), "druid challenge bob me"),
        (ChallengeForm("program", program="bot3"), "druid challenge me bot3"),
        (ChallengeForm("open", preset="-size=5"), "druid challenge -size=5 me anyone"),
        (
            ChallengeForm("open", preset="-size=5", values_by_name={"-size": "7", "-swap": "on"}),
            "druid challenge -size=7 -swap me anyone",
        ),
        (
            ChallengeForm("open", speed="weekly", values_by_name={"--nagtime": "2"}),
            "druid challenge --nagtime=2 --forfeittime=7 me anyone",
        ),
        (
            ChallengeForm("open", values_by_name={"--weekends": "off"}),
            "druid challenge --weekends=off me anyone",
        ),
    ],
)
def test_form_is_one_line_of_the_language(wanted: ChallengeForm, line: str) -> None:
    assert line_of(wanted) == line


def test_chance_is_the_same_for_a_second_press_and_both_ways_for_other_forms() -> None:
    wanted = ChallengeForm("player", ("bob",), first="chance")
    lines = {line_of(wanted, f"{number:08x}-0123456789abcdef") for number in range(40)}
    assert lines == {"druid challenge me bob", "druid challenge bob me"}
    assert len({line_of(wanted) for _ in range(9)}) == 1


@pytest.mark.parametrize("speed", SPEEDS)
def test_speeds_are_terms_that_agree_with_each_other_and_are_known_again(speed: Any) -> None:
    terms = read_terms(tuple(speed.terms.split()))
    assert speed_of(write_terms(terms.as_dict())) == speed
    assert speed_of("--nagtime=1 --unrated") is None


@pytest.mark.parametrize("name", find())
def test_presets_are_options_that_the_game_takes(name: str) -> None:
    info = load(name).info
    for one in presets(info.options):
        load(name).start(read_options(info.options, one.options).as_dict())
    quick = small_options(info.options)
    assert bool(quick) == any(one.usage.endswith("=N") for one in info.options)


def test_no_term_is_forgotten_by_the_form(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/games/druid/challenge/?kind=open&speed=slow&preset=-swap")
    assert ann.tree.xpath("//input[@checked]/@value") == ["-swap", "open", "slow", "me"]
    said = "Challenge"
    ann.press(said, option__unrated="on", option__weekends="off", option_nogaps="on")
    made = Challenge.objects.get()
    assert (made.options, made.link_key) == ("-nogaps -swap", "")
    assert write_terms(made.terms) == "--unrated --nagtime=30 --forfeittime=120 --weekends=off"
    assert "link" not in made.terms
    assert "No hurry" in ann.text


@pytest.mark.parametrize("is_provable", [True, False])
def test_claims_are_offered_where_a_program_can_prove_something(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch, is_provable: bool
) -> None:
    monkeypatch.setattr(terms, "can_prove", lambda game: is_provable)
    ann = visit("ann")
    ann.go("/games/druid/challenge/")
    assert bool(ann.tree.xpath("//input[@name='--claims']")) == is_provable


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("option--forfeittime", "9999", "option--forfeittime"),
        ("option--increment", "3", "option--increment"),
        ("option--nagtime", "<b>x", "option--nagtime"),
    ],
)
def test_refusal_stands_at_its_field_with_what_would_have_worked(
    world: Any, visit: Visit, field: str, value: str, wrong: str
) -> None:
    ann = visit("ann")
    ann.go("/games/druid/challenge/?kind=open")
    ann.press("Challenge", **{field.replace("-", "_"): value})
    assert ann.status == 422
    at = ann.tree.xpath(f"//input[@id='{wrong}']")[0]
    assert at.get("aria-invalid") == "true"
    assert at.get("value") == "".join(value.split())
    assert ann.tree.xpath(f"//a[@href='#{wrong}']")
    (link,) = ann.tree.xpath("//div[@id='refusal']//a[starts-with(@href, '/do/')]/@href")
    hint = parse_qs(urlsplit(link).query)["line"][0]
    assert hint.startswith("druid challenge")
    assert not Challenge.objects.exists()
    ann.type(hint)
    assert Challenge.objects.exists(), hint


def test_friend_without_an_account_is_invited_by_a_mail_address(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/games/druid/challenge/?kind=player")
    ann.press("Challenge", seat1="no-address@")
    assert ann.status == 422
    assert ann.tree.xpath("//input[@name='names']/@aria-invalid") == ["true"]
    ann.press("Challenge", seat1="friend@stranger.example")
    assert "If we may write to this address, an invitation is on its way." in ann.text
    assert Challenge.objects.get().link_key
    letters = OutgoingMail.objects.filter(kind="mail-invitation")
    assert [letter.address for letter in letters] == ["friend@stranger.example"]


@pytest.mark.parametrize("address", ["?with=<script>&kind=x", "?change=99", "?change=²&speed=no"])
def test_strange_addresses_of_the_form_open_a_plain_one_or_are_refused(
    world: Any, visit: Visit, address: str
) -> None:
    ann = visit("ann")
    ann.go(f"/games/druid/challenge/{address}")
    assert ann.status in (200, 404, 422)
    assert "<script>" not in ann.page.replace('<script type="module"', "")


def test_every_kind_has_its_button(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    for kind in KINDS:
        ann.go(f"/games/gyges/challenge/?kind={kind}")
        assert ann.status == 200
