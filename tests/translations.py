"""Bring the catalogues up to date: `.venv/bin/python tests/translations.py`.

Collects the sentences of templates and of Python code that are to be translated, puts new ones
into each `.po` (to be translated there by hand), takes out those that are gone, and compiles.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polib
from django.utils.translation.template import templatize

from refusals import templates
from sarsen.core.options import Flag
from sarsen.games import is_plugin, load, names
from sarsen.language.terms import TERMS
from sarsen.language.translating import DOMAIN, ENGLISH, FOLDER, LANGUAGES
from sarsen.learning.lessons import has_lesson, lesson_of
from sarsen.learning.solved import claims_of

SOURCES = Path(__file__).parents[1] / "src" / "sarsen"
# Operators are spoken to in English; see `server.operators.site`.
LEFT_OUT = ("server/operators",)
# Where refusals are raised that a player may meet; elsewhere operators and programs meet them.
REFUSING = (
    *("core/not_loaded.py", "core/options.py", "core/phrases.py", "core/recorded.py"),
    "core/referee.py",
    *("client", "doors/cli/lo", "doors/cli/line_texts.py"),
    *("doors/cli/server_lines.py", "doors/cli/server_requests.py"),
    "doors/tui",
    *("doors/mail", "doors/web", "drawing/cells.py", "drawing/kits.py", "drawing/pits.py"),
    *("games/__init__.py", "help", "language", "learning", "search/bots.py", "services"),
)
NOT_OF_PLAYERS = (
    *(
        "doors/mail/receive/delivery.py",
        "doors/mail/send/dkim_signing.py",
    ),
    *("services/records/importing.py", "services/admin"),
    "services/accounts/forgetting.py",
    *("services/records/collections.py", "services/records/signatures.py"),
)
_TEXT = r"""u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_ONE = re.compile(rf"\b(?:_|gettext)\({_TEXT}\)")
_MARKED = re.compile(r"\b(?:_|_n|N_)\(")
_MANY = re.compile(rf"\bngettext\({_TEXT}, {_TEXT}, ")


@dataclass(frozen=True)
class Found:
    """A sentence to translate, its plural or "", and the file it stands in."""

    text: str
    plural: str
    place: str


@cache
def sentences() -> dict[str, Found]:
    """Return every sentence that is to be translated, by its text; read all sources once."""
    found: dict[str, Found] = {}
    for one in (*_of_templates(), *_of_code(), *_of_games(), *_of_refusals()):
        known = found.get(one.text)
        if known is None or (one.plural and not known.plural):
            found[one.text] = one
    return found


def sentences_of_game(name: str) -> dict[str, Found]:
    """Return what a game refuses, its ends, lesson and solved claims; it has its own catalogues."""
    info = load(name).info
    found = [one.text for path in _files(f"games/{name}/*.py") for one in templates(path)]
    found += [option.why for option in info.options if getattr(option, "why", "")]
    steps = lesson_of(name).steps if has_lesson(name) else ()
    found += [text for step in steps for text in step.texts]
    found += [text for claim in claims_of(name) for text in claim.texts]
    ours = sentences()
    return {text: Found(text, "", f"games/{name}") for text in found if text not in ours}


def translated_games() -> list[str]:
    """Return the games here that have catalogues: they need not."""
    return [name for name in names() if folder_of_game(name).is_dir()]


def folder_of_game(name: str) -> Path:
    """Return where the catalogues of a game are."""
    return SOURCES / "games" / name / "locale"


def catalogue(language: str, folder: Path = FOLDER) -> Path:
    """Return the place of a catalogue."""
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def update(path: Path, language: str, found: dict[str, Found]) -> list[str]:
    """Write a catalogue anew with what is found now; give what is not translated in it."""
    known = {entry.msgid: entry for entry in polib.pofile(str(path))} if path.exists() else {}
    made = polib.POFile(wrapwidth=98)
    made.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": language,
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for one in sorted(found.values(), key=lambda one: (one.place, one.text)):
        made.append(_entry(one, known.get(one.text)))
    path.parent.mkdir(parents=True, exist_ok=True)
    made.save(str(path))
    path.with_suffix(".mo").write_bytes(made.to_binary())
    return [entry.msgid for entry in made if not entry.translated()]


def _entry(one: Found, known: polib.POEntry | None) -> polib.POEntry:
    entry = polib.POEntry(msgid=one.text, occurrences=[(one.place, "")])
    if one.plural:
        entry.msgid_plural = one.plural
        entry.msgstr_plural = (known.msgstr_plural if known else None) or {0: "", 1: ""}
    else:
        entry.msgstr = known.msgstr if known else ""
    return entry


def _of_templates() -> Iterator[Found]:
    for path in _files("*.html"):
        place = str(path.relative_to(SOURCES))
        text = templatize(path.read_text(encoding="utf-8"), origin=place)
        for one in _ONE.finditer(text):
            yield Found(str(ast.literal_eval(one[1])), "", place)
        for one in _MANY.finditer(text):
            yield Found(str(ast.literal_eval(one[1])), str(ast.literal_eval(one[2])), place)


def _of_code() -> Iterator[Found]:
    for path in _files("*.py"):
        place, source = str(path.relative_to(SOURCES)), path.read_text(encoding="utf-8")
        if not _MARKED.search(source):
            continue  # most files: to parse them takes seconds
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            texts = [one.value for one in node.args if isinstance(one, ast.Constant)]
            if node.func.id in ("_", "N_") and texts:
                yield Found(str(texts[0]), "", place)
            if node.func.id == "_n" and len(texts) >= 2:
                yield Found(str(texts[0]), str(texts[1]), place)


def _of_games() -> Iterator[Found]:
    """Yield what games and terms say of themselves; games know no languages."""
    for name in names():
        if is_plugin(name):
            continue  # its texts are its own, also where it is installed beside us
        info = load(name).info
        titles = (link.title for link in info.links)
        own = (info.summary, *info.aims, *titles)
        options = [option.summary for option in info.options]
        options += [
            option.words for option in info.options if isinstance(option, Flag) and option.words
        ]
        for text in (*own, *options):
            yield Found(text, "", f"games/{name}")
    for term in TERMS:
        yield Found(term.summary, "", "language/terms.py")


def _of_refusals() -> Iterator[Found]:
    for path in refusing():
        for one in templates(path):
            yield Found(one.text, "", str(path.relative_to(SOURCES)))


def refusing() -> Iterator[Path]:
    """Yield the files in which refusals are raised that a player may meet."""
    for path in _files("*.py"):
        place = str(path.relative_to(SOURCES))
        if place.startswith(REFUSING) and not place.startswith(NOT_OF_PLAYERS):
            yield path


def _files(pattern: str) -> Iterator[Path]:
    for path in sorted(SOURCES.rglob(pattern)):
        if not str(path.relative_to(SOURCES)).startswith(LEFT_OUT):
            yield path


if __name__ == "__main__":
    if not FOLDER.is_relative_to(SOURCES):
        raise SystemExit(f"The sarsen that is installed here is another one: {FOLDER}")
    for code in LANGUAGES:
        if code != ENGLISH:
            left = update(catalogue(code), code, sentences())
            for game in translated_games():
                place = catalogue(code, folder_of_game(game))
                left += update(place, code, sentences_of_game(game))
            for text in left:
                print(f"{code}: {text}")
            print(f"{code}: {len(left)} sentences are not translated")
