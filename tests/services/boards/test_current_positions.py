"""What an answer draws of a move just played is what a second look at the store would show."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sarsen.core.errors import UserError
from sarsen.language.commands import PlayMove, QueueMoves, TakeVacation
from sarsen.language.replies import Moved, Reply, ShownBoard
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.current_positions import BoardSummary, summarize_board
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from web_world import NOW, World

pytestmark = pytest.mark.django_db


def shown_of(reply: Reply) -> ShownBoard:
    assert isinstance(reply, Moved)
    return reply.shown_boards[0]


def facts_of(seen: BoardSummary) -> tuple[object, ...]:
    drawn = (seen.position.write(), seen.position.effects())
    return seen.title, seen.players, *drawn, seen.to_move, seen.result, seen.clock


def both(
    world: World, board: int, game: str, text: str, who: str = "ann"
) -> tuple[BoardSummary, BoardSummary]:
    """Play a move; return what its request knows then, and what is looked up afterwards."""
    player = world.player(who)
    boards = BoardCache()
    command = PlayMove(game, board, text)
    shown = shown_of(perform(command, Actor(player), "", NOW, boards=boards))
    with CaptureQueriesContext(connection) as asked:
        played = summarize_board(shown, player, boards)
    assert not asked.captured_queries
    return played, summarize_board(shown, player, BoardCache())


@pytest.mark.parametrize("terms", [(), ("--totaltime=30",), ("--private",), ("--weekends=off",)])
def test_move_just_played_is_drawn_as_a_second_look_shows_it(terms: tuple[str, ...]) -> None:
    world = World()
    board = world.board(moves="b8 b5", terms=terms)
    played, looked_up = both(world, board, "druid", "c3")
    assert facts_of(played) == facts_of(looked_up)
    assert played.to_move == 1
    assert played.clock is not None


def test_move_that_plans_answered_is_drawn_behind_their_moves() -> None:
    world = World()
    board = world.board()
    perform(QueueMoves("druid", board, "if b8 then b5"), Actor(world.player("bob")), "", NOW)
    played, looked_up = both(world, board, "druid", "b8")
    assert facts_of(played) == facts_of(looked_up)
    assert played.to_move == 0


def test_vacations_of_players_who_were_ever_away_are_looked_up() -> None:
    world = World()
    board = world.board()
    perform(TakeVacation("today", "tomorrow"), Actor(world.player("bob")), "", NOW)
    player = world.player("ann")
    boards = BoardCache()
    command = PlayMove("druid", board, "b8")
    shown = shown_of(perform(command, Actor(player), "", NOW, boards=boards))
    clock = summarize_board(shown, player, boards).clock
    assert clock is not None
    assert [one.userid for one in clock.away] == ["bob"]
    assert clock.due_at - NOW > timedelta(days=1)


def test_board_that_has_moved_on_since_is_looked_up() -> None:
    world = World()
    board = world.board()
    ann, bob = world.player("ann"), world.player("bob")
    boards = BoardCache()
    command = PlayMove("druid", board, "b8")
    shown = shown_of(perform(command, Actor(ann), "", NOW, boards=boards))
    perform(PlayMove("druid", board, "b5"), Actor(bob), "", NOW, boards=boards)
    seen = summarize_board(shown, ann, boards)
    assert seen.to_move is None
    assert facts_of(seen) == facts_of(summarize_board(shown, ann, BoardCache()))


def test_private_board_just_played_on_is_shown_to_nobody_else() -> None:
    world = World()
    board = world.board(terms=("--private",))
    boards = BoardCache()
    command = PlayMove("druid", board, "b8")
    reply = perform(command, Actor(world.player("ann")), "", NOW, boards=boards)
    for other in (None, world.player("eve")):
        with pytest.raises(UserError, match="There is no board"):
            summarize_board(shown_of(reply), other, boards)


def test_move_that_ends_the_game_is_drawn_with_its_result() -> None:
    world = World()
    moves = "231132 231321 12x11=46 63-62x61=22 14-15x16=33 64-34"
    board = world.board("gyges", moves=moves)
    played, looked_up = both(world, board, "gyges", "15-34-46-66-N")
    assert facts_of(played) == facts_of(looked_up)
    assert (played.to_move, played.clock) == (None, None)
    assert played.result
