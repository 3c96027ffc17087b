"""Mail without a command: a stranger is told what this is and how to begin, a player gets help."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from doors.mail import conftest
from doors.mail.conftest import PostOffice
from sarsen.storage.models import CaughtMail, Player

ANN, ZOE = "ann@ann.example", "zoe@zoe.example"


def text_of(letter: EmailMessage) -> str:
    return conftest.text_of(letter).replace("\r\n", "\n")


def send_with(post: PostOffice, header: str, subject: str, body: str) -> None:
    """Send a mail with a header that the library would not keep."""
    raw = post.write(ZOE, body, subject=subject).as_bytes()
    post.deliver(f"{header}\n".encode() * bool(header) + raw, ZOE)


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Hello", "Hello, how do I play?"),
        ("", "Hello, how do I play?"),
        ("Question", ""),
        ("Hi there", "Hi,\n\nI heard about your games. What do I have to do?\n\nZoe"),
        ("Bonjour", "Bonjour, comment est-ce que je peux jouer ?"),
        ("Hola", "Hola, ¿cómo puedo jugar?"),
        ("こんにちは", "どうやって遊びますか"),
        ("Show me how to play", ""),
        ("Add me to the game please", ""),
        ("No idea what this is", ""),
        ("I want to play druid", ""),
        ("druid", ""),
    ],
)
def test_case_20_stranger_is_told_what_this_is_and_how_to_begin(
    post: PostOffice, subject: str, body: str
) -> None:
    post.send(ZOE, body, subject=subject)
    letter = post.last(ZOE)
    text = text_of(letter)
    assert letter["Subject"] == "How to play here"
    assert text.startswith("Hello! This is sarsen, a server for board games by mail.")
    assert "Nothing was changed" not in text
    assert "\n    signup ann\n" in text
    assert "http://sarsen.test/" in text
    assert max(map(len, text.splitlines())) <= 72
    assert len([line for line in text.splitlines() if line]) <= 20


def test_each_step_of_the_introduction_works(post: PostOffice) -> None:
    post.join("bob")
    post.send(ZOE, "Hello, how do I play?", subject="Hello")
    letter = post.last(ZOE)
    joining, playing = re.findall(r"^    (.+)$", text_of(letter), re.M)
    post.answer(letter, joining)
    post.answer(post.last(ZOE), "any words")
    assert Player.objects.filter(key="ann").exists()
    welcome = post.last(ZOE)
    post.answer(welcome, playing)
    assert "Nothing was changed" not in text_of(post.last(ZOE))
    post.answer(welcome, playing.replace("anyone", "bob"))
    assert "bob" in text_of(post.last(ZOE))
    post.answer(letter, "`help`")
    assert "How this server works" in text_of(post.last(ZOE))


@pytest.mark.parametrize("line", ["hilfe", "Hilfe!", "hilfe bitte", "bitte hilfe"])
def test_help_asked_for_in_german_is_given_in_german(post: PostOffice, line: str) -> None:
    post.send(ZOE, subject=line)
    assert "So funktioniert dieser Server" in text_of(post.last(ZOE))


def test_stranger_with_a_german_program_is_refused_in_german(post: PostOffice) -> None:
    send_with(post, "Content-Language: de-DE", "accept", "")
    assert "Es wurde nichts geändert" in text_of(post.last(ZOE))


@pytest.mark.parametrize(
    ("subject", "body", "header"),
    [
        ("Hallo", "Hallo, wie kann ich mitspielen?", ""),
        ("Hallo", "Hallo, wie kann ich mitspielen?", "Content-Language: en-US"),
        ("Frage", "", "Content-Language: de-DE"),
        ("Druid", "", "Accept-Language: de-AT, en-US;q=0.5"),
    ],
)
def test_german_mail_is_answered_in_german(
    post: PostOffice, subject: str, body: str, header: str
) -> None:
    send_with(post, header, subject, body)
    letter = post.last(ZOE)
    text = text_of(letter)
    assert letter["Subject"] == "So spielst du hier"
    assert text.startswith("Hallo! Hier ist sarsen")
    assert max(map(len, text.splitlines())) <= 72


@pytest.mark.parametrize("language", ["fr", "de;q=0.1;x", "xx-yy, zz", "d" * 500, ""])
def test_other_languages_are_answered_in_english_or_as_named(
    post: PostOffice, language: str
) -> None:
    send_with(post, f"Content-Language: {language}", "Hello", "Hello, how do I play?")
    assert text_of(post.last(ZOE)).startswith("Hello! This is sarsen")


def test_case_20_introduction_comes_once_a_day(post: PostOffice) -> None:
    for number in range(3):
        post.send(ZOE, f"Hello number {number}", subject="Hello")
    assert len(post.box(ZOE)) == 1


def test_case_24_machine_gets_no_introduction(post: PostOffice) -> None:
    post.send(ZOE, "Hello, how do I play?", subject="Hello", Auto_Submitted="auto-replied")
    post.send(ZOE, "Hello, how do I play?", subject="Hello", Precedence="bulk")
    post.send(ZOE, "Hello, how do I play?", subject="Hello", List_Id="<news.zoe.example>")
    assert not CaughtMail.objects.exists()


def test_wrong_line_of_a_stranger_is_still_refused_with_a_line_that_works(
    post: PostOffice,
) -> None:
    post.send(ZOE, subject="accept")
    assert "[number-missing]" in text_of(post.last(ZOE))
    post.send(ZOE, subject="signup")
    assert "[userid-missing]" in text_of(post.last(ZOE))


@pytest.mark.parametrize(
    "line",
    [
        *("help", "Help!", "help me", "Help me, please!", "?", "??", "info"),
        *("aide", "ayuda", "aiuto", "hulp", "hjälp", "pomoc", "помощь"),
    ],
)
def test_help_is_asked_for_in_many_languages(post: PostOffice, line: str) -> None:
    post.send(ZOE, line)
    assert "How this server works" in text_of(post.last(ZOE))


def test_help_on_a_subject_is_asked_for_in_german(post: PostOffice) -> None:
    post.send(ZOE, subject="Hilfe druid")
    assert "Cameron Browne" in text_of(post.last(ZOE))


@pytest.mark.parametrize("line", ["Hello, how do I play?", "Wie geht das?", "what can I do here?"])
@pytest.mark.parametrize("way", ["signed", "from the address"])
def test_question_of_a_player_is_answered_with_help(post: PostOffice, line: str, way: str) -> None:
    welcome = post.join("ann")
    if way == "signed":
        post.answer(welcome, line)
    else:
        post.send(ANN, line)
    assert "How this server works" in text_of(post.last(ANN))


def test_password_is_not_said_to_a_stranger_who_writes_one(post: PostOffice) -> None:
    post.send(ZOE, "Hello, my password is Hunter27 and I want to play", subject="Hunter27")
    assert "Hunter27" not in post.last(ZOE).as_string()
