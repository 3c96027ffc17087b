"""`sarsen check` finds faults that are planted in the example games, and none in right games."""

from __future__ import annotations

import json
import random
import shlex
import shutil
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lab.planted_faults import (
    EXAMPLES,
    HEX_STONE,
    IN_CI,
    PLANTS,
    QUICK,
    REPEATED,
    ROOT,
    Plant,
    checked,
    findings,
    planted,
    repeated,
)
from lab.rare_faults import RARE_PLANTS
from packages import install, load_rules, run
from sarsen.core.errors import UserError
from sarsen.core.options import Choice, Days, Flag, Number
from sarsen.core.unsupported import refuse_unsupported, rule_files
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import _views, completed
from sarsen.games import load
from sarsen.lab.checking.bare_games import LinesReached
from sarsen.lab.checking.check import COMPARISONS
from sarsen.lab.checking.help_page import check_help
from sarsen.lab.checking.laws.views import clicks_tell_moves_apart
from sarsen.lab.checking.loading import load_game, load_module
from sarsen.lab.checking.random_games import reach_by_laws
from sarsen.lab.checking.walks import Finding, Walk, mixed_options, option_texts, walk
from sarsen.testing import check_game


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.ci) for name in PLANTS if name in IN_CI - {*QUICK}),
        *(pytest.param(name, marks=pytest.mark.slow) for name in RARE_PLANTS),
        *(pytest.param(name, marks=pytest.mark.slow) for name in PLANTS if name not in IN_CI),
    ],
)
def test_planted_fault_is_found_with_a_line_that_repeats_it(
    name: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Where a comparison finds it, that is made alone; with `--long` each game is checked whole."""
    plant, is_long = (PLANTS | RARE_PLANTS)[name], pytestconfig.getoption("--long")
    folder = planted(tmp_path / "planted", plant)
    is_compared = plant.code in COMPARISONS and plant.code != "unlisted-move"  # laws find that, too
    only = plant.code if is_compared and not is_long else ""
    found = findings(folder, plant.code, plant.seconds, only)
    assert plant.code in found, found
    line = found[plant.code]["line"]
    if plant.code == "example-winner":  # of a board that is shown
        assert line.startswith("sarsen show hex ")
        return
    assert line.startswith("sarsen check ") or plant.code == "odd-text"
    if name == "slow rules":  # only twice in a process, which spends that elsewhere
        return
    if name not in REPEATED and not is_long:
        return
    again = repeated(line)
    repeats = json.loads(again.stdout)["findings"]
    assert plant.code in {one["code"] for one in repeats}, line
    assert again.returncode == any(one["is_error"] for one in repeats)
    if name in QUICK:
        mended = planted(tmp_path / "mended", replace(plant, old="", new="    pass\n"))
        assert not repeated(line.replace(str(folder), str(mended))).returncode


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (Plant("crash", "hex", HEX_STONE, f"self.stons; {HEX_STONE}"), "'stons' (rules.py:"),
        (
            Plant(
                *("crash", "hex", ""),
                "    def text(self, position, viewer=None):\n"
                "        return replace(VIEW, contents=lambda _: {'z9': 0}).text(position)",
            ),
            "`contents` names z9, which this board of 9 places, from a1 to c3, does not have "
            "(view.py:",
        ),
    ],
)
def test_crash_that_every_game_meets_is_told_with_its_place(
    plant: Plant, said: str, tmp_path: Path
) -> None:
    folder = planted(tmp_path / "planted", plant)
    words = ("--seconds", "1", "--mutations", "3", "--json")
    ran = run(tmp_path, "sarsen", "check", str(folder), *words)
    found = {one["code"]: one["text"] for one in json.loads(ran.stdout)["findings"]}
    assert said in found["crash"]
    assert "Traceback" not in ran.stderr


UNSUPPORTED = {
    "chance": Plant(
        "game-chance", "hex", HEX_STONE, f"import random; random.choice('ab'); {HEX_STONE}"
    ),
    "a chosen function of chance": Plant(
        *("game-chance", "hex", HEX_STONE),
        f"from random import Random as Dice; Dice().random(); {HEX_STONE}",
    ),
    "a random number of the system": Plant(
        "game-chance", "hex", HEX_STONE, f"import os; os.urandom(1); {HEX_STONE}"
    ),
    "a clock": Plant(
        "game-chance", "hex", HEX_STONE, f"import time as clock; clock.time(); {HEX_STONE}"
    ),
    "three seats": Plant(
        "game-seats", "hex", '"hex", "Hex", SEATS,', '"hex", "Hex", (*SEATS, "Green"),'
    ),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_game_that_the_contract_does_not_hold_is_refused_when_it_is_loaded(
    name: str, tmp_path: Path
) -> None:
    plant, site = UNSUPPORTED[name], tmp_path / "site"
    folder = planted(tmp_path / "planted", plant)
    refused = run(tmp_path, "sarsen", "check", str(folder))
    assert refused.returncode == 2
    assert f"[{plant.code}]" in refused.stderr
    site.mkdir()
    install(folder, site)
    shown = run(site, "sarsen", "show", "hex")
    assert "the game hex is not offered" in shown.stderr
    assert f"[{plant.code}]" in shown.stderr


def test_chance_of_a_seed_of_ones_own_and_in_a_bot_is_no_chance(tmp_path: Path) -> None:
    keys = f"import random; random.Random(7).random(); {HEX_STONE}"
    folder = planted(tmp_path / "planted", Plant("", "hex", HEX_STONE, keys))
    (folder / "sarsen_hex" / "bot.py").write_text("import random\n\nrandom.random()\n")
    refuse_unsupported(load_game(str(EXAMPLES / "hex")).info, "sarsen_hex", folder / "sarsen_hex")


@pytest.mark.parametrize("name", ["druid", "gyges", "vasco", "visavis"])
def test_rules_are_found_with_all_that_they_import(name: str) -> None:
    folder = ROOT / "src" / "sarsen" / "games" / name
    found = {path.name for path in rule_files(f"sarsen.games.{name}", folder)}
    assert {"rules.py", "board.py", "notation.py"} <= found
    assert not found & {"view.py", "bot.py", "kernel.py", "picture.py"}


@pytest.mark.ci
def test_count_that_another_program_finds_otherwise_is_named(tmp_path: Path) -> None:
    folder = planted(tmp_path / "planted", Plant("", "hex", "", ""))
    counts = folder / "tests" / "perft.txt"
    counts.write_text("# Hex 3\nhex -size=3 | | 9 72 504\nhex -size=4 | b2 | 15 211\nnim | | 3\n")
    (found,) = (one for one in checked(folder)["findings"] if one["code"] == "counts")
    assert found["text"] == "At depth 2 there are 210 paths; another program counts 211."
    site = tmp_path / "site"
    site.mkdir()
    install(folder, site)
    assert run(site, *shlex.split(found["line"])).stdout.strip().endswith("210")
    others = tmp_path / "others.txt"
    others.write_text("hex -size=3 | | 8\n")
    words = ("--counts", str(others), "--seconds", "1", "--mutations", "0")
    told = run(site, "sarsen", "check", "hex", *words).stdout
    assert "At depth 1 there are 9 paths; another program counts 8." in told


def wrong_in_help(old: str, new: str) -> list[Finding]:
    """Return what is found in the help page of Hex when a part of it is replaced."""
    module = load_module(str(EXAMPLES / "hex"))
    package = Path(str(module.__file__)).parent
    text = (package / "help.md").read_text("utf-8")
    assert old in text
    return list(check_help(module.GAME, text.replace(old, new), rule_files("sarsen_hex", package)))


def test_another_package_of_a_name_that_is_loaded_is_refused(tmp_path: Path) -> None:
    load_module(str(EXAMPLES / "hex"))
    folder = planted(tmp_path / "planted", Plant("", "hex", HEX_STONE, HEX_STONE))
    with pytest.raises(UserError, match="is loaded already, from") as refused:
        load_module(str(folder))
    assert refused.value.code == "loaded-elsewhere"


def test_board_of_the_help_page_that_is_not_shown_is_named() -> None:
    (found,) = wrong_in_help(". r(b)", ". b(r)")
    assert found.code == "example-board"
    assert found.line == 'sarsen show hex -size=3 --moves "b2 c2"'


def test_help_page_of_a_package_is_checked_with_its_rules(tmp_path: Path) -> None:
    folder = planted(tmp_path / "planted", Plant("", "hex", HEX_STONE, f"self.stons; {HEX_STONE}"))
    (folder / "sarsen_hex" / "help.md").write_text("No example.\n")
    ran = run(tmp_path, "sarsen", "check", str(folder), "--seconds", "1", "--json")
    codes = {one["code"] for one in json.loads(ran.stdout)["findings"]}
    assert {"few-examples", "no-finished-example", "crash"} <= codes
    assert not ran.stderr, "progress is for terminals"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("f6 f6", "f6 f6 f7", "An example is refused at f6, before its last move."),
        ("show hex -size=5", "show gyges -size=5", "An example shows 'gyges', not hex."),
        ("3 to 19; 11", "3 to 18; 11", "that -size is 3 to 19, and 11 if not named"),
        ('b3" : Red wins', 'b3"', "write ` : Red wins` behind it"),
        ("3 to 19; 11 if", "3 to 19; 10 if", "that -size is 3 to 19, and 11 if not named"),
    ],
)
def test_help_page_that_says_something_else_is_named(old: str, new: str, said: str) -> None:
    assert any(said in found.text for found in wrong_in_help(old, new))


def test_option_that_only_an_example_shows_is_not_idle(tmp_path: Path) -> None:
    chosen = 'Choice("rare", "what is rare", ("no", "yes"), "no")'
    rare = 'move == "d4" and self.moves == ("d3",) and self.terms.choice("rare") == "yes"'
    refused = f"if {rare}:\n            raise IllegalMove('No.', code='hex.rare')\n        "
    folder = planted(tmp_path / "hex", Plant("", "hex", HEX_STONE, refused + HEX_STONE))
    rules = folder / "sarsen_hex" / "rules.py"
    text = rules.read_text("utf-8").replace("OPTIONS = (", f"OPTIONS = ({chosen}, ")
    rules.write_text(text.replace("import Number", "import Choice, Number"), "utf-8")
    found = checked(folder, only="idle-option")["findings"]
    assert [one["code"] for one in found] == ["idle-option"]
    with (folder / "sarsen_hex" / "help.md").open("a", encoding="utf-8") as page:
        page.write('\n```sarsen\nrefused hex -rare=yes --moves "d3 d4" : hex.rare\n```\n')
    assert not checked(folder, only="idle-option")["findings"]


@pytest.mark.ci
def test_line_that_no_game_reaches_is_named(tmp_path: Path) -> None:
    unreached = f"if move == '':\n            return self\n        {HEX_STONE}"
    folder = planted(tmp_path / "planted", Plant("", "hex", HEX_STONE, unreached))
    found = findings(folder, "never-reached", 4)
    assert "(`return self`)" in found["never-reached"]["text"]
    sound = planted(tmp_path / "sound", Plant("", "hex", HEX_STONE, HEX_STONE))
    assert "never-reached" not in {one["code"] for one in checked(sound, 4)["findings"]}


def test_line_that_only_laws_run_is_reached(tmp_path: Path) -> None:
    folder = planted(
        tmp_path / "planted",
        Plant(
            *("never-reached", "hex", "    def outcome(self)"),
            "    def plies_left(self) -> int:\n"
            "        free = self.size**2 - len(self.stones)\n"
            "        return 2 * free + (len(self.moves) < 2)\n\n    def outcome(self)",
        ),
    )
    rules = folder / "sarsen_hex" / "rules.py"
    game = load_rules(rules, "only_laws_run_a_line").GAME  # a process keeps one `sarsen_hex`
    reached = LinesReached((rules,))
    planted_line = 1 + rules.read_text("utf-8").split("\n").index(
        "        free = self.size**2 - len(self.stones)"
    )
    assert planted_line in reached.left[str(rules)]
    reach_by_laws(game, 1, reached, time.process_time() + 3)
    assert planted_line not in reached.left[str(rules)]


@pytest.mark.ci
@pytest.mark.parametrize(
    "name",
    ["breakthrough", *(pytest.param(name, marks=pytest.mark.slow) for name in ("hex", "amazons"))],
)
def test_examples_have_no_fault(name: str) -> None:
    assert not [one for one in checked(EXAMPLES / name)["findings"] if one["is_error"]]


@pytest.mark.ci
@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("druid", "gyges", "vasco")),
        "visavis",
    ],
)
def test_games_of_this_repository_have_no_fault(name: str) -> None:
    report = check_game(name, seconds=1)
    assert report.measures.games >= 1


@pytest.mark.ci
def test_sample_plug_in_has_no_fault() -> None:
    report = check_game(ROOT / "tests" / "plugin", seconds=2)
    assert report.measures.ends
    # 1 + 3 + 5 + … + 11 sticks, one a ply.
    assert report.measures.longest <= 36


@pytest.mark.ci
def test_a_game_without_a_view_has_no_fault(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(EXAMPLES / "breakthrough", folder)
    init = folder / "sarsen_breakthrough" / "__init__.py"
    init.write_text("from sarsen_breakthrough.rules import GAME\n\n__all__ = ['GAME']\n")
    assert not [one for one in checked(folder)["findings"] if one["is_error"]]


def test_game_that_ends_when_it_goes_round_has_an_end(tmp_path: Path) -> None:
    folder = planted(tmp_path / "planted", PLANTS["a game that need not end"])
    rules = folder / "sarsen_breakthrough" / "rules.py"
    text = rules.read_text("utf-8")
    first = "        if not self.moves:\n            return None\n"
    assert first in text
    last = '        if len(self.moves) > 99:\n            return Outcome((0.5, 0.5), "Stop.")\n'
    rules.write_text(text.replace(first, first + last), "utf-8")
    assert not checked(folder, only="may-not-end")["findings"]


@pytest.mark.ci
def test_each_part_is_told_with_its_figures_and_extremes_with_games_that_show_them(
    tmp_path: Path,
) -> None:
    install(EXAMPLES / "hex", tmp_path)
    words = ("sarsen", "check", "hex", "--seconds", "1", "--mutations")
    lines = run(tmp_path, *words, "1").stdout.splitlines()
    parts = ["Help page", "Laws", "Extremes", "Comparisons", "Changed rules"]
    assert [line[2:15].strip() for line in lines if line[:1] == "✓"] == parts
    # By hand: 28 for numbers and signs of BESIDE, 6 for its directions, 8 in cells, 6 in around;
    # seven conditions and the index -1 with 3 each; 6 and 14 in the last two lines of joins.
    assert "1 of 92 changes tried" in lines[5]
    found = json.loads(run(tmp_path, *words, "0", "--json").stdout)
    # The largest board has 361 cells; a swap takes one ply more.
    assert 200 < found["longest"] <= 362
    assert found["most_moves"] == 361
    longest, most = found["lines"]["longest"], found["lines"]["most_moves"]
    assert len(shlex.split(longest)[-1].split()) == found["longest"]
    assert most == "sarsen show hex -size=19"


def test_each_kind_of_option_is_tried() -> None:
    class Info:
        name = "options"
        options = (
            Flag("swap", ""),
            Number("size", "", 3, 9, 5),
            Choice("board", "", ("hex", "square"), "hex"),
            Days("pause", "", 0.5, 2),
        )

    class Named:
        info = Info

    tried = option_texts(Named)  # type: ignore[arg-type]
    sizes, boards = {"-size=3", "-size=9"}, {"-board=hex", "-board=square"}
    assert {"", "-swap", *sizes, *boards, "-pause=0.5", "-pause=2"} == set(tried)


def test_options_that_exclude_each_other_are_drawn_until_they_are_accepted() -> None:
    class Excluding:
        class info:  # noqa: N801
            options = (Flag("near", ""), Flag("far", ""), Number("size", "", 3, 9, 5))

        def start(self, options: str) -> None:
            if "-near" in options and "-far" in options:
                raise UserError("Not both.", code="both")

    drawn = {mixed_options(cast(Any, Excluding()), random.Random(seed)) for seed in range(200)}
    assert not any("-near -far" in text for text in drawn)
    assert len(drawn) == 3 * 7


@pytest.mark.ci
def test_a_fault_is_told_with_the_shortest_game_that_shows_it(tmp_path: Path) -> None:
    folder = planted(tmp_path / "planted", PLANTS["play accepts an occupied cell"])
    found = findings(folder, "unlisted-move", 2)
    moves = shlex.split(found["unlisted-move"]["line"])[-1].split()
    # One stone, and one of the other side on it.
    assert len(moves) == 2
    assert moves[0] == moves[1]


def test_wrong_winner_after_a_swap_is_shown_on_the_smallest_board(tmp_path: Path) -> None:
    folder = planted(tmp_path / "planted", PLANTS["wrong winner after swap"])
    (found,) = checked(folder, only="swap-winner")["findings"]
    assert found["shown"].startswith("sarsen show hex -swap -size=3 --moves ")


def test_random_games_are_the_same_for_a_seed() -> None:
    from sarsen.games import load

    one, other = ([found.texts for found in walk(load("druid"), "-size=4", 7)] for _ in range(2))
    assert one[-1] == other[-1]


@pytest.mark.parametrize(("texts", "faults"), [(("pass", "swap"), []), (("up", "x"), ["clicks"])])
def test_moves_without_spots_are_told_apart_by_words_alone(
    texts: tuple[str, ...], faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("visavis")
    view = SimpleNamespace(scene=lambda *_: Scene(1, 1, "", ()), clicks=lambda *_: ())
    monkeypatch.setitem(_views, "visavis", completed(view))
    position = SimpleNamespace(game=game, legal_moves=lambda: texts, format=str)
    told = clicks_tell_moves_apart(Walk(game, "", (), (), cast(Any, position)))
    assert [fault.code for fault in told] == faults
