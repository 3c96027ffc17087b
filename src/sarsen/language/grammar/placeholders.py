"""Explain the placeholders of help pages that were sent as they stand: `yourname`, `board#`."""

from __future__ import annotations

import re
from collections.abc import Collection

from sarsen.core.phrases import Phrase
from sarsen.language.commands import BY_WORD, SignUp
from sarsen.language.grammar.typography import QUOTES, normalise
from sarsen.language.replies import Refusal
from sarsen.language.schema.fields import SPEAKER_WORDS

PASSWORD = "PASSWORD"  # noqa: S105  (stands for one)
_NAMES = ("yourname", "your-name", "youruserid", "yourid", "username", "userid", "userid1")
_OTHERS = ("userid2", "theirname", "opponentname", "friendname")
# What may stand in their place. Those in capitals are ordinary words otherwise.
_EXAMPLES = {
    **dict.fromkeys((*_NAMES, "u1", "YOU"), "ann"),
    **dict.fromkeys((*_OTHERS, "u2", "THEM"), "bob"),
    **dict.fromkeys(("yourpassword", "userpassword", "password", "passwd"), PASSWORD),
    **dict.fromkeys(("board#", "game#", "boardnumber", "board-number", "BOARD"), "123"),
    **dict.fromkeys(("yourmove", "MOVE", "MOVE[#PLY]"), "c1"),
    **dict.fromkeys(("GAME", "gamename"), "druid"),
    "NUMBER": "5",
    "ZONE": "Europe/Berlin",
}
# Help pages and people put these round a word that stands for another.
_SIGNS = f"<>[]{{}}(){QUOTES}"
# An option with a word for its number, `-size=n`: nobody can tell which was meant, so that a line
# that works has none.
_OPTION = re.compile(r"--?[a-z]+=(?:n|x|num|number|size|value|days|#)", re.IGNORECASE)


def is_name_placeholder(userid: str) -> bool:
    """Return whether a help page writes this word for a userid, so that nobody can have it."""
    return userid.lower() in (*_NAMES, *_OTHERS)


def is_speaker_word(word: str) -> bool:
    """Return whether a word stands for the speaker where a userid is expected: `<you>`, `me`."""
    return normalise(word).strip(_SIGNS).lower() in SPEAKER_WORDS


def is_password_placeholder(password: str) -> bool:
    """Return whether a help page writes this word for a password."""
    return _example(password) == PASSWORD


def is_plain_placeholder(word: str) -> bool:
    """Return whether a word is a placeholder for anything but a password."""
    return _example(word) not in ("", PASSWORD)


def placeholders_of(line: str, games: Collection[str]) -> tuple[str, ...]:
    """Return the placeholders in the arguments of a command; those for a password as `PASSWORD`.

    A line that begins with no command, or holds words for people, has none.
    """
    words = normalise(line).split()
    has_game = bool(words) and (words[0].lower() in games or words[0] == "GAME")
    verb, two = (" ".join(words[has_game:][:count]).lower() for count in (1, 2))
    command = BY_WORD.get(two) or BY_WORD.get(verb)
    if command is None or command.takes_text:
        return ()
    arguments = words[has_game + (2 if two in BY_WORD and " " in two else 1) :]
    placeholders = [word for word in arguments if _example(word) or _is_option(word)]
    if command is not SignUp and not any(map(is_password_placeholder, placeholders)):
        # Where nobody has to be proved in the line, these are read as the speaker.
        placeholders = [word for word in placeholders if not is_speaker_word(word)]
    placeholders += ["GAME"] if has_game and words[0] == "GAME" else []
    safe = (PASSWORD if is_password_placeholder(word) else word for word in placeholders)
    return tuple(dict.fromkeys(safe))


def explain_placeholders(
    line: str,
    refusal: Refusal,
    games: Collection[str],
    userids: Collection[str],
    shown: str = "",
) -> Refusal:
    """Return a refusal that says what to write in place of the placeholders in its line.

    Args:
        userids: Words of the line that are somebody's, in lower case; they stand for themselves.
        shown: The line as it may be repeated; "" if that is the whole of it.
    """
    placeholders = [word for word in placeholders_of(line, games) if word.lower() not in userids]
    if not placeholders:
        return refusal
    words = normalise(shown or line).split()
    filled = (
        word if word.lower() in userids else _example(word) or word.strip(_SIGNS) or word
        for word in words
        if not _is_option(word)
    )
    return Refusal(
        Phrase(
            "Your line still has placeholders: {words}. Put your own userid, password, number or "
            "move there, and leave out options that you do not need.",
            words=", ".join(placeholders),
        ),
        "placeholder",
        " ".join(filled),
    )


def _is_option(word: str) -> bool:
    return _OPTION.fullmatch(word.strip(_SIGNS)) is not None


def _example(word: str) -> str:
    plain = word.strip(_SIGNS)
    return _EXAMPLES.get(word) or _EXAMPLES.get(plain) or _EXAMPLES.get(plain.lower(), "")
