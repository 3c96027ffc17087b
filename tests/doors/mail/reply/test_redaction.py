"""Case 22: no password ever comes back, wherever in a mail it stands."""

from __future__ import annotations

import json
import re
import string

import pytest
from django.contrib.auth.hashers import check_password, make_password
from hypothesis import HealthCheck, Phase, assume, given
from hypothesis import settings as of_hypothesis
from hypothesis import strategies as st
from pytest_django.fixtures import Settings
from structlog.testing import capture_logs

from doors.mail.conftest import PostOffice, text_of
from sarsen.language.commands import COMMANDS, SignUp
from sarsen.server import settings as of_server
from sarsen.services.redaction import Redaction, hidden_words, may_quote
from sarsen.storage.models import (
    AnsweredRequest,
    CaughtMail,
    InboundMail,
    MatchEvent,
    OutgoingMail,
    Signup,
)

ANN, BOB, EVE = "ann@ann.example", "bob@bob.example", "eve@eve.example"
PASSWORD = "Hunter-27!x"
WORDS_OF_USAGES = {
    "USERID": "ann",
    "USERID1": "ann",
    "USERID2": "bob",
    "U": "ann",
    "P": "secret-ann",
    "OLD": "secret-ann",
    "BOARD": "1",
    "BOARD[#PLY]": "1#1",
    "NUMBER": "1",
    "N": "1",
    "GAME": "druid",
    "MOVE": "a1",
    "MOVE[#PLY]": "a1#1",
    "[-OPTIONS]": "-size=4",
    "[--OPTIONS]": "--unrated",
    "[ADDRESS": "ann@ann.example",
    "TO": "bob",
    "EVENT": "moved",
    "FROM": "2027-01-01",
    "CODE": "0123456789abcdef0123",
    "ZONE": "Europe/Berlin",
}
# What is meant for others, or for the writer's own eyes, is no quotation.
FREE_TEXT = ("REASON", "TEXT", "TO", "SUBJECT", "broadcast")


def usages() -> list[tuple[str, tuple[str, ...]]]:
    """Return each usage line with its words filled in, and its words as they were."""
    found = []
    for command in COMMANDS:
        for usage in command.usage.split(" | "):
            words = [word for word in usage.split() if word != "…"]
            found.append((usage, tuple(words)))
    return found


def filled(word: str) -> str:
    plain = word.strip("[]…")
    for form in (word, plain, plain.split("|")[0]):
        if form in WORDS_OF_USAGES:
            return WORDS_OF_USAGES[form]
    return plain.split("|")[0].lower()


USAGES = usages()


def lines_with(password: str) -> list[str]:
    """Put a password into every place of every usage line, and between any two words."""
    lines = []
    for usage, words in USAGES:
        said = [filled(word) for word in words]
        is_free = any(free in word for free in FREE_TEXT for word in words)
        for at, word in enumerate(words):
            # A sign-up with the password as a name has asked for that name; and among
            # words to others it is known only behind the userid.
            is_asked_for = usage == SignUp.usage and at == 1
            if not is_asked_for and (not is_free or "PASSWORD" in word):
                lines.append(" ".join([*said[:at], password, *said[at + 1 :]]))
                lines.append(" ".join([*said[:at], password, *said[at:]]))
        if not is_free:
            lines.append(" ".join([*said, password]))
    return list(dict.fromkeys(lines))


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


# Words of our own in the log, of which Hypothesis may draw one.
LOGGED = "letter caught, mail settled, mail received: kind player board state note answered ignored"
PASSWORDS = st.text(
    string.ascii_letters + string.digits + "!#$%&*+,-./:;=?_'\"\\éß", min_size=6, max_size=16
).filter(lambda word: not may_quote(word) and not word.startswith((">", "--", "- ")))


@pytest.mark.parametrize("way", ["stranger", "player", "board"])
def test_case_22_password_in_any_place_of_any_command_is_never_said(
    post: PostOffice, way: str
) -> None:
    first = post.board_by_mail()
    post.send(ANN, subject="help")
    addresses = {
        "stranger": "sarsen@sarsen.test",
        "player": player_address(),
        "board": str(first["ann"]["Reply-To"]),
    }
    lines = lines_with(PASSWORD)
    with capture_logs() as logs:
        for start in range(0, len(lines), 50):
            block = "\n".join(lines[start : start + 50])
            # From somebody new each time: strangers get so many answers a day and no more.
            post.send(f"eve@{start}.example", block, to=addresses[way], subject="multiple")
    assert not [event for event in logs if event["log_level"] != "info"]
    assert_unsaid(PASSWORD, stored_words() + str(logs))


