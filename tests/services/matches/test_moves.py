"""Moves are judged before their transaction, and cost the database few questions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import sarsen.games
from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import AskUndo, Confirm, PlayMove, Submit
from sarsen.language.replies import Moved
from sarsen.services import dispatch
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.board_cache import forget_rules
from sarsen.services.dispatch import perform
from sarsen.services.matches import moves
from sarsen.services.request import Actor, Request
from sarsen.storage.models import Match, MatchEvent, OutgoingMail
from web_world import NOW, World

pytestmark = pytest.mark.django_db(transaction=True)
GAMES = Path(next(iter(sarsen.games.__path__)))
# BEGIN and COMMIT among them. PostgreSQL asks for one lock more, by which `signoff forget` waits
# for the commands of its player; SQLite has one writer at a time.
MAX_STATEMENTS = 14 + (connection.vendor == "postgresql")


@contextmanager
def rules_in_transactions() -> Iterator[set[str]]:
    """Note the files of the games that are run while a transaction is open."""
    found: set[str] = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and connection.in_atomic_block:
            file = Path(frame.f_code.co_filename)
            # What a game is called, and where it is, is no rule of it.
            if GAMES in file.parents and file.name != "__init__.py":
                found.add(f"{file.parent.name}/{file.name} {frame.f_code.co_name}")

    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)


@pytest.fixture(autouse=True)
def unknown_rulings() -> None:
    """An earlier test may have played the same."""
    forget_rules()


def first_move(game: str) -> str:
    position = sarsen.games.load(game).start()
    return position.format(position.legal_moves()[0])


def test_no_rules_of_any_game_run_while_the_database_is_held() -> None:
    world = World()
    boards, ann = {game: world.board(game) for game in names()}, Actor(world.player("ann"))
    with rules_in_transactions() as found:
        for game, board in boards.items():
            perform(PlayMove(game, board, first_move(game)), ann, f"of {game}", NOW)
    assert {match.ply for match in Match.objects.all()} == {1}
    assert found == set()


def test_refused_move_is_judged_before_its_transaction_too() -> None:
    world = World()
    board, ann = world.board(), Actor(world.player("ann"))
    with rules_in_transactions() as found, pytest.raises(UserError, match="z9"):
        perform(PlayMove("", board, "z9"), ann, "one", NOW)
    assert found == set()


def test_move_put_forward_is_judged_before_the_yes_plays_it() -> None:
    world = World()
    board, ann = world.board(), Actor(world.player("ann"))
    perform(Submit("", board, "b8"), ann, "", NOW)
    forget_rules()
    with rules_in_transactions() as found:
        perform(Confirm("", board), ann, "", NOW)
    assert Match.objects.get(pk=board).ply == 1
    assert found == set()


def test_move_is_judged_anew_when_the_board_has_changed_meanwhile() -> None:
    """What was prejudged for the position before does not count for the position now."""
    world = World()
    board, ann, bob = world.board(), Actor(world.player("ann")), Actor(world.player("bob"))
    command = PlayMove("", board, "b8")
    late = prejudged(command, ann)
    # While ann's move waits for its transaction both play, and b8 is taken.
    perform(PlayMove("", board, "a1"), ann, "", NOW)
    perform(PlayMove("", board, "b8"), bob, "", NOW)
    with pytest.raises(UserError) as refused:
        dispatch._perform_once(dispatch.HANDLERS[PlayMove], command, late, "late", "")
    assert refused.value.code.startswith("druid.")
    assert Match.objects.get(pk=board).ply == 2


def test_move_that_was_refused_before_an_undo_is_judged_anew_after_it() -> None:
    world = World()
    board, ann, bob = world.board(moves="a1 b8"), *map(Actor, map(world.player, ("ann", "bob")))
    late = PlayMove("", board, "b8")
    boards = prejudged(late, ann).boards  # refused: b8 is taken
    perform(AskUndo("", board), ann, "", NOW)
    perform(Confirm("", board), bob, "", NOW)
    assert isinstance(perform(late, ann, "", NOW, boards=boards), Moved)


def test_move_asks_the_database_no_more_than_is_promised() -> None:
    world = World()
    boards = [world.board(), world.board()]
    for userid in ("ann", "bob"):
        player = world.player(userid)
        player.has_stream = True
        player.save()
    ann = Actor(world.player("ann"))
    perform(PlayMove("", boards[0], "b8"), ann, "first", NOW)
    with CaptureQueriesContext(connection) as asked:
        perform(PlayMove("", boards[1], "b8"), ann, "second", NOW)
    assert MatchEvent.objects.filter(match=boards[1]).count() == 1
    assert OutgoingMail.objects.filter(match=boards[1], event="turn").count() == 1
    assert len(asked) <= MAX_STATEMENTS, [one["sql"][:90] for one in asked]


def prejudged(command: PlayMove, actor: Actor) -> Request:
    """Return a request whose move is judged, but not played."""
    request = Request(actor, NOW, AFTER_EVENTS)
    moves.prepare_move(command, request)
    return request
