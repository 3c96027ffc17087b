"""Filters and tags of templates: quoted words, refusals, options of fields, pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from html import escape as html_escape
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from lucide.templatetags.lucide import lucide

from sarsen.core.game import GameInfo
from sarsen.doors.web.frame.agreed_terms import challenge_words, option_words
from sarsen.doors.web.frame.colour_choice import ColourChoice
from sarsen.doors.web.frame.hints import advice
from sarsen.doors.web.frame.style_sheet import style_version
from sarsen.language.grammar.kept_text import paragraphs
from sarsen.language.ratings import marked_words, reason_words
from sarsen.language.translating import N_, _, translated
from sarsen.services.bots.accounts import Program

register = template.Library()
register.filter("translated", translated)
register.filter("agreed", challenge_words)
register.filter("advice", advice)
# In a field of 10 by 10, whose corner at the top left is that of the picture or of a side's field.
_SHAPES = (
    "M0 0H10V10H0Z",
    "M0 0H10V10Z",
    "M5 0L10 5L5 10L0 5Z",
    "M0 10A10 10 0 0 1 10 0V10Z",
    "M0 0A10 10 0 0 0 10 10V0Z",
    "M5 1A4 4 0 0 1 5 9A4 4 0 0 1 5 1Z",
    "M0 0L10 5L0 10Z",
    "M0 5H5V0H10V10H0Z",
)
_COLOURS = 6  # classes `c0`, `c1` … of people.css
_MAX_FACES = 2_000  # pictures, of 500 bytes each: a megabyte
_QUOTED = re.compile("`([^`]{1,200})`")


@register.filter
def with_code(text: str) -> SafeString:
    """Lay one line out."""
    return mark_safe(_QUOTED.sub(r"<code>\1</code>", escape(text)))  # noqa: S308


@register.filter
def in_words(options: str, game: GameInfo) -> str:
    """Return the options of a game as pages show them: `size 5, no gaps`."""
    return ", ".join(option_words(options, game))


# Loops over moves stand here and not in templates, where they cost several times as much.
@register.simple_tag
def options(moves: Iterable[str]) -> SafeString:
    """Return the options of a field that knows some moves."""
    return _repeated('<option value="{0}"></option>', moves)


@register.simple_tag
def try_buttons(moves: Iterable[str]) -> SafeString:
    """Return a button for each of some moves."""
    return _repeated('<button class="plain" name="try" value="{0}">{0}</button>', moves)


@register.simple_tag
def strength(program: Program, game: GameInfo) -> str:
    """Return how strong a program is at a game, in figures; see `Program.strength`."""
    return program.strength(game.name)


@register.simple_tag
def level_buttons(
    programs: Iterable[Program],
    game: GameInfo,
    label: str,
    *,
    they_begin: object,
    short: object,
    begins: str,
    unrated: str,
) -> SafeString:
    """Return a button for each program, which begins a game with it.

    Args:
        label: What is read aloud before the level.
        short: Whether the rest is only read aloud.
    """
    seats = "{0} me" if they_begin else "me {0}"
    tail = ", {2}{4}{5}</span>" if short else ",</span> <span>{2}</span>"
    button = (
        f'<button class="plain" name="names" value="{seats}" data-strength="{{6}}">'
        '<span class="unseen">{3}</span> {1}<span class="unseen">' + tail + "</button>"
    )
    rows = (
        (
            *(program.userid, program.level, program.words, label, begins, unrated),
            "" if short else program.strength(game.name),
        )
        for program in programs
    )
    return format_html_join("", button, rows)


def _repeated(element: str, moves: Iterable[str]) -> SafeString:
    """Write an element for each move; `format_html_join` takes ten times as long."""
    return mark_safe("".join(element.format(html_escape(move)) for move in moves))  # noqa: S308


@register.filter
def ending_words(reason: str) -> str:
    """Return a text that says why a game is over."""
    return reason_words(reason)


@register.filter
def in_language(text: str) -> str:
    """Return a phrase of a service in the language in force."""
    return translated(text)


# Names of the signs of a contest's table, for screen readers.
_SIGNS = {
    "1": N_("won"),
    "0": N_("lost"),
    "=": N_("drawn"),
    "+": N_("won without play"),
    "-": N_("lost without play"),
    "*": N_("running"),
    "_": N_("not started yet"),
    "x": N_("does not count"),
}


@register.filter
def contest_sign(sign: str) -> SafeString:
    """Return a sign of a table, and in words what it stands for."""
    shown = {"=": "½", "-": "−", ".": "·"}.get(sign, sign)
    words = _(_SIGNS[sign]) if sign in _SIGNS else ""
    return format_html(
        '<span aria-hidden="true">{}</span><span class="unseen">{}</span>', shown, words
    )


@register.filter
def joined_userids(names: Iterable[str], between: str) -> str:
    """Join userids that are marked as lists show them: `bot5 (program)`."""
    return between.join(map(marked_words, names))


@register.filter
def as_written(text: str) -> SafeString:
    """Lay out what a person wrote: drawings in a fixed-width face, to scroll in sideways."""
    return _laid_out(text, escape)


@register.filter
def paragraphs_with_code(text: str) -> SafeString:
    """Lay sentences out in paragraphs, and drawings as they are written."""
    return _laid_out(text, with_code)


def _laid_out(text: str, marked: Callable[[str], SafeString]) -> SafeString:
    html = "\n\n".join(
        format_html('<pre class="drawn" tabindex="0">{}</pre>', paragraph.text)
        if paragraph.is_drawn
        # Lines end where their writer ended them, and two blanks stay two.
        else linebreaks(marked(paragraph.text.replace("  ", "\xa0 ")))
        for paragraph in paragraphs(text)
    )
    return mark_safe(html)  # noqa: S308


@register.simple_tag
def constant(template: str) -> SafeString:
    """Return a part that is the same on every page, in the reader's language."""
    return _constant(template, get_language())