def player_address() -> str:
    raw = bytes(CaughtMail.objects.get(address=ANN, subject="Welcome, ann").raw).decode()
    found = re.search(r"Reply-To: (\S+)", raw)
    assert found
    return found[1]


@of_hypothesis(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_case_22_random_password_in_a_random_place_is_never_said(
    post: PostOffice, data: st.DataObject
) -> None:
    if not CaughtMail.objects.exists():
        post.board_by_mail()
    raw = CaughtMail.objects.filter(address=ANN, subject="Druid Board 1")[0].raw
    found = re.search(r"Reply-To: (\S+)", bytes(raw).decode())
    assert found
    password = data.draw(PASSWORDS)
    # Hypothesis draws constants of our code too: a key of our own records is no password said.
    assume(password.lower() not in (stored_words() + LOGGED).lower())
    line = data.draw(st.sampled_from(lines_with(password)))
    to = data.draw(st.sampled_from(["sarsen@sarsen.test", player_address(), found[1]]))
    sender = f"eve@{InboundMail.objects.count()}.example"
    body = data.draw(st.sampled_from(["", f"{line}\n{password}\n{line}"]))
    with capture_logs() as logs:
        post.send(sender, body, to=to, subject="Druid Board 1" if body else line)
    assert_unsaid(password, stored_words() + str(logs))


ODD_LINES = (
    "show 1 ann {}",
    "games ann {}",
    "move 1 a7 ann {}",
    "druid swap 1 {} a",
    "druid move 1 bob {} 11-12",
    "ann {} 11-12",
    "Ann {}",
    "withdraw {}",
    "move {}",
    "help ann {}",
    "help druid {}",
    "list {}",
    "list druid {}",
    "{}",
    "{}: hello",
    "#{}",
    "signup {} jim7",
    "signup jim7 {} and more",
    "signup jim7 p@{} x@example.org",
    "signup ann {}",
    "druid challenge ann {}",
    "druid challenge -size=4 --{} ann bob",
    "druid challenge -size={} ann bob",
    "multiple {}",
    "accept 1 ann{}",
    "druid preview 1 a1 {}",
    "preview 1 {}-b2",
)


@pytest.mark.parametrize("way", ["stranger", "player", "board"])
def test_case_22_password_in_an_odd_place_is_not_said(post: PostOffice, way: str) -> None:
    first = post.board_by_mail()
    to = {
        "stranger": "sarsen@sarsen.test",
        "player": player_address(),
        "board": str(first["ann"]["Reply-To"]),
    }[way]
    for password in ("secret-ann", "se.cr'et\"9-correct-horse-battery-staple-1x2y"):
        for number, line in enumerate(ODD_LINES):
            said, sender = line.format(password), f"eve@{number}.example"
            if number % 2:
                post.send(sender, subject=said, to=to)
            else:
                post.send(sender, f"{said}\n{password}\n{said}", subject="Druid Board 1", to=to)
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

    monkeypatch.setattr("sarsen.services.command_lines.read_line", fail)
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


def test_words_run_together_or_broken_up_by_a_game_are_blotted() -> None:
    blotter = Redaction(hidden_words("ann Hunter-27 c1", None, ["ann"], is_accepted=False))
    assert blotter.text("'annhunter' is not a move") == "'*****' is not a move"
    assert blotter.text("There is no HUNTER27 here") == "There is no ***** here"
    assert blotter.text("There is no square c1 here") == "There is no square c1 here"


@pytest.mark.parametrize("word", ["x" + "-x1" * 300 + "!", "1-" * 500, "-" * 900, "'" * 900])
def test_a_giant_word_is_judged_at_once(word: str) -> None:
    hidden = hidden_words(word, None, [], is_accepted=False)
    assert Redaction(hidden).line(word) == "*****"
    assert word not in Redaction(hidden).text(f"{word!r} is not a command")


def test_server_stores_argon2id_and_no_hash_of_the_tests(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = of_server.PASSWORD_HASHERS
    stored = make_password(PASSWORD)
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password(PASSWORD, stored)
    assert not check_password(PASSWORD.lower(), stored)
