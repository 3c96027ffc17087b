"""Boards loaded together are what they are when each is asked for by itself."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from sarsen.core.errors import UserError
from sarsen.language.commands import Chat, PlayMove, WriteNote
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.dispatch import perform
from sarsen.services.mail import reply_addresses
from sarsen.services.matches import matches
from sarsen.services.request import Actor
from sarsen.storage.models import Match
from web_world import NOW, World

pytestmark = pytest.mark.django_db
MAX_STATEMENTS = 3  # for any number of boards that one statement holds


def some_boards(world: World, count: int) -> list[int]:
    """Begin boards, with a move at each, and words at every other one."""
    ann = Actor(world.player("ann"))
    boards = [world.board() for _ in range(count)]
    for number, board in enumerate(boards):
        perform(PlayMove("", board, "b8"), ann, "", NOW)
        if number % 2:
            perform(Chat("", board, "Hello!"), ann, "", NOW)
            perform(WriteNote("", board, "for me"), ann, "", NOW)
    return boards


def shown(world: World, boards: list[int], cache: BoardCache) -> list[tuple[BoardView, str | None]]:
    found = []
    for board in boards:
        for name in ("ann", "bob"):
            player = world.player(name)
            view = view_board(board, viewer=player, personal=True, boards=cache)
            address = reply_addresses.board_address(player, board, 2, boards=cache)
            found.append((view, address))
    return found


def test_letters_show_the_same_of_boards_loaded_together_as_of_each_alone() -> None:
    world = World()
    boards = some_boards(world, 6)
    alone = shown(world, boards, BoardCache())
    cache = BoardCache()
    cache.load(boards)
    assert shown(world, boards, cache) == alone


def test_boards_loaded_together_take_few_statements_however_many_they_are() -> None:
    world = World()
    boards = some_boards(world, 1) + [world.board() for _ in range(9)]
    viewer = world.player("bob")
    cache = BoardCache()
    with CaptureQueriesContext(connection) as asked:
        cache.load(boards)
        for board in boards:
            view_board(board, viewer=viewer, personal=True, boards=cache)
            reply_addresses.board_address(viewer, board, 2, boards=cache)
    # And one for each clock: when the server was away.
    assert len(asked) <= MAX_STATEMENTS + len(boards)


def test_board_that_is_held_with_others_is_given_as_it_was_found_once_and_then_anew() -> None:
    world = World()
    boards = [world.board(), world.board()]
    cache = BoardCache()
    with transaction.atomic():
        cache.load_locked(boards)
        with CaptureQueriesContext(connection) as asked:
            first = matches.find(boards[0], lock=True, boards=cache)
        assert not asked.captured_queries
        assert first == Match.objects.get(pk=boards[0])
        first.ply = 99  # of somebody whose deed is undone
        assert matches.find(boards[0], lock=True, boards=cache).ply == 0


def test_private_board_that_is_remembered_for_its_player_is_missing_for_all_others() -> None:
    world = World()
    board = world.board(terms=("--private",))
    cache = BoardCache()
    cache.load([board])
    assert view_board(board, viewer=world.player("ann"), boards=cache).is_private
    for other in (None, world.player("eve")):
        with pytest.raises(UserError) as refused:
            view_board(board, viewer=other, boards=cache)
        assert refused.value.code == "unknown-board"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its types itself")
@pytest.mark.parametrize("wrong", ["'tomorrow'", "5", "x'00'", "''"])
def test_a_row_that_cannot_be_read_stops_no_other_board_of_its_batch(wrong: str) -> None:
    world = World()
    sound, broken = some_boards(world, 2)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE storage_match SET moved_at = {wrong} WHERE id = %s", [broken])
    cache = BoardCache()
    cache.load_locked([sound, broken])
    cache.load([sound, broken])
    assert view_board(sound, viewer=world.player("ann"), boards=cache).number == sound
