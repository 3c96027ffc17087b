"""The engine as it is spoken to: every command, and whatever is no command."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_examples import examples
from sarsen.core.game import AnyPosition
from sarsen.games import find, load
from sarsen.lab.engine import Clock, Engine, speak
from sarsen.lab.protocol import MAX_LINE
from sarsen.search.thought import Budget, Thought


@dataclass
class FirstMove:
    """A bot that plays the first legal move and remembers what it was asked."""

    name: str = "bot5"
    level: int = 5
    proved: float | None = None
    plies: int | None = None
    breaks: bool = False
    asked: list[tuple[int, Budget | None]] = field(default_factory=list)

    def think(
        self, position: AnyPosition, *, seed: int, budget: Budget | None = None, stop: object = None
    ) -> Thought:
        self.asked.append((seed, budget))
        if self.breaks:
            raise RuntimeError("a defect")
        return Thought(position.legal_moves()[0], 0.5, proved=self.proved, plies=self.plies)


def engine(options: str = "-size=3", game: str = "druid", **known: object) -> Engine:
    bot = known.pop("bot", None) or FirstMove()
    return Engine(load(game), options, bot, **known)  # type: ignore[arg-type]


def heard(typed: str, one: Engine | None = None) -> list[str]:
    """Return the answers to some lines, without the empty line behind each."""
    answers = io.BytesIO()
    speak(one or engine(), io.BytesIO(typed.encode()), answers)
    text = answers.getvalue().decode()
    assert text.endswith("\n\n") or not text
    return text.split("\n\n")[:-1]


def last(typed: str, one: Engine | None = None) -> str:
    return heard(typed, one)[-1]


def test_game_is_played_to_its_end() -> None:
    said = heard("play V b1\nplay H a2\nplay V b2\nplay H c2\nresult\nplay V b3\nresult\n")
    assert said == ["="] * 4 + ["= V moves", "=", "= V wins: V joined top and bottom."]


def test_genmove_plays_the_move_that_it_answers() -> None:
    assert heard("genmove V\ngenmove H\nmoves\n") == ["= a1", "= b1", "= a1\nb1"]


def test_reg_genmove_answers_a_move_and_plays_none() -> None:
    assert heard("reg_genmove V\nmoves\ngenmove V\n") == ["= a1", "=", "= a1"]


def test_only_a_near_and_proved_loss_is_resigned_and_nothing_is_played_then() -> None:
    lost = engine(bot=FirstMove(proved=0.0, plies=2))
    assert heard("genmove V\nreg_genmove V\nmoves\n", lost) == ["= resign", "= resign", "="]
    for other in (
        FirstMove(proved=0.5, plies=2),
        FirstMove(proved=0.0),
        FirstMove(proved=0.0, plies=9),
    ):
        assert last("genmove V\n", engine(bot=other)) == "= a1"


@pytest.mark.parametrize("seat", ["V", "v", "1", "black", "B"])
def test_seat_is_given_by_name_letter_number_or_colour(seat: str) -> None:
    assert last(f"genmove {seat}\n") == "= a1"


@pytest.mark.parametrize(
    ("seat", "text"), [("South", "= 112233"), ("s", "= 112233"), ("N", "? "), ("2", "? ")]
)
def test_first_letter_stands_for_a_longer_name(seat: str, text: str) -> None:
    assert last(f"genmove {seat}\n", engine("", "gyges")).startswith(text)


@pytest.mark.parametrize("seat", ["", "x", "0", "3", "V H", "-1", "\u0661", "sout"])
def test_what_is_no_seat_is_refused(seat: str) -> None:
    assert last(f"genmove {seat}\n").startswith("? ")


def test_seats_keep_their_names_when_the_players_change_sides() -> None:
    one = engine("-size=4 -swap")
    assert heard("play V a1\nplay H swap\ngenmove H\nplay V b1\nresult\n", one)[2:] == [
        "? It is the turn of V, not of H. [not-your-turn] genmove V",
        "=",
        "= H moves",
    ]


def test_ids_come_back_with_the_answer_and_with_the_refusal() -> None:
    assert heard("12 genmove V\n13 genmove V\n0 nonsense\n7\n") == [
        "=12 a1",
        "?13 It is the turn of H, not of V. [not-your-turn] genmove H",
        "?0 unknown command",
        "?7 unknown command",
    ]


def test_comments_blank_lines_and_control_characters_are_ignored() -> None:
    assert heard("\n  \n# nothing\ngenmove\tV # a move\r\n\x01moves\x7f\n") == ["= a1", "= a1"]


def test_case_of_commands_does_not_matter() -> None:
    assert heard("GENMOVE v\nPlay H B1\n") == ["= a1", "="]


def test_illegal_move_is_refused_with_rule_and_way_out_and_the_game_goes_on() -> None:
    said = heard("play V b2\nplay V\nplay V a1\nplay H a1\nplay H b1\nmoves\n")
    assert "[druid.opening]" in said[0]
    assert said[1].startswith("? A seat and a move are needed.")
    assert "[druid.sarsen-on-enemy] For example: " in said[3]
    assert said[-1] == "= a1\nb1"


def test_nothing_is_played_after_the_end() -> None:
    moves = "play V b1\nplay H a2\nplay V b2\nplay H c2\nplay V b3\n"
    for more in ("play H a1\n", "genmove H\n"):
        assert "[game-over]" in last(moves + more)
    assert last(moves + "legal_moves\n") == "="


def test_undo_goes_back_to_the_start_and_no_further() -> None:
    said = heard("genmove V\ngenmove H\nundo\nmoves\nundo\nmoves\nundo\ngenmove V\n")
    assert said[3:6] == ["= a1", "=", "="]
    assert said[6].startswith("? cannot undo")
    assert said[7] == "= a1"


def test_board_is_shown_without_an_empty_line_in_it() -> None:
    one = engine("-size=4")
    shown = last("genmove V\nshowboard\n", one)
    assert shown.startswith("=\n     A     B")
    assert shown.endswith("\nH moves")


def test_options_are_told_and_set_and_a_bad_one_keeps_the_game() -> None:
    one = engine("-size=4")
    said = heard("options\ngenmove V\nset_options -size=99\nmoves\n", one)
    assert said[0] == "= size 4\nnogaps false\nexact false\nswap false"
    assert said[2].startswith("? -size must be from 3 to 12, not 99. [option-range]")
    assert said[3] == "= a1"
    said = heard("set_options -swap\nmoves\noptions\nclear_board\noptions\n", one)
    assert said[1] == "="
    assert said[2] == said[4] == "= size 8\nnogaps false\nexact false\nswap true"


def test_commands_are_listed_and_known() -> None:
    listed = last("list_commands\n").removeprefix("= ").split("\n")
    for word in ("clear_board", "play", "genmove", "undo", "showboard", "name", "version", "quit"):
        assert word in listed
    assert all(last(f"known_command {word}\n") == "= true" for word in listed)
    assert heard("known_command fly\nknown_command\n") == ["= false", "= false"]


def test_quit_answers_and_ends_with_lines_unread() -> None:
    assert heard("quit\ngenmove V\n") == ["="]


def test_end_of_the_input_ends_it_also_within_a_line() -> None:
    assert heard("") == []
    assert heard("name") == ["= sarsen druid bot5"]


def test_line_that_is_too_long_is_refused_once_and_the_next_is_heard() -> None:
    said = heard("play V " + "a" * 50_000 + "\nname\n")
    assert [text[0] for text in said] == ["?", "="]


@pytest.mark.parametrize("sign", ["x", "é", "石"])
def test_line_of_too_many_bytes_is_refused_and_not_cut(sign: str) -> None:
    said = heard(f"play V a1 #{sign * MAX_LINE}\nmoves\n")
    assert said == [f"? a line has at most {MAX_LINE} characters", "="]


def test_longest_line_is_read() -> None:
    assert heard(f"play V a1 #{'x' * (MAX_LINE - 11)}\r\nmoves\n") == ["=", "= a1"]


def test_defect_of_the_bot_is_a_refusal_and_the_engine_goes_on() -> None:
    one = engine(bot=FirstMove(breaks=True))
    assert heard("genmove V\nplay V a1\n", one) == ["? internal error: RuntimeError", "="]


def test_time_for_the_whole_game_is_counted_down_and_then_the_stretches_begin() -> None:
    clock = Clock.read_settings(["300", "20", "2"])
    assert clock.budget(0) == Budget(seconds=pytest.approx(9.0))
    clock = clock.after(0, 200.0)
    assert clock.budget(0) == Budget(seconds=pytest.approx(3.0))
    assert clock.budget(1) == Budget(seconds=pytest.approx(9.0))
    assert clock.after(0, 150.0).budget(0) == Budget(seconds=pytest.approx(9.0))
    assert Clock.read_settings(["60", "0", "0"]).after(0, 61.0).budget(0) == Budget(seconds=0.01)
    few = Clock().with_time_left(0, ["60", "3"]).after(0, 20.0)
    assert few.budget(0) == Budget(seconds=pytest.approx(18.0))


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("time_settings 0 5 1\n", 4.5),
        ("time_settings 0 30 10\n", 2.7),
        ("time_settings 300 0 0\n", 9.0),
        ("time_left V 60 0\n", 1.8),
        ("time_left V 60 20\n", 2.7),
        ("time_left H 60 20\n", None),
        ("time_settings 0 5 1\ntime_settings 0 1 0\n", None),
        ("time_settings 0 5 0.5\n", None),
        ("", None),
    ],
)
def test_time_told_becomes_the_budget(typed: str, seconds: float | None) -> None:
    bot = FirstMove()
    heard(typed + "genmove V\n", engine(bot=bot))
    budget = bot.asked[0][1]
    assert (budget.seconds if budget else None) == (pytest.approx(seconds) if seconds else None)


@pytest.mark.parametrize(
    "typed", ["time_settings", "time_settings 1 2", "time_settings 0 -5 1", "time_left V",
              "time_left V nan 0", "time_left", "time_settings 1e9 0 0"]
)  # fmt: skip
def test_time_that_cannot_be_read_is_refused(typed: str) -> None:
    assert last(typed + "\n").startswith("? ")


def test_budget_of_the_start_goes_before_the_time_told() -> None:
    bot = FirstMove()
    heard("time_settings 0 5 1\ngenmove V\n", engine(bot=bot, budget=Budget(nodes=10)))
    assert bot.asked[0][1] == Budget(nodes=10)


def test_same_seed_asks_the_bot_with_the_same_seeds_and_another_with_others() -> None:
    asked = []
    for seed in (1, 1, 2):
        bot = FirstMove()
        heard("genmove V\ngenmove H\n", engine(bot=bot, seed=seed))
        asked.append(bot.asked)
    assert asked[0] == asked[1] != asked[2]
    assert asked[0][0] != asked[0][1]


def test_legal_moves_are_those_of_every_game() -> None:
    for name, game in find().items():
        position = game.start()
        listed = last("legal_moves\n", engine("", name)).removeprefix("= ").split("\n")
        assert listed == [position.format(move) for move in position.legal_moves()]


@examples(150)
@given(st.lists(st.binary(max_size=60), max_size=8))
def test_any_bytes_get_answers_and_never_end_it(lines: list[bytes]) -> None:
    typed = b"\n".join(lines) + b"\n99 name\n"
    one, answers = engine(), io.BytesIO()
    speak(one, io.BytesIO(typed), answers)
    said = answers.getvalue().decode().split("\n\n")
    # Hypothesis knows the words of our code: it does find `quit`, in capitals, too.
    last = "=" if one.is_over and b"quit" in typed.lower() else "=99 sarsen druid bot5"
    assert said[-1] == ""
    assert said[-2].startswith(last)
    assert all(text[0] in "=?" for text in said[:-1])


@examples(60)
@given(st.integers(0, 2**32))
def test_any_order_of_commands_keeps_the_moves_played_legal(seed: int) -> None:
    chance = random.Random(seed)
    words = ["genmove V", "genmove H", "undo", "play V b1", "play H a2", "clear_board", "moves"]
    one = engine()
    heard("\n".join(chance.choice(words) for _ in range(40)) + "\n", one)
    position = load("druid").start("-size=3")
    for text in one.texts:
        position = position.play(position.parse(text))
    assert position.write() == one.position.write()


# A real process


def real(*words: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "sarsen", "engine", *words]
    return subprocess.run(line, input=typed, capture_output=True, timeout=120)


def test_real_engine_ends_with_its_input_and_survives_bytes_that_are_no_text() -> None:
    ended = real("druid", "-size=4", typed=b"\xff\xfe\x00\n1 options\n")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.startswith(b"? unknown command\n\n=1 size 4\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("chess",), "unknown-game"),
        ((), "game-missing"),
        (("druid", "gyges"), "too-many-words"),
        (("druid", "-size=99"), "option-range"),
        (("druid", "--level", "9"), "no-such-level"),
        (("druid", "--level", "best"), "no-such-level"),
    ],
)
def test_engine_that_cannot_be_started_says_why_before_it_speaks(
    words: tuple[str, ...], code: str
) -> None:
    refused = real(*words)
    assert refused.returncode == 2
    assert refused.stdout == b""
    assert f"[{code}]".encode() in refused.stderr


def test_real_engine_answers_each_line_at_once() -> None:
    line = [sys.executable, "-m", "sarsen", "engine", "vasco"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for typed, answer in ((b"play O a1\n", b"=\n"), (b"moves\n", b"= a1\n")):
            process.stdin.write(typed)
            process.stdin.flush()
            assert process.stdout.readline() == answer
            assert process.stdout.readline() == b"\n"
        process.stdin.close()
        assert process.wait(120) == 0


def test_reader_that_goes_away_ends_it_quietly() -> None:
    line = f"{sys.executable} -m sarsen engine druid | head -n 1"
    typed = b"list_commands\n" * 20_000
    ended = subprocess.run(["sh", "-c", line], input=typed, capture_output=True, timeout=120)
    assert ended.stdout == b"= protocol_version\n"
    assert ended.stderr == b""
