"""A move stated in a sentence is read, and nothing else is taken for one."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.core.errors import UserError
from sarsen.games import find, names
from sarsen.language.commands import PlayMove
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.tokens import Context

ON_BOARD = Context(games=tuple(names()), speaker="ann", board=123, ply=14)
FORMS = (
    "My move is {}.",
    "my move is: {}",
    "My move: {}",
    "my move {}",
    "I play {}.",
    "I'll play {}",
    "I will play {}, thanks!",
    "I move {}",
    "play {}",
    "Please play {}.",
    "{} please",
    "{}, please!",
    "{} thank you.",
    "please {}",
    "Mein Zug ist {}.",
    "mein Zug ist: {}",
    "Mein Zug: {}",
    "ich spiele {}",
    "Ich ziehe {}, bitte.",
    "ich setze {}",
    "bitte spiele {}",
    "{} bitte",
    "{}, danke!",
    "ok then: {}",
    "OK: {}!",
    "Well then, I play {}",
    "Gut, dann: {}, bitte",
    "hi, my move is {}",
)
MOVES = ("b5", "B2-B4", "F4", "16-35", "13x14=44", "14-24-35-N", "231123", "pass", "swap", "c3#14")
NO_MOVE = (
    "ok, b5",
    "Good b5",
    "ok then b5: a good move",
    "no: b5",
    "fine: I wanted to play b5",
    "Thanks, b5",
    "Nice! b5",
    "b5 was a good move",
    "your b5 was a good move, thanks",
    "I wanted to play b5",
    "I play b5 when I am back",
    "I play b5 tomorrow, please",
    "I would not play b5",
    "my move is not b5",
    "I play not b5",
    "My move is b5, I think",
    "My move is b5?",
    "Should I play b5?",
    "why did you play b5",
    "I play chess",
    "my move is late, sorry",
    "I will play soon, thanks",
    "No, I play b5",
    "If you play c4 I play b5",
    "I play b5 if you play c4",
    "I am away until 20 November and read no mail.",
    "Out of office until 5 May. My move is b5.",
    "Ich bin bis 5. Mai nicht da",
    "ich spiele b5 wenn ich zurück bin",
    "mein Zug ist nicht b5",
    "Pass the salt",
    "swap was a good idea",
    "> I play b5",
    "Ann wrote: I play b5",
    "https://example.org/b5 please",
)


def text_of(line: str, *below: str) -> str:
    """Return the move of a line, as the rules will be asked about it."""
    context = Context(games=tuple(names()), speaker="ann", board=123, body=below)
    command = read_line(line, context).command
    assert isinstance(command, PlayMove)
    return command.text


def test_a_move_in_a_sentence_is_read(subtests: pytest.Subtests) -> None:
    for form, move in itertools.product(FORMS, MOVES):
        with subtests.test(form.format(move)):
            spoken = read_line(form.format(move), ON_BOARD).command
            alone = read_line(move, ON_BOARD).command
            assert spoken == alone


def test_a_sentence_that_mentions_a_move_is_none(subtests: pytest.Subtests) -> None:
    for line in NO_MOVE:
        with subtests.test(line):
            try:
                spoken = read_line(line, ON_BOARD).command
            except UserError:
                continue
            for name in names():
                position = find()[name].start("")
                if isinstance(spoken, PlayMove):
                    with pytest.raises(UserError):
                        position.parse(spoken.text)


@pytest.mark.parametrize(
    "line",
    [
        "I play b5 or c4",
        "b5 or c4",
        "b5 oder c4 bitte",
        "My move is b5, c4.",
        "My move is b5, then c4",
        "ich spiele b5 und dann c4",
        "I play b5 c4",
        "please b5 c4",
    ],
)
def test_two_different_moves_are_refused(line: str) -> None:
    with pytest.raises(UserError) as refused:
        read_line(line, ON_BOARD)
    assert refused.value.code == "several-moves"
    assert {"b5", "c4"} <= set(refused.value.text.replace(".", "").replace(",", "").split())
    assert read_line(refused.value.hint, ON_BOARD).command == read_line("b5", ON_BOARD).command


@pytest.mark.parametrize(
    ("line", "below"),
    [
        ("I play b5.", "No, I play c4."),
        ("I play b5.", "c4"),
        ("b5", "My move is c4."),
        ("swap please", "b5"),
    ],
)
def test_another_move_in_a_line_below_is_asked_about(line: str, below: str) -> None:
    if below.startswith("No"):
        assert text_of(line, below) == "b5"  # "No, …" states nothing
        return
    with pytest.raises(UserError, match="several moves"):
        text_of(line, below)


@pytest.mark.parametrize("below", ["Cheers, Ann", "b5", "I play B5", "0176-1234567", "Room 512a"])
def test_other_words_below_change_nothing(below: str) -> None:
    assert text_of("I play b5.", "", below) == "b5"


def test_of_two_bare_lines_the_first_is_the_move() -> None:
    assert text_of("b5", "c4") == "b5"


WORDS = (
    *("i", "play", "my", "move", "is", "please", "thanks", "b5", "c4", "b2-b4", "16-35", "or"),
    *("and", "not", "if", "you", "ich", "spiele", "mein", "zug", "ist", "bitte", "nicht", "swap"),
    *("pass", "then", "when", "-", "14", "?", "no", "yes,", "b5,", "b5.", "a", "to", "will"),
)
ALLOWED = frozenset(
    [
        "i",
        "play",
        "my",
        "move",
        "is",
        "please",
        "thanks",
        "ich",
        "spiele",
        "mein",
        "zug",
        "ist",
        "bitte",
        "will",
        "and",
        "or",
        "then",
    ]
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_no_arrangement_of_words_makes_a_move_that_was_not_written(words: list[str]) -> None:
    line = " ".join(words)
    try:
        move = read_phrase(line)
    except UserError:
        return
    if not move:
        return
    named = {word.strip(",.") for word in "".join(_joined(words)).split()} - ALLOWED
    assert named == {move}, line


def _joined(words: list[str]) -> str:
    return " ".join(words).replace(" - ", "-").replace(" -", "-").replace("- ", "-")


@pytest.mark.parametrize("name", sorted(names()))
def test_prose_around_a_legal_move_of_any_game_is_refused_or_that_move(name: str) -> None:
    game, draw = find()[name], random.Random(14)
    position = game.start("")
    fillers = ("not", "or", "maybe", "nice", "when", "nicht", "vielleicht", "was", "a", "x", "n")
    for move, filler in itertools.product(draw.sample(position.legal_moves(), 5), fillers):
        text = position.format(move)
        for line in (
            f"I play {filler} {text}",
            f"my move is {text} {filler}",
            f"{text} {filler} please",
            f"{filler} {text}",
        ):
            try:
                played = position.parse(text_of(line))
            except UserError:
                continue
            assert position.format(played) == text, line


@pytest.mark.parametrize("word", ["b5 or ", "I play ", "my move is b", "- ", "a1,", "please "])
def test_a_giant_line_is_judged_at_once(word: str) -> None:
    for times in (30, 60, 2000):
        assert read_phrase((word * times)[:1000] + "!?") == ""
