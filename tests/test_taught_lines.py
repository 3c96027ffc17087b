"""Every line that a help page, a web page, the README or a document teaches is performed.

Lines are found by themselves: what stands in a fenced block or between backticks (`<code>` on
pages) and begins as a command does. A line counts as taught well if it is performed in one of
the situations below. Shell lines, after `$` or beginning with `sarsen`, must at least be
understood by the command line they are for. What is left out stands in `NOT_RUN`, with why.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path

import click
import pytest
from django.db import transaction
from django.utils import timezone

from contest_world import ContestWorld
from fences import fences
from league_world import league
from sarsen.games import help_text, names
from sarsen.language.commands import (
    BY_WORD,
    Accept,
    JoinLadder,
    MakeContest,
    OfferDraw,
    TakeVacation,
)
from sarsen.language.replies import Refusal
from sarsen.server.command import main
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.command_lines import About, read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from web_world import NOW, World

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sarsen"
PASSWORD = "open-sesame-now"
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"
# Why a line is not performed here, and the test that does perform it.
NOT_RUN = {
    "change password": (
        "a word of one's own is added",
        "tests/processes/test_readme.py::test_readme_holds_from_its_first_line_to_its_last",
    ),
    "contest decline 12 Sorry, no time": (
        "needs an invitation to a match",
        "tests/services/contests/test_match.py::test_a_reason_for_declining_reaches_the_host",
    ),
    "contest decline 12": (
        "A match waits for the answer of one player alone.",
        "tests/services/contests/test_match.py::"
        "test_an_invitation_is_declined_by_one_line_and_the_host_is_told",
    ),
    "queue 123 publish": (
        "needs a plan of a finished game",
        "tests/services/plans/test_queueing.py::test_variations_are_published_after_the_game_only",
    ),
    "sarsen change password": (
        "asks for the new password on a terminal",
        "tests/doors/cli/test_lines.py"
        "::test_a_new_password_is_asked_for_twice_on_a_terminal_and_not_shown",
    ),
    "sarsen move 1 <Tab>": (
        "a key",
        "tests/doors/cli/test_completing.py"
        "::test_boards_challenges_and_moves_come_from_the_server_and_are_kept_for_a_moment",
    ),
    "sarsen verify FILE": (
        "a file of the reader's",
        "tests/doors/cli/test_records.py::test_a_record_of_each_form_holds",
    ),
}
# Programs other than sarsen, and the test that runs their lines.
SHELL_NOT_RUN = {
    "make": "tests/processes/test_readme.py::test_readme_holds_from_its_first_line_to_its_last",
    "swaks": "tests/processes/test_readme.py::test_readme_holds_from_its_first_line_to_its_last",
}
# What a reader puts in place of words in capitals, and of numbers that are examples.
FILLED = {
    "GAME": "druid",
    "YOU": "ann",
    "ME": "ann",
    "THEM": "bob",
    "USERID": "dora",
    "USERID1": "ann",
    "USERID2": "bob",
    "PASSWORD": PASSWORD,
    "TEXT": "b4",
    "SUBJECT": "tutorial",
    "NAME": "bob",
    "BOARD": "123",
}
CODE = re.compile(r"<code>([^<{]+)</code>|placeholder=\"([^\"{]+)\"")
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
DAYS = re.compile(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b")


def pages() -> Iterator[tuple[str, str]]:
    """Yield every page of help and every document, by name."""
    for path in sorted((SOURCE / "help" / "texts").glob("*.md")):
        yield f"help {path.stem}", path.read_text("utf-8")
    for name in names():
        yield f"help {name}", help_text(name)
    for path in (ROOT / "README.md", ROOT / "docs" / "terminal.md", ROOT / "docs" / "tui.md"):
        yield path.name, path.read_text("utf-8")


def spans() -> Iterator[tuple[str, str]]:
    """Yield what is written to be typed, with the page it stands on."""
    for page, text in pages():
        for fence in fences(text):
            if fence.info in ("text", "", "console"):
                yield from ((page, line) for line in fence.lines)
        outside = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        yield from ((page, found) for found in INLINE.findall(outside))
    for path in sorted((SOURCE / "doors" / "web" / "templates").rglob("*.html")):
        for code, placeholder in CODE.findall(path.read_text("utf-8")):
            yield path.name, unescape(code or placeholder)


def is_line(span: str) -> bool:
    """Return whether a span is a line of the language, and not the name of something."""
    words = span.split()
    has_game = len(words) > 1 and (words[0] in names() or words[0] == "GAME")
    verb = words[has_game : has_game + 1]
    two = " ".join(words[has_game : has_game + 2])
    is_command = (verb != [] and verb[0] in BY_WORD) or two in BY_WORD
    return is_command and len(words) > 1 and "…" not in span and "{" not in span


def shell_words(span: str) -> list[str]:
    """Return the words of a shell line for `sarsen`, without its name; none for another line."""
    line = re.split(r" {2,}", span.removeprefix("$ "))[0]  # what it does may stand behind it
    if not re.match(r"(?:\$ .|(?:\.venv/bin/)?sarsen [a-z])", span):
        return []
    try:
        return shlex.split(line.removeprefix(".venv/bin/"))
    except ValueError:  # it goes on in the next line
        return line.split()


LINES = sorted({(page, span) for page, span in spans() if is_line(span)})
SHELL = sorted({(page, span) for page, span in spans() if shell_words(span)})


@dataclass(frozen=True)
class Situation:
    """Where a reader may be who types a line, about which board, or which contest."""

    actor: Actor
    board: int
    about: About
    contest: int = 0


@pytest.fixture
def situations(db: None) -> list[Situation]:
    """Set up boards in several states, seen by ann."""
    return list(_situations(World()))


def _situations(world: World) -> Iterator[Situation]:
    make_accounts(NOW)
    ann, bob = world.player("ann"), world.player("bob")
    ann.set_password(PASSWORD)
    ann.save()
    by_ann, by_bob = Actor(ann), Actor(bob)
    small = {"options": "-size=5"}
    boards = [
        world.board(moves="", **small),
        world.board(moves="c1", **small),
        world.board(moves="c1 b3", **small),
        world.board(moves="b8 b5"),
        world.board(moves="a1 a2 b1 h8 c1 h7 d1 h6"),
        world.board(moves=ENDED),
        world.board("gyges"),
        world.board("vasco"),
        world.board("visavis"),
        world.board(players=("bob", "carl")),
    ]
    for board in boards:
        yield Situation(by_ann, board, About(board))
    offered = world.board(moves="c1 b3", **small)
    perform(OfferDraw("druid", offered), by_bob, "", NOW)
    yield Situation(by_ann, offered, About(offered))
    perform(Accept(world.challenge("druid", "ann", "bob", **small).number), by_bob, "", NOW)
    carl = Actor(world.player("carl"))
    next_year = datetime.now().year + 1
    perform(TakeVacation(f"{next_year}-02-01", f"{next_year}-02-05"), carl, "", timezone.now())
    yield Situation(carl, boards[-1], About())
    yield Situation(Actor(None, address="dora@example.org"), boards[0], About())
    ladder = ContestWorld()
    ladder.say("bob", MakeContest("druid", "ladder", "-size=5"))
    ladder.say("ann", JoinLadder("druid"))
    for players in (("bob", "carl"), ("ann", "bob", "carl"), ("ann", "bob", "carl", "emil")):
        contest = ContestWorld()
        number = contest.make(*players, most=4, game="druid", options="-size=5")
        yield Situation(by_ann, boards[0], About(), number)
    yield Situation(by_ann, boards[0], About(), league("bob", "carl").number)


def filled(line: str, board: int, contest: int = 0) -> str:
    """Put in what the reader is to put in: a board, a name, days that are still to come."""
    if line.startswith("contest "):
        line = re.sub(r"\b12\b", str(contest), line)
    line = re.sub(r"(?<= )(?:123|1)(?=[ #]|$)", str(board), line, count=1)
    if line.startswith("signup"):  # a mail has its sender's address
        line = re.sub(r"\b(ann|bob)\b", "dora", line) + " dora@example.org"
    for day, ahead in zip(DAYS.findall(line), (30, 39), strict=False):
        line = line.replace(day, f"{datetime.now() + timedelta(ahead):%Y-%m-%d}")
    words = (FILLED.get(word.strip(":"), word) for word in line.split())
    return " ".join(words).partition("  #")[0]


def refusals(line: str, situations: list[Situation]) -> str:
    """Try a line in each situation; give why it is refused in all of them, or nothing."""
    said = []
    for situation in situations:
        typed = filled(line, situation.board, situation.contest)
        with transaction.atomic():
            heard = read_and_perform(
                typed, "", situation.actor, "", timezone.now(), situation.about
            )
            transaction.set_rollback(True)
        if not isinstance(heard.reply, Refusal):
            return ""
        said.append(f"{heard.reply.text} [{heard.reply.code}]")
    return " / ".join(dict.fromkeys(said))


def test_taught_lines_are_performed(situations: list[Situation]) -> None:
    refused = {
        f"{page}: {line}": said
        for page, line in LINES
        if line not in NOT_RUN and (said := refusals(line, situations))
    }
    assert refused == {}


def test_taught_shell_lines_are_understood(situations: list[Situation]) -> None:
    refused = {
        f"{page}: {line}": said
        for page, line in SHELL
        if line not in NOT_RUN and (said := misread(line, situations))
    }
    assert refused == {}


def misread(line: str, situations: list[Situation]) -> str:
    """Return what is wrong with a shell line; "" when its command takes it."""
    program, *words = shell_words(line)
    if program in SHELL_NOT_RUN:
        return ""
    if program != "sarsen":
        return "neither a line for sarsen nor listed in SHELL_NOT_RUN"
    own = main.get_command(click.Context(main), words[0])
    if words[0] not in main.list_commands(click.Context(main)) or own is None:
        return refusals(" ".join(word for word in words if word[:2] != "--"), situations)
    try:
        with own.make_context(words[0], words[1:]):
            return ""
    except click.ClickException as wrong:
        return wrong.format_message()
    except click.exceptions.Exit:  # a group that is named alone, or help that is shown
        return ""


def test_lines_are_found_on_pages_of_each_kind() -> None:
    found = {page for page, _ in LINES}
    assert {"help tutorial", "help overview", "help plans", "help druid", "README.md"} <= found
    assert {"README.md", "terminal.md"} <= {page for page, _ in SHELL}


def test_what_is_not_run_is_still_taught() -> None:
    assert set(NOT_RUN) - {line for _, line in (*LINES, *SHELL)} == set()


def test_each_test_that_is_named_for_a_line_exists() -> None:
    for named in (*(test for _, test in NOT_RUN.values()), *SHELL_NOT_RUN.values()):
        path, _, name = named.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), named
