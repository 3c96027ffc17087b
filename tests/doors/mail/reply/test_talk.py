"""A reply to what a person wrote goes to that person or board, and plays no move by accident."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, BOB, PostOffice, events, said, text_of, words_of
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.storage.models import AbuseReport, ChatLine, Match, OutgoingMail, Player

CARLA = "carla@carla.example"
# Prose that begins as commands, moves and headings do, in the shapes of `test_real_shapes`.
PROSE = (
    "Thanks, that was a great game!",
    "Yes",
    "no, I don't think so",
    "Help me understand your move, please.",
    "Show me how you found a1 there.",
    "Accept my apologies for the delay.",
    "Resign? Never!",
    "Draw or not, I liked it.",
    "a1 was my first idea.\nThen I saw b2.",
    "My move was a1 in the last game; I play better now.",
    "Danke!\nAm Freitag bin ich weg.",
    "Shall we meet?\nDate: 3 December\nFrom: 10:00\nBring a board.",
    "The results so far:\n\n------ Round 2 ------\nann beat bob",
    "On Friday I travel.\n\nWill you be there?",
    "Message received, thank you.",
    "Say hello to Eve!",
    "Note that I am away next week.",
    "List of my ideas:\n  1. the corner\n  2.  the centre",
    "About the rules: may one pass?",
    "You wrote “good luck” – that’s kind…",
)


def chat_letter(post: PostOffice, text: str = "Good luck!") -> EmailMessage:
    """Return the letter by which bob, whose turn it is, reads what ann says."""
    letters = post.board()
    post.answer(letters["ann"], "a1")
    post.box(BOB)
    post.answer(post.last(ANN), f"chat {text}")
    return post.last(BOB)


def message_letter(post: PostOffice) -> EmailMessage:
    letters = post.board()
    post.answer(letters["ann"], "message bob: Do you like this game?")
    return post.last(BOB)


def test_a_report_of_what_a_person_replied_reaches_the_operators_alone(post: PostOffice) -> None:
    post.answer(message_letter(post), "Buy my pills!")  # bob's reply to ann
    letter = post.last(ANN)
    assert "To report abuse: report bob and what is wrong" in words_of(letter)
    post.box(BOB)
    post.answer(letter, "report bob He writes advertisements to me.")
    assert "The operators will look at what bob writes" in words_of(post.last(ANN))
    assert [row.text for row in AbuseReport.objects.all()] == ["He writes advertisements to me."]
    assert not post.box(BOB)


def delivered(letter: EmailMessage) -> str:
    """Return what the author's words were in a letter, between what the server says."""
    written = text_of(letter).replace("\r", "").partition("writes to you:\n\n")[2]
    return written.partition("\n\nJust reply to write back")[0]


@pytest.mark.parametrize("prose", PROSE)
def test_prose_in_answer_to_chat_goes_whole_to_the_board(post: PostOffice, prose: str) -> None:
    letter = chat_letter(post)
    before = events()
    post.answer(letter, prose)
    assert ChatLine.objects.latest("pk").text == prose
    assert ChatLine.objects.latest("pk").player.userid == "bob"
    assert events() == before


def test_prose_in_answer_to_a_message_goes_whole_to_its_author(post: PostOffice) -> None:
    letter = message_letter(post)
    before = events()
    wrong = []
    for prose in PROSE:
        post.answer(letter, prose)
        letters = [one for one in post.box(ANN) if "A message from" in str(one["Subject"])]
        if [delivered(one) for one in letters] != [prose]:
            wrong.append((prose, [text_of(one) for one in letters]))
    assert wrong == []
    assert events() == before


def test_a_broadcast_is_answered_to_its_author_alone(post: PostOffice) -> None:
    welcome, _, _ = post.join("ann"), post.join("bob"), post.join("carla")
    post.answer(welcome, "broadcast: I look for games of Druid.")
    post.answer(post.last(ANN), "yes")
    sweep_announcements(timezone.now())
    post.work()
    post.box(CARLA)
    post.answer(post.last(BOB), "I would like one.\n\nOn Friday?")
    assert delivered(post.last(ANN)) == "I would like one.\n\nOn Friday?"
    assert post.box(CARLA) == []


def test_answers_go_on_in_one_thread(post: PostOffice) -> None:
    letter = message_letter(post)
    for writer, reader in ((BOB, ANN), (ANN, BOB), (BOB, ANN)):
        post.answer(letter, f"Again, {reader}!")
        root, letter = letter["References"], post.box(reader)[-1]
        post.box(writer)
        assert letter["References"] == root
        assert letter["In-Reply-To"]


