"""Records as SGF, read by somebody else's reader."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sgfmill import sgf

from core.records.test_records import SMALL, played
from sarsen.core.records import Ending, Record, as_sgf
from sarsen.core.records.text import write_time
from sarsen.games import load


def read(record: Record) -> sgf.Sgf_game:
    return sgf.Sgf_game.from_bytes(as_sgf.write(record, load(record.game)).encode())


@pytest.mark.parametrize("name", SMALL)
def test_another_reader_finds_every_move_and_its_time(name: str) -> None:
    record = played(name, 2)
    nodes = read(record).get_main_sequence()[1:]
    found = [
        (next(seat for seat, side in enumerate("BW") if node.has_property(side)), node)
        for node in nodes
    ]
    assert [(seat, node.get_raw("BW"[seat]).decode()) for seat, node in found] == [
        (move.seat, move.text) for move in record.moves
    ]
    times = [node.get_raw("AT").decode() for node in nodes]
    assert times == [write_time(move.at) for move in record.moves if move.at]


def test_another_reader_finds_who_played_what_and_where() -> None:
    record = replace(played("visavis", 1), players=("a]n\\n", "bob"))
    root = read(record).get_root()
    assert root.get("CA") == "UTF-8"
    assert (root.get("PB"), root.get("PW")) == ("a]n\\n", "bob")
    assert root.get("PC") == "https://play.example/boards/7/"
    assert root.get("DT") == "2026-11-20"
    assert root.get_raw("GAME") == b"visavis"
    assert root.get_raw("OPTIONS") == b"-size=5"


@pytest.mark.parametrize(
    ("ending", "scores", "result"),
    [
        (Ending.MOVE, (0.0, 1.0), "W+"),
        (Ending.RESIGNATION, (1.0, 0.0), "B+R"),
        (Ending.FORFEIT, (0.0, 1.0), "W+T"),
        (Ending.AGREEMENT, (0.5, 0.5), "0"),
        (Ending.NONE, None, "?"),
    ],
)
def test_result_is_told_as_sgf_tells_it(
    ending: Ending, scores: tuple[float, ...] | None, result: str
) -> None:
    record = replace(played("visavis", 1), ending=ending, scores=scores)
    assert read(record).get_root().get("RE") == result
