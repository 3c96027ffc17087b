"""Words in place of a move, the same challenge twice, and what the answer to a yes is called."""

from __future__ import annotations

import pytest

from doors.mail.conftest import ANN, PostOffice, events, text_of, words_of
from sarsen.storage.models import Challenge, ChatLine, OutgoingMail, Player

CAMB = "camb@camb.example"
PROSE = (
    (
        "That was a nice game we played last week, well done!",
        "I am away until 20 November and read no mail.",
    ),
    ("Das war ein schöner Zug von dir", "Board looks good to me"),
)


def line_of_hint(text: str) -> str:
    """Return the indented line of a refusal, which can be sent as it stands."""
    return next(row.strip() for row in text.splitlines() if row.startswith("    "))


@pytest.mark.parametrize("game", ["druid", "gyges", "vasco", "visavis"])
@pytest.mark.parametrize("texts", PROSE)
def test_words_in_place_of_a_move_are_told_how_to_chat(
    post: PostOffice, game: str, texts: tuple[str, str]
) -> None:
    letters = post.board("", game)
    for name, prose in zip(("ann", "bob"), texts, strict=True):  # whose turn it is, or not
        post.answer(letters[name], prose)
        answer = post.last(f"{name}@{name}.example")
        assert "There is no move in this" in words_of(answer)
        assert "[no-move]" in text_of(answer)
        line = line_of_hint(text_of(answer))
        assert line == f"chat 1 {prose}"
        before = ChatLine.objects.count()
        post.answer(letters[name], line)
        assert ChatLine.objects.count() == before + 1
        assert ChatLine.objects.latest("pk").text == prose
    assert not [event for event in events() if event.startswith("move")]


def test_words_longer_than_a_move_or_a_line_are_told_so_too(post: PostOffice) -> None:
    letters = post.board()
    for count in (40, 150):
        post.answer(letters["ann"], "It was fun to play. " * count)
        assert "begin with `chat`" in words_of(post.last(ANN))


def test_words_with_a_move_that_can_be_played_name_that_move(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "I think that b3 is the best one here")
    told = words_of(post.last(ANN))
    assert "no-move" not in told
    assert "'I think that b3 is the best one here' is not a move" in told


def test_the_same_challenge_to_a_person_stands_once(post: PostOffice) -> None:
    post.join("camb")
    welcome = post.join("ann")
    for line in ("druid challenge -size=6 ann camb", "druid challenge you CAMB -size=6"):
        post.answer(welcome, line)
    told = words_of(post.last(ANN))
    assert "Challenge 1 is still open, so nothing was sent again" in told
    assert "withdraw 1" in told
    assert Challenge.objects.count() == 1
    assert len(post.box(CAMB)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "druid challenge camb ann",
        "druid challenge -size=5 ann camb",
        "druid challenge --unrated ann camb",
        "vasco challenge ann camb",
        "druid challenge ann bob",
    ],
)
def test_another_challenge_is_another(post: PostOffice, line: str) -> None:
    post.join("camb")
    post.join("bob")
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge ann camb")
    post.answer(welcome, line)
    assert "is still open" not in words_of(post.last(ANN))
    assert Challenge.objects.count() == 2


def test_a_challenge_can_be_sent_again_once_it_is_answered(post: PostOffice) -> None:
    post.join("camb")
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge ann camb")
    post.answer(post.last(CAMB), "decline")
    post.answer(welcome, "druid challenge ann camb")
    assert [one.state for one in Challenge.objects.order_by("pk")] == ["declined", "open"]


def test_the_answer_to_a_yes_or_no_says_in_its_subject_what_was_done(post: PostOffice) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "broadcast\nThe server moves on Sunday.")
    post.answer(post.last(ANN), "yes")
    subject = OutgoingMail.objects.filter(kind="answer").count() and post.last(ANN)["Subject"]
    assert subject == "Your broadcast is on its way to everyone who wants broadcasts"
    post.answer(welcome, "signoff")
    post.answer(post.last(ANN), "no")
    assert post.last(ANN)["Subject"] == "The signoff is cancelled"
    post.answer(welcome, "accept")
    assert post.last(ANN)["Subject"] not in ("Re: accept", "")
    assert Player.objects.get(key="ann").is_active