@lru_cache(100)  # templates of ours, in two languages
def _constant(template: str, _language: str) -> SafeString:
    return render_to_string(template)


# Icons come from the library `lucide`, which reads a file and writes XML each time it is asked.
@register.simple_tag
@lru_cache
def icon(name: str) -> str:
    """Return an icon of 20 pixels as SVG, without a name: its words stand beside it."""
    return lucide(name, size=20, aria_hidden="true", **{"class": "icon"})


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
    colours: ColourChoice = context.get("site", {}).get("colours", ColourChoice())
    return _picture(colours, name, words, alt, width, height, bool(lazy))


# Its addresses take long, and lists show the same boards to everybody.
@lru_cache(1_000, typed=True)
def _picture(
    colours: ColourChoice,
    name: str,
    words: tuple[object, ...],
    alt: str,
    width: int,
    height: int,
    lazy: bool,
) -> SafeString:
    *sources, (theme, _) = colours.sources()
    elements = format_html_join(
        "",
        '<source media="{}" srcset="{}">',
        ((media, _address(name, words, theme)) for theme, media in sources),
    )
    loading = SafeString(' loading="lazy"') if lazy else ""
    return format_html(
        '<picture>{}<img src="{}" alt="{}" width="{}" height="{}"{}></picture>',
        *(elements, _address(name, words, theme), alt, width, height, loading),
    )


def _address(name: str, words: tuple[object, ...], theme: str) -> str:
    path = reverse(f"{name}-in", args=[*words, theme])
    return f"{path}?v={style_version()}"  # browsers keep such pictures


@register.filter("face")
@lru_cache(_MAX_FACES)
def identicon(userid: str) -> SafeString:
    """Return the picture of a player, an SVG: the same for each way to write the userid.

    Nine fields: four corners and four sides, each the one before turned by a quarter, and the
    centre. It stands beside the name, so that screen readers leave it out.
    """
    corner, side, centre, colour, second = sha256(userid.lower().encode()).digest()[:5]
    other = (colour + 1 + second % (_COLOURS - 1)) % _COLOURS
    parts = (
        _four(_SHAPES[corner % len(_SHAPES)], 0, f"c{colour % _COLOURS}"),
        _four(_SHAPES[side % len(_SHAPES)], 10, f"c{other}"),
        f'<path class="c{other if centre & 1 else colour % _COLOURS}" '
        f'transform="translate(10 10)" d="{_SHAPES[centre // 2 % len(_SHAPES)]}"/>',
    )
    # Nothing of the userid is written.
    return mark_safe(  # noqa: S308
        f'<svg class="face" viewBox="-4 -4 38 38" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _four(shape: str, x: int, colour: str) -> str:
    paths = "".join(
        f'<path transform="rotate({angle} 15 15) translate({x} 0)" d="{shape}"/>'
        for angle in (0, 90, 180, 270)
    )
    return f'<g class="{colour}">{paths}</g>'
