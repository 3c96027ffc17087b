"""Help pages as text of fixed width."""

from __future__ import annotations

from sarsen.language.replies import HelpPage

FENCE = "```"


def page_text(page: HelpPage) -> str:
    """Write a help page: fixed width needs no fences around what keeps its lines."""
    lines = [line for line in page.text.strip().splitlines() if not line.startswith(FENCE)]
    return "\n".join([page.title, "=" * len(page.title), "", *lines])
