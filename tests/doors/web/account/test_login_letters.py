"""Letters to log in with: links, codes, and how many are sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sarsen.doors.mail import jobs
from sarsen.services.accounts import attempts, login_letters
from sarsen.services.limits import daily
from sarsen.storage.models import (
    CaughtMail,
    LoginLetterRequest,
    OutgoingMail,
)
from visitor import Visitor, who

Visit = Callable[..., Visitor]
SAME = "If there is an account for"


def newest_letter(address: str = "ann@example.org") -> str:
    jobs.send_mail.call()
    raw = bytes(CaughtMail.objects.filter(address=address, letter__kind="login").latest("pk").raw)
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def link_in(letter: str) -> str:
    found = re.search(r"/login/[0-9a-f-]+/", letter)
    assert found
    return found[0]


def code_in(letter: str) -> str:
    found = re.search(r"asked for it: (\d{8})", letter)
    assert found
    return found[1]


def ask(visitor: Visitor, name: str = "ann", path: str = "") -> str:
    visitor.go(f"/login/?next={path}")
    return visitor.press("Log in", name=name)


def count_letters() -> int:
    login_letters.send_asked()
    return OutgoingMail.objects.filter(kind="login").count()


def test_a_name_of_several_words_is_refused(visit: Visit) -> None:
    assert "is one word" in ask(visit(), "ann bob")


def test_a_link_from_a_letter_logs_in_once_and_leads_where_one_was_going(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    nobody = visit()
    ask(nobody, path=f"/boards/{board}/")
    link = link_in(newest_letter())
    nobody.go(link)
    assert who(nobody) == ""  # programs that open links in mails log nobody in
    nobody.go(link)
    nobody.press("Yes, log me in")
    assert nobody.path == f"/boards/{board}/"
    assert who(nobody) == "ann"
    other = visit()
    other.go(link)
    assert other.status == 404
    assert "has been used" in other.text


def test_a_code_from_a_letter_logs_in_once(world: Any, visit: Visit) -> None:
    world.player("ann")
    nobody = visit()
    ask(nobody)
    code = code_in(newest_letter())
    nobody.press("Log in", code=f" {code[:4]} {code[4:]} ")
    assert nobody.path == "/my/"
    other = visit()
    ask(other, "nobody-here")
    other.press("Log in", code=code)
    assert other.status == 422


def test_a_letter_holds_for_half_an_hour_and_the_newest_counts(world: Any, visit: Visit) -> None:
    world.player("ann")
    nobody = visit()
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        ask(nobody)
        first = link_in(newest_letter())
        ask(nobody)
        second = link_in(newest_letter())
        nobody.go(first)
        assert nobody.status == 404
        clock.move_to(start + timedelta(minutes=29))
        nobody.go(second)
        assert nobody.status == 200
        clock.move_to(start + timedelta(minutes=31))
        nobody.go(second)
        assert nobody.status == 404


def test_wrong_codes_make_a_letter_void(world: Any, visit: Visit) -> None:
    world.player("ann")
    nobody = visit()
    ask(nobody)
    code = code_in(newest_letter())
    wrong = f"{(int(code) + 1) % 10**8:08d}"
    for _ in range(5):
        nobody.press("Log in", code=wrong)
    nobody.press("Log in", code=code)
    assert nobody.status == 422
    assert who(nobody) == ""


def test_nobody_learns_whether_an_account_exists(world: Any, visit: Visit) -> None:
    world.player("ann")

    def answer(name: str) -> str:
        nobody = visit()
        said = ask(nobody, name)
        nobody.press("Log in", code="00000000")
        return (said + nobody.text).replace(name, "NAME")

    names = ("ann", "ghost", "ann@example.org", "ghost@example.org")
    assert len({answer(name) for name in names}) == 1
    assert count_letters() == 2
    assert set(OutgoingMail.objects.values_list("address", flat=True)) == {"ann@example.org"}


def at(place: str) -> Visitor:
    """A browser somewhere on the net."""
    visitor = Visitor()
    visitor.client.defaults["REMOTE_ADDR"] = place
    return visitor


def test_letters_to_log_in_with_are_bounded_a_day_at_each_place(world: Any) -> None:
    world.player("ann")
    most, start = attempts.MAX_A_DAY["letter"], timezone.now()
    eve = at("192.0.2.1")
    said = set()
    with time_machine.travel(start, tick=False) as clock:
        for number in range(most + 3):
            clock.move_to(start + timedelta(hours=1.5 * number))
            said.add(ask(eve))
            count_letters()
        assert len(said) == 1  # the bound is not told either
        assert count_letters() == most
        ann = at("198.51.100.7")
        ask(ann)
        assert count_letters() == most + 1
        ann.go(link_in(newest_letter()))
        ann.press("Yes, log me in")
        assert who(ann) == "ann"


def test_letters_that_nobody_uses_slow_down_and_ten_networks_lock_nobody_out(world: Any) -> None:
    """A day of ten networks that ask each hour; the player is at known and at new places."""
    player, start = world.player("ann"), timezone.now()
    home = "2001:db8:7:7::1"
    attempts.note_login(player.pk, home, start)

    def letters(place: str, now: Any, known: tuple[int, ...] = ()) -> int:
        before = OutgoingMail.objects.filter(kind="login").count()
        login_letters.ask("ann", "", place, now, known)
        return count_letters() - before

    networks = [f"203.0.{number}.9" for number in range(5)]
    networks += [f"2001:db8:{number:x}::9" for number in range(100, 105)]
    sent = sum(
        letters(place, start + timedelta(hours=hour)) for hour in range(24) for place in networks
    )
    assert 10 <= sent <= 40
    now = start + timedelta(hours=23.5)
    assert letters("198.51.100.3", now) == 1  # a new place, once
    assert letters("198.51.100.3", now) == 0
    assert [letters(home, now) for _ in range(3)] == [1, 1, 1]
    assert [letters("203.0.1.9", now, (player.pk,)) for _ in range(3)] == [1, 1, 1]


def test_some_letters_of_a_day_are_kept_for_known_places(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, now = world.player("ann"), timezone.now()
    monkeypatch.setitem(daily.MAX_A_DAY, "login", 20)
    attempts.note_login(player.pk, "192.0.2.1", now)
    for number in range(25):
        login_letters.ask("ann", "", f"198.51.{number}.1", now)
    assert count_letters() == 18
    for _ in range(4):
        login_letters.ask("ann", "", "192.0.2.1", now)
    assert count_letters() == 20


def test_browser_that_has_logged_in_is_known_and_a_forged_cookie_is_not(
    world: Any, visit: Visit
) -> None:
    player = world.player("ann")
    ann = visit()
    ask(ann)
    ann.go(link_in(newest_letter()))
    ann.press("Yes, log me in")
    ann.client.post("/logout/")
    ask(ann)
    assert LoginLetterRequest.objects.get().known == [player.pk]
    LoginLetterRequest.objects.all().delete()
    ann.client.cookies["browser"] = f"{player.pk}:forged"
    ask(ann)
    assert LoginLetterRequest.objects.get().known == []


def test_as_much_is_done_before_the_answer_for_a_known_name_as_for_an_unknown_one(
    world: Any,
) -> None:
    """Names and addresses, at the page and the API, with codes and passwords."""
    ann = world.player("ann")
    ann.set_password("open-sesame-now")
    ann.save()
    ask(at("192.0.2.77"))
    count_letters()

    def statements(post: Callable[[str], object], name: str) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            post(name)
        kinds = [query["sql"].split()[0] for query in captured]
        return [kind for kind in kinds if kind in ("INSERT", "UPDATE", "DELETE")]

    api = {"content_type": "application/json"}
    ways: dict[str, Callable[[str], object]] = {
        "letter": lambda name: Client().post("/login/", {"name": name}),
        "letter by the API": lambda name: Client().post("/api/v1/login", {"userid": name}, **api),
        "code": lambda name: Client().post("/login/code/", {"name": name, "code": "12345678"}),
        "code by the API": lambda name: Client().post(
            "/api/v1/login/code", {"userid": name, "code": "12345678"}, **api
        ),
        "password": lambda name: Client().post("/login/", {"name": name, "password": "wrong-one"}),
    }
    pairs = [("ann", "ghost"), ("ann@example.org", "ghost@example.org")]
    told = {
        (way, pair): [len(statements(post, name)) for name in pair]
        for way, post in ways.items()
        for pair in pairs
    }
    assert {key: counts for key, counts in told.items() if len(set(counts)) != 1} == {}


def test_letters_to_log_in_with_are_bounded_a_day_for_each_player(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.player("ann")
    monkeypatch.setitem(daily.MAX_A_DAY, "login", 3)
    for number in range(5):
        ask(at(f"192.0.2.{number}"))
    assert count_letters() == 3


def test_a_letter_asked_for_elsewhere_leaves_the_one_in_hand_as_it_is(world: Any) -> None:
    world.player("ann")
    ann, eve = at("2001:db8:1::1"), at("192.0.2.1")
    ask(ann)
    letter = newest_letter()
    ask(eve)
    ann.press("Log in", code=code_in(letter))
    assert who(ann) == "ann"


def test_wrong_codes_typed_elsewhere_leave_the_code_in_hand_as_it_is(world: Any) -> None:
    world.player("ann")
    ann, eve = at("198.51.100.7"), at("192.0.2.1")
    ask(ann)
    letter = newest_letter()
    ask(eve)
    wrong = f"{(int(code_in(letter)) + 1) % 10**8:08d}"
    for _ in range(40):
        eve.press("Log in", code=wrong)
    eve.press("Log in", code=code_in(letter))
    assert who(eve) == ""  # so many guesses, and not one more
    ann.press("Log in", code=code_in(letter))
    assert who(ann) == "ann"


def test_a_code_may_be_typed_at_another_place_than_the_one_that_asked(world: Any) -> None:
    world.player("ann")
    ask(at("198.51.100.7"))
    letter = newest_letter()
    telephone = at("192.0.2.9")
    telephone.go("/login/")
    telephone.press("Log in", name="ann")
    telephone.press("Log in", code=code_in(letter))
    assert who(telephone) == "ann"


@pytest.mark.parametrize(
    "path",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "javascript:alert(1)",
        "\t//e.x",
    ],
)
def test_nobody_is_sent_to_another_server_after_log_in(world: Any, visit: Visit, path: str) -> None:
    world.player("ann")
    nobody = visit()
    ask(nobody, path=path)
    nobody.go(link_in(newest_letter()))
    nobody.press("Yes, log me in")
    assert nobody.path == "/my/"


def test_request_that_fails_by_a_defect_of_ours_stops_no_other_and_no_mail(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.player("ann")
    grant = login_letters._grant

    def break_at_bob(request: LoginLetterRequest) -> None:
        if request.name == "bob":
            raise ZeroDivisionError
        grant(request)

    monkeypatch.setattr(login_letters, "_grant", break_at_bob)
    ask(visit(), "bob")
    ask(visit(), "ann")
    assert link_in(newest_letter())
    assert not LoginLetterRequest.objects.exists()


def test_requests_beyond_those_of_one_run_are_looked_up_by_another_at_once(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_letters, "MAX_REQUESTS", 1)
    ask(visit(), "nobody-here")
    ask(visit(), "nobody-there")
    woken: list[str] = []
    monkeypatch.setattr(login_letters.task_queue, "wake", woken.append)
    login_letters.send_asked()
    assert woken == [login_letters.task_queue.SEND_MAIL]
    login_letters.send_asked()
    assert not LoginLetterRequest.objects.exists()
