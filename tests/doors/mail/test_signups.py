"""Sign-ups by mail: one letter each, to the sender first, and few in all."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import make_password

from doors.mail.conftest import PostOffice, text_of
from sarsen.core.errors import UserError
from sarsen.services.accounts.signups import check_free
from sarsen.services.limits import mail_answers
from sarsen.services.userids import is_reserved
from sarsen.storage.models import Address, OutgoingMail, Player
from web_world import NOW

EVE = "eve@eve.example"
OTHERS = [f"victim{number}@victim.example" for number in range(4)]


def sent() -> list[str]:
    return list(OutgoingMail.objects.order_by("pk").values_list("address", flat=True))


def test_one_mail_causes_one_letter_which_goes_to_its_sender(post: PostOffice) -> None:
    post.send(EVE, subject=f"signup mallory {' '.join(OTHERS)}")
    assert sent() == [EVE]


def test_other_addresses_are_asked_once_the_sender_has_answered(post: PostOffice) -> None:
    post.send("ann@ann.example", subject="signup ann ann@home.example ann@work.example")
    post.answer(post.last("ann@ann.example"), "yes")
    for address in ("ann@home.example", "ann@work.example"):
        (asked,) = post.box(address)
        assert "ann" in str(asked["Subject"])
        post.answer(asked, "yes")
    known = Player.objects.get(key="ann").addresses.values_list("address", flat=True)
    assert set(known) == {"ann@ann.example", "ann@home.example", "ann@work.example"}


def test_the_sender_named_in_other_letters_is_asked_once(post: PostOffice) -> None:
    post.send("ann@ann.example", subject="signup ann Ann@ANN.example")
    assert len(sent()) == 1


def test_letters_to_one_domain_and_in_all_are_bounded_a_day(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_answers, "MAX_SIGNUPS_OF_A_DOMAIN", 3)
    monkeypatch.setattr(mail_answers, "MAX_SIGNUPS", 5)
    for number in range(5):
        post.send(f"one{number}@victim.example", subject=f"signup one{number}")
    assert OutgoingMail.objects.filter(kind="signup").count() == 3
    for number in range(5):
        post.send(f"two@other{number}.example", subject=f"signup two{number}")
    assert OutgoingMail.objects.filter(kind="signup").count() == 5
    text = text_of(post.last("two@other4.example"))
    assert "[signup-flood]" in text
    assert "/join/" in text


def test_forged_sign_ups_of_an_address_leave_the_page_to_its_owner(
    post: PostOffice, client: Any
) -> None:
    for number in range(6):
        post.send("ann@ann.example", subject=f"signup eve{number}")
    page = client.get("/join/")
    form = {"userid": "ann", "address": "ann@ann.example", "form": "f" * 20}
    assert page.status_code == 200
    before = OutgoingMail.objects.filter(kind="signup").count()
    client.post("/join/", form | {"token": "f" * 20})
    assert OutgoingMail.objects.filter(kind="signup").count() == before + 1


@pytest.mark.parametrize("userid", ["alice_", "alice-", "al-ice", "AIice", "a1ice", "ALICE"])
def test_a_userid_that_looks_like_anothers_is_not_free(db: None, userid: str) -> None:
    Player.objects.create(key="alice", userid="alice", joined_at=NOW)
    with pytest.raises(UserError) as refused:
        check_free(userid)
    assert refused.value.code == "userid-taken"
    check_free(refused.value.hint.split()[1])
    check_free("alicia")


def test_accounts_that_look_alike_and_exist_stay(post: PostOffice) -> None:
    for key in ("alice", "alice_"):
        player = Player.objects.create(
            key=key, userid=key, joined_at=NOW, password=make_password("their-password")
        )
        Address.objects.create(player=player, address=f"{key}@home.example", confirmed_at=NOW)
    post.send("alice_@home.example", subject="account alice_ their-password")
    assert "Account alice_" in text_of(post.last("alice_@home.example"))


@pytest.mark.parametrize(
    "userid",
    [
        *("sarsen_", "0perator", "adm1n", "b0t5"),
        *("post-master", "l0gin", "5upp0rt", "adrnin", "m0ve"),
    ],
)
def test_a_userid_that_looks_like_a_word_of_the_server_is_not_free(userid: str) -> None:
    assert is_reserved(userid)


def test_a_code_that_is_over_is_named_even_where_its_letters_spell_words(post: PostOffice) -> None:
    post.send(EVE, "yes", to="welcome-a1de2da3a4de5da6a7de@sarsen.test")
    assert "[signup-gone]" in text_of(post.last(EVE))
