"""Reviews: who may ask, made in pieces, told once, never of a game that still runs."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    ChangeNotices,
    PlayMove,
    Resign,
    SetReviews,
    ShowReview,
)
from sarsen.language.replies import ReviewsSet, decode, encode, sentence
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.request import Actor
from sarsen.services.reviews import making
from sarsen.services.reviews.view import view_line, view_proof, view_review
from sarsen.storage.models import DigestItem, Match, Player, Review, ReviewRequest
from services.reviews.conftest import ask, letters, over, refused, show, work
from web_world import NOW, World


def test_a_review_is_asked_for_made_and_told_once_and_then_shown_to_all(world: World) -> None:
    board = over(world)
    asked = ask(world, board)
    assert (asked.done, asked.of, asked.is_new) == (0, 6, True)
    assert "it has 6 positions" in sentence(asked)
    assert not letters()
    assert work() > 6
    assert [letter.facts for letter in letters()] == [{"board": board}]
    assert work() == 0
    for reader in ("ann", "bob", "cyd", ""):
        reply = decode(encode(show(world, board, reader)))
        assert reply.review.proved_ply == 5
        assert reply.review.proved_for == "ann"
    assert len(letters()) == 1
    assert not letters("bob"), "only who asked is told"


def test_a_review_that_is_done_just_before_it_is_asked_for_is_shown(world: World) -> None:
    board = over(world)
    ask(world, board, "bob")

    def done_meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("INSERT") and Review.objects.filter(state="waiting").exists():
            work()
        return execute(sql, *rest)

    with connection.execute_wrapper(done_meanwhile):
        assert show(world, board).board == board
    assert not ReviewRequest.objects.filter(told_at=None).exists()


def test_the_words_name_the_moves_the_proof_and_nothing_invented(world: World) -> None:
    board = over(world)
    ask(world, board)
    work()
    said = sentence(show(world, board))
    assert "From move 5 on, ann has a proven win: there is an answer to every move." in said
    assert "4 moves cost a lot." in said
    assert (
        "Move 1: ann played A3. Better was B4: it wins within 3 moves (proven); A3 loses (proven)."
        in said
    )
    assert "1. B4 2. D1 3. D3" in said


def test_a_game_that_still_runs_is_never_reviewed(world: World) -> None:
    for terms in ((), ("--unrated",)):
        board = over(world, "A3 C2", terms=terms)
        assert refused(world, board).code == "review-running"
        assert not Review.objects.exists()
        assert view_review(board, None).has_ended is False
        for look in (
            lambda number: view_line(number, 1, 0, None),
            lambda n: view_proof(n, (), None),
        ):
            with pytest.raises(UserError):
                look(board)


def test_an_unknown_board_and_a_private_one_of_others_are_refused_alike(world: World) -> None:
    board = over(world, terms=("--private",))
    ask(world, board)
    work()
    unknown = refused(world, 98765, "cyd")
    hidden = refused(world, board, "cyd")
    assert (hidden.code, hidden.text) == ("unknown-board", f"There is no board {board}.")
    assert unknown.code == hidden.code
    for look in (view_review, lambda one, who: view_line(one, 1, 0, who)):
        with pytest.raises(UserError, match="There is no board"):
            look(board, world.player("cyd"))
        assert look(board, world.player("bob"))
    assert show(world, board, "bob").board == board


def test_other_refusals_teach(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = over(world, "")
    perform(Resign("visavis", empty, confirmed=True), Actor(world.player("ann")), "", NOW)
    assert refused(world, empty).code == "review-empty"
    board = over(world)
    assert refused(world, board, "").code == "who-speaks"
    assert refused(world, board, game="druid").code == "other-game"
    monkeypatch.setitem(daily.MAX_A_DAY, "review", 1)
    ask(world, board)
    assert not ask(world, board).is_new, "to ask again for the same is no second deed"
    flood = refused(world, over(world))
    assert flood.code == "review-flood"
    assert "Try again in 24 hours" in flood.text


def test_a_server_on_which_nobody_thinks_makes_no_reviews(world: World, settings: Settings) -> None:
    settings.SARSEN_BOTS = False
    perform(SetReviews(are_on=True), Actor(world.player("ann")), "", NOW)
    assert refused(world, over(world)).code == "review-off"
    assert not Review.objects.exists()


def test_everybody_who_asked_is_told_once_by_the_channel_of_their_choice(world: World) -> None:
    board = over(world)
    perform(ChangeNotices("review", "digest"), Actor(world.player("bob")), "", NOW)
    for userid in ("ann", "bob", "cyd"):
        ask(world, board, userid)
        ask(world, board, userid)
    work()
    assert [len(letters(userid)) for userid in ("ann", "bob", "cyd")] == [1, 0, 1]
    assert DigestItem.objects.filter(player__key="bob", event="review").count() == 1
    assert not ReviewRequest.objects.filter(told_at=None).exists()


def test_with_reviews_on_every_game_that_ends_is_reviewed(world: World) -> None:
    for userid in ("ann", "bob"):
        world.player(userid)
    set_to = perform(SetReviews(are_on=True), Actor(world.player("ann")), "", NOW)
    assert set_to == ReviewsSet(are_on=True)
    by_move = over(world)
    resigned = over(world, "A3 C2")
    perform(Resign("visavis", resigned, confirmed=True), Actor(world.player("bob")), "", NOW)
    unplayed = over(world, "")
    perform(Resign("visavis", unplayed, confirmed=True), Actor(world.player("bob")), "", NOW)
    assert sorted(Review.objects.values_list("match", flat=True)) == [by_move, resigned]
    work()
    assert {letter.facts["board"] for letter in letters()} == {by_move, resigned}
    assert not letters("bob")
    perform(SetReviews(are_on=False), Actor(world.player("ann")), "", NOW)
    assert not Review.objects.filter(match=over(world)).exists()


def test_who_resigned_too_early_is_told_so(world: World) -> None:
    board = over(world, "A3")
    # bob is to move, and wins with C4 whatever ann plays.
    perform(Resign("visavis", board, confirmed=True), Actor(world.player("bob")), "", NOW)
    ask(world, board)
    work()
    said = sentence(show(world, board))
    told = "The game ended too early for bob: X resigned. bob's position then: won (proven)."
    assert told in said


def test_a_review_waits_while_a_rated_game_stands_in_one_of_its_positions(world: World) -> None:
    moves = "B2 D2 A3 D3 E3 D5 D4 E2 B4"
    board = over(world, moves)
    rated = over(world, "B2 D2 A3 D3", players=("ann", "cyd"))
    other = over(world, "B2 D2 A3 D3", players=("cyd", "dan"))
    ask(world, board)
    work()
    assert Review.objects.get(match=board).steps == 0
    perform(PlayMove("visavis", rated, "D4"), Actor(world.player("ann")), "", NOW)
    work(now=NOW + making.LOOK_AGAIN)
    assert Review.objects.get(match=board).state == Review.State.DONE
    assert Match.objects.get(pk=other).ended_at is None


def test_a_review_waits_for_a_rated_game_that_is_the_same_when_turned(world: World) -> None:
    board = over(world, "B2 D2 A3 D3 E3 D5 D4 E2 B4")
    over(world, "A3 D2 B3 D3", players=("ann", "cyd"))
    ask(world, board)
    work()
    assert Review.objects.get(match=board).steps == 0


def test_a_review_waits_for_a_rated_game_that_gets_its_position_with_the_next_move(
    world: World,
) -> None:
    board = over(world, "B2 D2 A3 D3 E3 D5 D4 E2 B4")
    over(world, "E3 D2 B2 D3", players=("ann", "cyd"))  # A3 is a candidate there
    ask(world, board)
    work()
    assert Review.objects.get(match=board).steps == 0


def test_a_review_waits_for_a_rated_game_with_options_that_leave_the_board_as_it_is(
    world: World,
) -> None:
    moves = "c1 b2 b3 c3 d4 a4"
    board = world.board("druid", moves, options="-size=5")
    perform(Resign("druid", board, confirmed=True), Actor(world.player("ann")), "", NOW)
    world.board("druid", moves, options="-size=5 -exact", players=("ann", "cyd"))
    ask(world, board)
    work()
    assert Review.objects.get(match=board).steps == 0


def test_a_review_waits_for_a_rated_game_without_the_swap_that_it_has(world: World) -> None:
    board = world.board("druid", "c1 swap b2 b3 c3 d4 a4", options="-size=5 -swap")
    perform(Resign("druid", board, confirmed=True), Actor(world.player("ann")), "", NOW)
    world.board("druid", "c1 b2 b3 c3 d4 a4", options="-size=5", players=("ann", "cyd"))
    ask(world, board)
    work()
    assert Review.objects.get(match=board).steps == 0


@pytest.mark.parametrize("how", ["the game ends", "somebody asks again"])
def test_a_review_that_waited_goes_on_at_once(world: World, how: str) -> None:
    board = over(world, "B2 D2 A3 D3 E3 D5 D4 E2 B4")
    rated = over(world, "B2 D2 A3 D3", players=("ann", "cyd"))
    ask(world, board)
    work()
    assert Review.objects.get(match=board).steps == 0
    later = NOW + timedelta(minutes=1)
    if how == "the game ends":
        perform(Resign("visavis", rated, confirmed=True), Actor(world.player("cyd")), "", later)
    else:
        perform(PlayMove("visavis", rated, "D4"), Actor(world.player("ann")), "", later)
        perform(ShowReview("visavis", board), Actor(world.player("bob")), "", later)
    work(now=later)
    assert Review.objects.get(match=board).state == Review.State.DONE


def test_why_a_review_waits_is_told_to_the_player_of_the_running_game_alone(world: World) -> None:
    board = over(world, "B2 D2 A3 D3 E3 D5 D4 E2 B4")
    over(world, "B2 D2 A3 D3", players=("ann", "cyd"))
    told = "stands where this review would help"
    assert told in sentence(ask(world, board, "ann"))
    assert told not in sentence(ask(world, board, "bob"))
    assert view_review(board, world.player("ann")).waits
    assert not view_review(board, world.player("bob")).waits


def test_no_advice_is_held_back_for_unrated_games_or_other_terms(world: World) -> None:
    moves = "B2 D2 A3 D3 E3 D5 D4 E2 B4"
    board = over(world, moves)
    over(world, "B2 D2 A3 D3", players=("ann", "cyd"), terms=("--unrated",))
    over(world, "B2 D2", players=("ann", "cyd"))
    ask(world, board)
    work()
    assert Review.objects.get(match=board).state == Review.State.DONE


def test_findings_of_an_older_version_are_made_anew(world: World) -> None:
    board = over(world)
    ask(world, board)
    work()
    review = Review.objects.get(match=board)
    review.findings = {**review.findings, "version": 0}
    review.save()
    assert view_review(board, None).review is None
    assert ask(world, board).done == 0
    work()
    assert show(world, board).review.proved_ply == 5


def test_a_line_and_a_proof_can_be_stepped_through_and_left_nowhere(world: World) -> None:
    board = over(world, "E3 D4 B2 E2")
    ask(world, board)
    work()
    place = view_line(board, 1, 0, None)
    for step in range(len(place.line) + 1):
        there = view_line(board, 1, step, None)
        assert there.step == step
    assert there.position.outcome() is not None
    for wrong in ((1, len(place.line) + 1), (0, 0), (7, 0)):
        with pytest.raises(UserError, match="no such line"):
            view_line(board, *wrong, None)
    root = view_proof(board, (), None)
    assert (root.winner, root.loser, root.is_winners, root.ply) == ("bob", "ann", True, 2)
    path: tuple[str, ...] = ()
    while root.position.outcome() is None:
        text = root.answer if root.is_winners else next(t for t, known in root.replies if known)
        path = (*path, text)
        root = view_proof(board, path, None)
    assert root.position.outcome().scores[1] == 1.0
    # C4 is legal, and not what the proof plays.
    for nonsense in (("Z9",), ("D4", "A1"), ("C4",)):
        with pytest.raises(UserError):
            view_proof(board, nonsense, None)


def test_bots_and_those_who_have_left_are_not_written_to(world: World) -> None:
    bot = world.player("bob")
    Player.objects.filter(pk=bot.pk).update(is_bot=True, wants_reviews=True)
    Player.objects.filter(key="ann").update(wants_reviews=True, is_active=True)
    world.player("ann")
    Player.objects.filter(key="ann").update(wants_reviews=True)
    board = over(world)
    assert list(ReviewRequest.objects.values_list("player__key", flat=True)) == ["ann"]
    Player.objects.filter(key="ann").update(is_active=False)
    work()
    assert not letters()
    assert Review.objects.get(match=board).state == Review.State.DONE


def test_showing_and_asking_for_reviews_never_loads_numba() -> None:
    program = (
        "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'sarsen.server.settings'\n"
        "import sys, json, django; django.setup()\n"
        "import sarsen.server.urls, sarsen.doors.mail.letters, sarsen.doors.mail.jobs\n"
        "import sarsen.workers.jobs, sarsen.workers.thinking.thinker, sarsen.services.dispatch\n"
        "print(json.dumps([name for name in ('numba', 'numpy') if name in sys.modules]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == []
