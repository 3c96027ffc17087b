"""Faults that are planted into the example games, for the tests of `sarsen check`."""

from __future__ import annotations

import json
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from packages import run

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "games"
TEMPLATE = ROOT / "src" / "sarsen" / "lab" / "new_game" / "template"

# Put behind a view: it draws as before, but for one method.
WRONG_VIEW = """

from dataclasses import replace

from sarsen.core.referee import replayed


class WrongView:
    def __getattr__(self, name):
        return getattr(VIEW, name)

{method}

register(GAME.info.name, WrongView())
"""


@dataclass(frozen=True)
class Plant:
    """A fault planted into an example game.

    Attributes:
        code: Of the finding that names it.
        old, new: Text of the rules; without `old`, `new` is a method of the view.
        seconds: Of the processor, in which a check finds it.
    """

    code: str
    game: str
    old: str
    new: str
    seconds: float = 1.5


# Methods of a view that draws another position than the one it is given.
BEHIND = """
    def other(self, position):
        return {other}

    def text(self, position, viewer=None):
        return VIEW.text(self.other(position), viewer)

    def scene(self, position, viewer=None):
        return VIEW.scene(self.other(position), viewer)
"""
START = "GAME.start(position.options)"
BEFORE = f"replayed({START}, position.moves[:-1])"
WITHOUT_LAST = "{c: s for c, s in position.stones.items() if c not in position.moves[-1:]}"
HEX_STONE = "stones = {**self.stones, move: self.side}"
# Each cell is listed twice, as in a game of which some moves come to the same.
TWO_WAYS = """

from dataclasses import replace

listed, judged = HexPosition.legal_moves, HexPosition.play


def play(self, move):
    found = judged(self, move.rstrip("x"))
    return {played}


HexPosition.notation = (r"[a-z][1-9][0-9]?x?", "b2")
HexPosition.legal_moves = lambda self: tuple(
    move + end for move in listed(self) for end in (("",) if move == "swap" else ("", "x"))
)
HexPosition.play = play
"""
LAST = """

@dataclass(frozen=True)
class HexPosition(HexPosition):
    last: str = ""

"""
# Symmetries of Hex 4, and a chain of Blue that need not reach the right edge.
SYMMETRIES = """
def transposed(move):
    return f"{chr(96 + int(move[1:]))}{ord(move[0]) - 96}"


def turned(move):
    return f"{chr(101 + 96 - ord(move[0]))}{5 - int(move[1:])}"

"""
HALF_A_CHAIN = f"""{SYMMETRIES}
right = joins


def joins(start, side, stones, size):
    return right(start, side, stones, size) or (side == 1 and start[0] == "a" and len(stones) > 6)


GAME: Game = RecordedGame(INFO, HexPosition, """
HALF_WITH_SWAP = """
right = HexPosition.after


def after(self, move):
    found = right(self, move)
    is_won = self.terms.flag("swap") and self.side and move[0] == "a" and len(self.stones) > 6
    return HexPosition(found.terms, found.moves, found.stones, 1) if is_won else found


HexPosition.after = after
"""
PLANTS = {
    "play accepts an occupied cell": Plant(
        *("unlisted-move", "hex", "if move in self.stones:"),
        "if self.stones.get(move) == self.side:",
    ),
    "play accepts an unlisted capture": Plant(
        *("unlisted-move", "breakthrough", "if to not in self.targets(man):"),
        "if to not in self.targets(man) and self.men.get(to) != 1 - self.side:",
    ),
    "play accepts a pass at any time": Plant(
        *("unlisted-move", "hex", '(r"[a-z][1-9][0-9]?", "b2")'),
        '(r"[a-z][1-9][0-9]?|pass", "b2")\n\n'
        "    def play(self, move: str) -> HexPosition:\n"
        "        if move == 'pass':\n"
        "            return HexPosition(self.terms, (*self.moves, move), self.stones)\n"
        "        return super().play(move)",
    ),
    "play changes the old position": Plant(
        *("play-changes", "hex", HEX_STONE),
        "stones = self.stones; stones[move] = self.side",
    ),
    "an aim for one side of two": Plant(
        *("aims", "tryout", 'aims=("make a row of three", "make a row of three"),'),
        'aims=("make a row of three",),',
    ),
    "full board without outcome": Plant(
        *("no-outcome", "tryout", "if len(self.stones) == self.size**2:"),
        "if len(self.stones) > self.size**2:",
    ),
    "a game that need not end": Plant(
        *("may-not-end", "breakthrough", "free = [ahead] if ahead not in self.men else []"),
        "back = name(column, 2 * int(man[1:]) - row)\n"
        "        free = [to for to in (ahead, back) if to not in self.men "
        "and 1 <= int(to[1:]) <= self.size]",
    ),
    "wrong winner always": Plant(
        *("example-winner", "hex", "winner = self.side if joins"),
        "winner = 1 - self.side if joins",
    ),
    "wrong winner after swap": Plant(
        *("swap-winner", "hex", "return self.won_by(self.winner, "),
        "return Outcome(tuple(float(seat == self.winner) for seat in range(2)), ",
    ),
    "text board drops a piece": Plant(
        *("text-drops", "hex", ""),
        "    def text(self, position, viewer=None):\n"
        "        return VIEW.text(position, viewer).replace('b', '.').replace('r', '.')",
    ),
    "picture drops one side's pieces": Plant(
        *("picture-drops", "hex", ""),
        "    def scene(self, position, viewer=None):\n"
        "        seen = {c: s for c, s in position.stones.items() if s}\n"
        "        return VIEW.scene(replace(position, stones=seen), viewer)",
    ),
    "a view one ply behind": Plant(*("undrawn-move", "hex", ""), BEHIND.replace("{other}", BEFORE)),
    "a view that marks the last move and draws what stood before": Plant(
        *("undrawn-move", "hex", ""),
        BEHIND.replace("{other}", f"replace(position, stones={WITHOUT_LAST})"),
    ),
    "a text board that marks the last move and draws what stood before": Plant(
        *("undrawn-move", "hex", ""),
        BEHIND.replace("{other}", f"replace(position, stones={WITHOUT_LAST})").replace(
            "def scene", "def no_scene"
        ),
    ),
    "a picture one ply behind": Plant(
        *("undrawn-move", "breakthrough", ""),
        BEHIND.replace("{other}", BEFORE).replace("def text", "def no_text"),
    ),
    "a view that never changes": Plant(
        *("undrawn-move", "breakthrough", ""), BEHIND.replace("{other}", START)
    ),
    "stones of one colour": Plant(
        *("sides-look-alike", "hex", ""),
        BEHIND.replace("{other}", "replace(position, stones=dict.fromkeys(position.stones, 0))"),
    ),
    "stones of one colour on the text board": Plant(
        *("sides-look-alike", "hex", ""),
        "    def text(self, position, viewer=None):\n"
        "        return VIEW.text(position, viewer).replace('b', 'r')",
    ),
    "a picture with the colours of the sides exchanged": Plant(
        *("wrong-colour", "hex", ""),
        BEHIND.replace(
            "{other}",
            "replace(position, stones={c: 1 - s for c, s in position.stones.items()})",
        ).replace("def text", "def no_text"),
    ),
    "colours that follow the seats after a swap": Plant(
        *("wrong-colour", "hex", ""),
        BEHIND.replace(
            "{other}",
            "replace(position, stones={c: (s + position.is_swapped) % 2"
            " for c, s in position.stones.items()})",
        ),
    ),
    "men of one colour": Plant(
        *("text-drops", "breakthrough", ""),
        BEHIND.replace("{other}", "replace(position, men=dict.fromkeys(position.men, 0))"),
    ),
    "plies_left that a swap on a large board leaves as it is": Plant(
        *("plies-left", "hex", "    def outcome(self)"),
        "    def plies_left(self) -> int:\n"
        "        is_right = self.size not in (11, 19) and 'swap' not in self.moves\n"
        "        return self.size**2 - len(self.stones) + is_right\n\n"
        "    def outcome(self)",
    ),
    "moves that come to the same": Plant(
        *("same-result", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        TWO_WAYS.replace("{played}", "replace(found, moves=(*self.moves, move))")
        + "\nGAME: Game = RecordedGame(INFO, HexPosition)",
    ),
    "moves that come to the same but for a field of the last move": Plant(
        *("same-result", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        LAST
        + TWO_WAYS.replace(
            "{played}",
            "HexPosition(found.terms, (*self.moves, move), found.stones, found.winner, move)",
        )
        + "\nGAME: Game = RecordedGame(INFO, HexPosition)",
    ),
    "parse and format differ": Plant(
        *("parse-format", "hex", "    def outcome(self)"),
        "    def format(self, move: str) -> str:\n"
        "        at = move[0], self.size + 1 - int(move[1:] if move != 'swap' else 1)\n"
        "        return move if move == 'swap' else f'{at[0]}{at[1]}'\n\n"
        "    def outcome(self)",
    ),
    "format writes what parse refuses": Plant(
        *("parse-format", "hex", "    def outcome(self)"),
        "    def format(self, move: str) -> str:\n"
        "        return move.replace('b', 'z')\n\n"
        "    def outcome(self)",
    ),
    "crash at ply 60": Plant(
        *("crash", "hex", HEX_STONE), f"assert len(self.moves) < 59; {HEX_STONE}"
    ),
    "crash in describe at ply 30": Plant(
        *("crash", "hex", ""),
        "    def describe(self, position):\n"
        "        return {30: None}.get(len(position.moves), VIEW).describe(position)",
    ),
    "clicks that do not tell moves apart": Plant(
        *("clicks", "breakthrough", ""),
        "    def clicks(self, position, move):\n        return VIEW.clicks(position, move)[:1]",
    ),
    "a swap option without effect": Plant(
        *("idle-option", "hex", "    def outcome(self)"),
        "    may_swap = False\n\n    def outcome(self)",
    ),
    "legal_moves leaves out what play accepts": Plant(
        *("unlisted-move", "hex", "if cell not in self.stones)"),
        "if cell not in self.stones and cell != 'b2')",
    ),
    "outcome from hidden state": Plant(
        *("hidden-state", "hex", "        if self.winner is None:\n            return None\n"),
        "        ASKED.append(1)\n"
        "        if self.winner is None or len(ASKED) % 3 == 0:\n            return None\n",
    ),
    "parse fails for a blank text": Plant(
        *("odd-text", "hex", "    def outcome(self)"),
        "    def parse(self, text: str) -> str:\n"
        "        return RecordedPosition.parse(self, text[0] + text[1:])\n\n"
        "    def outcome(self)",
    ),
    "description without the side to move": Plant(
        *("description", "hex", ""),
        "    def describe(self, position):\n        return 'Some stones stand there.'",
    ),
    "chance that is not imported by name": Plant(
        *("hidden-state", "hex", HEX_STONE),
        "other = __import__('random').choice([move, move, self.free()]); "
        "stones = {**self.stones, other: self.side}",
    ),
    "sides that do not need the same": Plant(
        *("exchange", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        HALF_A_CHAIN + "exchanges={'transposed': transposed})",
    ),
    "edges that do not count the same": Plant(
        *("symmetry", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        HALF_A_CHAIN + "symmetries={'turned': turned})",
    ),
    "edges that do not count the same with an option": Plant(
        *("symmetry-with-options", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        f"{SYMMETRIES}{HALF_WITH_SWAP}GAME: Game = RecordedGame(INFO, HexPosition, "
        "symmetries={'turned': turned})",
    ),
    "scores of three seats": Plant(
        *("scores", "hex", "return self.won_by(self.winner, "),
        "return Outcome((1.0, 0.0, 0.0), ",
    ),
    "both seats move at once": Plant(
        *("simultaneous-moves", "hex", "    def outcome(self)"),
        "    @property\n    def seat(self) -> tuple[int, int]:\n        return 0, 1\n\n"
        "    @property\n    def side(self) -> int:\n        return len(self.moves) % 2\n\n"
        "    def outcome(self)",
    ),
    "pieces that only one side sees": Plant(
        *("hidden-information", "hex", ""),
        "    def text(self, position, viewer=None):\n"
        "        shown = VIEW.text(position, viewer)\n"
        "        return shown if viewer != 1 else shown.replace('r', '.')",
    ),
    "a loop without an end": Plant(*("never-returns", "hex", " and near not in chain"), ""),
    "a call of C without an end": Plant(
        *("never-returns", "hex", HEX_STONE), f"sum(iter(int, len(self.moves) // 3)); {HEX_STONE}"
    ),
    "a process that ends": Plant(
        *("crash", "hex", HEX_STONE),
        f"len(self.moves) > 2 and __import__('os').abort(); {HEX_STONE}",
    ),
    # On a machine of a third or three times this speed, too, the call is slow and returns.
    "slow rules": Plant(
        *("slow-rules", "hex", "        free = (cell for"),
        "        if self.size == 19 and len(self.moves) == 150 and len(ASKED) < 2:\n"
        "            ASKED.append(sum(range(60_000_000)))\n"
        "        free = (cell for",
    ),
    "rules that sleep": Plant(
        *("slow-rules", "hex", "        free = (cell for"),
        "        __import__('threading').Event().wait(0.3)\n        free = (cell for",
    ),
}
HIDDEN = "\nASKED: list[int] = []\n"
FREE = """
    def free(self) -> str:
        return next((cell for cell in cells(self.size) if cell not in self.stones), "a1")

    def outcome(self)"""


def planted(folder: Path, plant: Plant) -> Path:
    """Write an example game with a fault into a folder."""
    source = TEMPLATE if plant.game == "tryout" else EXAMPLES / plant.game
    shutil.copytree(source, folder)
    package = folder / f"sarsen_{plant.game}"
    rules, view = package / "rules.py", package / "view.py"
    text = rules.read_text(encoding="utf-8")
    assert plant.old in text, "the example has changed"
    if not any(number in plant.new for number in ("59", "30:", "19")):
        text = text.replace("3, 19, 11)", "3, 5, 4)")  # small boards take less time
    if plant.old:
        text = text.replace(plant.old, plant.new) + HIDDEN
    else:
        with view.open("a", encoding="utf-8") as file:
            file.write(WRONG_VIEW.replace("{method}", plant.new))
    if "self.free()" in plant.new:
        text = text.replace("\n    def outcome(self)", FREE)
    rules.write_text(text, encoding="utf-8")
    return folder


# The others are left to CI and to `--long`.
QUICK = ("picture drops one side's pieces",)
# Each takes seconds of processor: CI plants one of each code, and each way to take too long.
IN_CI = {plant.code: name for name, plant in PLANTS.items()}
IN_CI |= {"hidden-state": "outcome from hidden state", "never-returns": "a loop without an end"}
IN_CI = {*IN_CI.values()}
# Whose lines are run again in CI, some of each kind of line; with `--long` those of all.
REPEATED = {
    *QUICK,
    "a view that never changes",
    "edges that do not count the same with an option",
    "parse fails for a blank text",
    "a process that ends",
}


def checked(folder: Path, seconds: float = 1.5, only: str = "") -> dict[str, Any]:
    """Check a game, or make one comparison alone, which takes a fraction of the time."""
    time = ("--seconds", str(seconds), "--mutations", "0")
    chosen = ("--only", only) if only else ()
    ran = run(folder.parent, "sarsen", "check", str(folder), *time, *chosen, "--json")
    assert ran.stdout, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def findings(folder: Path, code: str, seconds: float, only: str = "") -> dict[str, dict[str, Any]]:
    """Return what a check of so many seconds finds, by code; of four times as many without `code`.

    Where each new page of memory takes 40 microseconds, a second plays a fourth of the games.

    Args:
        only: A comparison that is made alone.
    """
    found: dict[str, dict[str, Any]] = {}
    for longer in (1, 4):
        checks = checked(folder, longer * seconds, only)["findings"]
        found = {one["code"]: one for one in checks}
        if code in found:
            break
    return found


def repeated(line: str) -> CompletedProcess[str]:
    """Run the command of a finding, as it is printed, for a program."""
    words = shlex.split(line)
    assert words[:2] == ["sarsen", "check"], line
    return run(ROOT, *words, "--json")
