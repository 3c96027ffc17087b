"""Style sheets and handlers name their widgets as text: a renamed class must not lose them."""

from __future__ import annotations

import inspect
import re

import pytest
from textual.dom import DOMNode

from sarsen.doors.tui import app, board_screen, board_widget, home_screen, prompts, words

MODULES = (app, board_screen, board_widget, home_screen, prompts, words)
WIDGETS = [
    found
    for module in MODULES
    for _, found in inspect.getmembers(module, inspect.isclass)
    if issubclass(found, DOMNode) and found.__module__ == module.__name__
]


@pytest.mark.parametrize(
    "widget", [one for one in WIDGETS if "DEFAULT_CSS" in vars(one)], ids=lambda one: one.__name__
)
def test_every_rule_of_a_style_sheet_is_about_its_own_widget(widget: type[DOMNode]) -> None:
    rules = re.findall(r"([^{}]+)\{", vars(widget)["DEFAULT_CSS"])
    assert rules
    assert all(re.search(rf"\b{widget.__name__}\b", rule) for rule in rules)


def test_every_message_of_ours_has_a_handler() -> None:
    handlers = {name for widget in WIDGETS for name in vars(widget) if name.startswith("on_")}
    assert board_widget.BoardWidget.Tapped.handler_name in handlers
    assert prompts.LineField.Entered.handler_name in handlers
