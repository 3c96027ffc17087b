"""`sarsen report`: broken games are called what they are, known games agree with the literature."""

from __future__ import annotations

import html
import json
import random
import re
import subprocess
import sys
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from processes.conftest import await_true
from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.lab.checking.loading import load_game
from sarsen.lab.reporting import run as running
from sarsen.lab.reporting import tension
from sarsen.lab.reporting.command import report_command
from sarsen.lab.reporting.measures import ReportGames, strategy_results
from sarsen.lab.reporting.page import EXPLAINED, explanation, html_page, text_page
from sarsen.lab.reporting.plan import GameRecord, ReportSetup, Task
from sarsen.lab.reporting.result import BLOCKS, Report, differences, idle_lines
from sarsen.lab.reporting.run import Run, Truth
from sarsen.lab.reporting.solving import counted, problem_in, solved_sizes
from sarsen.lab.reporting.statistics import elo_gain, mean, share
from sarsen.lab.reporting.strategies import mirrored
from sarsen.lab.reporting.verdicts import verdicts

ROOT = Path(__file__).parents[2]
CONTROL = ROOT / "examples" / "control_set"
# Games of which weaker searches show the same, in half the time.
STEPS = {"endless": 2, "mirror": 2, "coin_flip": 2}


def run(name: str, rounds: int, seed: int = 1, steps: int = 3, file: Path | None = None) -> Run:
    # Solving and counting tic-tac-toe takes a second or two, whatever it may take.
    seconds = 600.0 if steps == 4 else 2.0
    package = CONTROL / name
    source = package if package.is_dir() else CONTROL / f"{name}.py"
    setup = ReportSetup(str(source), "", seed, steps)
    return Run(setup, seconds, lambda used, done: None, file=file, rounds=rounds)


def report(name: str, rounds: int = 8, seed: int = 1, steps: int = 0) -> Report:
    # Otherwise `report("mirror")` and `report("mirror", 8)` would be played one after the other.
    return _played(name, rounds, seed, steps or STEPS.get(name, 3))


@cache
def _played(name: str, rounds: int, seed: int, steps: int) -> Report:
    random.seed(1)  # of the coin of the game that has one
    games, truth = run(name, rounds, seed, steps).play()
    return Report(games, truth, 5.0)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("first_wins", "first-wins"),
        ("all_draws", "drawish"),
        ("endless", "endless"),
        ("mirror", "exploit-mirror"),
        ("one_move", "nothing-to-choose"),
        ("coin_flip", "no-skill"),
    ],
)
def test_broken_game_is_called_what_it_is_first_of_all(name: str, code: str) -> None:
    found = report(name, {"endless": 3, "coin_flip": 16}.get(name, 8))
    assert found.verdicts[0].code == code, found.verdicts


def test_a_strategy_without_moves_of_its_own_is_only_named() -> None:
    found = report("tic_tac_toe", 8)
    by_name = {
        result.strategy: result for result in strategy_results(found.games) if result.seat == 1
    }
    # The last cell is taken, so nobody can copy it; each cell can be chosen in haste.
    assert (by_name["copy"].own.value, by_name["copy"].is_applied) == (0.0, False)
    assert (by_name["rush"].own.value, by_name["rush"].is_applied) == (1.0, True)
    for page in (html_page(found, ""), text_page(found, "")):
        assert "copy, in the second seat" not in page
        assert re.search(r"Hardly ever applies: .*\bcopy\b", page)
    assert found.as_dict()["figures"]["own 1 copy"]["value"] == 0.0


def test_a_winner_without_moves_of_its_own_is_no_bad_news() -> None:
    found = report("mirror")
    assert found.verdicts[0].code == "exploit-mirror"
    for pairs in found.games.records.values():
        assert all((record.own is None) != (task.kind == "exploit") for task, record in pairs)
    idle = ReportGames(found.games.setup)
    for pairs in found.games.records.values():
        for task, record in pairs:
            idle.add(task, replace(record, own=0) if record.own is not None else record)
    codes = [one.code for one in Report(idle, found.truth, 5.0).verdicts]
    assert not [code for code in codes if code.startswith("exploit")]


