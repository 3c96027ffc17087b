"""Reviews by mail: asked for by an answer to a board's letter, sent once, with pictures."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.mail.reply_addresses import player_address
from sarsen.services.notices.digests import sweep_digests
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import OutgoingMail, Player, Review
from short_sight import ShortSight
from web_world import World

pytestmark = pytest.mark.django_db
GAME = "A3 C2 D3 D1 B4"


def think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return ShortSight(3)(position, seed)


def make_reviews(post: Any) -> None:
    while work_step(think, Stop(), timezone.now()):
        pass
    post.work()


def over(world: World, post: Any, **words: Any) -> int:
    board = world.board("visavis", GAME, options="-size=5", **words)
    post.work()
    for address in ("ann@example.org", "bob@example.org"):
        post.box(address)
    return board


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def last_letter_of_the_game(world: World, post: Any) -> EmailMessage:
    world.board("visavis", GAME, options="-size=5")
    post.work()
    letter = post.last("bob@example.org")
    assert "The game is over" in text_of(letter)
    return letter


def test_the_last_letter_of_a_game_is_answered_with_review_and_the_review_comes(post: Any) -> None:
    letter = last_letter_of_the_game(World(), post)
    post.answer(letter, "review")
    assert "being reviewed: it has 6 positions" in text_of(post.last("bob@example.org"))
    make_reviews(post)
    [review] = post.box("bob@example.org")
    assert review["Subject"] == letter["Subject"]
    assert review["References"] == letter["References"]
    assert "From move 5 on, ann has a proven win" in text_of(review)
    # It is asked for again, and comes at once.
    post.answer(review, "review")
    again = post.last("bob@example.org")
    assert "From move 5 on, ann has a proven win" in text_of(again)


def test_a_review_shows_each_turning_point_as_text_and_as_a_picture(post: Any) -> None:
    board = over(World(), post)
    post.send("ann@example.org", f"review {board}", to=player_address(World().player("ann")))
    post.box("ann@example.org")
    make_reviews(post)
    letter = post.last("ann@example.org")
    text, html = text_of(letter), html_of(letter)
    assert text.isascii()
    assert text.count("Better was ") == 4
    assert text.count(drawing.text(load("visavis").start("-size=5"))) == 1
    assert f"/boards/{board}/review/" in text
    assert f"/boards/{board}/review/" in html
    named = {part["Content-ID"] for part in letter.walk() if part.get_content_type() == "image/png"}
    assert named == {f"<turn-{at}>" for at in range(1, 5)}
    for name in named:
        assert f'src="cid:{name[1:-1]}"' in html
    assert letter["List-Unsubscribe"]


def test_the_own_mistakes_alone_are_offered_to_be_tried_again(post: Any) -> None:
    world = World()
    board = over(world, post)
    line = f"review {board} again"
    for userid in ("ann", "bob", "eve"):
        address = player_address(world.player(userid))
        post.send(f"{userid}@example.org", f"review {board}", to=address)
        post.box(f"{userid}@example.org")
    make_reviews(post)
    for userid in ("ann", "bob"):
        letter = post.last(f"{userid}@example.org")
        assert f"To try your mistakes again, reply with `{line}`." in text_of(letter)
        assert f">{line}</" in html_of(letter)
        post.answer(letter, line)
        task = post.last(f"{userid}@example.org")
        assert task["Subject"] == f"Review {board}, again 1/2"
        assert "You could have " in text_of(task)
    letter = post.last("eve@example.org")
    assert "Better was " in text_of(letter)
    assert "again" not in text_of(letter)
    assert f">{line}<" not in html_of(letter)


def test_a_review_is_german_in_both_parts(post: Any) -> None:
    board = over(World(), post)
    Player.objects.update(language="de")
    post.send("ann@example.org", f"review {board}", to=player_address(World().player("ann")))
    make_reviews(post)
    letter = post.last("ann@example.org")
    assert f"Deine Fehler noch einmal versuchen: Antworte mit `review {board} again`." in text_of(
        letter
    )
    html = html_of(letter)
    assert '<html lang="de">' in html
    assert "Deine Fehler noch einmal versuchen" in html
    for english in ("Review of", "A cross is", "Chances are", "on the web", "Stop these"):
        assert english not in html


def test_without_pictures_the_boards_stand_in_the_page_as_text(
    post: Any, settings: Settings
) -> None:
    settings.SARSEN_MAIL_PICTURES = False
    board = over(World(), post)
    post.send("ann@example.org", f"review {board}", to=player_address(World().player("ann")))
    make_reviews(post)
    letter = post.last("ann@example.org")
    assert "cid:" not in html_of(letter)
    assert html_of(letter).count("<pre") == 4
    assert not [part for part in letter.walk() if part.get_content_type() == "image/png"]


def test_a_review_is_mailed_once_however_often_the_workers_run(post: Any) -> None:
    board = over(World(), post)
    post.send("ann@example.org", f"review {board}", to=player_address(World().player("ann")))
    post.box("ann@example.org")
    for _ in range(3):
        make_reviews(post)
    assert len(post.box("ann@example.org")) == 1
    assert OutgoingMail.objects.filter(kind="review").count() == 1


def test_a_review_that_failed_is_told_with_how_to_ask_again(post: Any) -> None:
    board = over(World(), post)
    post.send("ann@example.org", f"review {board}", to=player_address(World().player("ann")))
    post.box("ann@example.org")
    Review.objects.update(attempts=99)
    make_reviews(post)
    letter = post.last("ann@example.org")
    assert "could not be made" in text_of(letter)
    assert f"    review {board}" in text_of(letter)


def test_by_password_the_old_way(post: Any) -> None:
    world = World()
    board = over(world, post)
    ann = world.player("ann")
    ann.set_password("open-sesame")
    ann.save()
    post.send("ann@example.org", f"visavis review {board} ann open-sesame")
    assert "being reviewed" in text_of(post.last("ann@example.org"))
    post.send("ann@example.org", "reviews ann open-sesame on")
    assert "all your games are reviewed" in text_of(post.last("ann@example.org"))
    ann.refresh_from_db()
    assert ann.wants_reviews


def test_in_the_digest_a_review_is_one_line_of_its_board(post: Any) -> None:
    world = World()
    board = over(world, post)
    address = player_address(world.player("ann"))
    post.send("ann@example.org", "notices review digest", to=address)
    post.send("ann@example.org", f"review {board}", to=address)
    post.box("ann@example.org")
    make_reviews(post)
    assert not post.box("ann@example.org")
    Player.objects.filter(key="ann").update(digest_due_at=timezone.now())
    sweep_digests(timezone.now())
    post.work()
    assert "the review you asked for" in text_of(post.last("ann@example.org"))
