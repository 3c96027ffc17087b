"""Passkeys: who may log in by one, and which answers of devices are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from passkey_device import HERE, PRESENT, Device
from sarsen.core.errors import UserError
from sarsen.services.accounts import passkeys
from sarsen.services.accounts.login_methods import check_another_way
from sarsen.storage.models import OutgoingMail, Passkey, Player
from web_world import NOW, World

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _here(settings: Any) -> None:
    settings.SARSEN_URL = HERE


@pytest.fixture
def ann() -> Player:
    return World().player("ann")


def add(player: Player, device: Device, label: str = "Phone", now: datetime = NOW) -> None:
    asked = passkeys.ask_for_new(player, now)
    passkeys.add(player, asked.state, device.make(asked.options), label, now)


def log_in(device: Device) -> Player:
    asked = passkeys.ask_who(NOW)
    return passkeys.player_of_device(asked.state, device.prove(asked.options), NOW)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(UserError) as refused:
        act()
    return refused.value.code


def test_a_device_with_a_passkey_logs_its_owner_in_and_every_address_was_told(ann: Player) -> None:
    device = Device()
    add(ann, device)
    assert log_in(device) == ann
    (listed,) = passkeys.passkeys_of(ann)
    assert (listed.label, listed.used_at) == ("Phone", NOW)
    (letter,) = OutgoingMail.objects.filter(kind="account-changed")
    assert letter.facts == {"what": "passkey"}


def test_one_player_has_one_handle_which_says_nothing_of_them(ann: Player) -> None:
    phone, laptop = Device(), Device(name=b"another credential, as long")
    add(ann, phone)
    add(ann, laptop)
    assert phone.handle == laptop.handle
    assert b"ann" not in phone.handle
    asked = passkeys.ask_for_new(ann, NOW).options["publicKey"]
    assert len(asked["excludeCredentials"]) == 2
    assert asked["authenticatorSelection"]["userVerification"] == "required"


@pytest.mark.parametrize(
    "device",
    [
        Device(origin="https://evil.example"),
        Device(origin="https://other.play.example.org"),
        Device(origin="http://play.example.org"),
        Device(flags=PRESENT),
    ],
    ids=["another site", "a site below ours", "not https", "owner not verified"],
)
def test_an_answer_given_elsewhere_or_by_anybody_is_refused(ann: Player, device: Device) -> None:
    assert refusal(lambda: add(ann, device)) == "passkey-refused"
    good = Device(key=device.key)
    add(ann, good)
    device.handle = good.handle
    assert refusal(lambda: log_in(device)) == "passkey-refused"


def test_a_key_of_nobody_another_key_or_another_handle_is_refused(ann: Player) -> None:
    device = Device()
    add(ann, device)
    unknown, forged = Device(name=b"unknown to everybody"), Device(handle=device.handle)
    other = Device(key=device.key, handle=b"somebody else")
    for one in (unknown, forged, other):
        assert refusal(lambda one=one: log_in(one)) == "passkey-refused"  # type: ignore[misc]
    ann.is_active = False
    ann.save()
    assert refusal(lambda: log_in(device)) == "passkey-refused"


def test_a_copy_of_a_key_is_known_by_its_count(ann: Player) -> None:
    device = Device(uses=5)
    add(ann, device)
    copy = Device(key=device.key, uses=5, handle=device.handle)
    log_in(device)
    assert refusal(lambda: log_in(copy)) == "passkey-refused"
    assert Passkey.objects.get().uses == 6


def test_a_question_is_old_after_a_while_and_is_meant_for_one_player(ann: Player) -> None:
    device, later = Device(), NOW + passkeys.LASTS + timedelta(seconds=1)
    asked = passkeys.ask_for_new(ann, NOW)
    made = device.make(asked.options)
    bob = World().player("bob")
    assert refusal(lambda: passkeys.add(bob, asked.state, made, "", NOW)) == "passkey-old"
    assert refusal(lambda: passkeys.add(ann, asked.state, made, "", later)) == "passkey-old"
    passkeys.add(ann, asked.state, made, "", NOW)
    assert passkeys.passkeys_of(ann)[0].label == "Passkey of 20 November 2026"
    who = passkeys.ask_who(NOW)
    proof = device.prove(who.options)
    assert refusal(lambda: passkeys.player_of_device(who.state, proof, later)) == "passkey-old"
    assert refusal(lambda: passkeys.player_of_device({}, proof, NOW)) == "passkey-old"
    assert refusal(lambda: passkeys.player_of_device(asked.state, proof, NOW)) == "passkey-old"
    other = passkeys.ask_who(NOW)
    assert refusal(lambda: passkeys.player_of_device(other.state, proof, NOW)) == "passkey-refused"


def test_answers_that_are_none_are_refused_in_words(ann: Player) -> None:
    device = Device()
    add(ann, device)
    asked = passkeys.ask_who(NOW)
    proof = device.prove(asked.options)
    answers = ["", "x", "[]", "null", "7", "{}", '{"id": 1}', "[" * 9000, "x" * 30_000]
    answers += [proof[:cut] for cut in range(0, len(proof), 17)]
    for part in ("clientDataJSON", "authenticatorData", "signature", "userHandle"):
        for wrong in ("", "AAAA", None, 7, ["x"], "eyJ9"):
            broken = json.loads(proof)
            broken["response"][part] = wrong
            answers.append(json.dumps(broken))
    for answer in answers:
        try:
            # The handle may be missing: not every device sends it.
            player = passkeys.player_of_device(asked.state, answer, NOW)
            assert (player, json.loads(answer)["response"]["userHandle"]) in (
                *((ann, None), (ann, "")),
            )
        except UserError:
            continue


def test_the_last_way_in_is_not_taken_away(ann: Player) -> None:
    device = Device()
    add(ann, device)
    ann.set_unusable_password()
    ann.save()
    ann.addresses.all().delete()
    (listed,) = passkeys.passkeys_of(ann)
    assert refusal(lambda: passkeys.remove(ann, listed.number, NOW)) == "last-way-in"
    check_another_way(ann, without_password=True)
    ann.set_password("open-sesame")
    ann.save()
    bob = World().player("bob")
    assert refusal(lambda: passkeys.remove(bob, listed.number, NOW)) == "no-passkey"
    passkeys.remove(ann, listed.number, NOW)
    assert refusal(lambda: log_in(device)) == "passkey-refused"
    assert refusal(lambda: check_another_way(ann, without_password=True)) == "last-way-in"


@pytest.mark.parametrize(
    ("url", "possible"),
    [
        ("https://play.example.org", True),
        ("http://localhost:8000", True),
        ("http://127.0.0.1:8000", False),
        ("https://[::1]:8443", False),
        ("http://play.example.org", False),
    ],
)
def test_passkeys_are_offered_where_browsers_take_them(
    settings: Any, url: str, possible: bool
) -> None:
    settings.SARSEN_URL = url
    assert passkeys.are_possible() is possible