def test_mirroring_that_always_wins_is_bad_news_where_a_search_wins_often_too() -> None:
    games = ReportGames(ReportSetup("x", "", 1, 3))
    for index in range(8):
        scores = (1.0, 0.0) if index == 0 else (0.0, 1.0)
        games.add(Task("self", index, ("2", "2")), GameRecord(("a1", "b1"), (0, 1), scores))
        games.add(
            Task("exploit", index, ("2", "mirror half-turn")),
            GameRecord(("a1", "b1"), (0, 1), (0.0, 1.0), own=1),
        )
    figures = {one.name: one for _, block in BLOCKS for one in block(games)}
    assert [one.code for one in verdicts(games, figures, "")] == ["exploit-mirror"]


@pytest.mark.ci
def test_games_of_earlier_versions_are_read_and_their_strategies_shown() -> None:
    found, old = report("mirror"), ReportGames(report("mirror").games.setup)
    for pairs in found.games.records.values():
        for task, record in pairs:
            facts = json.loads(json.dumps(asdict(record)))
            del facts["own"]
            old.add(task, GameRecord.from_dict(facts))
    assert all(result.is_applied for result in strategy_results(old))
    assert "copy, in the second seat" in html_page(Report(old, found.truth, 5.0), "")


def test_first_moves_that_symmetries_make_equal_are_valued_once() -> None:
    found = report("tic_tac_toe", 8)
    classes = [sorted((one.text, *one.alike)) for one in found.openings]
    assert sorted(classes) == [["a1", "a3", "c1", "c3"], ["a2", "b1", "b3", "c2"], ["b2"]]
    assert "<code>a1</code> <small>and by symmetry a3, c1, c3</small>" in html_page(found, "")


def test_game_of_plain_pieces_has_no_block_about_them() -> None:
    assert report("tic_tac_toe", 8).pieces == []


def test_the_page_explains_each_word_of_the_trade_once() -> None:
    found = report("tic_tac_toe", 8)
    page = html_page(found, "")
    for name in ("drama", "comeback", "killer", "uncertainty", "decided", "clarity", "steps"):
        figure = found.figures[name]
        assert f"{figure.label}<br><small>{html.escape(explanation(figure))}</small>" in page
    assert page.count(html.escape(explanation(found.figures["gain 1"]))) == 1


def test_each_explanation_is_of_a_figure_that_there_is() -> None:
    found = report("tic_tac_toe", 8)
    known = {part for name in found.figures for part in (name, name.split()[0])}
    assert set(EXPLAINED) <= known
    assert all(explanation(one) for one in found.blocks["tension"])


def test_the_minutes_that_suffice_are_those_that_eight_rounds_take() -> None:
    games = ReportGames(ReportSetup(str(CONTROL / "tic_tac_toe.py"), "", 1, 3))
    record = GameRecord(("a1",), (0,), None, (9,), (0.5,), (9,), (True,))
    games.add(Task("judged", 0, ("2", "2")), record)
    truth = Truth((), counted(load("druid").start("-size=3"), 0.01), ())
    # One round and a half in 85 s: eight take 453 s, and 15 % more of the time solves boards.
    games.cut, games.part = 1, 0.5
    assert Report(games, truth, 85.0).headline == (
        "Only 1 of the 8 rounds needed for a result were played: about 9 minutes would do."
    )
    games.cut, games.part = 0, 0.0
    assert Report(games, truth, 85.0).headline == (
        "Only 0 of the 8 rounds needed for a result were played: "
        "there was no time for the first one; try 5 minutes."
    )


def test_too_few_rounds_are_told_below_worse_news(monkeypatch: pytest.MonkeyPatch) -> None:
    few = "Only 1 of the 8 rounds needed for a result were played: about 1 minute would do."
    found = report("connect_four", 1)
    assert text_page(found, "").count(few) == html_page(found, "").count(few) == 1
    assert "\n1 round; " in text_page(found, "")
    assert "1 round in " in html_page(found, "")
    monkeypatch.setattr(Report, "theory", "Proved: with best play the first seat wins.")
    found = Report(found.games, found.truth, 61.0)
    assert found.headline == "Proved: with best play the first seat wins."
    assert found.shortage in text_page(found, "")
    assert found.shortage in html_page(found, "")
    assert "in 1 minute." in html_page(found, "")


