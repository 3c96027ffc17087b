"""`sarsen show`, `perft` and `play`, as somebody at a terminal meets them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import polib
import pytest
from click.testing import CliRunner, Result

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.games import find, load, names
from sarsen.lab.arguments import read_level, read_levels
from sarsen.lab.players import read_entry
from sarsen.server.command import main
from translations import catalogue


def sarsen(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, list(words), input=typed)


def printed(*words: str, typed: str | None = None) -> str:
    result = sarsen(*words, typed=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def real(*words: str, typed: str | None = None) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "sarsen", *words]
    return subprocess.run(line, input=typed, capture_output=True, text=True, encoding="utf-8")


def board(options: str, moves: str) -> str:
    return drawing.text(replayed(load("druid").start(options), moves.split()))


# show


@pytest.mark.parametrize("name", names())
def test_show_prints_the_board_and_whose_turn_it_is(name: str) -> None:
    start = load(name).start()
    assert printed("show", name) == f"{drawing.text(start)}\n\n{start.sides[0]} to move.\n"


@pytest.mark.parametrize(
    "words",
    [
        ("druid", "-size=4", "-nogaps", "--moves", "a1 b1"),
        ("-size=4", "-nogaps", "druid", "--moves", "a1 b1"),
        ("-size=4", "druid", "--moves=a1 b1", "-nogaps"),
        ("--moves", "A1  B1", "-NOGAPS", "DRUID", "-size=4"),
        ("druid", "\u2013size=4", "\u2011nogaps", "\u2014moves", "a1\u00a0b1"),
    ],
)
def test_show_takes_options_in_any_place_and_spelling(words: tuple[str, ...]) -> None:
    assert printed("show", *words).startswith(board("-size=4 -nogaps", "a1 b1") + "\n\nV to move.")


def test_moves_with_typographic_dashes_are_read() -> None:
    moves = "a1 h8 a3 h7 a1\u2013a3"
    assert printed("show", "druid", "--moves", moves).startswith(board("", "a1 h8 a3 h7 a1-a3"))


def test_show_tells_what_the_last_move_caused_and_how_the_game_ended() -> None:
    shown = printed("show", "druid", "-size=3", "--moves", "b1 a2 b2 c2 b3")
    assert shown.endswith(
        "\nV joins top and bottom and wins.\nV joined top and bottom. (V 1, H 0)\n"
    )


def test_several_moves_joined_by_a_semicolon_are_one_word() -> None:
    """Gyges: while the opponent is stalemated several moves are one text."""
    asked = ("show", "gyges", "--moves")
    texts = [
        sarsen(*asked, f"231123 321123 {pair}").output
        for pair in ("16-35;16-35", "16-35; 16-35", "16-35 ; 16-35")
    ]
    assert texts[0] == texts[1] == texts[2]
    assert "Move 3, '16-35;16-35'" in texts[0]


def test_refused_move_exits_2_and_names_ply_rule_and_a_way_out() -> None:
    result = sarsen("show", "druid", "-size=4", "--moves", "a1 a1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("sarsen: Move 2, 'a1': ")
    assert "[druid.sarsen-on-enemy]\n  sarsen show druid -size=4 --moves 'a1 " in result.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("play", "druidd"), "sarsen play druid"),
        (("show", "-size=4", "Druyd"), "sarsen show -size=4 druid"),
        (("perft", "giges", "2"), "sarsen perft gyges 2"),
        (("show", "chess"), "sarsen show druid"),
        (("engine", "vacso"), "sarsen engine vasco"),
        (("solve", "druidd", "-size=3"), "sarsen solve druid -size=3"),
    ],
)
def test_misspelled_game_is_hinted_as_the_line_with_the_nearest(
    words: tuple[str, ...], hint: str
) -> None:
    result = sarsen(*words)
    assert result.exit_code == 2
    assert "[unknown-game]" in result.stderr
    assert result.stderr.splitlines()[-1].strip() == hint


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "chess"), "unknown-game"),
        (("show",), "game-missing"),
        (("perft", "-size=4"), "game-missing"),
        (("show", "druid", "-size=99"), "option-range"),
        (("show", "druid", "-colour"), "unknown-option"),
        (("show", "druid", "--colour"), "unknown-option"),
        (("show", "druid", "a1"), "too-many-words"),
        (("play", "druid", "a1"), "too-many-words"),
        (("perft", "druid"), "depth"),
        (("perft", "druid", "1", "2"), "depth"),
        (("perft", "druid", "two"), "depth"),
        (("perft", "druid", "21"), "depth"),
        (("perft", "druid", "\u0663"), "depth"),
        (("show", "druid", "--moves", "castle"), "druid.unreadable-move"),
        (("perft", "druid", "1", "--moves", "d4"), "druid.opening"),
    ],
)
def test_a_line_that_cannot_be_obeyed_exits_2_with_a_code(
    words: tuple[str, ...], code: str
) -> None:
    result = sarsen(*words)
    assert result.exit_code == 2
    assert f"[{code}]\n  " in result.stderr
    assert result.stdout == ""


def test_unknown_game_lists_the_games() -> None:
    hint = sarsen("show", "chess").stderr
    assert all(name in hint for name in names())


def test_moves_without_their_option_are_put_right() -> None:
    hint = sarsen("show", "druid", "-size=4", "a1", "b1").stderr.splitlines()[1].strip()
    assert hint == 'sarsen show druid -size=4 --moves "a1 b1"'


def test_facts_are_json_for_a_program() -> None:
    facts = json.loads(printed("show", "druid", "-size=3", "--json", "--moves", "A1 b1"))
    position = replayed(load("druid").start("-size=3"), ["a1", "b1"])
    assert facts["game"] == "druid"
    assert facts["options"] == dict(position.options)
    assert facts["moves"] == ["a1", "b1"]
    assert facts["position"] == position.write()
    assert facts["legal_moves"] == [position.format(move) for move in position.legal_moves()]
    assert (facts["seat"], facts["scores"], facts["reason"]) == (0, None, None)


def test_facts_of_a_finished_game_have_scores_and_no_moves() -> None:
    moves = "b1 a2 b2 c2 b3"
    facts = json.loads(printed("show", "druid", "-size=3", "--json", "--moves", moves))
    assert (facts["seat"], facts["scores"], facts["legal_moves"]) == (None, [1.0, 0.0], [])


def test_picture_is_printed_as_svg() -> None:
    root = ElementTree.fromstring(printed("show", "druid", "--svg"))
    assert root.tag.endswith("svg")


@pytest.mark.parametrize("command", ["show", "perft", "play"])
@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_of_a_command_names_its_words(command: str, asked: str) -> None:
    assert f"sarsen {command} GAME [-OPTIONS]" in printed(command, asked).replace("main", "sarsen")


# perft


@pytest.mark.parametrize("words", [("-size=4", "2"), ("2", "-size=4")])
def test_perft_prints_the_count_as_its_last_line(words: tuple[str, ...]) -> None:
    assert printed("perft", "druid", *words).splitlines()[-1] == "180"


def test_perft_counts_from_the_position_after_moves() -> None:
    after = replayed(load("druid").start("-size=4"), ["a1", "b1"])
    counted = printed("perft", "druid", "-size=4", "--moves", "a1 b1", "1")
    assert counted == f"{len(after.legal_moves())}\n"


def test_perft_divides_the_count_among_first_moves() -> None:
    *lines, total = printed("perft", "druid", "-size=3", "2", "--divide").splitlines()
    first = load("druid").start("-size=3").legal_moves()
    assert len(lines) == len(first)
    assert sum(int(line.split()[1]) for line in lines) == int(total)


def test_perft_of_depth_nought_is_one() -> None:
    assert printed("perft", "druid", "0") == "1\n"


# play


def playing(typed: str, *words: str) -> str:
    return printed("play", *(words or ("druid", "-size=3")), typed=typed)


def test_whole_game_at_one_terminal() -> None:
    said = playing("b1\na2\nB2\nc2\n b3 \n")
    assert said.startswith("Druid. Type a move, such as ")
    for moves in ("", "b1", "b1 a2", "b1 a2 b2 c2 b3"):
        assert board("-size=3", moves) in said
    assert "V joined top and bottom. (V 1, H 0)" in said
    assert said.endswith('sarsen show druid -size=3 --moves "b1 a2 b2 c2 b3"\n')


def test_line_at_the_end_of_a_session_shows_the_same_game() -> None:
    last = playing("b1\na2\nquit\n").splitlines()[-1]
    words = last.partition("sarsen ")[2]
    assert words == 'show druid -size=3 --moves "b1 a2"'


def test_refused_move_keeps_the_position() -> None:
    said = playing("a1\na1\nb1\nquit\n")
    assert said.count("[druid.sarsen-on-enemy]\n  For example: ") == 1
    assert said.endswith('--moves "a1 b1"\n')


def test_undo_takes_one_move_back_and_never_more_than_there_are() -> None:
    said = playing("a1\nb1\nundo\nUNDO\nundo\nc1\nquit\n")
    assert said.count("There is no move to take back.") == 1
    assert said.endswith('--moves "c1"\n')


def test_moves_are_listed_when_asked_for() -> None:
    assert "a1  b1  c1  a2  c2  a3  b3  c3\n" in playing("moves\nquit\n")


def test_help_at_the_table_is_the_page_of_the_game() -> None:
    said = playing("help\nquit\n")
    assert "Druid\n=====\n" in said
    assert "refused druid" not in said  # what only tests read
    assert "```" not in said
    page = said.partition("Druid\n=====\n")[2].rpartition("Type a move")[0]
    assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize("typed", ["quit\n", "QUIT\n", "q\n", "", "\n\n"])
def test_quitting_and_the_end_of_the_input_end_the_session(typed: str) -> None:
    assert "To see the board again" not in playing(typed)


def test_moves_typed_with_a_typographic_dash_are_played() -> None:
    typed = "a1\nd4\na3\nd3\na1\u2013a3\nquit\n"
    assert playing(typed, "druid", "-size=4").endswith('--moves "a1 d4 a3 d3 a1-a3"\n')


GAPS = re.compile(r"{\w*}")
# Words that German does not have; what is typed, such as `board`, is no word here.
ENGLISH = re.compile(r"\b(?:the|you|your|of|and|with|this|are|is|has|moves\.|plays|thinks)\b")


@pytest.mark.parametrize(
    ("words", "typed", "said"),
    [
        (("play", "druid", "-size=3"), "b1\na2\nb2\nc2\nb3\n", "V hat oben und unten verbunden."),
        (("play", "druid", "-size=3"), "undo\na1\nz9\nmoves\nquit\n", "H ist am Zug."),
        (("play", "visavis", "--bot", "1"), "resign\n", "Du bist "),
        (("play", "druid", "--bot", "9"), "", "[no-such-level]"),
        (("play", "druid", "--seat", "2"), "", "--seat, --seed und --time"),
        (("play", "druid", "a1"), "", "ist zu viel"),
        (("show", "druid", "--moves", "a1 z9"), "", "Zug 2, 'z9': "),
        (("show",), "", "Welches Spiel?"),
        (("show", "druids"), "", "gibt es hier nicht"),
        (("logn",), "", "ist kein Befehl"),
        (("login", "no server"), "", "ist keine Adresse eines Servers."),
        (("login", "--list"), "", "Du bist bei keinem Server angemeldet."),
        (("list",), "", "Es wurde nichts geändert: Du bist bei keinem Server angemeldet."),
    ],
)
def test_german_terminal_shows_no_english_sentence(
    words: tuple[str, ...], typed: str, said: str, tmp_path: Path
) -> None:
    environment = {"LC_ALL": "de_AT.UTF-8", "XDG_CONFIG_HOME": str(tmp_path)}
    for name in ("SARSEN_SERVER", "SARSEN_TOKEN"):
        environment[name] = ""
    shown = CliRunner().invoke(main, words, input=typed, env=environment).output
    assert said in shown
    assert ENGLISH.findall(shown) == []
    ours = [one.msgid for one in polib.pofile(str(catalogue("de"))) if one.msgid != one.msgstr]
    parts = [max(map(str.strip, GAPS.split(text)), key=len) for text in ours]
    assert [part for part in parts if " " in part and part in shown] == []


def in_turn(position: AnyPosition, plies: int) -> list[str]:
    """Play the first legal move again and again, and give the texts."""
    texts = []
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        texts.append(position.format(moves[0]))
        position = position.play(moves[0])
    return texts


@pytest.mark.parametrize("name", find())
def test_every_game_can_be_played_and_shown_again(name: str) -> None:
    texts = in_turn(load(name).start(), 6)
    said = playing("\n".join([*texts, "quit"]) + "\n", name)
    line = said.strip().splitlines()[-1]
    moves = line.partition('--moves "')[2].removesuffix('"')
    again = printed("show", name, "--moves", moves)
    assert again in said


# A real process


def test_real_process_prints_only_the_answer_on_standard_output() -> None:
    counted = real("perft", "druid", "-size=4", "2")
    assert (counted.returncode, counted.stdout) == (0, "180\n")
    refused = real("show", "druid", "\u2013size=4", "--moves", "a1 a1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "[druid.sarsen-on-enemy]" in refused.stderr


def test_real_session_is_read_from_a_pipe() -> None:
    session = real("play", "druid", "-size=3", typed="b1\na2\nb2\nc2\nb3\n")
    assert session.returncode == 0
    assert "V joined top and bottom." in session.stdout
    assert session.stderr == ""


@pytest.mark.parametrize(
    "words", [("show", b"\xff\xfe"), ("show", "druid", "--moves", "a²"), ("show", "--", "x")]
)
def test_odd_words_are_refused_without_a_traceback(words: tuple[str | bytes, ...]) -> None:
    line = [sys.executable, "-m", "sarsen", *words]
    result = subprocess.run(line, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 2
    assert result.stderr.startswith("sarsen: ")


def test_refusals_at_the_table_are_those_of_the_referee() -> None:
    with pytest.raises(UserError) as refused:
        replayed(load("druid").start("-size=3"), ["b2"])
    assert refused.value.code in playing("b2\nquit\n")


@pytest.mark.parametrize("bot", ["1", "bot1", "BOT1"])
def test_a_bot_is_named_by_its_level_or_as_everywhere_else(bot: str) -> None:
    played = CliRunner().invoke(main, ["play", "vasco", "-size=6", "--bot", bot], input="quit\n")
    assert played.exit_code == 0, played.output


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("play vasco --bot strong", "no-such-level", "sarsen play vasco --bot bot5"),
        ("play vasco --bot bot9", "no-such-level", "sarsen play vasco --bot 8"),
        (
            "play vasco --bot=bot9x --seat 2",
            "no-such-level",
            "sarsen play vasco --bot bot5 --seat 2",
        ),
        ("engine vasco --level bot0x", "no-such-level", "sarsen engine vasco --level max"),
        ("match bot1 9 --game vasco", "no-such-level", "sarsen match bot1 bot8 --game vasco"),
    ],
)
def test_a_bot_that_there_is_not_is_refused_with_one_that_there_is(
    line: str, code: str, hint: str
) -> None:
    refused = CliRunner().invoke(main, line.split())
    assert f"[{code}]" in refused.stderr
    assert refused.stderr.splitlines()[-1].strip() == hint


def test_every_option_for_a_level_takes_the_name_of_a_bot() -> None:
    assert [read_level(text) for text in ("5", "bot5", "max")] == [5, 5, 8]
    assert read_levels("bot1-bot3") == read_levels("1-3") == (1, 2, 3)
    assert read_levels("bot1,4") == (1, 4)
    assert read_entry("5") == read_entry("bot5")
    assert read_entry("5@nodes=10") == read_entry("bot5@nodes=10")
