"""Answers quote what was typed: no password (case 22), and every other word as it is."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.utils import timezone
from hypothesis import HealthCheck, Phase, assume, given
from hypothesis import settings as of_hypothesis
from hypothesis import strategies as st
from pytest_django.fixtures import Settings
from structlog.testing import capture_logs

from doors.mail.conftest import PostOffice, text_of
from password_lines import ordinary_lines, password_lines
from sarsen.core.phrases import Phrase, Typed
from sarsen.games import names
from sarsen.language.commands import AnswerInvitation, ChangePassword, ConfirmSignup, SignUp
from sarsen.language.grammar.grammar import read
from sarsen.language.grammar.tokens import Context
from sarsen.language.replies import Refusal
from sarsen.server import settings as of_server
from sarsen.services.accounts import passwords
from sarsen.services.accounts.passwords import MAX_OWN_CHECKS
from sarsen.services.likely_passwords import userids_in
from sarsen.services.quoting import MASK, quote
from sarsen.storage.models import (
    AnsweredRequest,
    CaughtMail,
    ChatLine,
    InboundMail,
    MatchEvent,
    OutgoingMail,
    Player,
    Signup,
)

ANN, BOB, EVE = "ann@ann.example", "bob@bob.example", "eve@eve.example"
PASSWORD = "Hunter-27!x"


def stored_words() -> str:
    """Return all that was said and kept, as one text."""
    letters = []
    for caught in CaughtMail.objects.order_by("pk"):
        letters.append(caught.subject + bytes(caught.raw).decode())
    rows = [
        json.dumps(list(OutgoingMail.objects.values_list("facts", "error")), ensure_ascii=False),
        json.dumps(list(AnsweredRequest.objects.values_list("reply")), ensure_ascii=False),
        str(list(InboundMail.objects.values_list("note", "raw"))),
        str(list(MatchEvent.objects.values_list("text"))),
        str(list(Signup.objects.values_list("userid", "address"))),
    ]
    return "\n".join([*letters, *rows])


def forms_of(password: str) -> set[str]:
    return {password.lower(), repr(password)[1:-1].lower(), json.dumps(password)[1:-1].lower()}


def assert_unsaid(password: str, said: str) -> None:
    lower = said.lower()
    for form in forms_of(password):
        at = lower.find(form)
        assert at < 0, lower[max(0, at - 200) : at + 200]


@pytest.mark.parametrize("way", ["stranger", "own address", "player", "board"])
@pytest.mark.parametrize("password", ["secret-ann", "Hunter-27!x"])
def test_case_22_password_at_its_place_or_beside_it_is_never_said(
    post: PostOffice, way: str, password: str
) -> None:
    address = addresses(post)[way]
    lines = list(dict.fromkeys(password_lines(password)))
    # A wrong password in a wrong place is like any other word to those who need none.
    lines = lines if password == "secret-ann" or way in ("stranger", "own address") else []
    with capture_logs() as logs:
        for start in range(0, len(lines), 50):
            # From somebody new each time: strangers get so many answers a day and no more.
            sender = ANN if way == "own address" else f"eve@{start}.example"
            block = "\n".join(lines[start : start + 50])
            post.send(sender, block, to=address, subject="multiple")
        for number, line in enumerate(lines[::30]):
            post.send(f"eve@subject-{number}.example", subject=line, to=address)
    assert not [event for event in logs if event["log_level"] != "info"]
    assert_unsaid(password, stored_words() + str(logs))


def addresses(post: PostOffice) -> dict[str, str]:
    """Start a board, and return the addresses to write to, by who is known there."""
    first = post.board_by_mail()
    post.send(ANN, subject="help")
    main = "sarsen@sarsen.test"
    board = str(first["ann"]["Reply-To"])
    return {"stranger": main, "own address": main, "player": player_address(), "board": board}


@pytest.mark.parametrize("way", ["player", "board"])
def test_no_ordinary_word_is_starred_where_no_password_is_due(post: PostOffice, way: str) -> None:
    address = addresses(post)[way]
    due = ("signup", "welcome", "invited", "change password")
    lines = [line for line in dict.fromkeys(ordinary_lines()) if not line.startswith(due)]
    assert len(lines) > 240
    for start in range(0, len(lines), 50):
        post.send(ANN, "\n".join(lines[start : start + 50]), to=address, subject="multiple")
    # In answers to ann herself her userid still begins a password, as it does everywhere.
    assert "***" not in stored_words().replace(f" ann {MASK}", "")
    assert "'…'" not in stored_words()


def test_only_the_place_of_a_password_is_starred_in_lines_of_strangers(post: PostOffice) -> None:
    post.board()
    wrong = []
    for line in dict.fromkeys(ordinary_lines()):
        reading = read(line, Context(names()))
        userids = userids_in([reading])
        masked_at = quote(line, reading, userids, is_due=True).masked_at
        # Beside a userid, or where the command is about nothing but a password.
        named = {at for at, word in enumerate(reading.words) if word.lower() in userids}
        beside = {at + 1 for at in named} | {at - 1 for at in named & reading.secrets_at}
        if reading.command in (SignUp, ConfirmSignup, AnswerInvitation, ChangePassword):
            continue
        if masked_at - reading.secrets_at - beside:
            wrong.append(line)
    assert not wrong


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("chat 1 Weihnachten!", "> chat 1 Weihnachten!"),
        ("list please", "There is no game called 'please'"),
        ("change timezone Berlin", "    change timezone USERID PASSWORD Europe/Berlin"),
        ("signup Müller-Lüdenscheidt geheim22", "    signup Muller-Ludensc"),
        ("druid move 1 14-13-12-23 please", "> druid move 1 14-13-12-23 please"),
        ("profile Hubert", "Nobody here is called 'Hubert'"),
        ("help Weihnachten", "'weihnachten'"),
    ],
)
@pytest.mark.parametrize("sender", [ANN, "eve@eve.example"])
def test_refusal_quotes_ordinary_words(post: PostOffice, line: str, said: str, sender: str) -> None:
    post.board()
    post.send(sender, subject=line)
    text = text_of(post.last(sender)).replace("\r\n", "\n")
    assert said in text
    assert "*" not in text.replace("geheim22", "").replace(f" {MASK}\n", "")


def test_words_about_a_move_are_quoted_in_the_answer_to_it(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "14-13-12-23 please")
    assert "> 14-13-12-23 please" in text_of(post.last(ANN))
    post.answer(letters["ann"], "change timezone Berlin")
    assert "\n    change timezone Europe/Berlin" in text_of(post.last(ANN)).replace("\r", "")


def test_password_of_the_reader_is_left_out_wherever_it_stands(post: PostOffice) -> None:
    letters = post.board()
    Player.objects.filter(key="ann").update(password=make_password("sunflowers"))
    for line in (
        "druid chat 1 sunflowers hello",
        "druid move 1 sunflowers a1",
        "games ann sunflowers",
    ):
        post.answer(letters["ann"], line)
        post.send(ANN, subject=line)
    assert_unsaid("sunflowers", stored_words())
    assert not ChatLine.objects.exists()


def test_answer_to_others_does_not_tell_whose_password_a_word_is(post: PostOffice) -> None:
    post.board()
    Player.objects.filter(key="ann").update(password=make_password("sunflowers"))
    for word in ("sunflowers", "moonflowers"):
        post.send(EVE, subject=f"games ann {word}")
        assert f"> games ann {word}" in text_of(post.last(EVE))


def test_few_words_of_a_mail_are_compared_with_a_password(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.join("ann", "secret-ann")
    compared: list[str] = []

    def count(player: Player, word: str, now: object) -> bool:
        compared.append(word)
        return False

    monkeypatch.setattr("sarsen.services.parsed_lines.is_password_of", count)
    post.send(ANN, "\n".join(f"games bobby{n} zoe-{n}" for n in range(20)), subject="multiple")
    assert len(compared) == MAX_OWN_CHECKS


def test_half_of_the_checks_of_passwords_are_kept_for_those_who_log_in(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.join("ann", "secret-ann")
    ann, now = Player.objects.get(), timezone.now()
    passwords._checks.cache_clear()
    a_second = 10
    monkeypatch.setattr(passwords, "CHECKS_A_SECOND", a_second)
    half = passwords.AT_ONCE * a_second // 2
    found = [passwords.is_password_of(ann, "secret-ann", now) for _ in range(half + 5)]
    assert found == [True] * half + [None] * 5
    for _ in range(half):
        passwords.spend_check(now)


def player_address() -> str:
    raw = bytes(CaughtMail.objects.get(address=ANN, subject="Welcome, ann").raw).decode()
    found = re.search(r"Reply-To: (\S+)", raw)
    assert found
    return found[1]


# Words of our own in the log, of which Hypothesis may draw one.
LOGGED = "letter caught, mail settled, mail received: kind player board state note answered ignored"
PASSWORDS = st.from_regex(r"[A-Za-z!#$%&]{3,8}[0-9!?=]{1,3}[A-Za-z\"'éß]{2,8}", fullmatch=True)


@of_hypothesis(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_case_22_random_password_is_never_said(post: PostOffice, data: st.DataObject) -> None:
    if not CaughtMail.objects.exists():
        post.board_by_mail()
    password = data.draw(PASSWORDS)
    # Hypothesis draws constants of our code too: a key of our own records is no password said.
    assume(password.lower() not in (stored_words() + LOGGED).lower())
    line = data.draw(st.sampled_from(list(password_lines(password))))
    sender = f"eve@{InboundMail.objects.count()}.example"
    with capture_logs() as logs:
        post.send(sender, subject=line)
    assert_unsaid(password, stored_words() + str(logs))


ODD_LINES = (
    "show 1 ann {}",
    "games ann {}",
    "druid swap 1 ann {} a",
    "druid move 1 bob {} 11-12",
    "chess move 1 ann {} e4",
    "druid muve 1 ann {} a1",
    "ann {} 11-12",
    "Ann {}",
    "help ann {}",
    "signup jim7 {} and more",
    "signup jim7 p@{} x@example.org",
    "signup {} jim7",
    "druid challenge ann {}",
    "druid challenge ann {} bob",
    "druid challenge -size=4 ann -unrated {} ann bob",
    "password {}",
    "change password {} another-1",
    "druid preview 1 ann {}",
)


def test_case_22_password_in_an_odd_line_of_a_stranger_is_not_said(post: PostOffice) -> None:
    post.board_by_mail()
    for password in ("secret-ann2!", "se.cr'et\"9-correct-horse-battery-staple-1x2y"):
        for number, line in enumerate(ODD_LINES):
            post.send(f"eve@{number}.example", subject=line.format(password))
        assert_unsaid(password, stored_words())


def test_case_22_single_word_below_the_command_is_quoted_only_if_it_is_a_move(
    post: PostOffice,
) -> None:
    first = post.board_by_mail()
    post.answer(first["ann"], "a1\nhunter27\nc3-d4\n")
    text = text_of(post.last(ANN))
    assert "hunter27" not in text
    assert "Not read: c3-d4." in text


def test_case_22_password_with_an_at_sign_is_not_written_to(post: PostOffice) -> None:
    post.send(EVE, subject="signup jim7 p@Hunter27 jim@jim.example")
    assert "[address-form]" in text_of(post.last(EVE))
    assert {letter.address for letter in OutgoingMail.objects.all()} == {EVE}
    assert not Signup.objects.exists()


def test_case_22_a_defect_is_logged_without_the_words_of_the_mail(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(line: str, context: object) -> None:
        raise ValueError(line)

    monkeypatch.setattr("sarsen.services.parsed_lines.read", fail)
    with capture_logs() as logs:
        post.send(ANN, subject="druid move 1 ann Hunter27 a1")
    assert any(event["event"] == "a mail could not be answered" for event in logs)
    assert "Hunter27" not in str(logs)


@pytest.mark.parametrize("line", ["druid challenge -size=4 ann bob", "preview 1 a1", "show 1"])
def test_stranger_reads_the_line_that_was_answered(post: PostOffice, line: str) -> None:
    post.board_by_mail()
    post.send(EVE, subject=line)
    text = text_of(post.last(EVE))
    assert f"> {line}" in text
    assert "Nothing was changed" not in text


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("b9", "b9"),
        ("11-12", "11-12"),
        ("b2-b4-c9", "b2-b4-c9"),
        ("move z9", "z9"),
        ("druid challenge -sise=4 ann bob", "-sise=4"),
        ("druid challenge -size=99 ann bob", "-size=99"),
        ("druid challenge ann cambr", "cambr"),
        ("games bob next", "bob next"),
    ],
)
def test_refusal_to_a_player_still_quotes_what_is_surely_no_password(
    post: PostOffice, line: str, quoted: str
) -> None:
    first = post.board_by_mail()
    post.answer(first["ann"], line)
    assert quoted in text_of(post.last(ANN))


def test_reason_for_declining_reaches_the_other_player_whole(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge ann bob")
    post.answer(post.last(BOB), "decline I travel to Edinburgh until Christmas")
    assert "I travel to Edinburgh until Christmas" in text_of(post.last(ANN))


def test_part_of_a_password_in_a_sentence_of_a_game_is_not_repeated() -> None:
    reading = read("druid move 1 nobody Hunter-27 Hunter-27 a1", Context(names()))
    quoted = quote("", reading, frozenset({"nobody"}), is_due=True, near=str.strip)
    for typed in ("hunter", "er-27 a1", "annhunter"):
        text = Phrase("{typed} is no move.", typed=Typed(repr(typed)))
        assert quoted.refusal(Refusal(text, "", ""), "").text == "'…' is no move."
    kept = Phrase("{typed} is no move.", typed=Typed("'a1'"))
    assert quoted.refusal(Refusal(kept, "", ""), "").text == "'a1' is no move."


def test_what_is_left_out_of_a_refusal_is_left_out_in_german(post: PostOffice) -> None:
    post.join("ann", "secret-ann")
    Player.objects.update(language="de")
    post.send(ANN, subject="druid challenge ann Hunter-27!x bob")
    assert "Hunter" not in stored_words()


@pytest.mark.parametrize(
    "token",
    [
        "sarsen_" + "aB3-" * 8,
        "5-0123456789abcdef0123",
        "player-42-20778-abcdefghij234567qrst@sarsen.test",
        "welcome-0123456789abcdef0123@sarsen.test",
        "48159062",
    ],
)
def test_token_of_ours_is_masked_wherever_it_stands(token: str) -> None:
    reading = read(f"help {token} please", Context(names()))
    assert quote("", reading, (), is_due=True).text() == f"help {MASK} please"


@pytest.mark.parametrize("word", ["x" + "-x1" * 300 + "!", "1-" * 500, "-" * 900, "'" * 900])
def test_a_giant_word_is_judged_at_once(word: str) -> None:
    reading = read(f"druid move 1 {word} a1", Context(names()))
    quote(word, reading, (), is_due=True, near=lambda _: "")


def test_server_stores_argon2id_and_no_hash_of_the_tests(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = of_server.PASSWORD_HASHERS
    stored = make_password(PASSWORD)
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password(PASSWORD, stored)
    assert not check_password(PASSWORD.lower(), stored)


@pytest.mark.parametrize(
    "line", ["news {}", "games {}", "standings druid {}", "profile {}", "list {}", "help {}"]
)
def test_an_unproved_query_with_the_own_password_says_it_nowhere(
    post: PostOffice, line: str
) -> None:
    password = "correct-horse-9"
    post.join("ann", password)
    post.send("ann@ann.example", subject=line.format(password))
    letter = post.last("ann@ann.example")
    assert password not in str(letter["Subject"]) + text_of(letter)