def test_time_ends_a_round_which_does_not_count_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = run("tic_tac_toe", 1).play()
    first = len(_moves(whole))
    late = run("tic_tac_toe", 2, file=tmp_path / "run.jsonl")
    late.rounds, late.seconds = None, 1.45 * first

    def now() -> float:
        """Return a second for each game, and two for those behind the first round."""
        return len(late.done) + max(0, len(late.done) - first)

    monkeypatch.setattr(running, "time", SimpleNamespace(monotonic=now))
    games, _ = late.play()
    assert (games.rounds, _moves(games)) == (1, _moves(whole))
    assert 0.5 < games.part < 1.0
    assert sum(key.startswith("judged 1 ") for key in late.done) == 1
    assert now() <= 0.95 * late.seconds


def test_a_report_without_time_for_a_round_is_a_report_all_the_same(tmp_path: Path) -> None:
    hasty = run("tic_tac_toe", 1)
    hasty.rounds, hasty.seconds = None, 0.0
    found = Report(*hasty.play(), 1.0)
    assert found.headline == (
        "Only 0 of the 8 rounds needed for a result were played: "
        "there was no time for the first one; try 1 minute."
    )
    assert "<h2>Openings</h2>" in html_page(found, "")


def test_every_beginning_of_a_report_is_a_page_and_a_text() -> None:
    """Time may end a report before any game, or in the midst of any kind of them."""
    game = ROOT / "examples" / "games" / "amazons"
    hasty = Run(ReportSetup(str(game), "-size=6", 1, 3), 0.0, lambda used, done: None)
    pieces = Report(*hasty.play(), 1.0)
    assert pieces.pieces
    whole = report("tic_tac_toe", 1)
    beginnings = [pieces]
    for at in range(len(whole.games.records) + 1):
        kinds = list(whole.games.records.items())
        for most in (1, 2):
            records = dict([*kinds[:at], *((kind, all_[:most]) for kind, all_ in kinds[at:][:1])])
            beginnings.append(replace(whole, games=replace(whole.games, records=records)))
    for one in beginnings:
        assert "</html>" in html_page(one, "", one)
        assert one.title in text_page(one, "", one)


@pytest.mark.ci
def test_tic_tac_toe_agrees_with_the_literature() -> None:
    found = report("tic_tac_toe", 20, steps=4)
    # 255,168 games end after 5 to 9 plies; 5,478 positions; a draw.
    perft = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
    assert found.truth.counts.perft == perft
    assert sum(found.truth.counts.states) == 5478
    assert [one.score for one in found.truth.solved] == [0.5]
    assert " % of 60 games between searches of 64 nodes were drawn" in found.headline
    assert any(one.code == "solved" for one in found.verdicts)


@pytest.mark.slow
def test_two_seeds_agree_within_their_intervals() -> None:
    one, other = report("tic_tac_toe", 20, steps=4), report("tic_tac_toe", 20, seed=2, steps=4)
    compared = differences(one, other)
    differing = [a.name for a, _, is_real in compared if is_real]
    # Of so many figures one may differ by chance.
    assert len(differing) <= 1 < len(compared), differing


@pytest.mark.ci
def test_two_games_differ_where_they_do() -> None:
    compared = differences(report("tic_tac_toe", 12), report("first_wins"))
    found = {a.name for a, _, is_real in compared if is_real}
    assert {"first", "draws"} <= found
    assert not {"length", "unfinished"} & found  # nine plies, always


def test_small_board_of_hex_is_solved_as_is_known() -> None:
    found = solved_sizes(load_game(str(ROOT / "examples" / "games" / "hex")), "-size=3", 60)
    assert [(one.options, one.score) for one in found] == [("-size=3", 1.0)]
    # Visavis of any size is won by the first player: docs/visavis-proof.md.
    assert [one.score for one in solved_sizes(load("visavis"), "-size=5", 60)] == [1.0]


