"""Texts in a terminal of 80 columns are shown whole."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import App
from textual.widgets import Static

from sarsen.doors.tui import prompts
from sarsen.doors.tui.prompts import TextScreen
from sarsen.help import find_page
from sarsen.help.rendering import page_text
from sarsen.language.replies import HelpPage
from sarsen.language.translating import _, use_language


def german(text: str) -> str:
    with use_language("de"):
        return _(text)


PAGE = find_page(("druid",))
TEXTS = {
    "board": prompts.BOARD,
    "home": prompts.HOME,
    "board in German": german(prompts.BOARD),
    "home in German": german(prompts.HOME),
    "rules": page_text(HelpPage(PAGE.title, PAGE.text)),
}


@pytest.mark.parametrize("name", TEXTS)
def test_help_is_not_cut_at_80_columns(name: str) -> None:
    async def shown() -> int:
        app: App[None] = App()
        async with app.run_test(size=(80, 24)) as pilot:
            await app.push_screen(TextScreen("Help", TEXTS[name]))
            await pilot.pause()
            return min(static.content_size.width for static in app.screen.query(Static))

    assert asyncio.run(shown()) >= max(map(len, TEXTS[name].splitlines()))
