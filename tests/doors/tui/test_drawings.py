"""Drawings in texts of people are neither wrapped nor squeezed in a terminal."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from textual.app import App
from textual.widgets import Static

from sarsen.doors.tui.prompts import TextScreen
from sarsen.doors.tui.words import chat_words
from sarsen.language.facts import Words
from written_words import text_named


def lines_shown(text: str) -> list[str]:
    """Return the lines of the drawings of a text, as wide as they are drawn on 60 columns."""

    async def shown() -> list[str]:
        app: App[None] = App()
        async with app.run_test(size=(60, 20)) as pilot:
            await app.push_screen(TextScreen("", text, is_written=True))
            await pilot.pause()
            drawings = list(app.screen.query("HorizontalScroll Static").results(Static))
            widths = [drawing.region.width for drawing in drawings]
            texts = [str(drawing.content).split("\n") for drawing in drawings]
            assert widths == [max(map(len, lines)) for lines in texts]
            return [line for lines in texts for line in lines]

    return asyncio.run(shown())


@pytest.mark.parametrize("name", ["druid_announced", "visavis_announced"])
def test_a_drawing_is_scrolled_sideways(name: str) -> None:
    drawn = [line.rstrip() for line in text_named(name).split("\n") if "    " in line]
    shown = lines_shown("\n".join(line.rstrip() for line in text_named(name).split("\n")))
    assert [line for line in drawn if line not in shown] == []


def test_a_drawing_in_the_column_beside_the_board_stands_below_its_writer() -> None:
    at = datetime(2026, 11, 20, tzinfo=UTC)
    (text,) = chat_words((Words("ann", 1, "  A B\n1 . x", at),)).renderables
    assert str(text) == "ann:\n  A B\n1 . x"
    assert text.no_wrap  # type: ignore[union-attr]
