"""Help, from the one source of help pages."""

from __future__ import annotations

from sarsen.help import find_page
from sarsen.language.commands import Help
from sarsen.language.replies import HelpPage
from sarsen.services.call import Call


def give_help(command: Help, call: Call) -> HelpPage:
    """Find the page for the subjects asked about."""
    page = find_page(command.subjects)
    return HelpPage(page.title, page.text)
