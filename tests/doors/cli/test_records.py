"""`sarsen verify`: files of records, proved or refuted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.records.test_records import played
from fences import fences
from sarsen.core.records import as_json, prove, text
from sarsen.games import load
from sarsen.server.command import main

PAGE = Path(__file__).parents[3] / "docs" / "records.md"
SAMPLES = [fence.text for fence in fences(PAGE.read_text("utf-8")) if fence.info == "record"]


def verify(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["verify", *words])
    return result.exit_code, result.stdout


@pytest.mark.parametrize("sample", SAMPLES)
def test_sample_of_the_specification_holds_and_is_in_its_one_form(sample: str) -> None:
    record = text.read(sample, load)
    game = load(record.game)
    prove(record, game)
    assert text.write(record, game) == sample + "\n"


def test_a_record_of_each_form_holds(tmp_path: Path) -> None:
    record, game = played("vasco", 4), load("vasco")
    (tmp_path / "one.txt").write_text(text.write(record, game))
    lines = [json.dumps(as_json.write(played("vasco", seed), game)) for seed in range(3)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    code, printed = verify(str(tmp_path / "one.txt"), str(tmp_path / "all.jsonl"))
    assert (code, printed) == (0, "4 of 4 are valid.\n")


def test_the_line_and_the_ply_that_do_not_hold_are_named(tmp_path: Path) -> None:
    game = load("visavis")
    good, bad = (as_json.write(played("visavis", seed), game) for seed in (1, 2))
    bad["moves"][3][2] = bad["moves"][0][2]
    (tmp_path / "two.jsonl").write_text(f"{json.dumps(good)}\n\n{json.dumps(bad)}\n")
    code, printed = verify(str(tmp_path / "two.jsonl"))
    assert code == 1
    assert f"{tmp_path / 'two.jsonl'}:3: Ply 4, " in printed
    assert "1 of 2 are valid." in printed
    _, lines = verify("--json", str(tmp_path / "two.jsonl"))
    first, second = (json.loads(line) for line in lines.splitlines())
    assert first["holds"]
    assert not second["holds"]
    assert second["code"].startswith("visavis.")


def test_signature_that_was_not_checked_is_not_called_valid(tmp_path: Path) -> None:
    record, game = replace(played("vasco", 4), signature="57f3f9b47c8e4c11:AA=="), load("vasco")
    path = tmp_path / "one.txt"
    path.write_text(text.write(record, game))
    assert (
        verify(str(path))[1]
        .splitlines()[0]
        .endswith("its signature was not checked: give --url or --key")
    )
    path.write_text(text.write(record, game) * 2)
    assert verify(str(path))[1] == (
        "2 of 2 are valid. 2 signatures were not checked: give --url or --key.\n"
    )
    assert not json.loads(verify("--json", str(path))[1].splitlines()[0])["signature_checked"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1]", b"{}\n{", b"{" * 50_000])
def test_a_file_that_is_no_record_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd").write_bytes(content)
    result = CliRunner().invoke(main, ["verify", str(tmp_path / "odd")])
    assert result.exit_code in (1, 2)
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit)
    assert "[" in result.output
