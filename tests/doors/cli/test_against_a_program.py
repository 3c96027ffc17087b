"""`sarsen play GAME --bot LEVEL`: one person, one program, no server."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from sarsen.core.referee import replayed
from sarsen.games import load, names
from sarsen.server.command import main


def sarsen(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *words], input=typed)


def printed(*words: str, typed: str = "") -> str:
    result = sarsen(*words, typed=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def record(said: str) -> list[str]:
    found = re.search('--moves "(.*)"$', said.strip())
    return found[1].split() if found else []


def test_program_answers_and_its_move_is_said() -> None:
    said = printed("druid", "-size=4", "--bot", "1", "--seed", "7", typed="a1\nquit\n")
    moves = record(said)
    assert len(moves) == 2
    assert f"bot1 plays {moves[1]}\n" in said
    position = replayed(load("druid").start("-size=4"), moves)
    assert position.seat == 0


def test_program_begins_where_the_person_takes_the_second_seat() -> None:
    for side in ("2", "H", "h"):
        said = printed("druid", "-size=4", "--bot", "1", "--seat", side, typed="quit\n")
        assert len(record(said)) == 1
        assert said.index("bot1 plays") < said.index("H> ")


def test_undo_takes_the_programs_answer_back_too() -> None:
    said = printed("druid", "-size=4", "--bot", "1", typed="a1\nundo\nundo\nb1\nquit\n")
    assert "There is no move to take back." in said
    assert record(said)[0] == "b1"
    assert len(record(said)) == 2


def test_first_move_of_the_program_is_not_taken_back() -> None:
    said = printed("druid", "-size=4", "--bot", "1", "--seat", "2", typed="undo\nquit\n")
    assert "There is no move to take back." in said
    assert len(record(said)) == 1


def test_person_resigns() -> None:
    said = printed("druid", "-size=4", "--bot", "1", typed="a1\nresign\n")
    assert "V resigned." in said


def test_refused_move_leaves_the_turn_with_the_person() -> None:
    said = printed("druid", "-size=4", "--bot", "1", typed="z9\na1\nquit\n")
    assert said.count("bot1 plays") == 1
    assert record(said)[0] == "a1"


def test_same_seed_plays_the_same() -> None:
    games = [
        record(printed("druid", "-size=4", "--bot", "2", "--seed", "5", typed="a1\nquit\n"))
        for _ in range(2)
    ]
    assert games[0] == games[1]


@pytest.mark.parametrize(
    "name",
    [name if name == "gyges" else pytest.param(name, marks=pytest.mark.slow) for name in names()],
)
def test_program_of_the_first_level_answers_in_every_game(name: str) -> None:
    position = load(name).start()
    moves = position.legal_moves()
    text = position.format(moves[len(moves) // 2])
    said = printed(name, "--bot", "1", "--seed", "1", typed=f"{text}\nquit\n")
    assert "bot1 plays" in said or position.play(position.parse(text)).seat == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("druid", "--bot", "9"), "no-such-level"),
        (("druid", "--bot", "0"), "no-such-level"),
        (("druid", "--bot", "1", "--seat", "3"), "no-such-side"),
        (("druid", "--bot", "1", "--seat", "x"), "no-such-side"),
        (("druid", "--seed", "1"), "bot-missing"),
        (("druid", "--seat", "2"), "bot-missing"),
    ],
)
def test_what_cannot_be_is_refused_with_a_line_that_works(
    words: tuple[str, ...], code: str
) -> None:
    refused = sarsen(*words)
    assert refused.exit_code == 2
    assert f"[{code}]" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 2


def test_two_people_load_no_search() -> None:
    code = "import sys\nfrom sarsen.server.command import main\n"
    code += "try:\n    main(['play', 'druid'])\nexcept SystemExit:\n    pass\n"
    code += "print(sorted({'numba', 'numpy', 'django'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], input="a1\nquit\n", capture_output=True, text=True
    )
    assert done.stdout.endswith("[]\n"), done.stdout + done.stderr


def test_at_a_real_terminal_it_is_shown_that_the_program_thinks() -> None:
    master, slave = pty.openpty()
    line = [sys.executable, "-m", "sarsen", "play", "druid", "-size=4", "--bot", "1"]
    done = subprocess.run(
        line, input=b"a1\nquit\n", stdout=subprocess.PIPE, stderr=slave, timeout=120
    )
    os.close(slave)
    shown = os.read(master, 100_000).decode()
    os.close(master)
    assert done.returncode == 0
    assert "bot1 is thinking" in shown


@pytest.mark.parametrize(("level", "nearest"), [("9", "8"), ("0", "1")])
def test_level_that_there_is_not_is_refused_with_the_nearest(level: str, nearest: str) -> None:
    assert f"  sarsen play druid --bot {nearest}" in sarsen("druid", "--bot", level).stderr


def test_first_line_says_who_plays_what() -> None:
    said = printed("druid", "--bot", "3", "--seat", "2", "--time", "0.1", typed="quit\n")
    assert said.startswith("Druid. You are H, against bot3 (casual player). Type a move, ")
