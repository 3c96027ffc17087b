"""The documents are true: what they show runs, what is generated is up to date."""

from __future__ import annotations

import ast
import dataclasses
import re
import shlex
import tomllib
from collections.abc import Iterator
from inspect import isfunction, signature
from pathlib import Path
from typing import get_args

import polib
import pytest
from click.testing import CliRunner

import golden
from fences import Fence, fences
from sarsen.drawing import View
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Shape
from sarsen.language.commands import COMMANDS as COMMAND_CLASSES
from sarsen.language.commands import OfferDraw
from sarsen.server.command import main
from sarsen.services.dispatch import HANDLERS

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "sarsen"
PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *sorted(ROOT.glob("docs/**/*.md")))
    if not page.name.startswith(".")
]
RUN_HERE = ("sarsen show ", "sarsen perft ")
TARGETS = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
SECONDS = re.compile(r"^[0-9]+\.[0-9]{2} s\n", re.M)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prompts(fence: Fence) -> list[tuple[str, str]]:
    """Return the commands after `$ ` in a block, each with what is printed below it."""
    parts = re.split(r"^\$ ", fence.text, flags=re.M)[1:]
    return [(command, printed) for command, _, printed in (part.partition("\n") for part in parts)]


# The game of this page is there only for `test_first_game.py`, which follows it.
FOLLOWED = "your-first-game.md"
BLOCKS = [
    (page, fence) for page in PAGES if page.name != FOLLOWED for fence in fences(text_of(page))
]
COMMANDS = [
    (name_of(page), line)
    for page, fence in BLOCKS
    for line in fence.lines
    if line.startswith(RUN_HERE)
]
SESSIONS = [
    (name_of(page), command, printed)
    for page, fence in BLOCKS
    for command, printed in prompts(fence)
    if command.startswith(RUN_HERE)
]


def run(line: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, shlex.split(line, comments=True)[1:])
    return result.exit_code, SECONDS.sub("", result.output)


def test_page_of_commands_is_up_to_date() -> None:
    assert golden.COMMANDS.is_file(), "run `make docs`"
    assert text_of(golden.COMMANDS) == golden.commands_page(), "run `make docs`"


def test_page_of_licences_is_up_to_date_and_asks_nothing_of_operators() -> None:
    assert text_of(golden.LICENCES) == golden.licences.page(), "run `make docs`"
    told = {package: golden.licences.licence_of(package) for package in golden.licences.required()}
    assert not [package for package, licence in told.items() if not licence]
    # The GPL and the AGPL would ask for the source of the server itself.
    assert not [pair for pair in told.items() if re.search(r"\bA?GPL|\bGNU G", " ".join(pair))]


def test_example_of_a_command_is_one_and_stands_in_the_files_that_are_named() -> None:
    page = text_of(ROOT / "CONTRIBUTING.md")
    (example,) = (fence for fence in fences(page) if "(Command):" in fence.text)
    assert example.text in text_of(SOURCES / "language" / "offers.py")
    assert OfferDraw in COMMAND_CLASSES
    handler = HANDLERS[OfferDraw]
    assert handler.__name__ == "offer_draw"
    assert handler.__module__ == "sarsen.services.matches.agreements"
    german = SOURCES / "language" / "locale" / "de" / "LC_MESSAGES" / "django.po"
    assert polib.pofile(str(german)).find(OfferDraw.summary)


def test_page_of_parity_is_up_to_date_and_has_no_hole() -> None:
    assert text_of(golden.PARITY) == golden.parity.page(), "run `make docs`"
    doors, json_of_each = text_of(golden.PARITY).split("## The JSON of each command")
    for page, columns in ((doors, 5), (json_of_each, 2)):
        rows = [line for line in page.splitlines() if line.startswith("| `")]
        assert len(rows) == len(COMMAND_CLASSES)
        for row in rows:
            cells = [cell.strip() for cell in row.replace("\\|", "/").strip("|").split("|")]
            assert len(cells) == columns, row
            assert all(cells), row


def test_commands_in_documents_run() -> None:
    for page, line in COMMANDS:
        code, printed = run(line)
        assert code == 0, f"{page}: {line}: {printed}"


def test_sessions_in_documents_print_what_they_show() -> None:
    for page, command, printed in SESSIONS:
        assert run(command)[1].strip() == printed.strip(), f"{page}: {command}"


def test_readme_shows_the_whole_board_that_its_command_prints() -> None:
    blocks = list(fences(text_of(ROOT / "README.md")))
    command = next(one for fence in blocks for one in fence.lines if " show druid " in one)
    shown = next(fence.text for fence in blocks if fence.info == "text")
    assert run(command.removeprefix("$ .venv/bin/"))[1].strip() == shown.strip()


def test_nothing_installs_sarsen_by_its_name_alone() -> None:
    """On the package index it is another project's: install lines name a clone or a wheel."""
    named = re.compile(
        # An extra of the bare name; an installer's command with the bare name among its words.
        r"(?<![\w./-])sarsen\[[a-z][a-z,]*\]"
        r"|\b(?:pip3?|pipx|uv)\b[^\n`]*\b(?:install|download|wheel|add|run)\b(?:[ ][^\n`,]*)?"
        r"[ '\"]sarsen(?=[ '\"`\[<>=~!)]|$)",
        re.MULTILINE,
    )
    for bad in ("pip install sarsen", "uv add 'sarsen>=1'", 'pipx install -q "sarsen[bots]" x'):
        assert named.search(bad), bad
    for good in (
        "pip install '/path/to/sarsen[bots]'",
        "pip install -e ./sarsen",
        "uv sync; sarsen",
    ):
        assert not named.search(good), good
    folders = ("src", "docs", "examples", "tests", "simulation", "bench", "training")
    kinds = (".py", ".md", ".toml", ".html", ".js", ".txt", ".yaml", ".po", ".service", "")
    files = [
        path
        for path in (
            *ROOT.glob("*"),
            *(one for name in folders for one in ROOT.glob(f"{name}/**/*")),
        )
        if path.suffix in kinds and path.is_file() and path != Path(__file__)
    ]
    assert len(files) > 1000
    wrong = [
        f"{name_of(path)}: {one[0]}" for path in files for one in named.finditer(text_of(path))
    ]
    assert not wrong
    projects = [path for path in files if path.name == "pyproject.toml"]
    assert len(projects) > 5
    for path in projects:
        needed = tomllib.loads(text_of(path))["project"].get("dependencies", [])
        assert not [one for one in needed if re.match(r"sarsen\b(?!-)", one)], name_of(path)


