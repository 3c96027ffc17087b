"""The one grammar: a line becomes a command."""

from __future__ import annotations

import difflib
from contextlib import suppress
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.commands import BY_WORD, Command
from sarsen.language.contests.law import LAWS
from sarsen.language.grammar.kept_text import kept_line
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.tokens import Context, Credentials, Tokens
from sarsen.language.grammar.typography import QUOTES, normalise
from sarsen.language.learning.lessons import TakeLesson, word_of
from sarsen.language.learning.puzzles import TakePuzzle
from sarsen.language.learning.puzzles import word_of as puzzle_word_of
from sarsen.language.moves import PlayMove
from sarsen.language.queries import Help
from sarsen.language.reviews import ShowReview

MAX_LINE = 1000  # characters: no command without a text is longer, and parsing takes time
MAX_BODY = 20_000  # characters of the lines below a command: several pages
PROGRAMS = ("bot", "bots", "program", "programs", "computer")  # words that ask for an opponent
_PLEASE = ("please", "bitte")
# Help pages put what may be left out, or be replaced, between these.
_BRACKETS = "[]<>{}"
BRACKETS_NOTE = Phrase(
    "Brackets on help pages mark what can be left out or replaced; they were dropped here."
)
MAX_TEXT_LENGTH = 5000  # of a line with a text in it: mail programs send a paragraph as one line


@dataclass(frozen=True)
class ParsedCommand:
    """A command and, where they stood in the line, who says they speak it."""

    command: Command
    credentials: Credentials | None = None


@dataclass(frozen=True)
class Reading:
    """What was read of a line, whether it is a command or not.

    Attributes:
        words: All its words, made plain.
        command: The class that its first words name, or nearly name; None where they name none.
        first: The place of the first word behind those.
        speaker_at, secrets_at: As in `Tokens`, but places among all words.
        parsed, refusal: One of them is None.
        note: What the speaker should know of how the line was read; "" for nothing.
    """

    words: tuple[str, ...] = ()
    command: type[Command] | None = None
    first: int = 0
    speaker_at: int | None = None
    secrets_at: frozenset[int] = frozenset()
    parsed: ParsedCommand | None = None
    refusal: UserError | None = None
    note: str = ""


def read_line(line: str, context: Context) -> ParsedCommand:
    """Read one command line; see `read`.

    Raises:
        UserError: Not a command; the hint is the nearest right form.
    """
    reading = read(line, context)
    if reading.parsed is None:
        assert reading.refusal is not None
        raise reading.refusal
    return reading.parsed


def read(line: str, context: Context) -> Reading:
    """Read one command line, and say where it has a password even if it is refused.

    In a reply to a board mail a line that begins with no command word is a move, or states one
    in a sentence; see `move_phrases`.
    """
    words = normalise(line[:MAX_TEXT_LENGTH]).split()
    first_word = words[0].strip(QUOTES).lower() if words else ""
    game = first_word if first_word in context.games else ""
    polite = len(words) > 1 and words[0].lower().rstrip(",") in _PLEASE
    polite = polite and verb_of(words[1]) in Help.words  # `bitte hilfe`
    begun = words[bool(game) + polite :]
    verb = verb_of(begun[0]) if begun else ""
    two_words = " ".join([verb, *(word.lower() for word in begun[1:2])])
    has_two = two_words in BY_WORD and len(begun) > 1
    command_class = BY_WORD.get(two_words) or BY_WORD.get(verb)
    verb = two_words if has_two else verb
    first = bool(game) + polite + 1 + has_two
    arguments = _without_signs_around(words[first:], command_class)
    takes_text = command_class is not None and command_class.takes_text
    below = kept_line(line[:MAX_TEXT_LENGTH]).split(None, first)[first:] if takes_text else ()
    tokens = Tokens(game, verb, arguments, context, words[first:], "".join(below))
    parsed = refusal = None
    try:
        parsed = _parse(line, begun, command_class, tokens)
    except UserError as refused:
        refusal = refused
    if refusal and command_class is None and (command_class := _nearest(verb)):
        with suppress(UserError):
            command_class.read(tokens)  # only for where it takes a password
    speaker_at = None if tokens.speaker_at is None else first + tokens.speaker_at
    secrets_at = frozenset(first + at for at in tokens.secrets_at)
    has_brackets = any(map(_has_brackets, words[first:], arguments))
    note = BRACKETS_NOTE if has_brackets else ""
    return Reading(
        tuple(words), command_class, first, speaker_at, secrets_at, parsed, refusal, note
    )