def test_moves_and_positions_are_counted() -> None:
    # Hex 3 without a swap: 9, 9 * 8, 9 * 8 * 7 sequences; C(9, 1), C(9, 1) * 8, C(9, 2) * 7 boards.
    hexes = load_game(str(ROOT / "examples" / "games" / "hex")).start("-size=3")
    found = counted(hexes, 5.0)
    assert found.perft[:4] == (1, 9, 72, 504)
    assert found.states[:4] == (1, 9, 72, 252)


def test_a_position_is_a_problem_where_one_move_wins_and_not_at_once() -> None:
    start = load_game(str(CONTROL / "tic_tac_toe.py")).start("")
    fork, loose = start, start
    for move in ("a1", "b1", "a3", "a2", "c3", "c2"):
        fork = fork.play(move)
    assert problem_in(fork, (), 5.0) is None  # b3 and b2 both win at once
    for move in ("a1", "b2", "c3"):
        loose = loose.play(move)
    assert problem_in(loose, (), 5.0) is None  # drawn
    trap = start
    for move in ("a1", "b1", "a2", "a3"):
        trap = trap.play(move)
    found = problem_in(trap, ("a1", "b1", "a2", "a3"), 5.0)
    assert found is not None
    assert found.answer == "b2"
    assert found.line == trap.write()


