"""Find the page for a subject."""

from __future__ import annotations

import difflib
import re
import shlex
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.core.referee import replayed
from sarsen.games import find, known_names, load, names
from sarsen.help.game_pages import game_page
from sarsen.language.commands import BY_WORD, COMMANDS, Command
from sarsen.language.contests.law import law_page
from sarsen.language.ratings import LEVELS, level_words
from sarsen.language.replies import HelpPage
from sarsen.language.terms import terms_page
from sarsen.language.translating import _, page_in_language, translated

_EXAMPLES = re.compile(r"^```sarsen\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
TEXTS = (
    "overview",
    "tutorial",
    "options",
    "clocks",
    "plans",
    "contests",
    "notices",
    "ratings",
    "records",
    "bots",
    "terminal",
    "privacy",
)
_PROGRAM = re.compile("bot[0-9]?|programs?")


def find_page(subjects: tuple[str, ...] = ()) -> HelpPage:
    """Return the page for some subject words, in the language in force; the overview for none.

    Raises:
        UserError: No such subject; the hint is the nearest one.
    """
    if not subjects:
        return _text("overview")
    subject = " ".join(subjects)
    if subject == "commands":
        return HelpPage(_("Commands"), commands_text())
    if _PROGRAM.fullmatch(subject):
        subject = "bots"
    if subject in TEXTS:
        return _text(subject)
    if subject in BY_WORD:
        return _command(BY_WORD[subject])
    if subjects[0] in known_names():
        return _game(subjects)
    all_subjects = ["commands", *TEXTS, *names(), *BY_WORD]
    near = difflib.get_close_matches(subject, all_subjects, n=1, cutoff=0.7)
    raise UserError(
        "There is no help on {subject}.",
        code="unknown-subject",
        hint=f"help {near[0]}" if near else "help",
        subject=quoted(subject),
    )


def commands_text() -> str:
    """Write the table of all commands, from the same classes that read them."""
    rows = []
    for command in COMMANDS:
        usage = command.usage.replace(" | ", "`<br>`").replace("|", "\\|")
        rows.append(f"| `{usage}` | {_(command.summary)} |")
    return "\n".join([f"| {_('command')} | {_('what it does')} |", "|---|---|", *rows]) + "\n"


def _game(subjects: tuple[str, ...]) -> HelpPage:
    """Return a game's page, or a command's page when one follows the game's name."""
    if len(subjects) > 1 and subjects[1] in BY_WORD:
        return _command(BY_WORD[subjects[1]])
    info = load(subjects[0]).info
    return HelpPage(info.title, _EXAMPLES.sub(_as_typed, game_page(info.name)).strip() + "\n")


def _as_typed(example: re.Match[str]) -> str:
    """Show an executed example as a reader would type it, and refusals in the rules' words."""
    lines = example[1].splitlines()
    commands = [f"sarsen {line.partition(' : ')[0]}" for line in lines if line.startswith("show ")]
    block = ["```text", *commands, "```"] if commands else []
    refused = [*filter(None, (_refusal(line) for line in lines if line.startswith("refused ")))]
    return "\n".join([*block, *([""] if block and refused else []), *refused, ""])


def _refusal(line: str) -> str:
    """Return a text that says what the rules have against an example's last move; "" where they
    have nothing.
    """
    example = read_example(line)
    refusal = refusal_of(example) if example else None
    if example is None or refusal is None:
        return ""
    *before, last = example.moves
    when = " " + _("after {moves}").format(moves=f"`{' '.join(before)}`") if before else ""
    board = f" (`{example.options}`)" if example.options else ""
    return f"- `{last}`{when}{board}: {translated(refusal.text)} [{refusal.code}]"


def _command(command: type[Command]) -> HelpPage:
    others = [word for word in command.words[1:] if word not in ("?",)]
    words = ", ".join(f"`{word}`" for word in others)
    also = "\n\n" + _("Also: {words}.").format(words=words) if others else ""
    usages = command.usage.split(" | GAME ")
    lines = "\n".join([usages[0], *(f"GAME {usage}" for usage in usages[1:])])
    details = f"\n\n{_(command.details)}" if command.details else ""
    text = f"{_(command.summary)}\n\n```text\n{lines}\n```{details}{also}\n"
    return HelpPage(_("The command {name}").format(name=command.words[0]), text)


def _text(name: str) -> HelpPage:
    page, _language = page_in_language(files("sarsen.help").joinpath("texts"), f"{name}.md")
    title, text = page.read_text(encoding="utf-8").split("\n", 1)
    games = "\n".join(
        f"- `{name}`: {translated(game.info.summary)}" for name, game in find().items()
    )
    levels = "\n".join(f"- `bot{level}`: {level_words(level)}" for level in LEVELS)
    text = text.strip().replace("{games}", games).replace("{terms}", terms_page())
    text = text.replace("{levels}", levels).replace("{contest_options}", law_page())
    return HelpPage(title.lstrip("# "), text + "\n")


@dataclass(frozen=True)
class Example:
    """A line of a page that speaks of a position: its options, and the moves to it."""

    game: str
    options: str
    moves: tuple[str, ...]


def read_example(line: str) -> Example | None:
    """Read an example without what stands behind its colon; None where it is about no board.

    What is refused is a move; a board may be shown before the first one.
    """
    try:
        kind, game, *words = shlex.split(line.rpartition(" : ")[0] or line)
    except ValueError:
        return None
    has_moves = words[-2:-1] == ["--moves"]
    options, moves = (words[:-2], words[-1].split()) if has_moves else (words, [])
    is_board = has_moves or (kind == "show" and all(option.startswith("-") for option in options))
    return Example(game, " ".join(options), tuple(moves)) if is_board and game in names() else None


def refusal_of(example: Example) -> UserError | None:
    """Ask the rules what they say against the moves of an example; None when they play."""
    *before, last = example.moves or ("",)
    try:
        position = replayed(find()[example.game].start(example.options), before)
        position.play(position.parse(last))
    except UserError as refusal:
        return refusal
    return None


def page_texts() -> list[str]:
    """Return the text of every page that is no game's, in every language."""
    pages = Path(__file__).with_name("texts").rglob("*.md")
    return [page.read_text(encoding="utf-8") for page in sorted(pages)]