def _without_signs_around(words: list[str], command_class: type[Command] | None) -> list[str]:
    """Return the arguments of a command without the brackets of a help page and quotes round them.

    Words for people keep theirs; new names and passwords keep quotes.
    """
    if command_class is None or command_class.takes_text or command_class.takes_reason:
        return words
    signs = _BRACKETS if command_class.sets_password else _BRACKETS + QUOTES
    return [word.strip(signs) or word for word in words]


def _has_brackets(word: str, argument: str) -> bool:
    return argument not in (word, word.strip(QUOTES))


def _parse(
    line: str, begun: list[str], command_class: type[Command] | None, tokens: Tokens
) -> ParsedCommand:
    game, context = tokens.game, tokens.context
    if not begun and not game:
        raise UserError("There is no command here.", code="empty-line", hint="help")
    takes_text = command_class is not None and command_class.takes_text
    longest = MAX_TEXT_LENGTH if takes_text else MAX_LINE
    if len(line) > longest:
        raise _too_long(longest)
    is_lesson_word = len(begun) == 1 and word_of(tokens.verb) is not None
    if context.lesson is not None and not game and (command_class is None or is_lesson_word):
        text = " ".join(begun)
        move = read_phrase(text, context.body) or text
        return ParsedCommand(TakeLesson.reply(move, context.lesson))
    is_puzzle_word = len(begun) == 1 and puzzle_word_of(tokens.verb) is not None
    if context.puzzle is not None and not game and (command_class is None or is_puzzle_word):
        text = " ".join(begun)
        move = read_phrase(text, context.body) or text
        return ParsedCommand(TakePuzzle.reply(move, context.puzzle))
    if context.mistake is not None and not game and (command_class is None or is_puzzle_word):
        text = " ".join(begun)
        at = context.mistake
        move = (read_phrase(text, context.body) or text).rstrip(" .,!")
        return ParsedCommand(ShowReview("", at.board, at.number, move))
    if command_class is None and not game and context.board is not None:
        text = " ".join(begun)
        return ParsedCommand(PlayMove.bare(read_phrase(text, context.body) or text, context))
    if command_class is None:
        is_invited = context.challenge is not None
        raise _unknown(tokens.verb, game, is_invited, after=" ".join(begun[1:2]))
    command = command_class.read(tokens)
    return ParsedCommand(command, tokens.credentials)


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


def _unknown(verb: str, game: str, is_invited: bool, after: str) -> UserError:
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
            typed=quoted(verb, 30),
        )
    near = _nearest(verb)
    hint = near.usage if near else "help commands"
    if verb in PROGRAMS and not game:
        hint = "help bots"
    elif verb in LAWS:  # a kind of contest
        hint = f"contests {game}".strip()
    elif game and not near:
        hint = f"help {game}"
    if is_invited and not game and not near:
        return UserError(
            "{typed} does not answer the invitation. Reply `accept`, or `decline` and a reason, "
            "which is passed on.",
            code="unknown-command",
            hint="help accept",
            typed=quoted(verb, 30),
        )
    if not game and after.lower() in BY_WORD:
        return UserError(
            "There is no game called {typed} here.",
            code="unknown-game",
            hint="list",
            typed=quoted(verb, 30),
        )
    return UserError(
        "{typed} is not a command.", code="unknown-command", hint=hint, typed=quoted(verb, 30)
    )


def _nearest(verb: str) -> type[Command] | None:
    near = difflib.get_close_matches(verb, BY_WORD, n=1, cutoff=0.7)
    return BY_WORD[near[0]] if near else None
