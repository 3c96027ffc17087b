"""How often, and how much, we write to addresses that proved nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of
from sarsen.services.limits import mail_answers
from sarsen.services.limits.mail_answers import AnswerKind
from sarsen.storage.models import AnsweredRequest, CaughtMail, InboundMail

ANN, EVE = "ann@ann.example", "eve@eve.example"


def test_case_21_refused_signup_is_answered_after_the_first_help_of_the_day(
    post: PostOffice,
) -> None:
    post.join("ann")
    for subject, said in (("hello there", "This is sarsen"), ("signup ann", "[userid-taken]")):
        post.send(EVE, subject=subject)
        assert said in text_of(post.last(EVE))
    post.send(EVE, subject="signup")
    assert "[userid-missing]" in text_of(post.last(EVE))


def test_case_18_wrong_password_of_a_stranger_is_answered_each_time(post: PostOffice) -> None:
    post.board()
    for _ in range(3):
        post.send(EVE, subject="druid move 1 bob wrong-word a1")
        assert "[wrong-password]" in text_of(post.last(EVE))


def test_refusals_to_one_stranger_end_after_some_a_day(post: PostOffice) -> None:
    for number in range(AnswerKind.REFUSAL.value + 5):
        post.send(f"eve+{number}@eve.example", subject="accept 99")
    assert CaughtMail.objects.count() == AnswerKind.REFUSAL.value


def test_answers_to_one_unproved_address_end_after_some_a_day(post: PostOffice) -> None:
    post.join("ann")
    post.box(ANN)
    for _ in range(AnswerKind.ANSWER.value + 5):
        post.send(ANN, subject="list")
    assert len(post.box(ANN)) == AnswerKind.ANSWER.value


@pytest.mark.slow
def test_proved_player_is_answered_however_often(post: PostOffice) -> None:
    welcome = post.join("ann", "secret-ann")
    post.send(ANN, subject="help")
    post.box(ANN)
    for _ in range(AnswerKind.ANSWER.value + 5):
        post.answer(welcome, "list")
    assert len(post.box(ANN)) == AnswerKind.ANSWER.value + 5


@pytest.mark.django_db
def test_counts_begin_anew_after_a_day() -> None:
    now = timezone.now()
    for why in AnswerKind:
        for _ in range(why.value):
            assert mail_answers.may_answer(EVE, why, now)
        assert not mail_answers.may_answer("EVE@eve.example", why, now + timedelta(hours=23))
        assert mail_answers.may_answer("other@eve.example", why, now)
        assert mail_answers.may_answer(EVE, why, now + timedelta(days=1))


def test_letter_is_bounded_and_says_what_it_left_out(post: PostOffice) -> None:
    post.board()
    post.send(EVE, "\n".join(["show " + "1 " * 10] * 50), subject="multiple")
    letter = post.last(EVE)
    assert len(letter.as_bytes()) < 300_000
    assert "[answer-too-long]" in text_of(letter)


def test_question_leaves_no_answer_in_the_store(post: PostOffice) -> None:
    post.join("ann")
    before = AnsweredRequest.objects.count()
    post.send(EVE, "help druid\nlist", subject="multiple")
    post.send(EVE, subject="list")
    assert AnsweredRequest.objects.count() == before


def test_case_25_mail_from_an_address_of_ours_is_ignored_without_any_mark(
    post: PostOffice,
) -> None:
    for sender in ("sarsen@sarsen.test", "druid@sarsen.test"):
        post.send(sender, subject="help")
    states = set(InboundMail.objects.values_list("state", flat=True))
    assert states == {InboundMail.State.IGNORED}
    assert not CaughtMail.objects.exists()
