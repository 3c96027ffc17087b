"""`sarsen export` and `sarsen key`; `sarsen verify` with keys, and of what it wrote."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.test import Client
from sgfmill import sgf

from core.records.test_records import played
from sarsen.core.records import text
from sarsen.games import load
from sarsen.language.commands import Resign
from sarsen.server.command import main
from sarsen.services.dispatch import perform
from sarsen.services.records.signatures import public_keys
from sarsen.services.request import Actor
from serving import serving
from web_world import NOW, World

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.django_db


def run(*words: str, given: str = "") -> Result:
    result = CliRunner().invoke(main, list(words), input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def boards() -> list[int]:
    """Three games given up: one of them private."""
    world, found = World(), []
    for game, terms in (("druid", ()), ("gyges", ()), ("druid", ("--private",))):
        board = world.board(game, terms=terms)
        perform(Resign("", board, confirmed=True), Actor(world.player("ann")), "", NOW)
        found.append(board)
    return found


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """A kept copy of the server's page of keys."""
    path = tmp_path / "keys.json"
    path.write_bytes(Client(SERVER_NAME="sarsen.test").get("/.well-known/sarsen-keys").content)
    return path


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_exported_holds_and_is_signed(
    boards: list[int], keys: Path, tmp_path: Path, form: tuple[str, ...]
) -> None:
    path = tmp_path / "games"
    said = run("export", *form, "-o", str(path))
    assert said.exit_code == 0
    assert "2 records in" in said.stderr
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {one.name for one in tmp_path.iterdir()} == {"games", "keys.json"}
    checked = run("verify", str(path), "--keys", str(keys))
    assert (checked.exit_code, checked.stdout) == (0, "2 of 2 are valid.\n")


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ((), [0, 1]),
        (("--private",), [0, 1, 2]),
        (("--game", "gyges"), [1]),
        (("--player", "BOB", "--game", "druid"), [0]),
    ],
)
def test_options_choose_among_the_games(
    boards: list[int], words: tuple[str, ...], places: list[int]
) -> None:
    lines = run("export", "--json", *words).stdout.splitlines()
    found = [json.loads(line)["place"] for line in lines]
    assert found == [f"http://sarsen.test/boards/{boards[place]}/" for place in places]


def test_one_board_is_exported_as_sgf(boards: list[int]) -> None:
    tree = run("export", "--board", str(boards[0]), "--sgf").stdout
    assert sgf.Sgf_game.from_string(tree).get_root().get("RE") == "W+R"


@pytest.mark.parametrize(
    "words", [("--game", "chess"), ("--player", "ghost"), ("--board", "999"), ("-o", "/nope/x")]
)
def test_what_cannot_be_exported_is_refused_in_two_lines(
    boards: list[int], words: tuple[str, ...]
) -> None:
    result = run("export", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("sarsen: ")
    assert len(result.stderr.splitlines()) == 2


def test_a_changed_record_is_refused_with_the_keys_and_without_them_if_a_move_was(
    boards: list[int], keys: Path
) -> None:
    good = run("export", "--board", str(boards[0])).stdout
    assert "not checked: give --url or --key" in run("verify", "-", given=good).stdout
    right = run("verify", "-", "--key", public_keys()[0].public, given=good).stdout
    assert f"signed by {public_keys()[0].name}, which is right" in right
    renamed = good.replace("V ann", "V eve")
    assert run("verify", "-", given=renamed).exit_code == 0
    refused = run("verify", "-", "--keys", str(keys), given=renamed)
    assert refused.exit_code == 1
    assert "[record.signature]" in refused.stdout
    unsigned = "".join(line for line in good.splitlines(True) if "signature" not in line)
    assert "[record.unsigned]" in run("verify", "-", "--keys", str(keys), given=unsigned).stdout


def test_records_of_before_a_new_key_are_still_proved(boards: list[int], keys: Path) -> None:
    old = run("export", "--board", str(boards[0])).stdout
    before = public_keys()[0]
    said = run("key", "--new")
    assert said.exit_code == 0
    listed = run("key").stdout.splitlines()
    assert listed[0].startswith(public_keys()[0].name)
    assert any(line.startswith(f"{before.name}  {before.public}  from") for line in listed[1:])
    assert run("key", "--pem").stdout.count("BEGIN PUBLIC KEY") == len(listed)
    new = run("export", "--board", str(boards[0])).stdout
    assert new != old
    assert run("verify", "-", "--keys", str(keys), given=old).exit_code == 0
    assert "[record.other-key]" in run("verify", "-", "--keys", str(keys), given=new).stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--key", "short"), "record.key"),
        (("--url", "file:///etc/passwd"), "record.keys-away"),
        (("--url", "http://127.0.0.1:1"), "record.keys-away"),
        (("--url", "play.example"), "record.keys-away"),
        (("--keys", "-"), "record.keys"),
    ],
)
def test_keys_that_cannot_be_had_are_refused_in_words(words: tuple[str, ...], code: str) -> None:
    sample = str(ROOT / "docs" / "records" / "druid.txt")
    result = run("verify", sample, *words, given="[]")
    assert result.exit_code == 2
    assert f"[{code}]" in result.stderr


@pytest.fixture
def elsewhere(keys: Path) -> Iterator[str]:
    """A server somewhere on the web that has our keys."""
    page = keys.read_bytes()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/.well-known/sarsen-keys" else 404)
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *words: Any) -> None:
            pass

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Answer)) as url:
        yield url


def test_keys_are_fetched_from_the_server_where_it_was_played(
    boards: list[int], elsewhere: str
) -> None:
    good = run("export", "--board", str(boards[0])).stdout
    # Any address of the server will do, such as the board's own.
    assert run("verify", "-", "--url", f"{elsewhere}/boards/1/", given=good).exit_code == 0


def test_examples_beside_the_specification_hold() -> None:
    files = sorted(str(path) for path in (ROOT / "docs" / "records").glob("*.txt"))
    assert len(files) == 3
    result = run("verify", *files)
    assert (result.exit_code, result.stdout) == (0, "4 of 4 are valid.\n")


def test_bytes_that_are_no_text_spoil_their_record_alone(tmp_path: Path) -> None:
    game = load("visavis")
    good = text.write(played("visavis", 1), game).encode()
    (tmp_path / "mixed").write_bytes(good + b"# \xff\n" + good)
    result = run("verify", "--json", str(tmp_path / "mixed"))
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["code"] == "record.not-text"
    assert second["holds"]
