"""All public data comes out as its schema says, nothing private does, and games go in again."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from click.testing import CliRunner, Result
from django.apps import apps

from sarsen.language.commands import Chat, Resign, WriteNote
from sarsen.server.command import main
from sarsen.services.accounts import leaving
from sarsen.services.admin.public_data import public_lines, schema
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Import, Match, Player, RatingPeriod, RatingStep
from web_world import NOW, World

pytestmark = pytest.mark.django_db
WON = "E3 D4 B2 E2"
SECRET = "zugzwang"


NUMBERS = {"rating": 1600.0, "deviation": 200.0, "volatility": 0.06}


@pytest.fixture
def boards() -> dict[str, int]:
    world = World()
    found = {
        "running": world.board("gyges", "231123 321123"),
        "won": world.board("visavis", WON, options="-size=5"),
        "private": world.board("visavis", WON, options="-size=5", terms=("--private",)),
        "resigned": world.board(moves="a1 b1 c1 d1", options="-size=6"),
    }
    perform(Resign("druid", found["resigned"], confirmed=True), Actor(world.player("ann")), "", NOW)
    for command in (Chat, WriteNote):
        said = command("gyges", found["running"], SECRET)
        perform(said, Actor(world.player("ann")), "", NOW)
    make_accounts(NOW)
    # What release 0.4 has left: history.
    RatingPeriod.objects.create(number=1, starts_at=NOW - timedelta(days=28), ends_at=NOW)
    RatingStep.objects.create(
        player=world.player("ann"), game="druid", period=1, at=NOW, matches=1, **NUMBERS
    )
    return found


def sarsen(*words: str) -> Result:
    return CliRunner().invoke(main, [*words], catch_exceptions=False)


def test_every_line_is_as_the_schema_says_and_every_kind_of_line_is_there(
    boards: dict[str, int],
) -> None:
    check = jsonschema_rs.validator_for(json.loads(schema()), validate_formats=True)
    lines: list[dict[str, Any]] = [json.loads(line) for line in public_lines(NOW)]
    for line in lines:
        check.validate(line)
    kinds = {line["kind"] for line in lines}
    named = json.loads(schema())["$defs"].values()
    assert kinds == {one["properties"]["kind"]["const"] for one in named if "properties" in one}
    for spoilt in ({"kind": "player"}, {**lines[1], "address": "ann@example.org"}, {"kind": "x"}):
        with pytest.raises(jsonschema_rs.ValidationError):
            check.validate(spoilt)
    private = next(line for line in lines if line["kind"] == "board")
    with pytest.raises(jsonschema_rs.ValidationError):
        check.validate(private | {"terms": {"private": True}})


def test_nothing_private_is_in_it(boards: dict[str, int]) -> None:
    told = "\n".join(public_lines(NOW))
    numbers = {line["board"] for line in map(json.loads, told.splitlines()) if "board" in line}
    assert numbers == {boards[name] for name in ("running", "won", "resigned")}
    secrets = [SECRET, "@example.org"]
    for player in Player.objects.all():
        secrets += [player.letter_key, player.password or "-none-"]
    for match in Match.objects.all():
        secrets += [seat.letter_key for seat in match.seats.all()]
    assert not [secret for secret in secrets if secret in told]


def test_its_games_are_proved_and_taken_in_by_another_server(
    boards: dict[str, int], tmp_path: Path
) -> None:
    file = tmp_path / "public.jsonl"
    assert sarsen("export", "--all-public", "-o", str(file)).exit_code == 0
    verified = sarsen("verify", str(file))
    assert (verified.exit_code, "2 of 2 are valid" in verified.output) == (0, True)
    assert "2 known" in sarsen("import", str(file)).output
    # Of another place: here it is a game from elsewhere.
    # Its signature goes: one of this server that is wrong is refused.
    other = file.read_text().replace("http://sarsen.test", "https://other.example")
    file.write_text(re.sub(r'"signature": "[^"]+", ', "", other))
    assert "2 imported" in sarsen("import", str(file)).output
    assert Import.objects.count() == 2


def test_one_persons_file_has_a_line_for_everything_that_belongs_to_them(
    boards: dict[str, int],
) -> None:
    said = sarsen("export", "--of", "ANN")
    lines = [json.loads(line) for line in said.output.splitlines()]
    assert lines[0]["userid"] == "ann"
    assert {"board", "note", "chat", "address", "rating", "result", "letter"} <= {
        line["kind"] for line in lines
    }
    given = {rows.model.__name__ for _, rows in leaving._stored_rows(Player.objects.get(key="ann"))}
    elsewhere = {
        "MatchSeat": "in the boards",
        "ChallengeSeat": "in the challenges, or others'",
        "Encounter": "the results added up",
        "Signup": "a request that waits for an answer, gone in a week",
        "Question": "what a yes is waited for, gone in two",
        "AuditEntry": "counted for a day",
        "StreamItem": "what their boards tell, gone in a week",
        "Announcement": "what they wrote to everybody, as letters",
        "InboundMail": "their own mails, whose text is gone",
    }
    hanging = {
        model.__name__
        for model in apps.get_app_config("storage").get_models()
        if any(field.related_model is Player for field in model._meta.concrete_fields)
    }
    assert hanging <= given | set(elsewhere)


def test_what_does_not_go_together_is_refused_and_the_schema_is_printed() -> None:
    assert sarsen("export", "--all-public", "--of", "ann").exit_code == 2
    assert sarsen("export", "--all-public", "--private").exit_code == 2
    printed = json.loads(sarsen("export", "--schema").output)
    assert printed == json.loads(schema())
