"""Letters can be read in a window of 72 columns, and as HTML.

Wider may be only boards, addresses, and lines to copy (indented).
"""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Any

import pytest

from doors.mail.conftest import PostOffice, text_of
from sarsen.games import names
from sarsen.help import find_page
from sarsen.help.pages import TEXTS
from sarsen.help.rendering import page_text
from sarsen.language.commands import COMMANDS
from sarsen.language.grammar.typography import WIDTH, wrap
from sarsen.language.replies import HelpPage, Table, table_text
from sarsen.services.mail.reply_addresses import player_address
from sarsen.storage.models import Player

pytestmark = pytest.mark.django_db
PAGES = ["", "commands", *TEXTS, *names(), *(command.words[0] for command in COMMANDS)]
TABLES = (
    *("list", "druid list", "druid standings", "druid standings ann bob", "druid ratings"),
    *("ratings ann", "druid games ann", "games ann", "druid history", "deliveries", "notices"),
    *("account", "all show ann", "refuse bob", "subscribe bob", "druid review {ended}"),
)


def too_wide(text: str) -> list[str]:
    """Return the lines that are neither short, nor an address, nor indented."""
    return [
        line
        for line in text.replace("\r\n", "\n").split("\n")
        if len(line) > WIDTH and not re.search(r"https?://\S+$", line)
    ]


def html_of(letter: EmailMessage) -> str:
    page = letter.get_body(("html",))
    assert page is not None
    return str(page.get_content())


def test_help_page_fits_in_72_columns_and_holds_no_markdown(subtests: pytest.Subtests) -> None:
    for subject in PAGES:
        with subtests.test(subject):
            page = find_page(tuple(subject.split()))
            text = page_text(HelpPage(page.title, page.text))
            assert not too_wide(text)
            assert not re.search(r"^\||^```|\*\*[A-Z]|<br>", text, re.MULTILINE)


def test_help_by_mail_has_a_text_that_fits_and_html_with_tables(post: PostOffice) -> None:
    post.join("helen")
    for subject in ("commands", "bots", "gyges"):
        post.send("helen@helen.example", subject=f"help {subject}")
        letter = post.last("helen@helen.example")
        assert not too_wide(text_of(letter))
        assert "<table" in html_of(letter)
        assert "|---" not in html_of(letter)


@pytest.mark.parametrize("line", TABLES)
def test_reply_fits_in_72_columns_and_has_html(words: dict[str, Any], db: None, line: str) -> None:
    post = PostOffice()
    post.box("ann@example.org")
    to = player_address(Player.objects.get(key="ann"))
    post.send("ann@example.org", line.format(**words), to=to)
    letter = post.last("ann@example.org")
    text = text_of(letter)
    assert "Nothing was changed" not in text
    assert not too_wide(text)
    assert "</html>" in html_of(letter)


def test_table_with_long_cells_is_wrapped_in_its_columns() -> None:
    table = Table("Boards", ("board", "who"), (("12", "ann_of_the_long_name " * 6), ("13", "bob")))
    text = table_text(table)
    assert not too_wide(text)
    assert text.count("ann_of_the_long_name") == 6
    assert "\n  13     bob" in text


def test_table_of_too_many_columns_is_listed_cell_by_cell() -> None:
    columns = tuple(f"column{number}" for number in range(10))
    text = table_text(Table("Wide", columns, (("word" * 3,) * 10,)))
    assert not too_wide(text)
    assert "column9: wordwordword" in text


def test_prose_is_wrapped_and_what_is_typed_stays_in_one_line() -> None:
    said = "To say something back answer this mail with one line like this: `message ann: hi`."
    assert wrap(said).split("\n")[1] == "`message ann: hi`."
    assert wrap("    " + "a b " * 30) == "    " + "a b " * 30
