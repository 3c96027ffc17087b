"""Translate sentences into the language in force while a page or letter is made.

`_("… {userid} …")` gives a sentence in it, to be filled with `format`. The catalogues lie
beside this module, one a language; templates of pages are translated from the same ones
(`LOCALE_PATHS`). A game may bring its own. Commands, and what a program reads, are English
everywhere.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, singledispatch
from importlib.resources.abc import Traversable
from pathlib import Path

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted

ENGLISH = "en"
# By code; each named as its speakers name it.
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
FOLDER = Path(__file__).parent / "locale"
DOMAIN = "django"  # the name under which Django looks for a catalogue
_folders = [FOLDER]
_GAP = re.compile("{([a-z_]+)}")
# One variable, set by `use_language` only; docs/decisions/0056.
_language: ContextVar[str] = ContextVar("the language in force", default=ENGLISH)


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Use a language for a while; an unknown code or "" is English."""
    token = _language.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


def language_of_terminal(environment: Mapping[str, str]) -> str:
    """Return the code of the language that a terminal is set to, such as `LANG=de_AT.UTF-8`."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    code = next(filter(None, names), "").partition("_")[0].partition(".")[0]
    return code if code in LANGUAGES else ENGLISH


# Returns the code of the language in force. No function of ours: a page asks 150 times.
current_language: Callable[[], str] = _language.get


def _(text: str) -> str:
    """Return a sentence in the active language; itself where there is no translation."""
    return _catalogue(_language.get()).gettext(text) if text else ""


def _n(singular: str, plural: str, count: int) -> str:
    """Return a sentence about a number of things."""
    return _catalogue(_language.get()).ngettext(singular, plural, count)


def translated(text: str) -> str:
    """Return a refusal, its hint, or another sentence from below in the active language.

    Of a `Phrase` the template is looked up, else the whole text: a line to be typed, what was
    stored by 0.4, and what a plug-in finished itself are in no catalogue and stay as they are.
    """
    if current_language() == ENGLISH or not text:
        return str(text)
    if not isinstance(text, Phrase):
        return _(text) if " " in text else text  # a single word may be a name
    if not text.facts:
        translation = _(text.template)
        return translation if translation != text.template else _ending(translation)
    facts = {
        name: translated(fact) if isinstance(fact, Phrase) else fact
        for name, fact in text.facts.items()
    }
    return _(text.template).format(**facts)


def _ending(text: str) -> str:
    """Return why a game is over, which matches keep as English text, its facts single words."""
    for pattern, translation in _endings(current_language(), len(_folders)):
        if ending_match := pattern.fullmatch(text):
            return translation.format(**ending_match.groupdict())
    return text


@lru_cache
def _endings(language: str, _count: int) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what so many catalogues say for sentences with gaps, those that say most first."""
    patterns = []
    for text, translation in sorted(
        _translations(language).items(), key=lambda pair: -len(pair[0])
    ):
        once = len(set(gaps := _GAP.findall(text))) == len(gaps)
        if gaps and once and text.endswith("."):
            words = _GAP.sub(r"(?P<\1>[^\\s.]+)", re.sub(r"[.+*?()|\[\]^$\\]", r"\\\g<0>", text))
            patterns.append((re.compile(words), translation))
    return tuple(patterns)


def page_in_language(folder: Traversable, name: str) -> tuple[Traversable, str]:
    """Return a page of a folder, and the code of the language that it is in.

    That is the language in force where `locale/CODE` in the folder has the page, else English.
    """
    page = folder.joinpath("locale", current_language(), name)
    return (page, current_language()) if page.is_file() else (folder.joinpath(name), ENGLISH)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext uses
    """Return a sentence unchanged; it is translated where it is used."""
    return text


def add_catalogues(folder: Path) -> None:
    """Take the catalogues of a game, which lie in its folder as ours do here."""
    if folder.is_dir() and folder not in _folders:
        _folders.append(folder)
        _catalogue.cache_clear()


def _translations(language: str) -> dict[str, str]:
    """Return what the catalogues say for each of their sentences, but those about numbers."""
    translations: dict[str, str] = {}
    for folder in reversed(_folders):
        # As Django reads it: `gettext` has no way to walk through a catalogue.
        messages: dict[object, str] = vars(_read(folder, language)).get("_catalog", {})
        translations |= {
            text: translation for text, translation in messages.items() if isinstance(text, str)
        }
    return translations


def texts_in(language: str) -> list[str]:
    """Return all our sentences in a language."""
    translations = _translations(next(code for code in LANGUAGES if code != ENGLISH))
    return list(translations if language == ENGLISH else _translations(language).values())


def read_language(text: str) -> str:
    """Return the code of the language that a player typed: `de`, `Deutsch`, `german`.

    Raises:
        UserError: There is none of this name; the hint is one that there is.
    """
    typed = text.strip().lower()
    names = {code: code for code in LANGUAGES}
    names |= {name.lower(): code for code, name in LANGUAGES.items()} | {"german": "de"}
    if typed in names:
        return names[typed]
    languages = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    raise UserError(
        "There is no language {typed} here. There are: {known}."
        if typed
        else "Which language? There are: {known}.",
        code="unknown-language",
        hint="change language de",
        typed=quoted(text),
        known=languages,
    )


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> gettext.NullTranslations:
    catalogue, *others = (_read(folder, language) for folder in _folders)
    for other in others:
        if isinstance(other, gettext.GNUTranslations):  # else it says nothing: there is no file
            catalogue.add_fallback(other)
    return catalogue


def _read(folder: Path, language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, folder, [language], fallback=True)


@singledispatch
def sentence(reply: object) -> str:
    """Return a reply in one or a few sentences, without a line to type: pages have buttons.

    "" for replies that only show something, such as boards and tables.
    """
    return ""


@singledispatch
def typed_next(reply: object) -> str:
    """Return which lines may be typed after a reply: `To withdraw it: reject`; "" for none."""
    return ""


def sentence_to_type(reply: object) -> str:
    """Return a reply in sentences, with the lines to type after it: for mails and terminals."""
    text = sentence(reply)
    return ("\n\n" if "\n\n" in text else "\n").join(filter(None, (text, typed_next(reply))))
