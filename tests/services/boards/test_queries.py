"""One command asks for a few boards and players, however long a line may be."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import fields
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import COMMANDS, Games, Show, ShowAs
from sarsen.language.replies import BoardsShown, Refusal, Several, Table
from sarsen.services.command_lines import read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player
from web_world import NOW, World

pytestmark = pytest.mark.django_db
NAMES = tuple(f"nobody{number}" for number in range(700))


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.mark.parametrize(("kind", "verb"), [(Show, "show"), (Games, "games")])
def test_hundreds_of_names_are_refused_before_one_is_looked_up(
    kind: Any,
    verb: str,
    django_assert_max_num_queries: Callable[[int], AbstractContextManager[Any]],
) -> None:
    command = kind("druid", userids=NAMES, which="all")
    with django_assert_max_num_queries(2), pytest.raises(UserError) as refused:
        perform(command, Actor(), "", NOW)
    assert refused.value.code == "too-many-names"
    assert refused.value.hint == f"druid {verb} {' '.join(NAMES[:10])} all"


# The fields of commands that hold names of players; other tuples hold moves, words, lines.
NAMED = ("names", "to", "userids")
TAKE_NAMES = [kind for kind in COMMANDS if {one.name for one in fields(kind)} & set(NAMED)]


@pytest.mark.parametrize("kind", TAKE_NAMES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("people", [1, 140], ids=["of-one", "of-many"])
def test_no_command_asks_the_store_for_each_of_hundreds_of_names(
    world: World,
    kind: Any,
    people: int,
    django_assert_max_num_queries: Callable[[int], AbstractContextManager[Any]],
) -> None:
    """As the API lets a program say them, all known, and again and again."""
    userids = tuple(f"one{number}" for number in range(people))
    Player.objects.bulk_create(
        Player(key=userid, userid=userid, joined_at=NOW) for userid in userids
    )
    actor = Actor(world.player("ann"))
    given: dict[str, Any] = {"game": "druid", "text": "Hello!", "options": "", "terms": ()}
    given |= dict.fromkeys(NAMED, userids * (len(NAMES) // people))
    command = kind(**{one.name: given[one.name] for one in fields(kind) if one.name in given})
    with django_assert_max_num_queries(30), suppress(UserError):
        perform(command, actor, "", NOW)


def test_line_of_the_hint_works_and_other_lines_are_answered(world: World) -> None:
    board = world.board(moves="b8")
    names = ["ann", "bob", *(f"p{number}" for number in range(8))]
    for name in names[2:]:
        world.player(name)
    lines = (f"show {' '.join(names)} one-more", f"show {' '.join(names)} active", "games ann")
    reply = read_and_perform("multiple", "\n".join(lines), Actor(), "", NOW).reply
    assert isinstance(reply, Several)
    refused, shown, listed = (answer.reply for answer in reply.answers)
    assert isinstance(refused, Refusal)
    assert refused.hint == lines[1]
    assert isinstance(shown, BoardsShown)
    assert shown.shown_boards[0].board == board
    assert isinstance(listed, Table)


@pytest.mark.parametrize("kind", [Show, ShowAs])
def test_program_that_asks_for_hundreds_of_boards_is_refused(world: World, kind: Any) -> None:
    boards = tuple((number, None) for number in range(1, 400))
    with pytest.raises(UserError) as refused:
        perform(kind("druid", boards), Actor(world.player("ann")), "", NOW)
    assert refused.value.code == "too-many-boards"
    assert refused.value.hint.endswith("1 2 3 4 5 6 7 8 9 10")
