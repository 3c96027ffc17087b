"""The tags `url`, `static` and `translate` and the filter `date`, which remember what they wrote.

A page has a hundred of them. Django looks each up anew, which takes a third of a template's time.
Each text is cached by what it depends on. Its language is that of `use_language`: Django takes a
hundred times as long to return its own; pages and letters set both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Any

from django import template
from django.template.base import Node, Parser, Token
from django.template.context import Context
from django.template.defaultfilters import date as format_date
from django.template.defaulttags import URLNode, url
from django.templatetags.i18n import do_translate
from django.templatetags.static import do_static
from django.urls import NoReverseMatch, reverse
from django.utils import translation
from django.utils.html import escape

from sarsen.language.translating import current_language

register = template.Library()
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")  # without a filter, which would depend on more
_MAX_CACHED = 2_000  # addresses, and dates, of 200 bytes each: under half a megabyte
Compile = Callable[[Parser, Token], Node]


class Constant(Node):
    """Render a tag whose text depends on the language alone once for each."""

    def __init__(self, tag: Node) -> None:
        self._tag = tag
        self._texts: dict[str, str] = {}

    def render(self, context: Context) -> str:
        """Return the text of the tag."""
        language = current_language()
        text = self._texts.get(language)
        if text is None:
            with translation.override(language):
                text = self._texts[language] = self._tag.render(context)
        return text


class AddressNode(Node):
    """Render the address of a page with arguments, or give it a name."""

    def __init__(self, name: str, tag: URLNode) -> None:
        self._name = name
        self._arguments = tag.args
        self._variable = tag.asvar

    def render(self, context: Context) -> str:
        """Return the address, which depends on its arguments alone."""
        arguments = [argument.resolve(context) for argument in self._arguments]
        if not self._variable:
            address = address_of(self._name, *arguments)
            return escape(address) if context.autoescape else address
        try:
            context[self._variable] = address_of(self._name, *arguments)
        except NoReverseMatch:
            context[self._variable] = ""
        return ""


@lru_cache(_MAX_CACHED, typed=True)
def address_of(name: str, *arguments: object) -> str:
    """Return the address of a page; there is one configuration of addresses."""
    return reverse(name, args=arguments)


@register.filter(expects_localtime=True)
def date(value: Any, form: str | None = None) -> str:
    """Write a moment as Django does."""
    if not isinstance(value, datetime) or form is None:
        return str(format_date(value, form))
    if form == "c":
        return value.isoformat()
    # Moments that are equal read differently in different zones.
    return _cached_date(
        value.replace(tzinfo=None), value.fold, value.tzinfo, form, current_language()
    )


@lru_cache(_MAX_CACHED)
def _cached_date(at: datetime, fold: int, zone: tzinfo | None, form: str, language: str) -> str:
    with translation.override(language):
        return str(format_date(at.replace(tzinfo=zone, fold=fold), form))


def _remember(compile_tag: Compile) -> Compile:
    """Compile a tag as Django does, and remember its text if its one argument is quoted."""

    def compiled(parser: Parser, token: Token) -> Node:
        tag = compile_tag(parser, token)
        words = token.split_contents()
        if len(words) == 2 and _QUOTED.fullmatch(words[1]):
            return Constant(tag)
        # In a space of names, with a colon, an address may depend on the page.
        if isinstance(tag, URLNode) and not tag.kwargs and ":" not in words[1]:
            return AddressNode(words[1][1:-1], tag) if _QUOTED.fullmatch(words[1]) else tag
        return tag

    return compiled


for _name, _compile in (("url", url), ("static", do_static), ("translate", do_translate)):
    register.tag(_name, _remember(_compile))
