"""Laws of `core.game` that every game found must obey, plug-ins included."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sarsen import drawing
from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.options import Flag
from sarsen.drawing.svg import svg
from sarsen.games import find, help_text, load

PLIES = 40
WIDEST_TEXT = 200  # columns; Visavis 25 is the widest board we know, about 110


def option_texts(game: Game) -> list[str]:
    """Return the defaults, the smallest and largest board, and each flag by itself."""
    texts = [""]
    for option in game.info.options:
        if isinstance(option, Flag):
            texts.append(f"-{option.name}")
        else:
            texts += [f"-{option.name}={option.low}", f"-{option.name}={option.high}"]
    return texts


CASES = [(name, text) for name, game in find().items() for text in option_texts(game)]


def walk(game: Game, options: str, seed: int, plies: int = PLIES) -> list[AnyPosition]:
    """Play random moves and give every position met, the first included."""
    rng = random.Random(f"{game.info.name} {options} {seed}")
    position = game.start(options)
    met = [position]
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
        met.append(position)
    return met


@pytest.fixture(params=CASES, ids=lambda case: " ".join(case).strip())
def met(request: pytest.FixtureRequest) -> list[AnyPosition]:
    name, options = request.param
    return walk(load(name), options, seed=1)


def test_moves_exist_exactly_while_there_is_no_outcome(met: list[AnyPosition]) -> None:
    for position in met:
        assert bool(position.legal_moves()) == (position.outcome() is None)


def test_scores_are_one_a_seat_in_range_and_sum_to_one(met: list[AnyPosition]) -> None:
    for position in met:
        outcome = position.outcome()
        if outcome is not None:
            assert len(outcome.scores) == len(position.game.info.seats)
            assert sum(outcome.scores) == 1
            assert all(0 <= score <= 1 for score in outcome.scores)
            assert outcome.reason.endswith(".")


def test_seat_and_sides_are_those_of_the_game(met: list[AnyPosition]) -> None:
    for position in met:
        assert position.seat in range(len(position.game.info.seats))
        assert sorted(position.sides) == sorted(position.game.info.seats)


def test_legal_moves_are_distinct_results_in_a_fixed_order(met: list[AnyPosition]) -> None:
    for position in met[::8]:
        moves = list(position.legal_moves())
        again = list(position.game.read(position.write()).legal_moves())
        assert moves == again
        assert len(set(moves)) == len(moves)
        results = {position.play(move).write() for move in moves[:60]}
        assert len(results) == len(moves[:60])


def test_every_legal_move_reads_back_from_its_text(met: list[AnyPosition]) -> None:
    for position in met[::4]:
        for move in position.legal_moves():
            text = position.format(move)
            assert text.isascii()
            assert text == text.strip()
            assert position.parse(text) == move
            assert position.parse(f"  {text.upper()} ") == move
            assert position.parse(text.lower()) == move


def test_playing_changes_nothing_in_the_position_played_from(met: list[AnyPosition]) -> None:
    for position in met[:10]:
        before = position.write()
        for move in list(position.legal_moves())[:5]:
            position.play(move)
        assert position.write() == before


def test_written_position_reads_back(met: list[AnyPosition]) -> None:
    for position in met:
        line = position.write()
        assert line.isascii()
        assert "\n" not in line
        again = position.game.read(line)
        assert again.write() == line
        assert again.seat == position.seat
        assert again.sides == position.sides
        assert again.outcome() == position.outcome()
        assert dict(again.options) == dict(position.options)


def test_options_of_a_position_start_the_same_game(met: list[AnyPosition]) -> None:
    first = met[0]
    assert first.game.start(dict(first.options)).write() == first.write()


def test_text_board_is_plain_and_within_its_width(met: list[AnyPosition]) -> None:
    for position in met[::5]:
        for viewer in (None, 0, 1):
            board = drawing.text(position, viewer)
            assert board.isascii()
            assert not board.endswith("\n")
            for line in board.split("\n"):
                assert line == line.rstrip()
                assert len(line) <= WIDEST_TEXT


def test_picture_is_well_formed_with_one_title(met: list[AnyPosition]) -> None:
    for position in met[::8]:
        scene = drawing.scene(position)
        assert scene.width > 0
        assert scene.height > 0
        root = ElementTree.fromstring(svg(scene))
        titles = root.findall("{http://www.w3.org/2000/svg}title")
        assert [title.text for title in titles] == [scene.title]
        assert scene.title.strip()


def test_every_move_has_spots_that_the_picture_shows(met: list[AnyPosition]) -> None:
    for position in met[::8]:
        shown = {shape.spot for shape in drawing.scene(position).shapes if shape.spot}
        view = drawing.view_of(position)
        for move in position.legal_moves():
            assert set(view.clicks(position, move)) <= shown


def test_position_is_described_in_sentences(met: list[AnyPosition]) -> None:
    for position in met[::8]:
        words = drawing.describe(position)
        assert words.strip()
        if position.outcome() is None:
            # How a game was ended from outside takes the place of the sentence on the turn.
            turn, _, _rest = words.partition(". ")
            assert position.sides[position.seat] in turn.split()
            assert turn not in drawing.describe(position, "Somebody resigned.")
        for effect in position.effects():
            assert effect.strip()


def test_same_moves_give_the_same_position(met: list[AnyPosition]) -> None:
    game = met[0].game
    options = game.start(dict(met[0].options))
    assert walk(game, "", 5)[-1].write() == walk(game, "", 5)[-1].write()
    assert options.write() == game.start(dict(met[0].options)).write()


def test_play_refuses_a_move_of_another_position(met: list[AnyPosition]) -> None:
    last = met[-1]
    legal = {last.play(move).write() for move in last.legal_moves()} if len(met) > 1 else set()
    for other in met[:-1][-4:]:
        for move in list(other.legal_moves())[:30]:
            try:
                result = last.play(move).write()
            except UserError:
                continue
            assert result in legal


@settings(max_examples=150)
@given(text=st.text(max_size=30), game=st.sampled_from(list(find().values())))
def test_any_text_raises_only_user_errors(text: str, game: Game) -> None:
    position = walk(game, "", seed=2, plies=6)[-1]
    for read in (position.parse, game.read, game.start):
        try:
            read(text)
        except UserError as refusal:
            assert refusal.text.strip()
            assert refusal.code.strip()


@settings(max_examples=150)
@given(data=st.data(), game=st.sampled_from(list(find().values())))
def test_spoilt_positions_raise_only_user_errors(data: st.DataObject, game: Game) -> None:
    line = walk(game, "", seed=3, plies=8)[-1].write()
    at = data.draw(st.integers(0, len(line)))
    cut = data.draw(st.integers(0, 4))
    spoilt = line[:at] + data.draw(st.text(max_size=3)) + line[at + cut :]
    try:
        position = game.read(spoilt)
        position.outcome()
        position.legal_moves()
        drawing.text(position)
    except UserError as refusal:
        assert refusal.text.strip()


@pytest.mark.parametrize("name", find())
def test_unknown_option_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(BadOption) as refusal:
        load(name).start("-nosuchoption")
    assert all(option.usage in refusal.value.hint for option in load(name).info.options)


@pytest.mark.parametrize("name", find())
def test_help_page_is_there(name: str) -> None:
    assert help_text(name).startswith("# ")
