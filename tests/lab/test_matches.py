"""Matches: what is counted, against a count by hand; pairs, seeds, processes, ends."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from processes.conftest import await_true
from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games import find, load
from sarsen.lab.contestants import EngineMoved
from sarsen.lab.elo import Sprt
from sarsen.lab.games import openings, play_game
from sarsen.lab.matches import MatchResult, Setup, play_match, record_lines
from sarsen.lab.players import make_player, read_entry
from sarsen.search.thought import Budget
from sarsen.server.command import main

NASTY = Path(__file__).with_name("nasty_engine.py")


def setup_of(game: str = "druid", options: str = "-size=3", **known: object) -> Setup:
    players = (read_entry("uct@nodes=60"), read_entry("random"))
    setup = Setup(game, options, *players, pairs=6, seed=2)
    return replace(setup, **known)  # type: ignore[arg-type]


def played(setup: Setup) -> MatchResult:
    return play_match(setup, lambda match: None)


def facts_of(match: MatchResult) -> list[dict[str, object]]:
    """Return all recorded facts of the games but the time that they took."""
    lines = [line for pair in match.pairs for line in record_lines(match, pair)]
    return [{key: line[key] for key in line if key != "seconds"} for line in lines]


def sarsen(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.stdout, result.stderr


# Counting


def test_report_agrees_with_a_count_by_hand_from_the_record(tmp_path: Path) -> None:
    """Replay the recorded moves by the rules, and count points with nothing of the lab."""
    record = tmp_path / "record"
    code, printed, _ = sarsen(
        *("match", "uct@nodes=15", "random", "--game", "druid", "-size=4", "--games", "12"),
        *("--seed", "8", "--json", "--record", str(record)),
    )
    assert code == 0
    told = json.loads(printed)
    points: Counter[str] = Counter()
    by_pair: Counter[int] = Counter()
    tally = [0, 0, 0]
    for line in record.read_text().splitlines():
        facts = json.loads(line)
        outcome = replayed(load("druid").start("-size=4"), facts["moves"]).outcome()
        assert outcome is not None
        for seat, name in enumerate(facts["players"]):
            points[name] += outcome.scores[seat]
        own = outcome.scores[facts["players"].index("uct@nodes=15")]
        by_pair[facts["pair"]] += own
        tally[[1.0, 0.5, 0.0].index(own)] += 1
    assert told["results"] == tally
    assert told["score"] == pytest.approx(points["uct@nodes=15"] / 12)
    assert told["pairs"] == [list(by_pair.values()).count(n / 2) for n in range(5)]
    assert 0 < tally[0] < 12  # else the count could not tell the players apart


def test_both_games_of_a_pair_begin_alike_with_the_seats_exchanged() -> None:
    match = played(setup_of())
    begun = [pair.first.moves[: pair.first.opening] for pair in match.pairs]
    assert begun == [pair.second.moves[: pair.second.opening] for pair in match.pairs]
    assert len(set(begun)) == len(begun)
    for pair in match.pairs:
        first, second = record_lines(match, pair)
        assert first["players"] == second["players"][::-1] == ["uct@nodes=60", "random"]


def test_seats_are_really_exchanged() -> None:
    # Visavis 5 from its start: a player with some knowledge wins with either seat.
    knowing = read_entry("uct@nodes=40")
    match = played(setup_of("visavis", "-size=5", a=knowing, opening_plies=0, pairs=3))
    assert match.counts[4] >= 2


def test_player_against_itself_is_two_players() -> None:
    entry = read_entry("random")
    match = played(setup_of(a=entry, b=entry, pairs=20))
    wins, draws, losses = match.results
    assert (wins + draws + losses, match.faults) == (40, [])
    assert 8 <= wins <= 32


# The same again


def test_same_seed_plays_the_same_match_and_another_seed_another() -> None:
    def moves(seed: int) -> list[tuple[str, ...]]:
        match = played(setup_of(seed=seed, pairs=3))
        return [one.moves for pair in match.pairs for one in (pair.first, pair.second)]

    assert moves(5) == moves(5) != moves(6)


@pytest.mark.ci
def test_number_of_processes_changes_nothing_but_the_time() -> None:
    alone, together = played(setup_of()), played(setup_of(jobs=3))
    assert [pair.index for pair in together.pairs] == list(range(6))
    for one, other in zip(alone.pairs, together.pairs, strict=True):
        assert (one.first.moves, one.second.moves) == (other.first.moves, other.second.moves)


@pytest.mark.ci
def test_process_killed_in_a_game_changes_nothing_in_the_table(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    engine = shlex.join([sys.executable, str(NASTY), "kills-once", "druid", str(mark)])
    setup = setup_of(b=read_entry(f"killer={engine}"), pairs=4)
    killed = played(replace(setup, jobs=2))
    assert mark.exists()
    undisturbed = played(setup)
    assert facts_of(killed) == facts_of(undisturbed)
    assert len(killed.pairs) == 4
    assert not killed.faults


def test_process_that_dies_in_every_game_ends_the_match_with_a_reason() -> None:
    # The engine kills the process that it plays in.
    killer = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    entry = read_entry(shlex.join([sys.executable, "-c", killer]))
    with pytest.raises(UserError) as refused:
        played(setup_of(a=entry, jobs=2, pairs=4))
    assert refused.value.code == "player-process-ended"
    assert "game 1 of pair 1" in refused.value.text or "game 2 of pair 1" in refused.value.text


# Ends


def test_test_stops_the_match_as_soon_as_it_accepts() -> None:
    match = played(setup_of(sprt=Sprt(0, 200), pairs=100))
    assert match.stopped == "the test accepts 200 Elo"
    assert len(match.pairs) < 100
    before = replace(match, pairs=match.pairs[:-1])
    assert Sprt(0, 200).accepts(before.counts) is None


def test_interrupt_keeps_what_was_played() -> None:
    def told(match: MatchResult) -> None:
        if len(match.pairs) == 2:
            raise KeyboardInterrupt

    match = play_match(setup_of(), told)
    assert (len(match.pairs), match.stopped) == (2, "interrupted")


@pytest.mark.parametrize(
    "words",
    [
        ["match", "random", "random", "--game", "druid", "--record"],
        ["ladder", "druid", "--levels", "1-2", "--keep"],
    ],
)
def test_a_command_that_was_ended_shows_what_was_played_and_fails(
    tmp_path: Path, words: list[str]
) -> None:
    file = tmp_path / "games"
    command = [sys.executable, "-m", "sarsen", *words, file, "--games", "100000", "--json"]
    running = subprocess.Popen([*command, "-size=3"], stdout=subprocess.PIPE, text=True)
    try:
        await_true(lambda: file.exists() and file.read_bytes(), "nothing was played")
        running.terminate()
        printed, _ = running.communicate(timeout=120)
    finally:
        running.kill()
    assert running.returncode == 130
    facts = json.loads(printed)
    assert facts.get("stopped") == "interrupted" or facts["is_whole"] is False


def test_endless_game_is_drawn_by_adjudication(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.lab.games.MAX_PLIES", 4)
    match = played(setup_of(options="-size=8", pairs=1))
    assert match.results == (0, 2, 0)
    assert match.pairs[0].first.reason == "A draw after 4 plies."


# Openings


@pytest.mark.parametrize("name", find())
def test_openings_of_every_game_are_new_legal_and_undecided(name: str) -> None:
    start = load(name).start()
    drawn = openings(start, 2, seed=3)
    some = [next(drawn) for _ in range(6)]
    assert len(set(some)) == 6
    for opening in some:
        position = replayed(start, opening)
        assert len(opening) == 2
        ends = [position.play(move).outcome() for move in position.legal_moves()]
        assert not any(ends)


def test_openings_go_on_when_there_are_no_new_ones() -> None:
    drawn = openings(load("visavis").start("-size=5"), 1, seed=0)
    some = [next(drawn) for _ in range(30)]
    assert len(set(some)) == 9  # the first moves of Visavis 5
    assert next(openings(load("druid").start(), 0, seed=0)) == ()


def test_opening_ends_early_where_every_move_ends_the_game() -> None:
    start = replayed(load("visavis").start("-size=5"), [])
    for opening in (next(openings(start, 40, seed)) for seed in range(3)):
        assert replayed(start, opening).outcome() is None


# Who plays


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("bot3", Budget(nodes=7)),
        ("BOT3@nodes=1000", Budget(nodes=1000)),
        ("uct@time=0.5", Budget(seconds=0.5)),
        ("bot8@nodes=9@time=2", Budget(9, 2.0)),
    ],
)
def test_own_limits_go_before_those_of_the_match(text: str, budget: Budget) -> None:
    assert read_entry(text, Budget(nodes=7)).budget == budget


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("bot0", "no-such-level"),
        ("bot9", "no-such-level"),
        ("bot123456", "no-such-level"),
        ("bot3@nodes=0", "unreadable-limit"),
        ("bot3@nodes=1.5", "unreadable-limit"),
        ("bot3@time=0", "unreadable-limit"),
        ("bot3@level=2", "unreadable-limit"),
        ("uct=0", "unreadable-limit"),
        ("uct=1.2.3", "unreadable-limit"),
        ("no-such-program", "no-such-player"),
        ("no-such-program --with words", "no-such-player"),
        ("'unclosed", "no-such-player"),
        ("", "no-such-player"),
    ],
)
def test_player_that_is_none_is_refused(text: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        read_entry(text)
    assert refused.value.code == code
    assert refused.value.hint


def test_engine_of_others_may_have_a_name_for_the_tables() -> None:
    line = shlex.join([sys.executable, str(NASTY), "good", "druid"])
    named = read_entry(f"my-engine_2={line}", Budget(nodes=7))
    assert named == replace(read_entry(line, Budget(nodes=7)), name="my-engine_2")


def test_engine_with_the_name_of_a_bot_is_refused_with_another_name_that_works() -> None:
    for name in ("bot5", "Random", "uct", "pure2"):
        with pytest.raises(UserError) as refused:
            read_entry(f"{name}={sys.executable} -c pass")
        assert refused.value.code == "name-of-a-bot"
        (mended,) = shlex.split(refused.value.hint)
        assert read_entry(mended).command == (sys.executable, "-c", "pass")


@pytest.mark.parametrize(
    ("typed", "budget"),
    [
        ("uct=1000", Budget(nodes=1000)),
        ("bot5=nodes=60", Budget(nodes=60)),
        ("uct=0.5", Budget(None, 0.5)),
        ("UCT=2s", Budget(None, 2.0)),
        ("bot3=time=2", Budget(None, 2.0)),
    ],
)
def test_limit_behind_the_name_of_a_bot_is_refused_with_the_line_that_means_it(
    typed: str, budget: Budget
) -> None:
    with pytest.raises(UserError) as refused:
        read_entry(typed)
    assert refused.value.code == "unreadable-limit"
    assert read_entry(refused.value.hint).budget == budget


@pytest.mark.ci
@pytest.mark.parametrize("game", ["druid", "gyges", "vasco", "visavis"])
def test_plain_uct_beats_chance_and_gives_the_same_move_again(game: str) -> None:
    small = {"druid": "-size=4", "vasco": "-size=12", "visavis": "-size=7", "gyges": ""}[game]
    # Playouts of Gyges are a hundred times as long as those of the small boards.
    nodes, pairs = (30, 2) if game == "gyges" else (100, 4)
    entries = (read_entry(f"uct@nodes={nodes}"), read_entry("random"))
    match = played(Setup(game, small, *entries, pairs=pairs, seed=1))
    assert match.score >= 0.75
    player = make_player(entries[0], 1.0)
    start = load(game).start(small)
    chosen = []
    for _ in range(2):
        player.begin(start, 9)
        chosen.append(player.choose(start))
    assert isinstance(chosen[0], EngineMoved)
    assert chosen[0] == chosen[1]


def test_uct_by_the_clock_keeps_its_time() -> None:
    player = make_player(read_entry("uct@time=0.2"), 1.0)
    start = load("druid").start("-size=3")
    one = play_game(start, ("a1", "b1"), (player, player), 1)
    # Far below what the default of 10,000 playouts would take by the interpreter.
    assert all(timing.longest < 5.0 for timing in one.timings)


# The command


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("bot1", "random", "--game", "chess"), "unknown-game"),
        (("bot1", "--game", "druid"), "two-players"),
        (("bot1", "bot2", "bot3", "--game", "druid"), "two-players"),
        (("bot1", "bot99", "--game", "druid"), "no-such-level"),
        (("bot1", "bot2", "--game", "druid", "-size=99"), "option-range"),
        (("bot1", "bot2", "--game", "druid", "--sprt", "5"), "unreadable-sprt"),
        (("bot1", "bot2", "--game", "druid", "--sprt", "20,0"), "unreadable-sprt"),
    ],
)
def test_match_that_cannot_be_played_is_refused(words: tuple[str, ...], code: str) -> None:
    exit_code, printed, said = sarsen("match", *words)
    assert (exit_code, printed) == (2, "")
    assert f"[{code}]" in said


def test_odd_number_of_games_is_rounded_up_to_pairs() -> None:
    words = ("random", "random", "--game", "druid", "-size=3", "--games", "3", "--json")
    assert json.loads(sarsen("match", *words)[1])["games"] == 4


def test_table_names_both_players_and_what_failed() -> None:
    lying = shlex.join([sys.executable, str(NASTY), "lies", "druid"])
    words = ("random", lying, "--game", "druid", "-size=3", "--games", "2", "--sprt", "0,50")
    code, printed, _ = sarsen("match", *words)
    assert code == 0
    assert "Elo of random above" in printed
    assert "failed: V played an illegal move: 'z99'" in printed
    assert "SPRT 0 against 50: LLR " in printed


def test_report_says_how_the_games_were_lost() -> None:
    lying = shlex.join([sys.executable, str(NASTY), "lies", "druid"])
    words = (lying, "random", "--game", "druid", "-size=3", "--games", "4")
    assert f"{lying} lost 4: 4 by failing" in sarsen("match", *words)[1]
    resigning = shlex.join([sys.executable, str(NASTY), "resigns", "druid"])
    words = ("random", f"tired={resigning}", "--game", "druid", "-size=3", "--games", "2")
    printed = sarsen("match", *words)[1]
    assert "tired lost 2: 2 by resigning" in printed
    assert "random lost" not in printed
    told = json.loads(sarsen("match", *words, "--json")[1])
    assert told["losses"] == [{}, {"by resigning": 2}]


def test_losses_of_both_players_are_told_apart() -> None:
    losses = played(setup_of()).losses
    wins, _, lost = played(setup_of()).results
    assert losses == ({"on the board": lost} if lost else {}, {"on the board": wins})


def test_first_thought_of_a_bot_is_not_timed_with_its_loading() -> None:
    """What is loaded before the clock runs is seen in a process that has loaded nothing."""
    program = (
        "import random, sys\nfrom sarsen.games import load\nfrom sarsen.lab.players import *\n"
        "start = load('druid').start('-size=3')\n"
        "player = make_player(read_entry('bot4@nodes=50'), 1.0)\n"
        "player.begin(start, 1)\nplayer.get_ready(start)\nbefore = set(sys.modules)\n"
        "player.choose(start)\n"
        "print(sorted(name for name in set(sys.modules) - before if 'sarsen' in name))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
