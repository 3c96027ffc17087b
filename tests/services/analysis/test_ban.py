"""The ban: positions of one's running games are refused, turned or further on; others never.

`SARSEN_BAN_POSITIONS=10000` ranges over so many of each kind, and prints the figures with `-s`.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from board_images import OPTIONS, Line, images_of, positions_along, random_line, seen_from_all_sides
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.language.commands import Analyse, AnswerOffer, AskUndo, Resign
from sarsen.search.analysis import Analysis, Likely
from sarsen.services.analysis import questions, searching
from sarsen.services.dispatch import perform
from sarsen.services.matches.advice import (
    ADVICE_FROM,
    RunningBoard,
    is_banned,
    running_board,
)
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player
from web_world import NOW, World

COUNT = int(os.environ.get("SARSEN_BAN_POSITIONS", "400"))  # of each kind, all games together
SETTINGS = [(game, options) for game, every in OPTIONS.items() for options in every]
FEWEST, MOST = 8, 24  # plies of a running board


def board_of(game: str, options: str, line: Line, *, is_rated: bool = True) -> RunningBoard:
    return running_board(game, options, (line,), is_rated=is_rated)


def further(position: AnyPosition, chance: random.Random) -> list[AnyPosition]:
    """Return a position and those of a few plies after it."""
    line = [position]
    for _ in range(chance.randrange(4)):
        if line[-1].outcome() is None:
            line.append(line[-1].play(chance.choice(line[-1].legal_moves())))
    return line


def have_met(board: list[AnyPosition], other: list[AnyPosition]) -> bool:
    """Return whether brute force over all symmetries finds the same position in both."""
    last = board[-1]
    ahead = [last.play(move) for move in last.legal_moves()]
    stood = set().union(*map(seen_from_all_sides, [*board[ADVICE_FROM:], *ahead]))
    return any(stood & seen_from_all_sides(position) for position in other)


def test_positions_of_rated_boards_are_refused_turned_or_further_on_and_others_are_not() -> None:
    refused, allowed, met = Counter[str](), Counter[str](), Counter[str]()
    seed = 0
    while refused.total() < COUNT or allowed.total() < COUNT:
        game, options = SETTINGS[seed % len(SETTINGS)]
        chance = random.Random(seed)
        seed += 1
        line = random_line(game, options, chance.randrange(FEWEST, MOST), chance)
        if len(line) < FEWEST:
            continue
        running = [board_of(game, options, line)]
        ply = chance.randrange(ADVICE_FROM, len(line) + 1)
        for image in images_of(game, options, line[:ply], chance):
            assert is_banned(further(image, chance), running), (game, options, line, image.write())
            refused[game] += 1
        # A candidate, by whatever order of moves: the line does not go through the board.
        last = positions_along(game, options, line)[-1]
        candidate = (*line, last.format(chance.choice(last.legal_moves())))
        for image in images_of(game, options, candidate, chance):
            assert is_banned([image], running), (game, options, candidate, image.write())
            refused[game] += 1
        # Others of the same size, far enough from the beginning to be no transposition.
        for _ in range(4):
            other = random_line(game, options, chance.randrange(FEWEST, MOST), chance)
            if len(other) >= FEWEST:
                positions = positions_along(game, options, other)
                if is_banned(positions, running):
                    # Two games have met: brute force over all symmetries says so, too.
                    assert have_met(positions_along(game, options, line), positions)
                    met[game] += 1
                else:
                    allowed[game] += 1
    print(f"refused {refused.total()} of {refused.total()}: {dict(refused)}")
    print(f"others refused 0 of {allowed.total()}: {dict(allowed)}; met by chance: {dict(met)}")


@pytest.mark.parametrize(("game", "options"), SETTINGS)
def test_a_line_that_leaves_a_rated_game_before_the_fourth_ply_is_free(
    game: str, options: str
) -> None:
    chance = random.Random(game)
    line = random_line(game, options, 12, chance)
    board = board_of(game, options, line)
    opening = positions_along(game, options, line[: ADVICE_FROM - 1])
    assert not is_banned(opening, [board])
    assert is_banned(positions_along(game, options, line[:ADVICE_FROM]), [board])


def test_of_an_unrated_board_the_record_alone_is_refused() -> None:
    chance = random.Random(5)
    line = random_line("druid", "", 12, chance)
    board = board_of("druid", "", line, is_rated=False)
    for count in range(len(line) + 1):
        assert is_banned(positions_along("druid", "", line[:count]), [board]) == (
            count >= ADVICE_FROM
        )
    assert is_banned(further(positions_along("druid", "", line)[-1], chance), []) is False
    mirrored = images_of("druid", "", line, chance)[1]
    assert not is_banned([mirrored], [board])


def test_the_record_and_more_of_an_unrated_board_is_refused() -> None:
    chance = random.Random(6)
    line = random_line("vasco", "", 9, chance)
    board = board_of("vasco", "", line[:6], is_rated=False)
    assert is_banned(positions_along("vasco", "", line), [board])


GAME = "c1 b2 b3 c3 d4 a4"
MIRROR = str.maketrans("abcde", "edcba")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(questions, "are_made", lambda: True)
    return World()


def may_ask(
    world: World, userid: str, line: str, game: str = "druid", options: str = "-size=5"
) -> bool:
    """Return whether a player gets an answer, and check what a refusal says."""
    command = Analyse(game, options, tuple(line.split()))
    try:
        perform(command, Actor(world.player(userid)), "", world.now)
    except UserError as refusal:
        assert refusal.code == "analysis-running"
        assert not any(map(str.isdigit, str(refusal.text)))  # which board is not said
        return False
    return True


def later(line: str) -> str:
    """Return a line with one more legal move."""
    position = positions_along("druid", "-size=5", tuple(line.split()))[-1]
    return f"{line} {position.format(position.legal_moves()[0])}"


@pytest.mark.django_db
@pytest.mark.postgres
def test_nobody_is_helped_at_an_own_rated_board_and_others_are(searched: World) -> None:
    board = searched.board("druid", GAME, options="-size=5")
    for userid in ("ann", "bob"):
        for line in (GAME, GAME.translate(MIRROR), later(GAME), GAME[:11]):
            assert not may_ask(searched, userid, line)
        assert may_ask(searched, userid, GAME[:8])
    assert may_ask(searched, "eve", GAME)  # who sits elsewhere
    perform(Resign("druid", board, confirmed=True), Actor(searched.player("ann")), "", NOW)
    assert may_ask(searched, "ann", GAME)


@pytest.mark.django_db
@pytest.mark.postgres
def test_positions_that_were_taken_back_are_refused_as_well(searched: World) -> None:
    board = searched.board("druid", GAME, options="-size=5")
    ann, bob = (Actor(searched.player(userid)) for userid in ("ann", "bob"))
    perform(AskUndo("druid", board), bob, "", NOW)
    offered = Match.objects.get(pk=board).offer
    assert offered
    perform(AnswerOffer("druid", board, accepts=True), ann, "", NOW)
    assert Match.objects.get(pk=board).ply < 6
    assert not may_ask(searched, "ann", GAME)


@pytest.mark.django_db
@pytest.mark.postgres
def test_an_unrated_board_is_refused_by_its_record_and_a_guests_by_its_positions(
    searched: World,
) -> None:
    searched.board("druid", GAME, options="-size=5", terms=("--unrated",))
    assert not may_ask(searched, "ann", GAME)
    assert not may_ask(searched, "ann", GAME[:11])
    assert may_ask(searched, "ann", GAME.translate(MIRROR))
    Player.objects.filter(key="ann").update(is_guest=True)
    assert not may_ask(searched, "ann", GAME.translate(MIRROR))


@pytest.mark.django_db
def test_what_is_kept_is_refused_too(searched: World) -> None:
    assert may_ask(searched, "eve", GAME)
    claim = searching.claim(NOW)
    assert claim is not None
    searching.settle(claim, Analysis(None, ("a1",), None, (Likely("a1", 0.5),), 1.0), NOW)
    searched.board("druid", GAME, options="-size=5")
    assert not may_ask(searched, "ann", GAME)
    assert may_ask(searched, "eve", GAME)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "played", "asked"),
    [
        ("druid", "-size=5", "-size=5 -exact"),
        ("druid", "-size=5 -nogaps -exact", "-size=5"),
        ("vasco", "-size=54", "-size=55"),
        ("vasco", "-size=20", ""),
    ],
)
def test_options_that_leave_the_board_as_it_is_are_no_way_round(
    searched: World, game: str, played: str, asked: str
) -> None:
    line = random_line(game, played, 8, random.Random(1))
    searched.board(game, " ".join(line), options=played)
    assert not may_ask(searched, "ann", " ".join(line), game, asked)
    assert may_ask(searched, "eve", " ".join(line), game, asked)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "size", "mirror"), [("druid", "-size=5", MIRROR), ("visavis", "-size=7", None)]
)
def test_a_swap_of_sides_is_no_way_round(
    searched: World, game: str, size: str, mirror: dict[int, int] | None
) -> None:
    line = random_line(game, size, 7, random.Random(3))
    searched.board(game, " ".join(line), options=size)
    swapped = " ".join((line[0], "swap", *line[1:]))
    candidate = positions_along(game, size, line)[-1]
    further = f"{swapped} {candidate.format(candidate.legal_moves()[0])}"
    # The word itself is not turned.
    turned = swapped.translate(mirror or {}).replace("swap".translate(mirror or {}), "swap")
    for options in (f"{size} -swap", *([f"{size} -swap -exact"] if game == "druid" else [])):
        for asked in (swapped, further, turned):
            assert not may_ask(searched, "ann", asked, game, options)
            assert may_ask(searched, "eve", asked, game, options)


@pytest.mark.django_db
def test_another_size_is_another_board(searched: World) -> None:
    searched.board("druid", GAME, options="-size=5")
    assert may_ask(searched, "ann", GAME, "druid", "-size=6")


@pytest.mark.django_db
@pytest.mark.parametrize("game", OPTIONS)
def test_a_running_game_is_not_set_up_whatever_its_options_and_however_turned(
    searched: World, game: str
) -> None:
    chance = random.Random(game)
    for options in OPTIONS[game]:
        line = random_line(game, options, 8, chance)
        searched.board(game, " ".join(line), options=options)
        last = positions_along(game, options, line)[-1]
        candidate = last.play(chance.choice(last.legal_moves()))
        for image in (*images_of(game, options, line, chance), candidate):
            if image.outcome() is not None or not is_readable(image):
                continue  # nothing is said of those to anybody
            assert not may_set_up(searched, "ann", game, image.write())
            assert may_set_up(searched, "eve", game, image.write())
        other = random_line(game, options, 11, chance)
        assert may_set_up(searched, "ann", game, positions_along(game, options, other)[-1].write())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "played", "set_up"),
    [
        ("druid", "-size=5", "-size=5 -nogaps -exact"),
        ("druid", "-size=5 -nogaps", "-size=5"),
        ("vasco", "", "-size=60"),
        ("visavis", "-size=9", "-size=9 -swap"),
    ],
)
def test_other_options_are_no_way_to_set_up_a_running_game(
    searched: World, game: str, played: str, set_up: str
) -> None:
    line = random_line(game, played, 6, random.Random(2))
    searched.board(game, " ".join(line), options=played)
    written = positions_along(game, set_up, line)[-1].write()
    assert not may_set_up(searched, "ann", game, written)
    assert may_set_up(searched, "eve", game, written)


@pytest.mark.django_db
def test_the_position_of_an_unrated_game_is_not_set_up_while_it_stands(searched: World) -> None:
    line = GAME.split()
    searched.board("druid", GAME, options="-size=5", terms=("--unrated",))
    positions = positions_along("druid", "-size=5", tuple(line))
    assert not may_set_up(searched, "ann", "druid", positions[-1].write())
    assert may_set_up(searched, "ann", "druid", positions[-3].write())


@pytest.mark.django_db
def test_a_running_game_is_not_analysed_by_its_number(searched: World) -> None:
    number = searched.board("druid", "c1 b2", options="-size=5", terms=("--unrated",))
    eve, ann = (Actor(searched.player(userid)) for userid in ("eve", "ann"))
    perform(Analyse("", board=number), eve, "", searched.now)
    # Also before the fourth ply, from where on a line by itself would be refused.
    for asker in (ann, Actor(address="ann@example.org")):
        for due in (0, 1, 2):
            with pytest.raises(UserError) as caught:
                perform(Analyse("", board=number, due=due), asker, "", searched.now)
            assert caught.value.code == "analysis-running"


def is_readable(position: AnyPosition) -> bool:
    """Return whether a game of these options can come to a position, whose seats may be turned."""
    try:
        return bool(position.game.read(position.write()))
    except UserError:
        return False


def may_set_up(world: World, userid: str, game: str, position: str) -> bool:
    """Return whether a player gets an answer about a position that is set up."""
    try:
        perform(Analyse(game, position=position), Actor(world.player(userid)), "", world.now)
    except UserError as refusal:
        assert refusal.code == "analysis-running"
        return False
    return True
