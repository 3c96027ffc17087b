"""docs/your-first-game.md is followed word by word: its commands are run, its files written."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from packages import PYTEST, install, passed, run

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "your-first-game.md"
HEX = ROOT / "examples" / "games" / "hex"


@dataclass(frozen=True)
class Block:
    """A fenced block, and the file that the paragraph above it names, or ""."""

    info: str
    text: str
    path: str


def blocks() -> list[Block]:
    found, path = [], ""
    for token in MarkdownIt().parse(PAGE.read_text(encoding="utf-8")):
        if token.type == "inline":
            named = re.findall(r"`(hex/[\w/]+\.(?:py|md))`", token.content)
            path = named[-1] if named else ""
        elif token.type == "fence":
            found.append(Block(token.info.strip(), token.content, path))
            path = ""
    return found


BLOCKS = blocks()
FILES = {block.path: block.text for block in BLOCKS if block.path}


def follow(block: Block, folder: Path, site: Path) -> str:
    """Do what a block asks for, and return what the last of its commands prints."""
    if block.path:
        (folder / block.path).write_text(block.text, encoding="utf-8")
    printed = ""
    for line in block.text.splitlines() if block.info == "sh" else ():
        words = shlex.split(line)
        if words[:3] == ["pip", "install", "-e"]:
            install(folder / words[3], site, is_editable=True)
            continue
        assert words[0] == "sarsen"
        result = run(site, *words, folder=folder)
        printed = result.stdout + result.stderr
        assert result.returncode == (2 if "[hex." in printed else 0), printed
    return printed


@dataclass(frozen=True)
class Followed:
    """What became of the page.

    Attributes:
        folder: Where the designer works.
        site: Where the game is installed.
        shown: What was printed, and what the page shows.
    """

    folder: Path
    site: Path
    shown: list[tuple[str, str]]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    """Follow the page from its first block to its last."""
    folder, site = tmp_path_factory.mktemp("designer"), tmp_path_factory.mktemp("site")
    shown: list[tuple[str, str]] = []
    printed = ""
    for block in BLOCKS:
        if block.info == "text":
            shown.append((printed, block.text))
        else:
            printed = follow(block, folder, site)
    return Followed(folder, site, shown)


@pytest.mark.ci
def test_commands_print_what_the_page_shows(followed: Followed) -> None:
    assert len(followed.shown) == 4
    for printed, told in followed.shown:
        assert printed.rstrip() == told.rstrip()


@pytest.mark.ci
def test_game_of_the_page_obeys_the_laws_and_passes_its_own_test(followed: Followed) -> None:
    laws, examples = ROOT / "tests/games/test_laws.py", ROOT / "tests/games/test_help_examples.py"
    own = followed.folder / "hex" / "tests" / "test_hex.py"
    assert (
        passed(run(followed.site, *PYTEST, str(laws), str(examples), str(own), "-k", "hex")) >= 60
    )


def test_files_of_the_page_are_those_of_the_example() -> None:
    assert len(FILES) == 5
    for path, text in FILES.items():
        assert text == (HEX.parent / path).read_text(encoding="utf-8")
