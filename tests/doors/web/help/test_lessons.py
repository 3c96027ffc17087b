"""Rules pages: every example is a board to step through, every refusal in the rules' words."""

from __future__ import annotations

import pytest
from lxml import html

from fences import fences
from sarsen.doors.web.help.pages import html_with_boards, rules_of
from sarsen.games import help_text, names, plugin_versions


@pytest.mark.parametrize("name", names())
def test_every_example_of_a_game_is_a_board_and_every_refusal_a_row(name: str) -> None:
    lines = [line for one in fences(help_text(name)) if one.info == "sarsen" for line in one.lines]
    page = html.fromstring(f"<div>{rules_of(name)}</div>")
    shown = [line for line in lines if line.startswith("show ")]
    refused = [line for line in lines if line.startswith("refused ")]
    assert len(page.xpath("//figure[@class='live']/svg")) == len(shown) > 0
    assert len(page.xpath("//table[@data-refused]/tbody/tr")) == len(refused) > 0
    assert not page.xpath("//pre[contains(., '--moves')]")
    for row in page.xpath("//table[@data-refused]/tbody/tr"):
        assert row.xpath("string(td[2])").strip()


@pytest.mark.parametrize("name", names())
def test_the_text_board_of_an_example_is_kept_below_it(name: str) -> None:
    page = html.fromstring(f"<div>{rules_of(name)}</div>")
    below = [
        one.text for one in fences(help_text(name)) if one.before and one.before.info == "sarsen"
    ]
    kept = page.xpath("//figure[@class='live']//details/pre")
    assert [one.text_content().strip("\n") for one in kept] == [one.strip("\n") for one in below]


@pytest.mark.parametrize("name", sorted(set(names()) - plugin_versions().keys()))
def test_rules_are_in_chapters_of_which_the_first_are_open_and_all_are_listed(name: str) -> None:
    page = html.fromstring(f"<div>{rules_of(name)}</div>")
    chapters = page.xpath("//details[@class='chapter']")
    assert [one.get("open") is not None for one in chapters[2:4]] == [True, False]
    listed = page.xpath("//nav[@class='contents']//a/@href")
    assert listed == [f"#{one}" for one in page.xpath("//details[@class='chapter']/div/@id")]
    assert len(set(listed)) == len(chapters)


def test_board_before_the_first_move_is_shown_with_its_options() -> None:
    page = html.fromstring(
        html_with_boards("# T\n\n```sarsen\nshow druid -size=4\n```\n```text\nT\n```\n")
    )
    assert len(page.xpath("//figure[@class='live']/svg")) == 1
    assert page.xpath("string(//p[@class='now']/span)") == "size 4"
    assert page.xpath("string(//details/pre)").strip() == "T"


def test_other_prose_stays_what_it_was_and_brings_no_html() -> None:
    out = html_with_boards('# T\n\n```sarsen\nshow nonsense "\n```\n\n<script>x</script> `a`\n')
    assert "<script" not in out
    assert "<code>a</code>" in out
