"""The kernel of Gyges agrees with the rules, which judge."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games.gyges import GAME, kernel
from sarsen.games.gyges.board import Move
from sarsen.games.gyges.kernel import features, net, random_games, tables, turns, wins
from sarsen.games.gyges.kernel.coding import knows_all, result_of
from sarsen.games.gyges.kernel.reach import reach
from sarsen.games.gyges.position_line import write_rings
from sarsen.games.gyges.rules import GygesPosition
from sarsen.search.chance import seeded
from sarsen.search.contract import (
    DRAWN,
    LISTED,
    NOT_LISTED,
    PLY,
    PROVED_WIN,
    RESULT,
    SEAT,
    UNKNOWN,
    WON_BY_FIRST,
    WON_BY_SECOND,
    Array,
)

READY = "S 231123/f/f/f/f/321123"
STALEMATE = "S f/f/c1b/c1a2/112232/a3a3a3"
KERNEL = kernel.kernel(GAME.start())


def codes(state: Array) -> list[int]:
    moves = np.zeros(KERNEL.most_moves, np.int64)
    return moves[: KERNEL.legal(KERNEL.constants, state, moves)].tolist()


def child(state: Array, code: int) -> Array:
    after = state.copy()
    assert KERNEL.play(KERNEL.constants, after, code) == after[RESULT]
    assert after[PLY] == state[PLY] + 1
    return after


def said(state: Array) -> tuple[object, ...]:
    """Return all of a state that the rest of the game depends on."""
    begin = turns.MET + turns.FILTER
    stood = state[begin : begin + min(state[turns.STOOD], turns.MEMORY)]
    head = (state[SEAT], state[RESULT], state[turns.LOW], state[turns.HIGH])
    return *head, frozenset(stood.tolist())


def assert_agree(position: GygesPosition, state: Array) -> None:
    """Compare the moves of both, by what they lead to."""
    legal = position.legal_moves()
    wanted = {result(position, kernel.code(position, move)) for move in legal}
    found = [result(position, code) for code in codes(state)]
    assert len(found) == len(set(found)) == len(legal), position.write()
    assert set(found) == wanted, position.write()


def result(position: GygesPosition, code: int) -> object:
    return code if code & turns.SET_UP else result_of(position, code)


def scattered(chance: random.Random) -> GygesPosition | None:
    """Throw the rings on some rows of the board; None when the side cannot be to move."""
    rows = chance.choice([(0, 6), (1, 5), (0, 3), (2, 6), (2, 4)])
    rings = bytearray(38)
    slots = chance.sample(range(6 * rows[0], 6 * rows[1]), 12)
    for slot, value in zip(slots, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], strict=True):
        rings[slot] = value
    line = f"{chance.choice('SN')} {write_rings(bytes(rings))}"
    try:
        return GAME.read(line)
    except UserError:
        return None


def walk(chance: random.Random, plies: int) -> Iterator[tuple[GygesPosition, Array, Move]]:
    """Play at random, mostly past wins; give each position, its state, and the move played.

    A state that plays on forgets other arrangements than one that is made anew, once there are
    too many.
    """
    position = GAME.start()
    state = kernel.encode(position)
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            return
        quiet = [move for move in moves if not str(move).endswith(("N", "S"))]
        move = chance.choice(quiet if quiet and chance.random() < 0.9 else moves)
        yield position, state, move
        state = child(state, kernel.code(position, move))
        position = position.play(move)
        told = slice(None if knows_all(position) else -1)
        assert said(state)[told] == said(kernel.encode(position))[told]


def assert_walks_agree(chance: random.Random, games: int, plies: int) -> None:
    for _ in range(games):
        for position, state, move in walk(chance, plies):
            assert_agree(position, state)
            assert kernel.move(position, kernel.code(position, move)) == move


def test_random_walks_agree_with_the_rules() -> None:
    assert_walks_agree(random.Random(1), games=5, plies=50)


def test_scattered_rings_agree_with_the_rules() -> None:
    assert_scattered_agree(random.Random(2), 300)


@pytest.mark.slow
def test_long_random_walks_agree_with_the_rules() -> None:
    assert_walks_agree(random.Random(3), games=150, plies=120)


@pytest.mark.slow
def test_many_scattered_rings_agree_with_the_rules() -> None:
    assert_scattered_agree(random.Random(4), 10_000)


def assert_scattered_agree(chance: random.Random, positions: int) -> None:
    for _ in range(positions):
        position = scattered(chance)
        if position is not None:
            assert_agree(position, kernel.encode(position))


def test_perft_of_the_rules_holds_in_the_kernel() -> None:
    text = (Path(__file__).parents[2] / "games" / "perft.txt").read_text("utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("gyges")]
    _, moves, counts = (part.strip() for part in line.split("|"))
    state = kernel.encode(replayed(GAME.start(), moves.split()))
    level = [state]
    for count in counts.split():
        sizes = [len(codes(each)) for each in level]
        assert sum(sizes) == int(count)
        level = [child(state, code) for code in codes(state)]


def test_g5_renop_forbids_what_stood_before_with_either_side_to_move() -> None:
    chance = random.Random(5)
    came_back = 0
    for position in filter(None, (scattered(chance) for _ in range(12))):
        state = kernel.encode(position)
        for code in codes(state)[::25]:
            after = child(state, code)
            if after[RESULT] or after[SEAT] == state[SEAT]:
                continue
            assert has_result(after, position.rings) is False
            after[turns.STOOD :] = 0
            came_back += has_result(after, position.rings)
    assert came_back > 0


def has_result(state: Array, rings: bytes) -> bool:
    """Return whether some move brings an arrangement about."""
    wanted = kernel.encode(GAME.read(f"S {write_rings(rings)}"))[[turns.LOW, turns.HIGH]].tolist()
    reached = (child(state, code) for code in codes(state))
    return any(after[[turns.LOW, turns.HIGH]].tolist() == wanted for after in reached)


def test_g5_renop_forgets_only_where_a_match_is_very_long() -> None:
    chance = random.Random(5)
    position = GAME.read(READY)
    state = kernel.encode(position)
    while len(position.stood) < turns.MEMORY + 5:
        quiet = [m for m in position.legal_moves() if not str(m).endswith(("N", "S"))]
        move = chance.choice(quiet)
        state = child(state, kernel.code(position, move))
        position = position.play(move)
    wanted = {result_of(position, kernel.code(position, m)) for m in position.legal_moves()}
    for each in (state, kernel.encode(position)):
        assert {result_of(position, code) for code in codes(each)} >= wanted


def test_g6_a_stalemated_player_is_skipped() -> None:
    position = GAME.read(STALEMATE)
    move = position.parse("34-44-43")
    after = child(kernel.encode(position), kernel.code(position, move))
    assert (after[SEAT], after[RESULT]) == (0, 0)
    assert said(after) == said(kernel.encode(position.play(move)))


def test_g6_two_stalemated_players_draw() -> None:
    position = GAME.read(STALEMATE)
    move = position.parse("34x44=11")
    follow = position.play(move)
    stood = [write_rings(follow.play(move).rings) for move in follow.legal_moves()]
    position = GAME.read(" ".join([STALEMATE, *stood]))
    after = child(kernel.encode(position), kernel.code(position, move))
    assert after[RESULT] == DRAWN
    assert codes(after) == []
    assert said(after) == said(kernel.encode(position.play(move)))


def test_prove_sees_each_win_in_one_and_nothing_else() -> None:
    chance = random.Random(6)
    seen = set()
    for position in filter(None, (scattered(chance) for _ in range(80))):
        wins = any(str(move).endswith(("N", "S")) for move in position.legal_moves())
        assert KERNEL.prove is not None
        proved = KERNEL.prove(KERNEL.constants, kernel.encode(position))
        assert proved == (PROVED_WIN if wins else UNKNOWN)
        seen.add(wins)
    assert seen == {True, False}


def test_a_move_is_said_to_be_listed_exactly_where_it_is() -> None:
    chance = random.Random(9)
    assert KERNEL.lists is not None
    seen = set()
    walked = [state for _ in range(4) for _, state, _ in walk(chance, 60)]
    thrown = map(kernel.encode, filter(None, (scattered(chance) for _ in range(80))))
    for state in [*walked, *thrown]:
        listed = set(codes(state))
        swaps = [a | b << 6 | a << 12 for a in range(36) for b in range(36)]
        plain = [a | b << 6 | turns.NOWHERE << 12 for a in range(36) for b in range(38)]
        near = [code ^ 1 << chance.randrange(19) for code in listed]
        for code in {*listed, *swaps, *plain, *near}:
            said_listed = KERNEL.lists(KERNEL.constants, state, code)
            assert said_listed == (LISTED if code in listed else NOT_LISTED), code
            seen.add(said_listed)
    assert seen == {LISTED, NOT_LISTED}


def test_a_kept_way_to_a_goal_wins_only_where_it_is_open() -> None:
    chance = random.Random(10)
    constants = kernel.constants(net.words())
    anew, found = constants.copy(), {True: 0, False: 0}
    for position in filter(None, (scattered(chance) for _ in range(25))):
        state = kernel.encode(position)
        for code in codes(state):
            after = child(state, code)
            if after[RESULT]:
                continue
            low, high = np.uint64(after[turns.LOW]), np.uint64(after[turns.HIGH])
            seat = np.uint64(after[SEAT])
            start = wins.winner(constants, low, high, seat)
            anew[tables.WINS : tables.NEXT_WIN] = -1
            assert (start >= 0) == (wins.winner(anew, low, high, seat) >= 0)
            if start >= 0:
                ends = reach(constants, low, high, np.uint64(start), np.uint64(36) + seat)
                assert ends >> np.uint64(37 - after[SEAT]) & np.uint64(1)
            found[bool(start >= 0)] += 1
    assert min(found.values()) > 100


def test_a_way_that_another_thread_is_writing_wins_nothing() -> None:
    constants = kernel.constants(net.words())
    state = kernel.encode(GAME.read(READY))
    low, high = np.uint64(state[turns.LOW]), np.uint64(state[turns.HIGH])
    assert wins.winner(constants, low, high, np.uint64(0)) < 0
    # All but its hash: a ring of the shore that needs nothing else.
    constants[tables.WINS] = constants[tables.WINS + 3 * tables.KEPT_WINS] = 0
    constants[tables.WINS + 4 * tables.KEPT_WINS] = 1
    assert wins.winner(constants, low, high, np.uint64(0)) < 0


def test_order_drops_the_moves_that_lose_at_once_and_no_others() -> None:
    chance = random.Random(7)
    kept_some = dropped_some = 0
    for position in filter(None, (scattered(chance) for _ in range(60))):
        state = kernel.encode(position)
        moves = np.array([*codes(state), 0], np.int64)
        scores = np.zeros_like(moves)
        losing = {code for code in moves[:-1].tolist() if loses(child(state, code), state)}
        assert KERNEL.order is not None
        kept = KERNEL.order(KERNEL.constants, state, moves, scores, len(moves) - 1)
        assert set(codes(state)) - set(moves[:kept].tolist()) == losing, position.write()
        kept_some += kept
        dropped_some += len(losing)
    assert kept_some
    assert dropped_some


def loses(after: Array, before: Array) -> bool:
    assert KERNEL.prove is not None
    if after[RESULT]:
        return False
    return after[SEAT] != before[SEAT] and KERNEL.prove(KERNEL.constants, after) == PROVED_WIN


def test_both_seats_are_judged_alike() -> None:
    chance = random.Random(8)
    assert KERNEL.evaluate is not None
    for position in filter(None, (scattered(chance) for _ in range(100))):
        turned = bytes(reversed(position.rings[:36])) + bytes(2)
        line = f"{'NS'[position.seat]} {write_rings(turned)}"
        points = KERNEL.evaluate(KERNEL.constants, kernel.encode(position))
        assert points == KERNEL.evaluate(KERNEL.constants, kernel.encode(GAME.read(line)))


@pytest.mark.slow
def test_random_games_end_and_take_wins() -> None:
    chance = seeded(9)
    results = [0, 0, 0, 0]
    start = kernel.encode(GAME.start())
    assert KERNEL.rollout is not None
    for _ in range(2000):
        state = start.copy()
        results[KERNEL.rollout(KERNEL.constants, state, chance)] += 1
    # An independent program found 48 in 100 for South.
    assert 860 < results[WON_BY_FIRST] < 1060
    assert results[WON_BY_FIRST] + results[WON_BY_SECOND] > 1990


def test_random_games_play_legal_moves() -> None:
    chance = seeded(10)
    room = np.zeros(4, np.int64)
    for seed in range(300):
        position = scattered(random.Random(seed))
        if position is None:
            continue
        state = kernel.encode(position)
        legal = {result_key(child(state, code)) for code in codes(state)}
        after = state.copy()
        skipped = random_games.step(KERNEL.constants, after, chance)
        assert skipped == 0
        if after[RESULT] == 0:
            assert result_key(after) in legal, position.write()
        room[0] += after[RESULT]
    assert room[0]


def result_key(state: Array) -> tuple[int, int]:
    return int(state[turns.LOW]), int(state[turns.HIGH])


def test_a_damaged_net_is_refused_by_name(tmp_path: Path) -> None:
    whole = net.FILE.read_bytes()
    for damaged in (b"", whole[:-200], whole[:5000] + b"x" + whole[5001:], b"PK nonsense"):
        path = tmp_path / "net.npz"
        path.write_bytes(damaged)
        with pytest.raises(net.DamagedNet, match=r"net\.npz"):
            net.read(path)
    with pytest.raises(net.DamagedNet):
        net.read(tmp_path / "missing.npz")


def test_a_net_of_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    np.savez(path, rows=np.zeros((3, 3)), bias=np.zeros(3), last=np.zeros(3), end=np.zeros(1))
    with pytest.raises(net.DamagedNet):
        net.read(path)


def test_without_its_net_gyges_is_judged_by_hand() -> None:
    constants = kernel.constants(np.zeros_like(net.words()))
    state = kernel.encode(GAME.read(STALEMATE))
    assert KERNEL.evaluate is not None
    low, high = np.uint64(state[turns.LOW]), np.uint64(state[turns.HIGH])
    points = features.judge_by_hand(constants, low, high, np.uint64(state[SEAT]))
    assert KERNEL.evaluate(constants, state) == points != 0
