"""The tags `url`, `static` and `translate`, which look a constant up once for each language.

A page has a hundred of them. Django looks each up anew, which takes a third of a template's time.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django import template
from django.template.base import Node, Parser, Token
from django.template.context import Context
from django.template.defaulttags import url
from django.templatetags.i18n import do_translate
from django.templatetags.static import do_static
from django.utils.translation import get_language

register = template.Library()
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")  # without a filter, which would depend on more
Compile = Callable[[Parser, Token], Node]


class Constant(Node):
    """Render a tag whose text depends on the language alone once for each."""

    def __init__(self, tag: Node) -> None:
        self._tag = tag
        self._texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text of the tag."""
        language = get_language()
        text = self._texts.get(language)
        if text is None:
            text = self._texts[language] = self._tag.render(context)
        return text


def _remember(compile_tag: Compile) -> Compile:
    """Compile a tag as Django does, and remember its text if its one argument is quoted."""

    def compiled(parser: Parser, token: Token) -> Node:
        tag = compile_tag(parser, token)
        words = token.split_contents()
        is_constant = len(words) == 2 and bool(_QUOTED.fullmatch(words[1]))
        return Constant(tag) if is_constant else tag

    return compiled


for _name, _compile in (("url", url), ("static", do_static), ("translate", do_translate)):
    register.tag(_name, _remember(_compile))
