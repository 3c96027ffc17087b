"""Engines that hang, crash, lie and speak garbage lose their games, and it is said why."""

from __future__ import annotations

import os
import select
import shlex
import sys
from pathlib import Path

import pytest

from sarsen.games import load
from sarsen.lab.contestants import EngineFault, EngineMoved, EngineResigned, Kind
from sarsen.lab.matches import MatchResult, Setup, play_match
from sarsen.lab.outside_engines import OutsidePlayer
from sarsen.lab.players import read_entry

NASTY = Path(__file__).with_name("nasty_engine.py")
GAME = "druid"
SOON = 30  # seconds within which a killed process is gone, on a busy machine


def command(kind: str) -> str:
    return shlex.join([sys.executable, str(NASTY), kind, GAME])


def played(
    kind: str, other: str = "random", *, pairs: int = 1, patience: float = 20
) -> MatchResult:
    """Play pairs of a nasty engine, A, against another."""
    entries = (read_entry(command(kind)), read_entry(other))
    setup = Setup(GAME, "-size=3", *entries, pairs, seed=4, patience=patience)
    return play_match(setup, lambda match: None)


def reasons(match: MatchResult) -> list[str]:
    assert {who for who, _ in match.faults} <= {0}
    return [reason for _, reason in match.faults]


@pytest.mark.parametrize("kind", ["good", "wordy"])
def test_engine_by_the_book_plays_whole_games(kind: str) -> None:
    match = played(kind, pairs=2)
    assert match.faults == []
    for pair in match.pairs:
        for one in (pair.first, pair.second):
            position = load(GAME).start("-size=3")
            for text in one.moves:
                position = position.play(position.parse(text))
            outcome = position.outcome()
            assert outcome is not None
            assert outcome.scores == one.scores


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("crashes", "ended: with status 1 at genmove {}; its last words: engine: out of ideas"),
        pytest.param(
            *("silent-end", "ended: closed its output at genmove {}"), marks=pytest.mark.ci
        ),
        ("lies", "played an illegal move: 'z99': There is no square z99 here"),
        ("empty", "played an illegal move: '': "),
        ("garbage", "did not speak the protocol: genmove {} was answered by '\\x00\\xff I think"),
        ("flood", "did not speak the protocol: genmove {} was answered by a line of more than"),
        ("talks", "did not speak the protocol: genmove {} was answered by more than"),
        ("killed", "ended: killed by signal 9 (Killed) at genmove {}"),
        ("chatters", "did not speak the protocol: it said '= and another thing' without being"),
        ("gives-up", "refused: to move: no idea"),
        ("deaf", "refused: play "),
    ],
)
def test_engine_that_does_wrong_loses_and_it_is_said(kind: str, said: str) -> None:
    match = played(kind)
    assert match.results == (0, 0, 2)
    for reason, seat in zip(reasons(match), ("V", "H"), strict=True):
        assert reason.startswith(f"{seat} " + said.format(seat))


@pytest.mark.ci
@pytest.mark.parametrize(
    ("kind", "said"), [("hangs", "not answered"), ("no-end", "answered without an end")]
)
def test_engine_that_hangs_is_ended_and_loses(kind: str, said: str) -> None:
    match = played(kind, patience=0.5)
    assert match.results == (0, 0, 2)
    seats = zip(reasons(match), ("V", "H"), strict=True)
    for reason, seat in seats:
        expected = f"{seat} did not answer in time: genmove {seat} was {said} within 0.5 s"
        assert reason == expected


def test_engine_that_resigns_loses_without_fault() -> None:
    match = played("resigns")
    assert (match.results, match.faults) == ((0, 0, 2), [])
    assert match.pairs[0].first.reason == "V resigned."


def test_engine_that_keeps_failing_ends_the_match() -> None:
    match = played("crashes", pairs=50)
    assert len(match.pairs) == 3
    assert match.stopped.endswith("crashes druid failed in 6 games in a row")


def test_program_that_cannot_run_is_a_fault_and_no_crash() -> None:
    player = OutsidePlayer("x", (str(NASTY),), None, 1.0)
    fault = player.begin(load(GAME).start(), 0)
    assert fault == EngineFault(Kind.CRASH, "it cannot be started: Permission denied")


def test_engine_that_does_not_leave_is_killed() -> None:
    player = OutsidePlayer("x", tuple(shlex.split(command("stays"))), None, 20.0)
    assert player.begin(load(GAME).start(), 0) is None
    assert player.process
    process = player.process.popen
    player.close()
    assert process.poll() is not None


def test_what_an_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    written = tmp_path / "child"
    script = f'sleep 1000 & echo $! > {written}; exec "$0" {NASTY} good {GAME}'
    player = OutsidePlayer("x", ("sh", "-c", script, sys.executable), None, 20.0)
    assert player.begin(load(GAME).start(), 0) is None
    child = os.pidfd_open(int(written.read_text()))
    player.close()
    ended, _, _ = select.select([child], [], [], SOON)
    os.close(child)
    assert ended


def test_engine_is_told_options_moves_and_time(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    line = f'tee {heard} | "$0" {NASTY} timed {GAME}'
    shell = shlex.join(["sh", "-c", line, sys.executable])
    entries = (read_entry(shell + ""), read_entry("random"))
    setup = Setup(GAME, "-size=3", *entries, 1, seed=4, opening_plies=1)
    match = play_match(setup, lambda match: None)
    assert match.faults == []
    lines = heard.read_text().split("\n")
    assert lines[:3] == ["list_commands", "set_options -size=3", "clear_board"]
    opening = match.pairs[0].first.moves[0]
    assert lines[3] == f"play V {opening}"
    assert lines[-2:] == ["quit", ""]
    assert lines.count("list_commands") == 1


def test_two_engines_of_others_play_each_other() -> None:
    match = played("good", command("lies"))
    assert match.results == (2, 0, 0)
    assert {who for who, _ in match.faults} == {1}


def test_choice_of_an_engine_is_not_believed_but_passed_on() -> None:
    player = OutsidePlayer("x", tuple(shlex.split(command("lies"))), None, 20.0)
    start = load(GAME).start()
    assert player.begin(start, 0) is None
    assert player.choose(start) == EngineMoved("z99")
    player.close()
    player = OutsidePlayer("x", tuple(shlex.split(command("resigns"))), None, 20.0)
    assert player.begin(start, 0) is None
    assert player.choose(start) == EngineResigned()
    player.close()
