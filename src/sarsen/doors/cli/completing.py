"""What may stand next in a line, for the Tab key; silent when it cannot be known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from click.shell_completion import CompletionItem

from sarsen.core.errors import UserError
from sarsen.doors.cli.remembering import Remembered, remembered
from sarsen.language.commands import (
    BY_WORD,
    COMMANDS,
    Accept,
    Chat,
    Command,
    Confirm,
    Decline,
    Help,
    MakeChallenge,
    OfferDraw,
    PlayMove,
    Preview,
    QueueMoves,
    Rematch,
    Resign,
    Show,
    ShowReview,
    Submit,
    Withdraw,
    WriteNote,
)
from sarsen.language.commands.boards import AnswerOffer, AskUndo
from sarsen.language.terms import TERMS

_AT_BOARDS: tuple[type[Command], ...] = (
    *(PlayMove, Submit, Confirm, Preview, QueueMoves, OfferDraw, AskUndo, AnswerOffer, Resign),
    *(Chat, WriteNote, Show, ShowReview, Rematch),
)
_WITH_MOVES = (PlayMove, Submit, Preview, QueueMoves)
_SETTINGS = {"change": ("password", "address", "timezone", "weekends")}
_TWO_WORDS = {"all": ("show",), "confirm": ("signoff", "forget", "broadcast"), **_SETTINGS}
_PLAYERS = ("me", "anyone")


def first_words(incomplete: str) -> list[CompletionItem]:
    """Complete the first word of a line: a game, or a command."""
    return _items([*_games(), *_command_words()], incomplete)


def next_words(words: Sequence[str], incomplete: str) -> list[CompletionItem]:
    """Complete the word after some others of a line."""
    typed = " ".join(words).split()
    if not typed:
        return first_words(incomplete)
    game = typed.pop(0).lower() if typed[0].lower() in _games() else ""
    if not typed:
        return _items(_command_words(game), incomplete)
    verb = typed[0].lower()
    if len(typed) == 1 and verb in _TWO_WORDS and verb not in ("confirm",):
        return _items(_TWO_WORDS[verb], incomplete)
    two = " ".join(typed[:2]).lower()
    command = BY_WORD.get(two) or BY_WORD.get(verb)
    after = typed[2:] if two in BY_WORD else typed[1:]
    if command is None:
        return []
    return _items(_arguments(command, game, verb, after), incomplete)


def games(incomplete: str, *, and_boards: bool) -> list[CompletionItem]:
    """Complete the name of a game, for subcommands that take one; perhaps a board's number."""
    boards = [str(number) for number, _ in _known().boards] if and_boards else []
    return _items([*_games(), *boards], incomplete)


def _arguments(command: type[Command], game: str, verb: str, after: Sequence[str]) -> Iterable[str]:
    if command is Help:
        return [] if after else [*_subjects()]
    if command is MakeChallenge:
        return _of_challenge(game)
    if command in (Accept, Decline, Withdraw):
        return [] if after else map(str, _known().challenges)
    if command in _AT_BOARDS:
        if not after:
            boards = [str(number) for number, name in _known().boards if game in ("", name)]
            return [*boards, *(_TWO_WORDS["confirm"] if verb == "confirm" else ())]
        if command in _WITH_MOVES and len(after) == 1 and verb not in ("pass", "swap"):
            return _known().moves(after[0])
        return []
    if verb in _TWO_WORDS:
        return ()
    words = command.usage.replace("|", " ").split()
    return [word for word in words if word in ("on", "off", "all", "mail", "digest", "none")]


def _of_challenge(game: str) -> list[str]:
    from sarsen.games import load, names

    options = load(game).info.options if game in names() else ()
    own = [f"-{option.usage.partition('=')[0].lstrip('-')}" for option in options]
    terms = [f"--{term.usage.partition('=')[0].lstrip('-').partition('|')[0]}" for term in TERMS]
    return [*own, *terms, *_PLAYERS, *_known().players]


def _subjects() -> list[str]:
    from sarsen.help.pages import TEXTS

    return ["commands", *TEXTS, *_games(), *_command_words()]


def _games() -> tuple[str, ...]:
    from sarsen.games import names

    return names()


def _command_words(game: str = "") -> list[str]:
    """List the first words of commands: of those that a game's name may stand before, or all."""
    wanted = [one for one in COMMANDS if not game or one.usage.startswith("GAME")]
    return list(dict.fromkeys(one.words[0].split()[0] for one in wanted))


def _known() -> Remembered:
    try:
        return remembered()
    except (UserError, OSError, TypeError, KeyError, AttributeError):
        # Whatever it is, nobody who presses Tab wants to read of it.
        return Remembered()


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    start = incomplete.lower()
    return [CompletionItem(word) for word in words if word.lower().startswith(start)]