def test_pictures_of_the_readme_are_there_and_small() -> None:
    pictures = re.findall(r'<img src="([^"]+)"', text_of(ROOT / "README.md"))
    assert len(pictures) == 6
    for picture in pictures:
        assert 0 < (ROOT / picture).stat().st_size < 80_000, picture


def test_changelog_has_at_most_fifteen_lines_a_release_and_kind_of_reader() -> None:
    for release in text_of(ROOT / "CHANGELOG.md").split("\n## ")[1:]:
        for part in release.split("\nFor ")[1:]:
            lines = [line for line in part.splitlines()[1:] if line.strip()]
            assert len(lines) <= 15, f"{release[:5]}: for {part.splitlines()[0]}"


def test_paths_named_for_contributors_exist() -> None:
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_.]*)`", text_of(ROOT / "CONTRIBUTING.md"))
    assert len(named) > 10
    for path in named:
        assert (ROOT / path).exists() or (ROOT / "src" / "sarsen" / path).exists(), path


def test_make_targets_in_a_document_exist(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(name_of(page)):
            named = re.findall(r"(?:`|^)make ([a-z][a-z-]*)", text_of(page), re.M)
            assert set(named) <= set(TARGETS)


def test_links_between_documents_lead_somewhere(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(name_of(page)):
            targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(page))
            for target in targets:
                if "://" not in target and not target.startswith("mailto:"):
                    assert (page.parent / target).exists(), f"{name_of(page)} links to {target}"


def test_documents_name_no_path_of_one_machine(subtests: pytest.Subtests) -> None:
    for page in PAGES:
        with subtests.test(name_of(page)):
            assert not re.search(r"/(?:root|work|home|tmp)/", text_of(page))


OURS = ("tests", "bench", "simulation", "examples")  # beside the package


def docstrings(folder: Path = SOURCES) -> Iterator[tuple[Path, ast.AST, str]]:
    """Yield every docstring below a folder with its file and the node that it describes."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(text_of(file))):
            if isinstance(node, documented) and (text := ast.get_docstring(node)):
                yield file, node, text


def defines(names: list[str], folder: Path) -> bool:
    """Return whether the names lead from a folder to a module, or to a word in one."""
    for number, name in enumerate(names, start=1):
        if (module := folder / f"{name}.py").is_file():
            return number == len(names) or names[number] in text_of(module)
        if not (folder := folder / name).is_dir():
            return number > 1 and name in text_of(folder.parent / "__init__.py")
    return True


def test_docstrings_name_modules_that_exist() -> None:
    parts = {folder.name for folder in SOURCES.iterdir() if folder.is_dir()}
    gone = []
    for file, node, text in docstrings():
        for name in re.findall(r"`(?:sarsen\.)?([a-z_0-9]+(?:\.[a-zA-Z_]+)+)`", text):
            names = name.removesuffix(".py").split(".")
            if names[0] in parts and not defines(names, SOURCES):
                gone.append(f"{file.relative_to(SOURCES)}: {name}")
        if isinstance(node, ast.Module) and file.name == "__init__.py":
            for name in re.findall(r"Open `([a-z_0-9]+)", text):
                if not defines([name], file.parent):
                    gone.append(f"{file.relative_to(SOURCES)}: {name}")
    assert not gone, "docstrings send a reader to what is not there"


def test_docstrings_begin_with_an_order_in_standard_words() -> None:
    wrong = re.compile(r"(?:Give|Tell|Say|Who|Whoever)\b")
    found = [
        f"{file.relative_to(ROOT)}: {text.splitlines()[0]}"
        for folder in (SOURCES, *(ROOT / name for name in OURS))
        for file, _, text in docstrings(folder)
        if wrong.match(text)
    ]
    assert not found, 'say "Return", "Send" or "Store"; name the subject'


HAND = ROOT / "docs" / "drawing-by-hand.md"


def test_page_on_drawing_by_hand_shows_a_view_that_is_tested() -> None:
    (shown,) = (fence.text for fence in fences(text_of(HAND)) if fence.info == "python")
    view = ROOT / "tests" / "plugin" / "sarsen_nim" / "view.py"
    assert shown + "\n" == text_of(view)


def test_page_on_drawing_by_hand_names_all_shapes_roles_and_members_of_views() -> None:
    rows = re.findall(r"^\| (`.*?) \|", text_of(HAND), re.M)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    shapes = {
        f"{shape.__name__}({', '.join(field.name for field in dataclasses.fields(shape))})"
        for shape in get_args(Shape)
    }
    members = {
        f"{name}({', '.join(list(signature(member).parameters)[1:])})"
        for name, member in vars(View).items()
        if isfunction(member) and not name.startswith("_")
    }
    assert shapes | members | set(LIGHT) - {"second-stripe"} == named
