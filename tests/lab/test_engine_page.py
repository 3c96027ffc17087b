"""`docs/engine.md` is enough to write an engine from: its dialogue and its engine run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from sarsen.games import find, load
from sarsen.lab.engine import Engine, speak
from sarsen.lab.matches import Setup, play_match
from sarsen.lab.players import read_entry
from sarsen.search import bots

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)
    return str(found)


def test_dialogue_on_the_page_is_what_an_engine_says() -> None:
    typed = re.findall("^> (.*)", block("engine"), re.M)
    line = [sys.executable, "-m", "sarsen", "engine", "druid", "-size=3"]
    spoken = subprocess.run(line, input="\n".join(typed) + "\n", capture_output=True, text=True)
    answers = spoken.stdout.split("\n\n")[:-1]
    dialogue = "\n".join(f"> {asked}\n{said}\n" for asked, said in zip(typed, answers, strict=True))
    assert dialogue + "\n" == block("engine")


def test_engine_on_the_page_plays_a_match(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(block("python"), encoding="utf-8")
    command = shlex.join([sys.executable, str(program)])
    entries = (read_entry(command), read_entry("random"))
    match = play_match(Setup("druid", "-size=5", *entries, pairs=3), lambda match: None)
    assert (len(match.pairs), match.faults) == (3, [])
    assert all(len(pair.first.moves) > 4 for pair in match.pairs)


def test_every_command_of_an_engine_is_on_the_page() -> None:
    import io

    answers = io.BytesIO()
    one = Engine(load("druid"), "", bots.load(1))
    speak(one, io.BytesIO(b"list_commands\n"), answers)
    listed = set(answers.getvalue().decode()[2:].split())
    section = PAGE.partition("## Commands")[2].partition("\n## ")[0]
    rows = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    told = {name.split()[0] for row in rows for name in re.findall("`([^`]+)`", row)}
    assert told == listed


def test_seats_on_the_page_are_those_of_the_games() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \| `(\w+)` \| `(\w+)` \|$", PAGE, re.M)
    told = {name: (first, second) for name, first, second in rows}
    ours = {name: game.info.seats for name, game in find().items() if name in told}
    assert told == ours
    assert len(told) == 4
