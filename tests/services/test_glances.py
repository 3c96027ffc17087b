"""What an answer draws of a move just played is what a second look at the store would show."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sarsen.core.errors import UserError
from sarsen.language.commands import PlayMove, QueueMoves, TakeVacation
from sarsen.language.replies import Moved, Reply, ShownBoard
from sarsen.services.dispatch import perform
from sarsen.services.matches.current_positions import Glance, glance, remembered_plays
from sarsen.services.request import Actor
from web_world import NOW, World

pytestmark = pytest.mark.django_db


def shown_of(reply: Reply) -> ShownBoard:
    assert isinstance(reply, Moved)
    return reply.shows[0]


def facts_of(seen: Glance) -> tuple[object, ...]:
    drawn = (seen.position.write(), seen.position.effects())
    return seen.title, seen.players, *drawn, seen.to_move, seen.result, seen.clock


def both(world: World, board: int, game: str, text: str, who: str = "ann") -> tuple[Glance, Glance]:
    """Play a move; give what is at hand then, and what is looked up afterwards."""
    player = world.player(who)
    with remembered_plays():
        shown = shown_of(perform(PlayMove(game, board, text), Actor(player), "", NOW))
        with CaptureQueriesContext(connection) as asked:
            at_hand = glance(shown, player)
    assert not asked.captured_queries
    return at_hand, glance(shown, player)


@pytest.mark.parametrize("terms", [(), ("--totaltime=30",), ("--private",), ("--weekends=off",)])
def test_move_just_played_is_drawn_as_a_second_look_shows_it(terms: tuple[str, ...]) -> None:
    world = World()
    board = world.board(moves="b8 b5", terms=terms)
    at_hand, looked_up = both(world, board, "druid", "c3")
    assert facts_of(at_hand) == facts_of(looked_up)
    assert at_hand.to_move == 1
    assert at_hand.clock is not None


def test_move_that_plans_answered_is_drawn_behind_their_moves() -> None:
    world = World()
    board = world.board()
    perform(QueueMoves("druid", board, "if b8 then b5"), Actor(world.player("bob")), "", NOW)
    at_hand, looked_up = both(world, board, "druid", "b8")
    assert facts_of(at_hand) == facts_of(looked_up)
    assert at_hand.to_move == 0


def test_whoever_was_ever_away_is_looked_up() -> None:
    world = World()
    board = world.board()
    perform(TakeVacation("today", "tomorrow"), Actor(world.player("bob")), "", NOW)
    player = world.player("ann")
    with remembered_plays():
        shown = shown_of(perform(PlayMove("druid", board, "b8"), Actor(player), "", NOW))
        clock = glance(shown, player).clock
    assert clock is not None
    assert [one.userid for one in clock.away] == ["bob"]
    assert clock.due_at - NOW > timedelta(days=1)


def test_board_that_has_moved_on_at_hand_is_looked_up() -> None:
    world = World()
    board = world.board()
    ann, bob = world.player("ann"), world.player("bob")
    with remembered_plays():
        shown = shown_of(perform(PlayMove("druid", board, "b8"), Actor(ann), "", NOW))
        perform(PlayMove("druid", board, "b5"), Actor(bob), "", NOW)
        seen = glance(shown, ann)
    assert seen.to_move is None
    assert facts_of(seen) == facts_of(glance(shown, ann))


def test_private_board_at_hand_is_shown_to_nobody_else() -> None:
    world = World()
    board = world.board(terms=("--private",))
    with remembered_plays():
        reply = perform(PlayMove("druid", board, "b8"), Actor(world.player("ann")), "", NOW)
        for other in (None, world.player("eve")):
            with pytest.raises(UserError, match="There is no board"):
                glance(shown_of(reply), other)


def test_move_that_ends_the_game_is_drawn_with_its_result() -> None:
    world = World()
    moves = "231132 231321 12x11=46 63-62x61=22 14-15x16=33 64-34"
    board = world.board("gyges", moves=moves)
    at_hand, looked_up = both(world, board, "gyges", "15-34-46-66-N")
    assert facts_of(at_hand) == facts_of(looked_up)
    assert (at_hand.to_move, at_hand.clock) == (None, None)
    assert at_hand.result
