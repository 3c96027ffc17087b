"""A whole game of each kind through the SMTP port, played as people would."""

from __future__ import annotations

import random

import pytest

from processes.conftest import Server, one_line
from sarsen.core.game import AnyPosition
from sarsen.games import load

pytestmark = pytest.mark.ci

# Enough for every game below to end by its own rules.
MAX_PLIES = 400


def pick(position: AnyPosition, rng: random.Random) -> str:
    """Pick a winning move if one is found among some, else any."""
    moves = list(position.legal_moves())
    rng.shuffle(moves)
    for move in moves[:60]:
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.scores[position.seat] == 1:
            return position.format(move)
    return position.format(moves[0])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gyges", ""),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (("druid", "-size=4"), ("vasco", "-size=20"), ("visavis", "-size=7"))
        ),
    ],
)
def test_whole_game_by_mail(shared_server: Server, name: str, options: str) -> None:
    server = shared_server
    rng = random.Random(name)
    first, second = f"{name}-ann", f"{name}-bob"
    addresses = [f"{userid}@{userid}.example" for userid in (first, second)]
    welcome = server.join(first)
    server.join(second)
    server.answer(welcome, f"{name} challenge {options} {first} {second}")
    assert f"It starts when {second} accepts" in one_line(server.next_letter(addresses[0]))
    server.answer(server.next_letter(addresses[1]), "accept")
    letters = [server.next_letter(address) for address in addresses]
    position = load(name).start(options)
    for ply in range(1, MAX_PLIES):
        seat = position.seat
        if ply % 7 == 3:
            server.answer(letters[seat], "zz99")
            refusal = server.next_letter(str(letters[seat]["To"]))
            assert "Nothing was changed" in one_line(refusal)
            assert f"[{name}." in one_line(refusal)
        text = pick(position, rng)
        server.answer(letters[seat], text)
        position = position.play(position.parse(text))
        letters = [server.next_letter(address) for address in addresses]
        assert f"You played {text} (move {ply})." in one_line(letters[seat])
        title = load(name).info.title
        assert str(letters[1 - seat]["Subject"]).startswith(f"{title} Board ")
        if position.outcome() is not None:
            break
    outcome = position.outcome()
    assert outcome is not None
    ending = "a draw" if outcome.winner is None else f"{(first, second)[outcome.winner]} wins"
    for letter in letters:
        assert ending in one_line(letter)
        assert outcome.reason in one_line(letter)
    server.answer(letters[0], "zz99")
    assert "[board-finished]" in one_line(server.next_letter(addresses[0]))
