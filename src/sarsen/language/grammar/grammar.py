"""The one grammar: a line becomes a command."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.language.commands import BY_WORD, TEXTS, Command
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.sentence import Context, Credentials, Sentence
from sarsen.language.grammar.typography import normalise
from sarsen.language.moves import PlayMove
from sarsen.language.queries import Help

LONGEST_LINE = 1000  # characters
PROGRAMS = ("bot", "bots", "program", "programs", "computer")  # words that ask for an opponent
LONGEST_TEXT = 5000  # of a line with a text in it: mail programs send a paragraph as one line


@dataclass(frozen=True)
class Spoken:
    """A command and, where they stood in the line, who says they speak it."""

    command: Command
    credentials: Credentials | None = None


def read_line(line: str, context: Context) -> Spoken:
    """Read one command line.

    In a reply to a board mail a line that begins with no command word is a move, or states one
    in a sentence; see `move_phrases`.

    Raises:
        UserError: Not a command; the hint is the nearest right form.
    """
    words = normalise(line[:LONGEST_TEXT]).split()
    if not words:
        raise UserError("There is no command here.", code="empty-line", hint="help")
    game = words.pop(0).lower() if words[0].lower() in context.games else ""
    verb = verb_of(words[0]) if words else ""
    two_words = " ".join([verb, *(word.lower() for word in words[1:2])])
    command_class = BY_WORD.get(two_words) or BY_WORD.get(verb)
    longest = LONGEST_TEXT if command_class in TEXTS else LONGEST_LINE
    if len(line) > longest:
        raise _too_long(longest)
    is_reply = context.board is not None or context.challenge is not None
    if two_words in BY_WORD and len(words) > 1:
        verb = two_words
        words.pop(0)
    if command_class is None and not game and context.board is not None:
        text = " ".join(words)
        return Spoken(PlayMove.bare(read_phrase(text, context.body) or text, context))
    if command_class is None:
        raise _unknown(verb, game, is_reply, after=" ".join(words[1:2]))
    sentence = Sentence(game, verb, words[1:], context)
    command = command_class.read(sentence)
    return Spoken(command, sentence.credentials)


def verb_of(word: str) -> str:
    """Return the command word that a first word may be: `Help!` is `help`, `chat:` is `chat`."""
    verb = word.lower().rstrip(":.")
    calls = verb.rstrip("!?,.") or "?"
    return calls if calls in Help.words and verb not in BY_WORD else verb


def _too_long(longest: int) -> UserError:
    return UserError(
        "This kind of command has at most {most} characters on one line.",
        code="line-too-long",
        hint="help commands",
        most=longest,
    )


def _unknown(verb: str, game: str, is_reply: bool, after: str) -> UserError:
    if not verb:
        return UserError(
            "What would you like to do in {game}? A command is missing.",
            code="command-missing",
            hint=f"help {game}",
            game=game,
        )
    longer = next((words for words in BY_WORD if words.startswith(f"{verb} ")), "")
    if longer and not game:
        return UserError(
            "{typed} alone is not a command.",
            code="unknown-command",
            hint=f"help {longer}",
            typed=_quoted(verb),
        )
    near = difflib.get_close_matches(verb, BY_WORD, n=1, cutoff=0.7)
    hint = BY_WORD[near[0]].usage if near else "help commands"
    if verb in PROGRAMS and not game:
        hint = "help bots"
    elif game and not near:
        hint = f"help {game}"
    if is_reply and not near:
        hint = "accept"
    if not game and after.lower() in BY_WORD:
        return UserError(
            "There is no game called {typed} here.",
            code="unknown-game",
            hint="list",
            typed=_quoted(verb),
        )
    return UserError(
        "{typed} is not a command.", code="unknown-command", hint=hint, typed=_quoted(verb)
    )


def _quoted(word: str) -> str:
    return repr(word if len(word) <= 30 else word[:30] + "…")