@pytest.mark.parametrize("move", ["b2", "*b2*", "move b2"])
def test_a_reply_to_chat_that_is_a_legal_move_is_played(post: PostOffice, move: str) -> None:
    post.answer(chat_letter(post), move)
    assert Match.objects.get().ply == 2
    assert ChatLine.objects.count() == 1


@pytest.mark.parametrize("words", ["b2\nThanks!", "I play b2", "b2.", "Hi,\nb2", "draw\nThanks!"])
def test_one_question_is_asked_where_a_move_or_words_may_be_meant(
    post: PostOffice, words: str
) -> None:
    letter = chat_letter(post)
    before = events()
    post.answer(letter, words)
    asked = post.last(BOB)
    assert "[command-or-message]" in text_of(asked)
    assert "start it with `chat`" in words_of(asked)
    assert (events(), ChatLine.objects.count()) == (before, 1)
    if "b2" in words:
        post.answer(asked, "b2")
        assert Match.objects.get().ply == 2
    post.answer(letter, f"chat {words}")
    assert ChatLine.objects.latest("pk").text == words


def test_what_is_no_move_now_is_said(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "chat Where?")
    post.answer(letters["ann"], "a1")
    post.box(ANN)
    post.answer(letters["bob"], "chat And now?")
    post.answer(post.last(ANN), "b2")  # it is not her turn
    assert ChatLine.objects.latest("pk").text == "b2"


@pytest.mark.parametrize(
    ("line", "answer"), [("refuse ann", "ann"), ("help druid", "Druid"), ("show 1", "Board 1")]
)
def test_a_command_alone_is_performed(post: PostOffice, line: str, answer: str) -> None:
    post.answer(message_letter(post), line)
    assert answer in said(post, BOB)
    assert not OutgoingMail.objects.filter(kind="message", player__userid="ann").exists()


def test_letters_of_people_are_no_proof_for_the_account(post: PostOffice) -> None:
    post.answer(message_letter(post), "signoff")
    assert "[account-proof]" in said(post, BOB)


def test_a_program_that_answers_for_who_is_away_answers_a_person_once(post: PostOffice) -> None:
    letter = message_letter(post)
    away = "I am out of the office until Monday, and read no mail here."
    for _ in range(3):
        post.answer(letter, away)
    assert OutgoingMail.objects.filter(kind="message", player__userid="ann").count() == 1
    assert "[said-already]" in said(post, BOB)
    for _ in range(2):
        post.answer(letter, "Thanks!")
    assert OutgoingMail.objects.filter(kind="message", player__userid="ann").count() == 3


def test_mail_of_machines_is_passed_on_to_nobody(post: PostOffice) -> None:
    letter = message_letter(post)
    post.answer(letter, "I am away.", Auto_Submitted="auto-replied")
    assert not OutgoingMail.objects.filter(kind="message", player__userid="ann").exists()


def test_who_refuses_a_player_gets_no_answer_no_chat_and_no_broadcast_of_them(
    post: PostOffice,
) -> None:
    letter = message_letter(post)
    post.join("carla")
    Player.objects.filter(key="ann").update(refuses=["bob"])
    post.box(ANN)
    post.answer(letter, "I do!")
    post.answer(letter, "druid chat 1 Hello")
    post.answer(letter, "broadcast: Hello, all!")
    post.answer(post.last(BOB), "yes")
    sweep_announcements(timezone.now())
    post.work()
    assert "Hello, all!" in text_of(post.last(CARLA))
    assert post.box(ANN) == []


def test_nothing_of_a_quotation_or_an_address_of_ours_is_passed_on(post: PostOffice) -> None:
    letter = message_letter(post)
    quoted = text_of(letter)
    for between in ("", "\n> "):
        below = between.join(["", *quoted.splitlines()]) if between else quoted
        post.send(
            BOB,
            f"I do{between and ' so'}!\n\n{below}",
            to=str(letter["Reply-To"]),
            subject=f"Re: {letter['Subject']}",
            In_Reply_To=str(letter["Message-ID"]),
        )
        assert delivered(post.last(ANN)) == f"I do{between and ' so'}!"
    post.answer(letter, f"My address is {letter['Reply-To']}")
    assert "[private-address]" in said(post, BOB)
    post.answer(letter, f"Click {quoted[quoted.index('http') :].split()[0]}")
    assert "[private-address]" in said(post, BOB)
