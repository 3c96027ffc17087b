"""The page that compares the doors: what is true of each command at mail, web, terminal and API.

A cell says what a test of that door does: `tests/doors/DOOR/test_every_command.py` sends
the very line of `command_lines` to it. The forms of web pages are read from the templates.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from command_lines import LINES, as_json
from sarsen.games import names
from sarsen.language.commands import BY_WORD, COMMANDS

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "src" / "sarsen" / "doors" / "web" / "templates" / "web"
DOORS = {
    door: ROOT / "tests" / "doors" / folder / "test_every_command.py"
    for door, folder in (("mail", "mail"), ("web", "web"), ("terminal", "cli"), ("API", "api"))
}
HEADER = """\
<!-- Generated from the commands, the tests of the doors and the pages by `make docs`. -->

# Every command by mail, on the web, in the terminal and in the API

The tests perform every line of this table (`tests/doors/*/test_every_command.py`) and fill in
numbers for `{board}` and the like. On the web every line may be typed into the command box, and
the pages named have a form or a button for it. In the terminal a line goes to the server where
the user is logged in; `sarsen do` accepts every line, also on the server's own machine. The API
accepts every line as `POST /api/v1/line`, and has an address of its own for the same as JSON.

| command | mail | web | terminal | API |
|---|---|---|---|---|
"""
JSON_HEADER = """
## The JSON of each command

The same lines as `POST /api/v1/commands/NAME` takes them; the tests send exactly this, with other
numbers. Fields that are left out have the values that a line without them has; all of them are in
`/api/v1/openapi.json`.

| command | JSON |
|---|---|
"""
# Numbers and words in the place of the braces.
EXAMPLES = {
    **{"board": 1, "ended": 2, "invitation": 3, "own": 4, "code": "123456", "news": 5},
    **{"contest": 6, "own_contest": 7, "running_contest": 8, "contest_board": 9},
    "friend_code": "0123456789abcdef0123",
    "claim_board": 10,
    **{"password": "open-sesame-now", "first_day": "2027-02-01", "last_day": "2027-02-05"},
}
# What a page is called; a template that is a part of one counts as that page.
# Templates by their folder and name; "*" for all of a folder.
PAGES = {
    "account/*": "account",
    "board/*": "board",
    "board/review_button": "review",
    "challenges/page": "challenge",
    "contests/list": "contests",
    "contests/page": "contest",
    "contests/ladder": "contest",
    "challenges/rows": "challenges",
    "players/actions": "player",
    "players/page": "player",
}
# Modules whose settings pages send the commands that they name.
SETTINGS = [
    ROOT / "src" / "sarsen" / "doors" / "web" / "account" / f"{name}.py"
    for name in ("preferences", "settings")
]
# Pages whose content is the answer to a query, and questions that a reply itself asks.
SHOWN_ON = {
    "Account": "account",
    "AllShow": "my boards",
    "AnswerInvitation": "the link in the mail",
    "ListContests": "contests",
    "ShowContest": "contest",
    "ShowLadder": "contest",
    "JoinLadder": "contest",
    "LeaveLadder": "contest",
    "ConfirmAccount": "the question",
    "ConfirmSignup": "the link in the mail",
    "Deliveries": "what was sent",
    "Export": "account",
    "Games": "game, player",
    "Help": "help",
    "History": "past games",
    "ListBoards": "games",
    "MakeChallenge": "new challenge",
    "Ratings": "ratings, player",
    "Show": "board",
    "ShowAs": "board",
    "ShowProfile": "player",
    "SignUp": "join",
    "Standings": "standings",
    "TakeLesson": "lesson",
    "TakePuzzle": "puzzle",
    "Analyse": "analysis",
}
_LINE = re.compile(
    r'(?:name="(?:line|command)" value|with (?:line|command)|line=game.name about)="([^"]+)"'
)
_TAG = re.compile(r"\{\{[^}]*\}\}|\{%[^%]*%\}")


def page() -> str:
    """Write the page."""
    rows = [f"| {_usage(command)} | {_cells(command)} |" for command in COMMANDS]
    return (
        HEADER + "\n".join(rows) + "\n" + JSON_HEADER + "\n".join(map(_json_row, COMMANDS)) + "\n"
    )


def _json_row(command: type) -> str:
    line = LINES[command]
    asked = as_json(line.text.format(**EXAMPLES), line.body)
    written = json.dumps(asked, ensure_ascii=False).replace("|", "\\|")
    return f"| {_usage(command)} | `{written}` |"


def _usage(command: type) -> str:
    return f"`{command.words[0]}`"  # type: ignore[attr-defined]


def _cells(command: type) -> str:
    line = LINES[command].text
    body = " and text below it" if LINES[command].body else ""
    pages = sorted({*forms().get(command, ()), *filter(None, [SHOWN_ON.get(command.__name__)])})
    cells = {
        "mail": f"`{line}`{body}",
        "web": ", ".join(["command box", *pages]),
        "terminal": f"`sarsen {_at_shell(command, line)}{body and ' -m TEXT'}`",
        "API": f"`POST commands/{_name(command)}`",
    }
    return " | ".join(cells[door] if _is_tried(door) else "" for door in DOORS)


def _at_shell(command: type, line: str) -> str:
    """Return a line as a shell takes it; a subcommand of one name wins over a line."""
    quoted = f"'{line}'" if ";" in line else line
    subcommands = ("Analyse", "Export", "TakeLesson", "TakePuzzle")
    return f"do {quoted}" if command.__name__ in subcommands else quoted


def _name(command: type) -> str:
    return _usage(command).strip("`").replace(" ", "-")


def _is_tried(door: str) -> bool:
    """Return whether the tests of a door send it the line of every command."""
    source = DOORS[door].read_text(encoding="utf-8")
    return '@pytest.mark.parametrize("command", COMMANDS' in source and "LINES[command]" in source


def forms() -> dict[type, set[str]]:
    """Return for each command the pages that have a form or a button for it."""
    found: dict[type, set[str]] = {}
    # The last entry that fits a template counts.
    pages = {path: name for one, name in PAGES.items() for path in TEMPLATES.glob(f"{one}.html")}
    for path, name in pages.items():
        for line in _LINE.findall(path.read_text(encoding="utf-8")):
            command = _command_of(line)
            if command is not None:
                found.setdefault(command, set()).add(name)
    for command in _of_settings():
        found.setdefault(command, set()).add("account")
    return found


def _of_settings() -> Iterator[type]:
    """Yield the commands that pages of settings send: those that their modules name."""
    made = {command.__name__: command for command in COMMANDS}
    trees = [ast.parse(one.read_text(encoding="utf-8")) for one in SETTINGS]
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Name) and node.id in made:
            yield made[node.id]


def _command_of(line: str) -> type | None:
    words = [word for word in _TAG.sub(" ", line).lower().split() if word not in names()]
    if not words:
        return None
    return BY_WORD.get(" ".join(words[:2])) or BY_WORD.get(words[0])
