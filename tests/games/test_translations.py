"""What a game refuses, and how it ends, is said in every language of ours by its own catalogues."""

from __future__ import annotations

import re

import polib
import pytest

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.language.ratings import reason_words
from sarsen.language.translating import ENGLISH, LANGUAGES, translated, use_language
from translations import catalogue, folder_of_game, sentences_of_game, translated_games

GAP = re.compile(r"{\w*}")
OTHERS = [code for code in LANGUAGES if code != ENGLISH]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", translated_games())
def test_catalogue_of_a_game_is_complete_and_compiled(name: str, language: str) -> None:
    path = catalogue(language, folder_of_game(name))
    entries = polib.pofile(str(path))
    assert sorted(entry.msgid for entry in entries) == sorted(sentences_of_game(name))
    assert [entry.msgid for entry in entries if not entry.translated() or entry.fuzzy] == []
    assert path.with_suffix(".mo").read_bytes() == entries.to_binary()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", translated_games())
def test_translations_of_a_game_have_the_gaps_of_its_sentences(name: str, language: str) -> None:
    for entry in polib.pofile(str(catalogue(language, folder_of_game(name)))):
        assert sorted(GAP.findall(entry.msgstr)) == sorted(GAP.findall(entry.msgid)), entry.msgid


@pytest.mark.parametrize(
    ("name", "moves", "refused", "said"),
    [
        ("druid", "", "b2", "Der erste Stein muss ein Sarsen auf einem Feld am Rand sein"),
        ("druid", "a1", "z9", "Ein Feld z9 gibt es hier nicht: Das Brett geht von a1 bis h8."),
        ("druid", "a1", "a1", "H baut auf dem Boden oder auf eigenen Steinen; der oberste Stein"),
        ("druid", "a1 h8", "a1-a3", "Ein Balken braucht unter jedem Ende einen Stein; auf a3"),
        ("gyges", "", "16-26", "Zuerst stellt South sechs Ringe auf"),
        ("gyges", "", "111111", "Eine Aufstellung hat zwei Einer"),
        ("vasco", "", "g1", "'g' ist keine Drehung: Es gibt sechs"),
        ("vasco", "a1", "a999", "Position 999 gibt es jetzt nicht"),
        ("visavis", "", "A1", "A1 ist eine Ecke"),
        ("visavis", "D4", "swap", "Diese Partie wird ohne Seitentausch gespielt."),
    ],
)
def test_rules_refuse_in_german(name: str, moves: str, refused: str, said: str) -> None:
    position = load(name).start()
    for move in moves.split():
        position = judge(position, move).position
    with pytest.raises(UserError) as refusal, use_language("de"):
        judge(position, refused)
    with use_language("de"):
        assert translated(refusal.value.text).startswith(said)
        assert translated(refusal.value.hint).startswith(("Zum Beispiel: ", "Züge sehen so aus"))


@pytest.mark.parametrize(
    ("name", "options", "moves", "effect"),
    [
        (
            "druid",
            "-swap",
            "a1 swap",
            "Seitentausch: Wer als Zweites zieht, übernimmt V und den Stein auf a1",
        ),
        ("druid", "", "a1 h8 a3 h7 a1-a3", "Der Balken überspannt das leere Feld a2."),
        (
            "visavis",
            "-swap",
            "D4 swap",
            "Seitentausch: Wer als Zweites zieht, übernimmt O und die erste Brücke",
        ),
        ("visavis", "", "D4", "D4 versperrt X "),
    ],
)
def test_what_a_move_brings_about_is_said_in_german(
    name: str, options: str, moves: str, effect: str
) -> None:
    position = load(name).start(options)
    for move in moves.split():
        position = judge(position, move).position
    with use_language("de"):
        assert any(map(translated, position.effects()))
        assert [one for one in position.effects() if translated(one).startswith(effect)]


def test_ends_of_games_are_said_in_german() -> None:
    with use_language("de"):
        assert reason_words("V joined top and bottom.") == "V hat oben und unten verbunden."
        assert reason_words("O has a closed loop of 8 tiles.") == (
            "O hat eine geschlossene Schleife aus 8 Plättchen."
        )
        assert reason_words("South ran out of time.") == "Die Zeit von South ist abgelaufen."
        ended = Phrase("South landed a ring on North's goal.")
        assert translated(Phrase("Board {board} is finished: {reason}", board=3, reason=ended)) == (
            "Die Partie auf Brett 3 ist zu Ende: South hat einen Ring ins Ziel von North gesetzt."
        )
