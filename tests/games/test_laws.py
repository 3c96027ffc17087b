"""Laws of `core.game` that every game found must obey, plug-ins included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_examples import examples
from sarsen import drawing
from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import Game
from sarsen.games import find, help_text, load
from sarsen.lab.checking.laws import codings, positions, results, views
from sarsen.lab.checking.laws.unlisted_moves import unlisted_moves_are_refused
from sarsen.lab.checking.walks import Law, Walk, option_texts, walk

PLIES = 40


CASES = [(name, text) for name, game in find().items() for text in option_texts(game)]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: " ".join(case).strip())
def met(request: pytest.FixtureRequest) -> list[Walk]:
    """Play a game once for all laws, which change nothing."""
    name, options = request.param
    return list(walk(load(name), options, seed=1, most=PLIES))


@pytest.mark.parametrize(
    "law",
    [*positions.EVERY_PLY, *views.EVERY_PLY, *codings.EVERY_PLY],
    ids=lambda law: law.__name__,
)
def test_law_holds_in_every_position(met: list[Walk], law: Law) -> None:
    assert [fault for found in met for fault in law(found)] == []


@pytest.mark.parametrize(
    "law",
    [
        *(*positions.SOME_PLIES, *views.SOME_PLIES, *codings.SOME_PLIES),
        *results.SOME_PLIES,
        unlisted_moves_are_refused,
    ],
    ids=lambda law: law.__name__,
)
def test_law_about_all_moves_holds(met: list[Walk], law: Law) -> None:
    assert [fault for found in met[::10] for fault in law(found)] == []


@examples(150)
@given(text=st.text(max_size=30), game=st.sampled_from(list(find().values())))
def test_any_text_raises_only_user_errors(text: str, game: Game) -> None:
    position = list(walk(game, "", seed=2, most=6))[-1].position
    for read in (position.parse, game.read, game.start):
        try:
            read(text)
        except UserError as refusal:
            assert refusal.text.strip()
            assert refusal.code.strip()


@examples(150)
@given(data=st.data(), game=st.sampled_from(list(find().values())))
def test_spoilt_positions_raise_only_user_errors(data: st.DataObject, game: Game) -> None:
    line = list(walk(game, "", seed=3, most=8))[-1].position.write()
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
def test_quick_game_can_be_started(name: str) -> None:
    game = find()[name]
    assert game.start(game.info.quick).legal_moves()


@pytest.mark.parametrize("name", find())
def test_help_page_is_there(name: str) -> None:
    assert help_text(name).startswith("# ")
