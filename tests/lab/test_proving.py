"""`sarsen prove`: the proof's facts from the command line, and its picture."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sarsen.games.visavis.proof import facts
from sarsen.games.visavis.proof.facts import Fact
from sarsen.server.command import main

ROOT = Path(__file__).parents[2]


def sarsen(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout


@pytest.mark.slow
def test_every_fact_holds_on_a_small_board() -> None:
    code, printed = sarsen("prove", "visavis", "-size=5", "--games", "20")
    assert code == 0
    assert printed.count("holds ") == 8
    assert printed.endswith("The first player wins on size 5.\n")


def test_json_tells_the_same_facts() -> None:
    code, printed = sarsen("prove", "visavis", "-size=9", "--games", "5", "--json")
    told = json.loads(printed)
    assert (code, told["size"], told["holds"]) == (0, 9, True)
    names = [fact["name"] for fact in told["facts"]]
    assert names[:3] == ["Cells", "One cut", "Two colours"]
    assert all(fact["holds"] for fact in told["facts"])


def test_verdicts_are_surveyed_when_asked_for() -> None:
    code, printed = sarsen("prove", "visavis", "-size=5", "--games", "0", "--verdicts", "5")
    assert code == 0
    assert len(re.findall("^holds  Verdicts, .*: 5 of 5 positions decided", printed, re.M)) == 6


def test_a_fact_that_fails_makes_the_command_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "one_cut", lambda size: Fact("One cut", "broken", False))
    code, printed = sarsen("prove", "visavis", "-size=5", "--games", "0")
    assert code == 1
    assert "FAILS  One cut: broken" in printed
    assert printed.endswith("The proof fails on size 5.\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("druid",), "nothing-to-prove"),
        ((), "game-missing"),
        (("visavis", "-size=5", "--picture", "proof.jpg"), "unknown-picture"),
        (("visavis", "-size=5", "--picture", "no/such/folder/proof.svg"), "unwritable-picture"),
    ],
)
def test_what_cannot_be_proved_or_drawn_is_refused(words: tuple[str, ...], code: str) -> None:
    result = CliRunner().invoke(main, ["prove", *words])
    assert result.exit_code == 2
    assert f"[{code}]" in result.stderr


def test_an_even_size_is_refused_with_the_reason() -> None:
    result = CliRunner().invoke(main, ["prove", "visavis", "-size=6"])
    assert result.exit_code == 2
    assert "odd" in result.stderr


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_proof_is_drawn(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"proof.{ending}"
    code, _ = sarsen("prove", "visavis", "-size=5", "--games", "0", "--picture", str(path))
    assert code == 0
    beginning = {"svg": b"<svg ", "png": b"\x89PNG"}[ending]
    assert path.read_bytes().startswith(beginning)


def test_the_picture_of_the_document_is_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "proof.svg"
    sarsen("prove", "visavis", "-size=9", "--games", "0", "--picture", str(path))
    assert path.read_text() == (ROOT / "docs" / "visavis-proof.svg").read_text()
