"""The German pages of help and rules say what the English ones say, and what is typed alike."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from fences import fences
from sarsen.core.options import Number
from sarsen.games import find, help_text, language_of_help, load, names, plugin_versions
from sarsen.help import find_page
from sarsen.help.pages import TEXTS
from sarsen.language.commands import COMMANDS
from sarsen.language.translating import ENGLISH, LANGUAGES, page_in_language, use_language

INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
HEADING = re.compile(r"^#{1,3} ", re.MULTILINE)
ROW = re.compile(r"^\|", re.MULTILINE)
ITEM = re.compile(r"^(?:-|[0-9]\.) ", re.MULTILINE)
# Words of English prose that no German sentence, command or option holds.
ENGLISH_WORDS = re.compile(r"\b(?:the|you|your|with|which|when|after|is|are|of|by|may)\b")


def outside_of_fences(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def typed(text: str) -> list[str]:
    return sorted(set(INLINE.findall(outside_of_fences(text))))


def source(subject: str, language: str) -> str:
    if subject in names():
        with use_language(language):
            return help_text(subject)
    with use_language(language):
        page, found = page_in_language(files("sarsen.help").joinpath("texts"), f"{subject}.md")
    assert found == language
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("subject", [*TEXTS, *sorted(names())])
def test_a_german_page_has_the_parts_examples_and_commands_of_the_english_one(
    subject: str,
) -> None:
    english, german = source(subject, ENGLISH), source(subject, "de")
    assert english != german
    assert fences(german) == fences(english)
    assert typed(german) == typed(english)
    for part in (HEADING, ROW, ITEM):
        assert len(part.findall(german)) == len(part.findall(english)), part.pattern


@pytest.mark.parametrize("subject", [*TEXTS, *sorted(names()), "commands"])
def test_a_german_page_holds_no_english_sentence(subject: str) -> None:
    with use_language("de"):
        page = find_page((subject,))
    prose = INLINE.sub("", outside_of_fences(f"{page.title}\n{page.text}"))
    found = [line for line in prose.split("\n") if len(ENGLISH_WORDS.findall(line)) > 1]
    assert found == []


def test_every_command_says_in_german_what_it_does() -> None:
    for command in COMMANDS:
        with use_language("de"):
            said = find_page((command.words[0],)).text
        assert command.summary not in said


def test_a_page_without_a_translation_is_english(tmp_path: Path) -> None:
    (tmp_path / "help.md").write_text("# Nim\n", encoding="utf-8")
    with use_language("de"):
        assert page_in_language(tmp_path, "help.md") == (tmp_path / "help.md", ENGLISH)
        translated = tmp_path / "locale" / "de" / "help.md"
        translated.parent.mkdir(parents=True)
        translated.write_text("# Nim\n", encoding="utf-8")
        assert page_in_language(tmp_path, "help.md") == (translated, "de")


def test_rules_say_in_which_language_they_are() -> None:
    for language in (ENGLISH, "de"):
        with use_language(language):
            assert {language_of_help(name) for name in find()} == {language}


@pytest.mark.parametrize("name", sorted(set(names()) - plugin_versions().keys()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_game_begins_with_the_challenge_and_ends_with_moves_and_credits(
    name: str, language: str
) -> None:
    info = load(name).info
    with use_language(language):
        text = find_page((name,)).text.strip()
        rules = help_text(name)
    assert text.startswith(f"```text\n{name} challenge ")
    start, *chapters = text.split("\n## ")
    for option in info.options:
        assert f"[{option.usage}]" in start.split("\n")[1]
        assert f"- `{option.usage}`: " in start
        if isinstance(option, Number):
            assert f"{option.low} " in start
            assert f"{option.high}" in start
    assert any(f"`{name} move 123 " in chapter for chapter in chapters[-3:-1])
    assert info.author in chapters[-1]
    assert str(info.year) in chapters[-1]
    assert info.rights in chapters[-1]
    assert all(link.address in chapters[-1] for link in info.links)
    assert "| `-" not in rules, "options stand on the page once"
