"""What a person writes is kept whole or refused: no command cuts it without a word."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from itertools import chain
from typing import Any, get_type_hints

import pytest
from django.db import connection, transaction
from django.http import QueryDict

from command_lines import LINES
from every_command import prepared
from sarsen.core.errors import UserError
from sarsen.doors.web.board.line_addresses import read_moves, read_path
from sarsen.doors.web.challenges.forms import _read_form
from sarsen.games import load, names
from sarsen.language.commands import Command, Decline, Multiple
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.services.accounts import passkeys
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Challenge, Player
from web_world import NOW, World

BEGIN, END = "zugbegin", "zugend"
LENGTHS = (70, 350, 4_900, 15_000)


class _Undo(Exception):
    """Take back what a command has done."""


def _text(length: int) -> str:
    filling = "word " * (length // 5)
    return f"{BEGIN} {filling[: length - len(BEGIN) - len(END) - 2]} {END}"


def _cut_by(command: Command, actor: Actor) -> list[str]:
    """Return what a command writes cut; nothing when it is refused."""
    cut: list[str] = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        given = chain.from_iterable(params) if many else params or ()
        values = (str(getattr(value, "obj", value)) for value in given)  # psycopg wraps JSON
        if not sql.startswith("SELECT"):
            cut.extend(text[:60] for text in values if text.count(BEGIN) > text.count(END))
        return execute(sql, params, many, context)

    with suppress(UserError, _Undo), transaction.atomic():
        with connection.execute_wrapper(look):
            perform(command, actor, "", NOW)
        raise _Undo
    return cut


def _with_long_fields(command: Command, text: str) -> list[Command]:
    """Return a command with a long text in each of its fields that takes one."""
    kinds = get_type_hints(type(command))
    texts = [field.name for field in fields(command) if kinds[field.name] is str]
    return [replace(command, **{name: text}) for name in texts]


@pytest.mark.django_db
def test_every_command_keeps_a_long_text_whole_or_refuses_it() -> None:
    words = prepared(World())
    actor = Actor(Player.objects.get(key="ann"))
    found: dict[str, Any] = {}
    for kind, line in LINES.items():
        if kind.is_query or kind is Multiple:
            continue
        known = Context(names(), speaker="ann", body=tuple(line.body.split("\n")))
        command = read_line(line.text.format(**words), known).command
        for length in LENGTHS:
            text = _text(length)
            commands = _with_long_fields(command, text)
            for typed, body in ((f"{line.text} {text}", line.body), (line.text, text)):
                context = replace(known, body=tuple(body.split("\n")))
                try:
                    commands.append(read_line(typed.format(**words), context).command)
                except UserError:
                    continue
            for one in commands:
                if BEGIN in repr(one) and END not in repr(one):
                    found[f"{kind.__name__} {length}"] = "cut when it is read"
                elif BEGIN in repr(one) and (cut := _cut_by(one, actor)):
                    found[f"{kind.__name__} {length}"] = cut
    assert found == {}


@pytest.mark.django_db
def test_reason_to_decline_is_told_whole_or_refused_with_one_that_works() -> None:
    world = World()
    number = world.challenge("gyges", "bob", "ann").number
    ann = Actor(world.player("ann"))
    reason = ("too many games " * 40).strip()
    with pytest.raises(UserError) as refused:
        perform(Decline(number, reason), ann, "", NOW)
    assert refused.value.code == "reason-too-long"
    assert Challenge.objects.get(pk=number).state == Challenge.State.OPEN
    perform(read_line(refused.value.hint, Context(names(), speaker="ann")).command, ann, "", NOW)
    kept = Challenge.objects.get(pk=number).reason
    assert reason.startswith(kept)
    assert 280 < len(kept) <= 300


@pytest.mark.django_db
@pytest.mark.parametrize("verb", ["show", "showas ann secret"])
def test_more_boards_than_one_command_shows_are_refused(verb: str) -> None:
    ann, known = Actor(World().player("ann")), Context(names(), speaker="ann")
    command = read_line(f"{verb} {' '.join(map(str, range(1, 13)))}", known).command
    with pytest.raises(UserError) as refused:
        perform(command, ann, "", NOW)
    assert refused.value.code == "too-many-boards"
    read_line(refused.value.hint.replace("USERID", "ann"), known)


@pytest.mark.django_db
def test_name_of_a_passkey_is_kept_whole_or_refused() -> None:
    ann = World().player("ann")
    with pytest.raises(UserError) as refused:
        passkeys.add(ann, {}, "{}", "my telephone " * 6, NOW)
    assert refused.value.code == "passkey-label"


@pytest.mark.django_db
def test_long_fields_of_pages_are_never_read_as_others() -> None:
    """Cut, such a name is another player's, and such a value or move another legal one."""
    long = "a" * 20 + "bcd"
    form = _read_form(QueryDict(f"kind=player&with={long}&-size={'1' * 21}"), load("druid").info)
    assert form.names == (long,)
    assert form.values_by_name["-size"] == "1" * 21
    move = "a1-" * 100
    assert read_moves(move) == (move,)
    assert read_path(move) == (move,)