def test_a_stopped_report_goes_on_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    run("tic_tac_toe", 2, file=file).play()
    kept = file.read_bytes()
    file.write_bytes(kept[: len(kept) * 2 // 3])  # ended in the middle of a line
    games, _ = run("tic_tac_toe", 3, file=file).play()
    whole, _ = run("tic_tac_toe", 3).play()
    assert _moves(games) == _moves(whole)
    assert games.rounds == 3
    # Nothing is left to play, the half line is no part of another one, and no game stands twice.
    run("tic_tac_toe", 3, file=file).play()
    lines = file.read_text("utf-8").splitlines()
    written = [json.loads(line)["key"] for line in lines if line.endswith("}") and '"key"' in line]
    assert sorted(written) == sorted(key for key, _ in _moves(whole))


def test_a_report_that_was_stopped_before_its_first_line_begins_anew(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text('{"setup": {"sou', encoding="utf-8")
    games, _ = run("tic_tac_toe", 1, file=file).play()
    assert games.rounds == 1
    with pytest.raises(UserError, match="contains the games of a different report"):
        run("tic_tac_toe", 1, seed=2, file=file).play()


def _moves(games: ReportGames) -> list[tuple[str, tuple[str, ...]]]:
    records = games.records.values()
    return [(task.key, record.moves) for one in records for task, record in one]


def test_a_report_of_a_few_games_says_that_it_says_little() -> None:
    assert report("connect_four", 1).headline == (
        "Only 1 of the 8 rounds needed for a result were played: about 1 minute would do."
    )


def test_several_processes_play_the_same_games() -> None:
    alone, _ = run("tic_tac_toe", 2).play()
    many = run("tic_tac_toe", 2)
    many.workers = 2
    assert _moves(many.play()[0]) == _moves(alone)


def test_a_file_of_another_report_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    run("tic_tac_toe", 1, file=file).play()
    with pytest.raises(UserError, match=r"of a different report: .*tic_tac_toe\.py --seed 1"):
        run("tic_tac_toe", 1, seed=2, file=file).play()


def test_command_writes_a_page_and_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.lab.progress.EVERY", 0)
    words = [str(CONTROL / "tic_tac_toe.py"), "--rounds", "2", "--steps", "3", "--jobs", "1"]
    words += ["--minutes", "0.1", "--write", str(tmp_path)]
    ran = CliRunner().invoke(report_command, [*words, "--json"])
    assert ran.exit_code == 0, ran.output
    facts = json.loads((tmp_path / "tictactoe.json").read_text(encoding="utf-8"))
    assert json.loads(ran.stdout) == facts
    assert not ran.stderr, "progress is for terminals"
    assert facts["rounds"] == 2
    assert facts["figures"]["first"]["low"] <= facts["figures"]["first"]["value"]
    page = (tmp_path / "tictactoe.html").read_text(encoding="utf-8")
    assert facts["headline"] in page
    assert "<svg" in page
    assert re.search(r"Among \d+ other games", page)
    # Nothing from elsewhere.
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    again = CliRunner().invoke(
        report_command, [*words, "--against", str(CONTROL / "first_wins.py")]
    )
    assert again.exit_code == 0, again.output
    assert "Against First Wins" in (tmp_path / "tictactoe.html").read_text(encoding="utf-8")


def test_wilsons_interval_is_that_of_the_tables() -> None:
    # Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662.
    found = share("x", "x", 81, 263)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    empty = share("x", "x", 0, 20)
    assert (empty.low, round(empty.high, 4)) == (0.0, 0.1611)  # 0 of 20, the same table


def test_figures_differ_only_beyond_their_intervals() -> None:
    half, third = share("x", "x", 50, 100), share("x", "x", 33, 100)
    assert half.differs_from(third)
    assert not half.differs_from(share("x", "x", 45, 100))
    assert elo_gain("x", "x", 50, 100).value == 0.0
    assert 180 < elo_gain("x", "x", 76, 100).value < 220  # 200 Elo are 76 %
    assert mean("x", "x", [1.0, 1.0, 1.0]).text == "1.00 (1.00 to 1.00)"


def test_measures_of_tension_are_those_of_a_game_worked_by_hand() -> None:
    # The first seat wins after it was at 1/4 and at 9/100, then at 95 %.
    values = (0.5, 0.25, 0.09, 0.95, 1.0)
    assert tension.leads(values, 0) == pytest.approx([0.0, -0.5, -0.82, 0.9, 1.0])
    assert tension.drama(values, 0) == pytest.approx((0.5**0.5 + 0.82**0.5) / 2)
    assert tension.comeback(values, 0) == pytest.approx(0.82)
    assert tension.lead_changes(values) == pytest.approx(1 / 4)
    assert tension.decided(values, 0) == pytest.approx(2 / 5)
    assert tension.killer_move(values, 0) == pytest.approx(1.72)
    assert tension.uncertainty(values) == pytest.approx((1 + 0.5 + 0.18 + 0.1) / 4)
    assert tension.drama(values[::-1], 0) == pytest.approx(
        tension.drama([1 - v for v in values[::-1]], 1)
    )


def test_cells_are_mirrored() -> None:
    assert mirrored("a1-b2", "half-turn", (5, 7)) == "e7-d6"
    assert mirrored("a1", "left-right", (5, 7)) == "e1"
    assert mirrored("a1", "top-bottom", (5, 7)) == "a7"
    assert mirrored("b5", "diagonal", (5, 5)) == "e2"
    assert mirrored("H8", "half-turn", (9, 9)) == "B2"
    assert mirrored("16-15x14=25", "half-turn", (0, 0)) == "16-15x14=25"
    assert mirrored("pass", "half-turn", (5, 5)) == "pass"


def test_lines_never_run_are_told_without_refusals() -> None:
    source = (
        "def after(move):\n"
        "    if move == 'x':\n"
        "        raise ValueError\n"
        "    if move == 'y':\n"
        "        return 1\n"
        "    return 2\n"
        "def never():\n"
        "    return 3\n"
    )
    assert idle_lines(source, {2, 4, 6}) == [(5, "return 1")]
    assert idle_lines(source, {2, 4, 5, 6}) == []


def test_truth_of_other_options_is_not_that_of_these() -> None:
    found = solved_sizes(load_game(str(ROOT / "examples" / "games" / "hex")), "-size=3", 60)
    truth = Truth(tuple(found), counted(load("druid").start("-size=3"), 0.01), ())
    assert truth.of("-size=3") is not None
    assert truth.of("") is None


def test_an_interrupted_command_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["report", str(CONTROL / "connect_four"), "--minutes", "60", "--jobs", "1", "--write"]
    sarsen = Path(sys.executable).parent / "sarsen"
    file = tmp_path / "connectfour.jsonl"
    running = subprocess.Popen([sarsen, *words, tmp_path], stderr=subprocess.PIPE, text=True)
    try:
        await_true(lambda: file.exists() and len(file.read_bytes()) > 1000, "nothing was played")
        running.terminate()
        _, said = running.communicate(timeout=120)
    finally:
        running.kill()
    assert "Run the same command again to continue." in said
    assert "Traceback" not in said
