"""The catalogues: complete, and true to the sentences they translate."""

from __future__ import annotations

import re

import polib
import pytest

import translations
from sarsen.core.errors import UserError
from sarsen.language.translating import (
    ENGLISH,
    LANGUAGES,
    _,
    _n,
    current_language,
    read_language,
    use_language,
)
from translations import catalogue, sentences

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
# What a translation must hold as the sentence does: what is filled in, marks, and what is typed.
KEPT = re.compile(r"%\(\w+\)s|{\w*}|</?\w+[^>]*>|`[^`]+`|<code>[^<]*</code>")


@pytest.fixture(params=OTHERS)
def entries(request: pytest.FixtureRequest) -> polib.POFile:
    return polib.pofile(str(catalogue(request.param)))


def test_every_sentence_is_translated_and_none_is_kept_that_is_gone(entries: polib.POFile) -> None:
    found = sentences()
    known = {entry.msgid: entry for entry in entries}
    assert sorted(set(found) - set(known)) == []
    assert sorted(set(known) - set(found)) == []
    assert [entry.msgid for entry in entries if not entry.translated() or entry.fuzzy] == []


def test_texts_of_an_installed_plugin_are_not_in_our_catalogue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = {one.place for one in translations._of_games()}
    assert "games/druid" in own
    monkeypatch.setattr(translations, "is_plugin", lambda name: name == "druid")
    assert own - {one.place for one in translations._of_games()} == {"games/druid"}


def test_translations_hold_what_is_filled_in_and_what_is_typed(entries: polib.POFile) -> None:
    for entry in entries:
        told = [entry.msgstr] if entry.msgstr else list(entry.msgstr_plural.values())
        meant = sorted(KEPT.findall(entry.msgid_plural or entry.msgid))
        for text in told:
            held = sorted(KEPT.findall(text))
            # `1 day` may be said without its number where the language does so.
            missing = set(meant) - set(held) if entry.msgid_plural else set()
            assert set(held) <= set(meant), entry.msgid
            assert held == meant or missing, entry.msgid


def test_plurals_have_every_form_of_their_language(entries: polib.POFile) -> None:
    counted = [entry for entry in entries if entry.msgid_plural]
    assert counted
    assert all(len(entry.msgstr_plural) == 2 for entry in counted)


def test_compiled_catalogue_is_that_of_the_sources(entries: polib.POFile) -> None:
    compiled = catalogue(entries.metadata["Language"]).with_suffix(".mo")
    assert compiled.read_bytes() == entries.to_binary()


def test_language_is_spoken_for_a_while_and_no_longer() -> None:
    with use_language("de"):
        assert (current_language(), _("Join")) == ("de", "Mitmachen")
        with use_language("xx"):
            assert _("Join") == "Join"
        assert _n("{count} day", "{count} days", 2).format(count=2) == "2 Tage"
    assert (current_language(), _("Join"), _("")) == ("en", "Join", "")


def test_language_is_read_by_code_and_by_name() -> None:
    assert [read_language(text) for text in ("de", " Deutsch", "GERMAN", "en")] == [
        *("de", "de", "de", "en")
    ]
    for text in ("", "klingon"):
        with pytest.raises(UserError) as refused:
            read_language(text)
        assert refused.value.hint == "change language de"


@pytest.mark.parametrize("passed_over", ["’", "point at", "proved", "leads on", "has agreed to it"])
def test_one_word_and_one_apostrophe_stand_for_one_thing(passed_over: str) -> None:
    # Typed as on every keyboard: letters in English stay plain ASCII.
    variables = re.compile(r"%\(\w+\)s|{\w*}")
    found = [text for text in sentences() if passed_over in variables.sub("", text)]
    assert found == []
