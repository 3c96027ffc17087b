"""Hints of refusals as lines that can be typed in a shell: `list` is `sarsen list` there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from sarsen.core.errors import UnknownGame, UserError
from sarsen.core.phrases import Phrase, example_of, quoted

TYPED = "sarsen.typed"  # of a context: the words of the command line after `sarsen`
# First words of the language that are subcommands of this program, which do something else.
OWN = ("export", "ladder", "puzzles", "report")
_OF_BOARD = re.compile(r"analyse [0-9]")  # a subcommand analyses positions, a server boards
_OPTION = re.compile(r"(-[^ =]+)(=\S+| \S+)?")
_PART = re.compile(r"[a-z]\w*")  # as `bot8`


@dataclass(frozen=True)
class ShellForm:
    """The words that a line of the language needs around it in a shell.

    Attributes:
        before: After `sarsen`.
        after: At the end, so that the line goes to the same server.
    """

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def line(self, line: str) -> str:
        """Return a line of the language as it is typed in a shell."""
        from sarsen.language.grammar.hint_lines import is_form

        before = self.before
        if not before and (line.split()[0] in OWN or _OF_BOARD.match(line)):
            before = ("do",)
        words = ["sarsen", *before, *line.split(), *self.after]
        # A form is not typed as it stands, and reads better without quotes.
        return " ".join(words) if is_form(line) else shlex.join(words)

    def hint(self, hint: str) -> str:
        """Return a hint with what a shell needs, if it is a line; advice as it is."""
        if hint[:1].isupper() and not hint.startswith("GAME "):
            return hint  # advice, which needs none of these imports: they take long
        from sarsen.games import known_names
        from sarsen.language.grammar.hint_lines import is_line

        return self.line(hint) if is_line(hint, known_names()) else hint


def mended(refusal: UserError, typed: Sequence[str]) -> str:
    """Return the hint of a subcommand's refusal, with the whole line where it is a part of one.

    Args:
        typed: The words of the command line, without `sarsen`.
    """
    hint = refusal.hint
    if isinstance(refusal, UnknownGame):
        return _with_game(refusal, typed) or ShellForm().hint(hint)
    if _OPTION.fullmatch(hint):
        return _with_option(hint, getattr(refusal, "word", ""), typed)
    part = example_of(hint) or (hint if _PART.fullmatch(hint) else "")
    return (part and _with_part(part, refusal, typed)) or ShellForm().hint(hint)


def _with_part(part: str, refusal: UserError, typed: Sequence[str]) -> str:
    """Return the typed line with a word that works for the last one that the refusal names.

    "" where it names none: what was typed may be read in another form than it has.
    """
    refused = str(refusal.text)
    level = refusal.text.facts.get("level") if isinstance(refusal.text, Phrase) else None
    for at in reversed(range(1, len(typed))):
        words = typed[at].split()  # moves stand in one word of the shell, in quotes
        for place in reversed(range(len(words))):
            is_level = level is not None and words[place].lower() in (str(level), f"bot{level}")
            if is_level or str(quoted(words[place])) in refused:
                words[place] = part
                return shlex.join(["sarsen", *typed[:at], " ".join(words), *typed[at + 1 :]])
    return ""


def _with_game(refusal: UnknownGame, typed: Sequence[str]) -> str:
    """Return the typed line with the game that is most alike; "" where the game is no word."""
    from sarsen.games import names, nearest

    wrong = refusal.text.facts.get("name") if isinstance(refusal.text, Phrase) else None
    for at, word in enumerate(typed):
        if at and quoted(word) == wrong:
            near = nearest(word) or names()[0]
            return shlex.join(["sarsen", *typed[:at], near, *typed[at + 1 :]])
    return ""


def _with_option(hint: str, refused: str, typed: Sequence[str]) -> str:
    """Return the typed line with one option as the hint has it.

    Args:
        refused: The option that was refused, as typed but without its value; "" where it is that
            of the hint.
    """
    option, value = hint.replace("=", " ").split(" ")[0], hint.split()
    words, is_placed = [], False
    given = iter(typed)
    for word in given:
        name = _plain(word.partition("=")[0])
        if not is_placed and name in (_plain(refused).partition("=")[0], _plain(option)):
            is_placed = True
            words += value
            if (len(value) > 1 or "=" in hint) and "=" not in word:
                next(given, None)  # its value
        else:
            words.append(word)
    return shlex.join(["sarsen", *words, *(() if is_placed else value)])


def _plain(word: str) -> str:
    from sarsen.language.grammar.typography import normalise

    return normalise(word).lower()
