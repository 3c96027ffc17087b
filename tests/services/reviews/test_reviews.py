"""Reviews: who may ask, made in pieces, told once, never of a game that still runs."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.language.commands import (
    ChangeNotices,
    PlayMove,
    Resign,
    SetReviews,
    ShowReview,
)
from sarsen.language.replies import ReviewAsked, ReviewShown, ReviewsSet, decode, encode, sentence
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services import limits
from sarsen.services.dispatch import perform
from sarsen.services.request import NOBODY, Actor
from sarsen.services.reviews import making
from sarsen.services.reviews.making import CLAIM_LASTS, MOST_ATTEMPTS, work_step
from sarsen.services.reviews.view import view_line, view_proof, view_review
from sarsen.storage.models import DigestItem, Match, OutgoingMail, Player, Review, ReviewWish
from short_sight import ShortSight
from web_world import NOW, World

GAME = "A3 C2 D3 D1 B4"
SIGHT = ShortSight(3)


def think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return SIGHT(position, seed)


@pytest.fixture
def world(db: None) -> World:
    return World()


def over(world: World, moves: str = GAME, **words: Any) -> int:
    return world.board("visavis", moves, options="-size=5", **words)


def ask(world: World, board: int, userid: str = "ann", now: datetime = NOW) -> ReviewAsked:
    reply = perform(ShowReview("", board), Actor(world.player(userid)), "", now)
    assert isinstance(reply, ReviewAsked)
    return reply


def show(world: World, board: int, userid: str = "ann") -> ReviewShown:
    actor = Actor(world.player(userid)) if userid else NOBODY
    reply = perform(ShowReview("", board), actor, "", NOW)
    assert isinstance(reply, ReviewShown)
    return reply


def work(most: int = 500, now: datetime = NOW) -> int:
    """Do steps until nothing waits, or so many; give how many."""
    steps = 0
    while steps < most and work_step(think, Stop(), now):
        steps += 1
    return steps


def letters(userid: str = "ann") -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(kind="review", player__key=userid))


def refused(world: World, board: int, userid: str = "ann", game: str = "") -> UserError:
    actor = Actor(world.player(userid)) if userid else NOBODY
    with pytest.raises(UserError) as caught:
        perform(ShowReview(game, board), actor, "", NOW)
    return caught.value


def test_a_review_is_asked_for_made_and_told_once_and_then_shown_to_all(world: World) -> None:
    board = over(world)
    asked = ask(world, board)
    assert (asked.done, asked.of, asked.is_new) == (0, 6, True)
    assert "all its 6 positions are looked at" in sentence(asked)
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
    assert not ReviewWish.objects.filter(told_at=None).exists()


def test_the_words_name_the_moves_the_proof_and_nothing_invented(world: World) -> None:
    board = over(world)
    ask(world, board)
    work()
    said = sentence(show(world, board))
    assert "From ply 5 on ann wins, proved: there is an answer to whatever bob plays." in said
    assert "4 moves gave much away." in said
    assert (
        "Ply 1: ann played A3. Better was B4: it wins within 3 plies, proved; A3 loses, proved."
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
    monkeypatch.setitem(limits.MOST_A_DAY, "review", 1)
    ask(world, board)
    assert not ask(world, board).is_new, "to ask again for the same is no second deed"
    flood = refused(world, over(world))
    assert flood.code == "review-flood"
    assert "The next one is possible in 24 hours" in flood.text


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
    assert not ReviewWish.objects.filter(told_at=None).exists()


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
    assert "It ended too early for bob: X resigned. bob stood there: won, proved." in said


def test_who_is_killed_at_a_step_leaves_it_to_the_next_who_goes_on_there(world: World) -> None:
    board = over(world)
    ask(world, board)
    assert work(3) == 3
    kept = Review.objects.get(match=board).findings

    class Killed(BaseException):
        pass

    def die(*_: object) -> Thought:
        raise Killed

    def work_until_killed() -> None:
        while work_step(die, Stop(), NOW):
            pass

    with pytest.raises(Killed):
        work_until_killed()
    # Nothing was lost, nothing half written; for a while nobody else takes it.
    stored = Review.objects.get(match=board)
    assert stored.findings["looks"][:3] == kept["looks"]
    done = len(stored.findings["looks"])
    assert work() == 0
    before = len(SIGHT.thoughts)
    assert work(now=NOW + CLAIM_LASTS) > 0
    again = SIGHT.thoughts[before:]
    assert len(set(again)) == len(again)
    whole = Review.objects.get(match=board).findings
    assert whole["looks"][:done] == stored.findings["looks"]
    assert len(letters()) == 1


def test_a_step_that_fails_every_time_ends_the_review_and_its_asker_is_told(world: World) -> None:
    board = over(world)
    ask(world, board)

    def fail(*_: object) -> Thought:
        raise RuntimeError("the net is damaged")

    now, attempts = NOW, 0
    work(1)  # the last position of this game needs no thought
    while True:
        try:
            if not work_step(fail, Stop(), now):
                break
        except RuntimeError:
            attempts += 1
            now += CLAIM_LASTS
        assert attempts <= MOST_ATTEMPTS
    assert attempts == MOST_ATTEMPTS
    assert Review.objects.get(match=board).state == Review.State.FAILED
    assert view_review(board, None).has_failed
    assert len(letters()) == 1
    # To ask again begins again, from where it was.
    assert ask(world, board, now=now).done > 0
    work(now=now)
    assert show(world, board).review.proved_ply == 5
    assert len(letters()) == 2


def test_what_is_cut_short_for_something_urgent_is_given_back_as_it_was(world: World) -> None:
    board = over(world)
    ask(world, board)
    work(2)
    before = Review.objects.get(match=board)
    stop = Stop()
    stop.set()
    assert work_step(think, stop, NOW)
    after = Review.objects.get(match=board)
    assert (after.findings, after.steps, after.attempts) == (before.findings, before.steps, 0)
    assert after.due_at == NOW
    work()
    assert len(letters()) == 1


def test_two_thinkers_at_one_review_do_no_step_twice(world: World) -> None:
    board = over(world)
    ask(world, board)
    work(1)

    def slow(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
        # Our claim runs out while we think: another thinker does this step, and the next.
        for _ in range(2):
            work_step(think, Stop(), NOW + CLAIM_LASTS)
        return think(game, position, seed, budget, stop)

    # The next position but one is the first that needs a thought.
    while Review.objects.get(match=board).steps < 3:
        assert work_step(slow, Stop(), NOW)
        review = Review.objects.get(match=board)
        assert len(review.findings["looks"]) == review.steps
    assert Review.objects.get(match=board).steps >= 4, "the other's steps stand"
    work(now=NOW + 2 * CLAIM_LASTS)
    review = Review.objects.get(match=board)
    assert review.state == Review.State.DONE
    assert len(review.findings["looks"]) == 6
    assert len(letters()) == 1


def test_the_oldest_review_is_done_first_and_to_its_end(world: World) -> None:
    first, second = over(world), over(world)
    ask(world, first, now=NOW + timedelta(seconds=1))
    ask(world, second, now=NOW)
    work(4, now=NOW + timedelta(seconds=2))
    assert Review.objects.get(match=first).steps == 0
    assert Review.objects.get(match=second).steps == 4


def test_the_time_for_a_review_is_shared_among_its_positions(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.reviews.making.REVIEW_SECONDS", 3)
    board = over(world)
    ask(world, board)
    given = []

    def noting(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
        given.append(budget.seconds)
        return think(game, position, seed, budget, stop)

    while work_step(noting, Stop(), NOW):
        pass
    assert set(given) == {0.5}


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
    assert list(ReviewWish.objects.values_list("player__key", flat=True)) == ["ann"]
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
