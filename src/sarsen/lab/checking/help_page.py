"""The examples of a game's help page: they run, and say enough to notice wrong rules.

In a block marked `sarsen` a line is `show GAME [-OPTIONS] --moves "…"`, with ` : V wins` or
` : draw` behind it where the game is over then, or `refused GAME … --moves "…" : CODE`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from markdown_it import MarkdownIt

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, Outcome
from sarsen.core.options import Number
from sarsen.core.referee import Ruling, judge
from sarsen.drawing.view import registered
from sarsen.lab.checking.walks import Finding, Note, failure, unnoted

FEWEST = 3  # examples a page
_CODE = re.compile(r"""code=["']([a-z0-9-]+\.[a-z0-9-]+)["']""")


@dataclass(frozen=True)
class ExampleLine:
    """One example.

    Attributes:
        expected: Behind the colon: a code, or who wins; "" for neither.
        board: The text block right below; "" where there is none.
    """

    line: str
    game: str
    is_refusal: bool
    options: str
    moves: tuple[str, ...]
    expected: str
    board: str = ""

    @property
    def command(self) -> str:
        """What shows it in a terminal."""
        return f"sarsen {self.line.partition(' : ')[0].replace('refused', 'show', 1)}"


def check_help(
    game: Game, page: str, sources: tuple[Path, ...], note: Note = unnoted
) -> Iterator[Finding]:
    """Yield what is wrong with a help page, or missing in it.

    Args:
        sources: The files of the rules, whose refusal codes the examples should reach.
    """
    examples = list(examples_of(page))
    if len(examples) < FEWEST:
        text = f"help.md has {len(examples)} examples that run; it needs {FEWEST} at least."
        yield Finding("few-examples", text)
    if not any(not one.is_refusal and one.expected for one in examples):
        hint = f'show {game.info.name} --moves "…" : {game.info.seats[0]} wins'
        text = f"No example of help.md ends a game and says who wins: {hint}"
        yield Finding("no-finished-example", text)
    reached: set[str] = set()
    for one in examples:
        note(one.command)
        try:
            yield from _wrong(game, one, reached)
        except Exception as failed:
            # Whatever the rules raise at an example of the author is a finding.
            text = f"An example of help.md fails: {failure(failed)}"
            yield Finding("crash", text, one.command)
    codes = {code for path in sources for code in _CODE.findall(path.read_text("utf-8"))}
    # A line that no player writes by hand is no example for people.
    unread = sorted(code for code in codes - reached if not code.endswith("-position"))
    if unread:
        text = f"No example of help.md reaches {', '.join(unread)}."
        yield Finding("refusal-without-example", text, is_error=False)
    untold = list(_untold_options(game, page))
    if untold:
        text = f"help.md does not tell players {', nor '.join(untold)}."
        yield Finding("option-in-help", text, is_error=False)


def _untold_options(game: Game, page: str) -> Iterator[str]:
    """Yield what a page leaves out of the options: a name, or a number near the name."""
    tokens = MarkdownIt().parse(page)  # examples are full of numbers, and tell nothing of options
    told = [token.content for token in tokens if token.type == "inline"]
    for option in game.info.options:
        near = " ".join(text for text in told if f"-{option.name}" in text)
        if not near:
            yield f"of -{option.name}"
        elif isinstance(option, Number):
            numbers = set(re.findall(r"\d+", near))
            missing = [
                n for n in (option.low, option.high, option.default) if str(n) not in numbers
            ]
            if missing:
                low, high, usual = option.low, option.high, option.default
                yield f"that -{option.name} is {low} to {high}, and {usual} if not named"


def examples_of(page: str) -> Iterator[ExampleLine]:
    """Yield the examples of a help page."""
    tokens = MarkdownIt().parse(page)
    for token, below in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type != "fence" or token.info.strip() != "sarsen":
            continue
        *others, last = map(_read, filter(str.strip, token.content.split("\n")))
        yield from others
        if below is not None and below.type == "fence" and below.info.strip() == "text":
            last = replace(last, board=below.content.rstrip("\n"))
        yield last


def _read(line: str) -> ExampleLine:
    head, _, expected = line.partition(" : ")
    words = shlex.split(head)
    moves = tuple(words[-1].split()) if "--moves" in words else ()
    options = [word for word in words[2:] if word.startswith("-") and word != "--moves"]
    is_refusal, game = words[0] == "refused", words[1] if len(words) > 1 else ""
    return ExampleLine(line, game, is_refusal, " ".join(options), moves, expected.strip())


def _wrong(game: Game, one: ExampleLine, reached: set[str]) -> Iterator[Finding]:
    shown, at = one.command, 0
    if one.game != game.info.name:
        yield Finding("example", f"An example shows {one.game!r}, not {game.info.name}.", shown)
        return
    try:
        position = game.start(one.options)
        for text in one.moves:
            at += 1
            ruling = judge(position, text)
            if not _is_listed(position, ruling):
                said = f"An example plays {text}, which `legal_moves` does not list."
                yield Finding("unlisted-move", said, shown)
                return
            position = ruling.position
    except UserError as refusal:
        reached.add(refusal.code)
        if not one.is_refusal:
            yield Finding("example", f"An example is refused: {refusal.text}", shown)
        elif refusal.code != one.expected:
            said = f"An example is refused with {refusal.code}, not {one.expected}."
            yield Finding("example", said, shown)
        elif 0 < at < len(one.moves):
            said = f"An example is refused at {one.moves[at - 1]}, before its last move."
            yield Finding("example", said, shown)
        return
    if one.is_refusal:
        yield Finding("example", f"help.md says {one.expected}; it is not refused.", shown)
        return
    board = drawing.text(position)
    has_view = registered(game.info.name) is not None
    if has_view and one.board and one.board != board:
        text = f"The board below an example is not what is shown:\n{board}"
        yield Finding("example-board", text, shown)
    said = _result(position)
    if not one.expected and position.outcome():
        text = f"An example ends the game, and does not say how: write ` : {said}` behind it."
        yield Finding("example-result", text, shown, is_error=False)
    if one.expected and not said.startswith(one.expected):
        text = f"help.md says {one.expected!r}; the rules say {said!r}."
        yield Finding("example-winner", text, shown)


def _is_listed(position: AnyPosition, ruling: Ruling) -> bool:
    """Return whether a legal move leads where a move has led; several texts may be one move."""
    legal = position.legal_moves()
    after = ruling.position.write()
    return position.parse(ruling.text) in legal or any(
        position.play(move).write() == after for move in legal
    )


def _result(position: AnyPosition) -> str:
    outcome: Outcome | None = position.outcome()
    if outcome is None:
        return "the game goes on"
    winner = outcome.winner
    return "draw" if winner is None else f"{position.sides[winner]} wins"
