"""`sarsen dataset`: finished public games as tables, with a card that tells the truth."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import sarsen
from sarsen.core.errors import UserError
from sarsen.doors.cli import record_files
from sarsen.language.commands import Resign, SignOff
from sarsen.research.dataset import rows as dataset_rows
from sarsen.research.dataset.rows import COLUMNS
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player, Result
from web_world import NOW, World

WON = "E3 D4 B2 E2"  # X joins top and bottom at once


@pytest.fixture
def boards(db: None) -> dict[str, int]:
    """Play a finished game, a resigned one, a private one and one that still runs."""
    world = World()
    return {
        "won": world.board("visavis", WON, options="-size=5"),
        "private": world.board("visavis", WON, options="-size=5", terms=("--private",)),
        "running": world.board("druid", "a1 h8", players=("ann", "eve")),
    }


def written(folder: Path, **named: Any) -> list[dict[str, Any]]:
    wanted = {"has_names": False, "licence": "unknown", "salt": ""} | named
    record_files.write_dataset(folder, **wanted)
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def test_only_finished_public_games_are_in_it(boards: dict[str, int], tmp_path: Path) -> None:
    (row,) = written(tmp_path / "set", has_names=True)
    assert row["id"] == str(boards["won"])
    assert list(row) == list(COLUMNS)
    assert row["players"] == ["ann", "bob"]
    assert (row["game"], row["options"], row["rules"]) == ("visavis", "-size=5", 1)
    assert row["moves"] == WON.split()
    assert row["seats"] == [0, 1, 0, 1]
    assert row["seconds"] == [0, 0, 0, 0]
    assert (row["scores"], row["ending"], row["ended_by"]) == ([0, 1], "move", None)
    assert row["kinds"] == ["person", "person"]
    assert row["day"] == f"{NOW:%Y-%m-%d}"
    assert row["rated"]


def test_rows_can_be_played_again(boards: dict[str, int], tmp_path: Path) -> None:
    for row in written(tmp_path / "set"):
        position = sarsen.load(row["game"]).start(row["options"]).play(*row["moves"])
        outcome = position.outcome()
        assert outcome is not None
        assert list(outcome.scores) == row["scores"]


def test_pseudonyms_are_the_same_in_one_set_and_others_in_the_next(
    db: None, tmp_path: Path
) -> None:
    world = World()
    for _ in range(2):
        world.board("visavis", WON, options="-size=5")
    first, second = written(tmp_path / "one")
    (other, _) = written(tmp_path / "two")
    assert first["players"] == second["players"]
    assert first["players"] != other["players"]
    assert first["id"] != second["id"]
    everything = "".join(path.read_text("utf-8") for path in (tmp_path / "one").glob("*.*l*"))
    assert not re.search(r"\bann\b|\bbob\b|/boards/", everything)
    assert all(re.fullmatch("player-[0-9a-f]{12}", name) for name in first["players"])


def test_a_salt_makes_the_same_set_again(boards: dict[str, int], tmp_path: Path) -> None:
    one = written(tmp_path / "one", salt="a secret")
    assert one == written(tmp_path / "two", salt="a secret")
    assert one != written(tmp_path / "three", salt="another")


def test_who_has_left_is_not_named_even_with_names(boards: dict[str, int], tmp_path: Path) -> None:
    perform(SignOff(confirmed=True), Actor(World().player("bob")), "", NOW)
    (row,) = written(tmp_path / "set", has_names=True)
    assert row["players"][0] == "ann"
    assert row["players"][1].startswith("player-")


def test_programs_of_the_server_keep_their_names_and_others_do_not(
    boards: dict[str, int], tmp_path: Path
) -> None:
    Player.objects.filter(key="ann").update(is_bot=True, level=3)
    Player.objects.filter(key="bob").update(is_bot=True)
    (row,) = written(tmp_path / "set")
    assert row["players"][0] == "ann"
    assert row["players"][1].startswith("player-")
    assert row["kinds"] == ["program", "program"]
    assert row["levels"] == [3, None]


def test_ratings_are_those_before_the_game(boards: dict[str, int], tmp_path: Path) -> None:
    was = Result.objects.filter(player__key="ann", game="visavis").latest("pk")
    for number, days in ((1, -60), (2, -30), (3, 30)):
        board = Match.objects.create(
            game="visavis", rules_version=1, started_at=NOW, moved_at=NOW, position=""
        )
        Result.objects.create(
            match=board,
            seat=0,
            player=was.player,
            game="visavis",
            score=1.0,
            at=NOW + timedelta(days=days),
            is_private=True,
            is_rated=True,
            rating=1500 + number,
            deviation=100.04,
        )
    (row,) = written(tmp_path / "set")
    assert row["ratings"] == [1502, None]
    assert row["deviations"] == [100.0, None]


def test_a_resignation_is_told_with_the_seat(db: None, tmp_path: Path) -> None:
    world = World()
    board = world.board("druid", "a1", terms=("--unrated",))
    perform(Resign("druid", board, confirmed=True), Actor(world.player("bob")), "", NOW)
    (row,) = written(tmp_path / "set")
    assert (row["ending"], row["ended_by"], row["scores"]) == ("resignation", 1, [1, 0])
    assert not row["rated"]
    assert row["plies"] == 1


def test_the_card_counts_what_is_there_and_names_the_files(
    boards: dict[str, int], tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    written(folder, licence='cc-by-4.0\nevil: "yes"')
    card = (folder / "README.md").read_text("utf-8")
    head = card.split("---\n")[1]
    assert head.splitlines()[0] == "license: \"cc-by-4.0 evil: 'yes'\""
    assert "| visavis | 1 | 4 | 2 | 0 % | 0 % | 100 % | 0 % | 1 |" in card
    assert "# Finished games of http://sarsen.test" in card
    for column in COLUMNS:
        assert f"| `{column}` |" in card
    for path in folder.iterdir():
        if path.name != "README.md":
            assert f"| `{path.name}` | `{sha256(path.read_bytes()).hexdigest()}` |" in card
    assert "not stated" not in card
    written(tmp_path / "unlicensed")
    assert "Licence: not stated" in (tmp_path / "unlicensed" / "README.md").read_text("utf-8")


def test_an_empty_server_gives_a_card_and_no_tables(db: None, tmp_path: Path) -> None:
    assert written(tmp_path / "set") == []
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["README.md"]


def test_a_folder_with_something_in_it_is_left_alone(
    boards: dict[str, int], tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="not an empty folder"):
        written(tmp_path)
    with pytest.raises(UserError, match="cannot be written"):
        written(tmp_path / "no" / "such" / "parent")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_set_that_breaks_off_leaves_nothing(
    boards: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> str:
        raise UserError("no card", code="test")

    monkeypatch.setattr(record_files, "write_card", fail)
    with pytest.raises(UserError, match="no card"):
        written(tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


def test_parquet_holds_the_same_rows(
    boards: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet: Any = pytest.importorskip(
        "pyarrow.parquet", reason='pyarrow is not installed: pip install "/path/to/sarsen[dataset]"'
    )
    monkeypatch.setattr(dataset_rows, "ROWS_AT_ONCE", 1)
    rows = written(tmp_path / "set")
    assert parquet.read_table(tmp_path / "set" / "visavis.parquet").to_pylist() == rows


def test_without_pyarrow_json_lines_are_written_alone(
    boards: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module in (dataset_rows, record_files):
        monkeypatch.setattr(module, "has_parquet", lambda: False)
    written(tmp_path / "set")
    assert {path.name for path in (tmp_path / "set").iterdir()} == {"visavis.jsonl", "README.md"}
    assert "/path/to/sarsen[dataset]" in capsys.readouterr().err
