"""Sentences in pages: what they quote as `typed` looks typed."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString, mark_safe

from sarsen.language.wording.results import reason_words

register = template.Library()
_QUOTED = re.compile("`([^`]{1,200})`")


@register.filter
def worded(text: str) -> SafeString:
    """Lay one line out."""
    return mark_safe(_QUOTED.sub(r"<code>\1</code>", escape(text)))  # noqa: S308


@register.filter
def ending(reason: str) -> str:
    """Say why a game is over."""
    return reason_words(reason)


@register.filter
def worded_lines(text: str) -> SafeString:
    """Lay sentences out in paragraphs."""
    return mark_safe(_QUOTED.sub(r"<code>\1</code>", linebreaks(escape(text))))  # noqa: S308
