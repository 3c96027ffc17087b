"""Deeds at the same moment on several connections: none locks another up, none is overwritten.

Each test holds a board, lets the other deed run until it waits for the board (where the
database lets it begin at all), and then does the rest of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone
from simulation.rating_audit import Game, rated

from sarsen.language.accounts import SignedOff
from sarsen.language.commands import (
    Accept,
    AutoAccept,
    ChangeNotices,
    ChangeTimezone,
    Command,
    MakeChallenge,
    PlayMove,
    Refuse,
    Resign,
    Show,
    SignOff,
    Subscribe,
    TakeVacation,
)
from sarsen.language.replies import BoardsShown, ChallengeStands, Moved, Reply, VacationTaken
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.services.players import mark
from sarsen.services.request import Actor
from sarsen.storage.models import (
    Address,
    Announcement,
    Challenge,
    Match,
    Player,
    Rating,
    Result,
    Standing,
)

pytestmark = [pytest.mark.django_db(transaction=True, reset_sequences=True), pytest.mark.postgres]


def player(userid: str, **channels: str) -> Actor:
    made = Player.objects.create(
        key=userid, userid=userid, joined_at=timezone.now(), channels=channels
    )
    Address.objects.create(player=made, address=f"{userid}@x.example", confirmed_at=timezone.now())
    return Actor(made)


def do(command: Command, actor: Actor) -> Reply:
    return perform(command, actor, "", timezone.now())


def proposed(*players: Actor) -> int:
    names = tuple(actor.name for actor in players)
    stands = do(MakeChallenge("druid", "-size=6", (), names), players[0])
    assert isinstance(stands, ChallengeStands)
    return stands.number


def begun(*players: Actor) -> int:
    stands = do(Accept(proposed(*players)), players[1])
    assert isinstance(stands, ChallengeStands)
    assert stands.board is not None
    return stands.board


def wait_until_somebody_waits(deed: Future[object]) -> None:
    """Return when another connection waits for a lock; SQLite lets nobody come so far."""
    if connection.vendor == "sqlite":
        return
    # For this one: other tests wait on the same server, too.
    asked = (
        "SELECT count(*) FROM pg_locks"
        " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )
    for _ in range(100_000):
        with connection.cursor() as cursor:
            cursor.execute(asked)
            if cursor.fetchone()[0] or deed.done():
                return
    raise AssertionError("nobody waits")


@contextmanager
def while_held(board: int, deed: Callable[[], object]) -> Iterator[Future[object]]:
    """Hold a board, begin a deed that runs into it, and do what stands in the block."""

    def elsewhere() -> object:
        try:
            return deed()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            matches.find(board, lock=True)
            later = pool.submit(elsewhere)
            wait_until_somebody_waits(later)
            yield later
        later.result(120)


@pytest.mark.parametrize("channel", ["mail", "digest"])
def test_vacation_and_a_move_of_the_opponent_at_once(channel: str) -> None:
    ann, bob = player("ann"), player("bob", turn=channel)
    board = begun(ann, bob)
    today = timezone.now().date()
    away = TakeVacation(today.isoformat(), (today + timedelta(days=3)).isoformat())
    # It is bob's turn at the start of the vacation, so that the vacation looks at the board.
    do(PlayMove("", board, "a1"), ann)
    do(PlayMove("", board, "b1"), bob)
    do(PlayMove("", board, "c1"), ann)
    with while_held(board, lambda: do(away, bob)) as vacation:
        do(Resign("", board, True), ann)
    assert isinstance(vacation.result(), VacationTaken)


def test_change_of_the_time_zone_and_the_end_of_a_game_at_once() -> None:
    ann, bob = player("ann"), player("bob", ended="digest")
    board = begun(ann, bob)
    do(PlayMove("", board, "a1"), ann)
    with while_held(board, lambda: do(ChangeTimezone("Europe/Berlin"), bob)) as change:
        do(Resign("", board, True), ann)
    assert change.result()
    assert Player.objects.get(key="bob").timezone == "Europe/Berlin"


def test_signing_off_and_the_end_of_a_game_at_once() -> None:
    ann, bob = player("ann"), player("bob")
    first, second = begun(ann, bob), begun(bob, ann)
    with while_held(second, lambda: do(SignOff(True), bob)) as leaving:
        do(Resign("", second, True), ann)
    assert isinstance(leaving.result(), SignedOff)
    scores = dict(Match.objects.values_list("pk", "scores"))
    assert scores == {first: [1.0, 0.0], second: [1.0, 0.0]}
    assert Standing.objects.get(player__key="ann").won == 1


def test_challenge_accepted_while_its_maker_signs_off_is_resigned_like_any_board() -> None:
    ann, bob = player("ann"), player("bob")
    number = proposed(bob, ann)
    started, left = threading.Event(), threading.Event()

    def leave() -> object:
        try:
            started.wait(120)
            return do(SignOff(True), bob)
        finally:
            left.set()
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        leaving = pool.submit(leave)
        with transaction.atomic():
            do(Accept(number), ann)
            started.set()
            wait_until_somebody_waits(leaving)
        leaving.result(120)
    assert Challenge.objects.get().state == Challenge.State.STARTED
    assert Match.objects.get().scores == [0.0, 1.0]


def test_move_and_an_announcement_of_its_board_at_once() -> None:
    ann, bob, cy = player("ann"), player("bob"), player("cy", watched="digest")
    board = begun(ann, bob)
    do(Subscribe((str(board),)), cy)
    Announcement.objects.create(
        audience="watchers",
        event="watched",
        kind="watched",
        match_id=board,
        facts={"board": board, "ply": 0, "event": 0, "is_over": False},
        made_at=timezone.now(),
    )
    with while_held(board, lambda: sweep_announcements(timezone.now())) as told:
        assert isinstance(do(PlayMove("", board, "a1"), ann), Moved)
    assert told.result() == 1


def test_two_pages_of_one_player_add_to_their_lists_and_none_is_lost() -> None:
    first, _, _ = player("ann"), player("bob"), player("cy")
    second = Actor(Player.objects.get(key="ann"))
    for actor, name, event in ((first, "bob", "turn"), (second, "cy", "moved")):
        do(Refuse((name,)), actor)
        do(AutoAccept((name,)), actor)
        do(ChangeNotices(event, "digest"), actor)
    ann = Player.objects.get(key="ann")
    assert (ann.refuses, ann.accepts) == (["bob", "cy"], ["bob", "cy"])
    assert ann.channels == {"turn": "digest", "moved": "digest"}


def test_query_waits_for_no_writer() -> None:
    ann, bob = player("ann"), player("bob")
    board = begun(ann, bob)

    def look() -> Reply:
        try:
            return do(Show("", ((board, None),)), bob)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        do(PlayMove("", board, "a1"), ann)
        assert pool.submit(look).result(120) == BoardsShown(((board, None),))


def test_two_games_of_one_player_that_end_at_once_are_rated_in_the_order_of_their_ends() -> None:
    ann, bob, cy = player("ann"), player("bob"), player("cy")
    first, second = begun(ann, bob), begun(ann, cy)
    for board, other in ((first, bob), (second, cy)):
        for actor, move in ((ann, "a1"), (other, "b1"), (ann, "a2"), (other, "b2")):
            do(PlayMove("", board, move), actor)
    sooner = timezone.now()
    later = sooner + timedelta(seconds=1)

    def end_the_first() -> Reply:
        try:
            return perform(Resign("", first, True), bob, "", sooner)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            # What ends later is written sooner.
            perform(Resign("", second, True), cy, "", later)
            waiting = pool.submit(end_the_first)
            wait_until_somebody_waits(waiting)
        waiting.result(120)
    games = [Game("druid", ("ann", "bob"), 1.0, sooner), Game("druid", ("ann", "cy"), 1.0, later)]
    wanted = rated(games)
    for row in Rating.objects.select_related("player"):
        assert row.rating == pytest.approx(wanted[row.player.key, "druid"].strength.rating)
    assert Rating.objects.count() == 3
    assert Result.objects.get(match=first, seat=0).before_rating == 1500


def test_an_account_is_marked_as_a_programs_without_a_transaction_around_it() -> None:
    # As the API and the account's page do: PostgreSQL locks no row outside of one.
    ann = player("ann").player
    assert ann is not None
    mark(ann, is_program=True)
    assert Player.objects.get(key="ann").is_bot
