"""Pictures of a report: heat maps lie on the places that the game's own view draws."""

from __future__ import annotations

import email
import random
from email.message import Message
from pathlib import Path

import pytest

from lab.test_pieces_used import judged_games
from sarsen.core.game import AnyPosition
from sarsen.drawing.scene import Circle, Polygon, Scene
from sarsen.drawing.svg import svg
from sarsen.games import load
from sarsen.lab.checking.loading import load_game
from sarsen.lab.reporting.charts import chart, heat_map
from sarsen.lab.reporting.command import _letter
from sarsen.lab.reporting.heat import heat, places_of
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.plan import GameRecord, ReportSetup, Task
from sarsen.lab.reporting.result import Report
from sarsen.lab.reporting.run import Truth
from sarsen.lab.reporting.solving import Counts
from sarsen.lab.reporting.statistics import share

ROOT = Path(__file__).parents[2]
GAMES = (
    *("druid -size=4", "gyges", "visavis -size=5"),
    *(f"{ROOT}/examples/games/{name}" for name in ("amazons", "breakthrough", "hex", "ygame")),
)


def started(words: str) -> AnyPosition:
    source, _, options = words.partition(" ")
    return (load_game(source) if "/" in source else load(source)).start(options)


def random_game(start: AnyPosition, plies: int = 30) -> str:
    position, chance = start, random.Random(5)
    texts: list[str] = []
    while position.outcome() is None and len(texts) < plies:
        move = chance.choice(position.legal_moves())
        texts.append(position.format(move))
        position = position.play(move)
    return " ".join(texts)


def discs(drawn: Scene, board: Scene) -> dict[str, Circle]:
    found = drawn.shapes[len(board.shapes) :]
    return {one.spot: one for one in found if isinstance(one, Circle)}


@pytest.mark.parametrize("words", GAMES)
def test_each_place_is_marked_where_the_view_has_one_point_at_it(words: str) -> None:
    start = started(words)
    games = judged_games(random_game(start))
    used = heat(games, start)
    shown = places_of(games, start, used)
    assert shown is not None
    board, places = shown
    drawn = discs(heat_map(board, places, used), board)
    assert len(drawn) > 5
    assert max(used.values()) == 1.0
    for spot, disc in drawn.items():
        shape = next((one for one in board.shapes if one.spot == spot), None)
        if isinstance(shape, Polygon):
            across, down = zip(*shape.points, strict=True)
            assert min(across) < disc.x < max(across)
            assert min(down) < disc.y < max(down)
    # Shares are those of areas.
    most = max(drawn.values(), key=lambda disc: disc.radius)
    assert used[most.spot] == max(used[spot] for spot in drawn)


def test_rows_of_hex_are_numbered_from_the_top_in_its_heat_map_too() -> None:
    start = started(f"{ROOT}/examples/games/hex -size=5")
    used = heat(judged_games("a1 e1 a5 c3"), start)
    shown = places_of(ReportGames(ReportSetup("x", "", 1, 3)), start, used)
    assert shown is not None
    board, places = shown
    drawn = discs(heat_map(board, places, used), board)
    assert drawn["a1"].y == drawn["e1"].y < drawn["c3"].y < drawn["a5"].y
    assert drawn["a1"].x < drawn["a5"].x < drawn["e1"].x


def test_a_picture_that_grows_has_no_heat_map_since_names_of_places_move() -> None:
    start = started("vasco -size=30")
    games = judged_games(random_game(start))
    assert places_of(games, start, heat(games, start)) is None


def report(words: str, won: int, lost: int) -> Report:
    source, _, options = words.partition(" ")
    games = ReportGames(ReportSetup(source, options, 1, 3))
    line = random_game(started(words))
    for index in range(won + lost):
        scores = (1.0, 0.0) if index < won else (0.0, 1.0)
        moves = tuple(line.split())
        plies = len(moves)
        record = GameRecord(
            *(moves, (), scores, (9,) * plies, (0.5,) * (plies + 1)), (3,) * plies, (True,) * plies
        )
        games.add(Task("judged", index, ("3", "3")), record)
    return Report(games, Truth((), Counts((), ()), ()), 60.0)


def test_the_first_line_says_by_what_and_in_how_many_games_nothing_was_seen() -> None:
    name = f"{ROOT}/examples/games/breakthrough"
    seen = "No problem visible to searches of 32 nodes in"
    assert report(name, 110, 110).headline == f"{seen} 220 games."
    doubt = "; too few games to tell whether a seat has the advantage (score of the first: "
    assert report(name, 26, 26).headline == f"{seen} 52 games{doubt}37 to 63 %)."
    few = "; too few games to tell more (70 to 100 %)."
    said = "The first player won 100 % of 9 games between searches of 32 nodes"
    assert report(name, 9, 0).headline == f"{said}{few}"
    assert report(name, 100, 0).headline == f"{said.replace('9', '100', 1)}."
    said = said.replace("first", "second")
    assert report(name, 0, 9).headline == f"{said}{few}"


def test_what_theory_proves_is_told_before_what_a_few_games_show() -> None:
    hex_game = f"{ROOT}/examples/games/hex"
    proved = "Proved: with best play the first player wins (there is no draw"
    assert report(f"{hex_game} -size=11", 30, 30).headline.startswith(proved)
    swapped = "Proved: with best play the second player wins (the second player swaps"
    assert report(f"{hex_game} -size=11 -swap", 30, 30).headline.startswith(swapped)


def test_a_mailed_report_has_its_pictures_as_png() -> None:
    found = report(f"{ROOT}/examples/games/hex -size=5", 9, 8)
    letter = email.message_from_bytes(_letter(found, "Text.", "sarsen report hex", None))
    parts: dict[str, list[Message]] = {}
    for part in letter.walk():
        parts.setdefault(part.get_content_type(), []).append(part)
    (page,) = parts["text/html"]
    written = page.get_payload(decode=True)
    assert isinstance(written, bytes)
    assert b"<svg" not in written
    names = [str(part["Content-ID"]).strip("<>") for part in parts["image/png"]]
    assert len(names) == 3
    assert all(f'src="cid:{name}"'.encode() in written for name in names)
    assert all(part.get_payload(decode=True)[:4] == b"\x89PNG" for part in parts["image/png"])  # type: ignore[index]


def test_charts_are_scenes_with_a_point_and_an_interval_for_each_figure() -> None:
    figures = [share(f"first {step}", "score", 4 + step, 10) for step in range(4)]
    drawn = chart(figures, "score, %", 0.0, 1.0, 0.5)
    points = [shape for shape in drawn.shapes if isinstance(shape, Circle)]
    assert [point.x for point in points] == sorted(point.x for point in points)
    assert [point.y for point in points] == sorted((point.y for point in points), reverse=True)
    assert "score, %" in svg(drawn)
