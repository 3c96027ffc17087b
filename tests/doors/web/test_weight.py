"""The largest page of a board, and all that a browser fetches for it, on a slow line."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.templatetags.static import static
from django.test import Client

from sarsen.doors import web
from sarsen.learning.puzzles.shelf import playable, puzzled
from sarsen.server.static_files import gather_static_files

NOW = 1_800_000_000  # seconds
SOURCES = Path(web.__file__).parent / "static" / "web"


@pytest.fixture
def client(settings: LazySettings, tmp_path: Path) -> Client:
    """Return a browser of a server that has collected its static files, as `serve` does."""
    settings.STATIC_ROOT = tmp_path / "static" / "new"
    settings.WHITENOISE_AUTOREFRESH = False
    # An operator's files are many, and are weighed nowhere.
    settings.INSTALLED_APPS = [one for one in settings.INSTALLED_APPS if "admin" not in one]
    for age, version in enumerate(("last", "older", "oldest")):
        (folder := tmp_path / "static" / version).mkdir(parents=True)
        (folder / "left.css").write_text("/* of an open page */")
        os.utime(folder, (NOW - age, NOW - age))
    gather_static_files()
    assert {folder.name for folder in (tmp_path / "static").iterdir()} == {"last", "new"}
    return Client(SERVER_NAME="127.0.0.1")


def test_static_files_come_compressed_and_are_kept_for_ever(client: Client) -> None:
    for name in ("web/page.css", "web/board.js"):
        for encoding in ("br", "gzip"):
            response = client.get(static(name), HTTP_ACCEPT_ENCODING=encoding)
            assert response["Content-Encoding"] == encoding
            assert "immutable" in response["Cache-Control"]
            assert response["Vary"] == "Accept-Encoding"
    assert client.get(static("web/page.css").replace("/static/", "/static/0")).status_code == 404


def test_pages_of_the_version_before_still_get_their_files(client: Client) -> None:
    response = client.get("/static/last/left.css")
    assert (response.status_code, response.getvalue()) == (200, b"/* of an open page */")
    assert "immutable" not in response["Cache-Control"]
    assert client.get("/static/older/left.css").status_code == 404


def test_static_files_that_are_not_collected_come_from_their_packages(client: Client) -> None:
    response = client.get(static("ninja/swagger-ui.css"), HTTP_ACCEPT_ENCODING="gzip")
    assert response.status_code == 200
    assert "Content-Encoding" not in response


def test_minified_scripts_lose_comments_and_blanks_alone(
    client: Client, settings: LazySettings
) -> None:
    root = Path(settings.STATIC_ROOT)
    scripts = [*SOURCES.glob("*.js")]
    assert len(scripts) > 10
    for script in scripts:
        code = re.sub(r"(?m)(^|\s)//.*$", "", script.read_text())
        minified = (root / "web" / script.name).read_text()
        assert "".join(minified.split()) == "".join(code.split()), script.name


def test_static_files_are_collected_once_for_each_version(
    client: Client, settings: LazySettings
) -> None:
    (page,) = Path(settings.STATIC_ROOT).glob("web/page.css")
    page.write_text("changed")
    gather_static_files()
    assert page.read_text() == "changed"
    (Path(settings.STATIC_ROOT) / "complete").unlink()  # as when it was killed meanwhile
    gather_static_files()
    assert page.read_text() != "changed"


@pytest.mark.ci  # a game of sixty moves has to be found and played first
def test_the_largest_board_weighs_at_most_the_limit_on_the_wire(client: Client, db: None) -> None:
    # They load the searches: not while tests are collected.
    from bench.page_boards import boards_of, player
    from bench.pages import GAMES, LIMIT, SCRIPTS, is_script_or_style, weigh

    board = boards_of({"visavis": GAMES["visavis"]})["visavis"]
    client.force_login(player())
    files = weigh(client, f"/boards/{board}/")
    assert {"moves.json", "board-page.js", "live.js", "page.css"} <= {
        one.path.rpartition("/")[2] for one in files
    }
    assert sum(one.travelling for one in files) <= LIMIT == 52_000
    scripts = [one.travelling for one in files if is_script_or_style(one)]
    assert sum(scripts) <= SCRIPTS == 30_000


@pytest.mark.ci
def test_a_step_or_a_puzzle_weighs_at_most_its_limit_on_the_wire(client: Client, db: None) -> None:
    # It loads the searches: not while tests are collected.
    from bench.pages import weigh

    puzzles = tuple(f"/puzzles/{game}/{playable(game)[0].id}/" for game in puzzled())
    for path in (
        "/learn/vasco/two-loops/",
        "/learn/gyges/stop/",
        "/learn/druid/win/",
        "/analyse/gyges/",
        *puzzles,
    ):
        assert 20_000 < sum(one.travelling for one in weigh(client, path)) <= 60_000
