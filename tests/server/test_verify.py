"""`sarsen verify` finds nothing on a sound server, and names what was changed behind its back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.db import connection, transaction
from django.utils import timezone

from sarsen.language.commands import AnswerOffer, AskUndo, OfferDraw, Resign
from sarsen.server.command import main
from sarsen.services.admin.actions import undo_forfeit
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.ratings import rating
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    Match,
    MatchEvent,
    OutgoingMail,
    Player,
    Rating,
    Standing,
)
from sarsen.storage.models import Result as Score
from web_world import NOW, World

pytestmark = pytest.mark.django_db

GYGES = "231123 321123 16-35 61-53"
WON = "E3 D4 B2 E2"  # X joins top and bottom at once
BOARDS = 9


def verify(*words: str) -> Result:
    return CliRunner().invoke(main, ["verify", *words], catch_exceptions=False)


def lines() -> list[str]:
    """Return what `sarsen verify` says, but for its last line."""
    return verify().output.splitlines()[:-1]


def do(userid: str, command: Any) -> None:
    perform(command, Actor(Player.objects.get(key=userid)), "", NOW)


@contextmanager
def put_back() -> Iterator[None]:
    """Forget in the end what was changed in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def played() -> dict[str, int]:
    """Play boards of every kind of ending, with moves taken back."""
    world = World()
    boards = {
        "running": world.board("gyges", GYGES),
        "fresh": world.board("vasco"),
        "private": world.board(moves="a1 b2", options="-size=4", terms=("--private",)),
        "won": world.board("visavis", WON, options="-size=5"),
        "resigned": world.board(moves="a1 b1 c1 d1", options="-size=6"),
        "drawn": world.board("gyges", GYGES),
        "undone": world.board("gyges", GYGES),
        "late": world.board(moves="a1 b1", options="-size=6"),
        "resumed": world.board(moves="a1 b1", options="-size=6"),
    }
    do("ann", Resign("druid", boards["resigned"], confirmed=True))
    do("ann", OfferDraw("gyges", boards["drawn"]))
    do("bob", AnswerOffer("gyges", boards["drawn"], accepts=True))
    do("bob", AskUndo("gyges", boards["undone"]))
    do("ann", AnswerOffer("gyges", boards["undone"], accepts=True))
    for name in ("late", "resumed"):
        matches.record_forfeit(
            Match.objects.get(pk=boards[name]), Request(NOBODY, NOW, AFTER_EVENTS)
        )
    undo_forfeit(boards["resumed"], "The relay was away.", NOW)
    return boards


def test_nothing_differs_on_a_server_where_everything_was_played(played: dict[str, int]) -> None:
    found = verify()
    assert (found.exit_code, found.output.count("\n")) == (0, 1)
    assert f"{BOARDS} boards" in found.output
    assert "nothing differs" in found.output
    assert Rating.objects.exists()
    (said,) = verify("--json").output.splitlines()
    assert json.loads(said)["verified"]["boards"] == BOARDS


KEPT: list[tuple[str, dict[str, Any], str]] = [
    ("running", {"ply": 5}, "ply: stored 5; replayed 4"),
    ("running", {"seat_to_move": 1}, "seat to move: stored 1; replayed 0"),
    ("running", {"event_count": 3}, "events: stored 3; replayed 4"),
    ("running", {"look_at": None}, "clock: stored False; replayed True"),
    ("running", {"game": "chess"}, "game: stored chess"),
    ("won", {"scores": [1.0, 0.0]}, "scores: stored [1.0, 0.0]; replayed [0.0, 1.0]"),
    ("won", {"ended_at": None}, "end: stored None; replayed 2026-11-20"),
    ("resigned", {"reason": "V ran away."}, "reason: stored V ran away.; replayed "),
    ("drawn", {"scores": [1.0, 0.0]}, "scores: stored [1.0, 0.0]; replayed [0.5, 0.5]"),
]


def test_what_is_kept_beside_the_events_is_compared_with_a_replay(played: dict[str, int]) -> None:
    for named, changed, said in KEPT:
        board = played[named]
        with put_back():
            Match.objects.filter(pk=board).update(**changed)
            assert f"board {board}, {said}" in verify().output
            assert verify("--board", str(board)).exit_code == 1
            assert verify("--board", str(played["fresh"])).exit_code == 0
    board = Match.objects.get(pk=played["running"])
    was = Match.objects.get(pk=played["fresh"]).position
    with put_back():
        Match.objects.filter(pk=board.pk).update(position=was)
        assert lines() == [f"board {board.pk}, position: stored {was}; replayed {board.position}"]


EVENTS: list[tuple[dict[str, Any], str]] = [
    ({"text": "16-99"}, "event 4: stored 16-99; replayed "),
    ({"seat": 0}, "event 4: stored seat 0; replayed seat 1"),
    ({"ply": 9}, "event 4: stored ply 9; replayed ply 4"),
    ({"number": 77}, "event 77: stored number 77; replayed number 4"),
    ({"kind": "gift"}, "event 4: stored gift; replayed no such kind"),
]


