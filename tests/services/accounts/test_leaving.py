"""What is left, and what is not, once a player has signed off."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    ChangeAbout,
    ChangeAddress,
    ChangePlace,
    ConfirmSignup,
    SignOff,
    Subscribe,
    TakeLesson,
)
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.dispatch import perform
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import Address, LessonProgress, Player, Signup, Subscription

pytestmark = pytest.mark.django_db


def player(userid: str) -> Actor:
    made = Player.objects.create(key=userid, userid=userid, joined_at=timezone.now())
    Address.objects.create(player=made, address=f"{userid}@x.example", confirmed_at=timezone.now())
    return Actor(made)


def test_new_address_that_answers_after_its_owner_has_left_belongs_to_nobody() -> None:
    ann = player("ann")
    perform(ChangeAddress(("new@x.example",)), ann, "", timezone.now())
    code = Signup.objects.get().code
    perform(SignOff(True), ann, "", timezone.now())
    with pytest.raises(UserError) as refused:
        perform(ConfirmSignup(code), NOBODY, "", timezone.now())
    assert refused.value.code == "signup-gone"
    assert not Address.objects.exists()


def test_nobody_goes_on_watching_who_has_left() -> None:
    ann, bob = player("ann"), player("bob")
    perform(Subscribe(("bob",)), ann, "", timezone.now())
    perform(SignOff(True), bob, "", timezone.now())
    assert not Subscription.objects.exists()


def test_what_players_tell_of_themselves_is_in_their_export_and_goes_with_them() -> None:
    ann = player("ann")
    perform(ChangeAbout("I like chess, too."), ann, "", timezone.now())
    perform(ChangePlace("Vienna"), ann, "", timezone.now())
    account = json.loads(next(iter(export_lines(Player.objects.get(key="ann")))))
    assert (account["about"], account["place"]) == ("I like chess, too.", "Vienna")
    perform(SignOff(True), ann, "", timezone.now())
    left = Player.objects.get(key="ann")
    assert (left.about, left.place) == ("", "")


def test_what_a_player_tells_is_short() -> None:
    ann = player("ann")
    with pytest.raises(UserError) as refused:
        perform(ChangePlace("far away " * 10), ann, "", timezone.now())
    assert refused.value.code == "text-too-long"
    perform(ChangePlace(refused.value.hint.removeprefix("change place ")), ann, "", timezone.now())


def test_how_far_a_player_is_in_lessons_is_exported_and_goes_with_the_account() -> None:
    ann = player("ann")
    perform(TakeLesson("druid", "win", ("b4",)), ann, "", timezone.now())
    assert ann.player is not None
    records = map(json.loads, export_lines(ann.player))
    (lesson,) = (record for record in records if record["kind"] == "lesson")
    assert (lesson["game"], lesson["done"], lesson["step"]) == ("druid", ["win"], "own-ground")
    perform(SignOff(True), ann, "", timezone.now())
    assert not LessonProgress.objects.exists()
