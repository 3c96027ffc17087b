"""Pictures in the colours that somebody has chosen."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sarsen.doors.web.account.colours import Chosen, style_version

register = template.Library()


@register.simple_tag(takes_context=True)
def picture(
    context: dict[str, Any],
    name: str,
    *words: object,
    alt: str = "",
    width: int = 240,
    height: int = 180,
    lazy: object = True,
) -> SafeString:
    """Show a picture that is a file of its own.

    Args:
        name: Of its address, which takes `words` and a theme.
    """
    site = context.get("site")
    *sources, (theme, _) = (site.colours if site else Chosen()).sources()
    more = format_html_join(
        "",
        '<source media="{}" srcset="{}">',
        ((asked, _address(name, words, theme)) for theme, asked in sources),
    )
    loading = SafeString(' loading="lazy"') if lazy else ""
    return format_html(
        '<picture>{}<img src="{}" alt="{}" width="{}" height="{}"{}></picture>',
        *(more, _address(name, words, theme), alt, width, height, loading),
    )


def _address(name: str, words: tuple[object, ...], theme: str) -> str:
    path = reverse(f"{name}-in", args=[*words, theme])
    return f"{path}?v={style_version()}"  # browsers keep such pictures