def test_an_event_that_the_rules_refuse_is_told(played: dict[str, int]) -> None:
    for changed, said in EVENTS:
        with put_back():
            MatchEvent.objects.filter(match=played["running"], number=4).update(**changed)
            assert f", {said}" in verify().output
    MatchEvent.objects.filter(match=played["undone"], number=2).delete()
    assert lines()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its types itself")
@pytest.mark.parametrize(("table", "column"), [("match", "moved_at"), ("matchevent", "at")])
def test_a_value_of_another_kind_is_told_and_the_other_boards_are_looked_at(
    played: dict[str, int], table: str, column: str
) -> None:
    key = "id" if table == "match" else "match_id"
    Match.objects.filter(pk=played["won"]).update(ply=77)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE storage_{table} SET {column} = 'tomorrow' WHERE {key} = %s",
            [played["running"]],
        )
    told = lines()
    assert any(line.startswith(f"board {played['running']}, replay: ") for line in told)
    assert any(line.startswith(f"board {played['won']}, ply: ") for line in told)
    assert f"{BOARDS} boards" in verify().output


def test_a_board_of_older_rules_is_replayed_under_those_installed(played: dict[str, int]) -> None:
    Match.objects.filter(pk=played["running"]).update(rules_version=0)
    found = verify()
    assert (found.exit_code, "1 of them begun under other rules" in found.output) == (0, True)
    Match.objects.filter(pk=played["running"]).update(ply=9)
    (line,) = lines()
    assert line.endswith("(rules 0, now 1)")


def test_totals_are_counted_again(played: dict[str, int]) -> None:
    Standing.objects.filter(player__key="ann", game="druid").update(won=7)
    Rating.objects.filter(player__key="bob", game="druid").update(rating=2400)
    told = lines()
    assert [line.partition(":")[0] for line in told] == ["ann druid, standing", "bob druid, rating"]
    assert "stored won 7" in told[0]
    Score.objects.filter(match=played["won"], seat=0).update(score=0.5)
    told = lines()
    assert any(line.startswith(f"board {played['won']}, results") for line in told)
    assert any(line.startswith("ann visavis, standing") for line in told)


def test_ratings_are_computed_again_from_the_results() -> None:
    world = World()
    first = _rated(world, ("ann", "bob"), days=0)
    second = _rated(world, ("ann", "carl"), days=0)
    last = _rated(world, ("bob", "carl"), days=62)
    assert lines() == []
    with put_back():
        Score.objects.filter(match=second, player__key="carl").update(volatility=0.07)
        (line,) = lines()
        assert line.startswith(f"board {second}, rating of carl: stored ")
    with put_back():
        # Changed in the last result and in what is kept of it.
        Score.objects.filter(match=last, player__key="bob").update(rating=2400)
        Rating.objects.filter(player__key="bob").update(rating=2400)
        assert {line.partition(":")[0] for line in lines()} == {
            f"board {last}, rating of bob",
            "bob druid, rating",
        }
    with put_back():
        Rating.objects.filter(player__key="carl").update(matches=9)
        (line,) = lines()
        assert line.startswith("carl druid, rating: stored ")
    with put_back():
        Rating.objects.filter(player__key="carl").delete()
        (line,) = lines()
        assert line.startswith("carl druid, rating: stored nothing; replayed ")
    with put_back():
        Score.objects.filter(match=first).update(**dict.fromkeys(rating.NUMBERS))
        assert any(line.startswith(f"board {second}, rating: stored rated") for line in lines())


def test_results_that_wait_to_be_rated_are_no_damage_where_they_are_the_last() -> None:
    world = World()
    first = _rated(world, ("ann", "bob"), days=0)
    _rated(world, ("bob", "carl"), days=3)
    ended = Match.objects.get(pk=first).ended_at
    assert ended is not None
    rating.rewind("druid", ended, first + 1)
    assert rating.count_waiting() == 1
    assert lines() == []
    rating.rewind("druid", ended, first)
    assert lines() == []


def _rated(world: World, players: tuple[str, str], *, days: int) -> int:
    """Play a game that counts, which the first player resigns so many days later."""
    board = world.board(moves="a1 b1 c1 d1", options="-size=6", players=players)
    loser = Actor(Player.objects.get(key=players[0]))
    perform(Resign("druid", board, confirmed=True), loser, "", NOW + timedelta(days=days))
    return board


def test_a_letter_without_a_player_is_told() -> None:
    now = timezone.now()
    OutgoingMail.objects.create(
        kind="board", event="turn", address="ann@x.example", queued_at=now, due_at=now
    )
    (line,) = lines()
    assert line.startswith("letter ")
    assert "player: stored none" in line


def test_verify_of_a_file_proves_its_records_as_before(tmp_path: Path) -> None:
    assert verify(str(Path("docs/records/gyges.txt"))).exit_code == 0
    spoilt = tmp_path / "spoilt.txt"
    spoilt.write_text(Path("docs/records/gyges.txt").read_text().replace("16-", "99-"))
    assert verify(str(spoilt)).exit_code == 1
    assert verify("--url", "https://play.example").exit_code == 2
