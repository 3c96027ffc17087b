"""Lines made of the usages of all commands: with a password, or with ordinary words only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle

from sarsen.language.commands import COMMANDS

SECRETS = ("PASSWORD", "P", "OLD", "NEW")
# What stands for the words of usages. A password comes where `*` is.
_FILLED = {
    **dict.fromkeys(("USERID", "USERID1", "U", "YOU"), "ann"),
    **dict.fromkeys(("USERID2", "TO"), "bob"),
    **dict.fromkeys(SECRETS, "*"),
    **dict.fromkeys(("BOARD", "NUMBER", "BOARD[#PLY]", "NUMBER[-KEY]"), "1"),
    **dict.fromkeys(("MOVE", "MOVE[#PLY]"), "a1"),
    "GAME": "druid",
    "-OPTIONS": "-size=4",
    "--OPTIONS": "--unrated",
    "ADDRESS": "ann@ann.example",
    "ZONE": "Europe/Berlin",
    "EVENT": "chat",
    "FROM": "2027-01-01",
    "TO ": "2027-01-08",
    "CODE": "0123456789abcdef0123",
    "N": "7",
    "SUBJECT": "move",
    "TEXT": "hello there",
    "REASON": "too busy",
    "PLACE": "Berlin",
    "--WHAT=": "--opening=a1",
    "--re=NUMBER": "--re=1",
}
_ORDINARY = (
    *("please", "thanks", "hello", "tomorrow", "Berlin", "Müller", "Hamburg", "everyone", "good"),
    *("congratulations", "luck!", "well-played", "it's", "Grüße", "bitte", "opponent’s", "game,"),
    *("bob,", "Saturday", "14-13-12-23", "b8", "12", "anyone", "“yes”", "tournament", "(maybe)"),
    *("yesterday;", "and/or", "Weihnachten"),
)


def forms(*, with_password: bool) -> list[tuple[str, list[str], list[str]]]:
    """Return the forms of all usages: words of the command, arguments, and those filled in.

    Args:
        with_password: Only forms that take a password; otherwise all, without those words.
    """
    found = []
    for command in COMMANDS:
        for usage in command.usage.split(" | "):
            names = [word.strip("[]…") for word in usage.replace("[#PLY]", "").split()]
            names = [re.sub(r"\[.*", "", name) for name in names if name]
            has_password = any(name in SECRETS for name in names)
            if with_password and not has_password:
                continue
            start = 1 + (names[0] == "GAME")
            start += " ".join(names[:2]) in command.words or "|" in "".join(names[1:2])
            verb = " ".join(word.split("|")[0] for word in names[:start]).replace("GAME", "druid")
            arguments = names[start:]
            if not with_password and "[USERID PASSWORD]" in usage:
                arguments = [name for name in arguments if name not in ("USERID", *SECRETS)]
            filled = [_FILLED.get(name) or name.split("|")[0].lower() for name in arguments]
            found.append((verb, arguments, filled))
    return found


def password_lines(password: str) -> Iterator[str]:
    """Yield each form with a password at its place, and with one mistake before or beside it."""
    for verb, arguments, filled in forms(with_password=True):
        at = min(place for place, name in enumerate(arguments) if name in SECRETS)
        said = [password if word == "*" else word for word in filled]
        is_signup = verb == "signup"
        yield _line(verb, said)
        yield _line(verb, [*said[:at], f"“{password}”", *said[at + 1 :]])
        yield _line(verb, [*said[: at + 1], password, *said[at + 1 :]])  # twice
        yield _line(verb, [*said[: at - 1], "annn", *said[at:]])  # a mistyped userid
        for before in range(at):
            if is_signup:
                continue  # the password would be the name that is asked for
            yield _line(verb, [*said[:before], *said[before + 1 :]])  # one word missing
            wrong = "x9" if before < at - 1 else "nobody"
            yield _line(verb, [*said[:before], wrong, *said[before + 1 :]])
        for before in range(is_signup, at + 1):
            yield _line(verb, [*said[:before], "12", *said[before:]])  # one word too many
        if not is_signup:
            yield _line(verb, [*said[: at - 1], password, said[at - 1], *said[at + 1 :]])
        yield f"{_line(verb, said)} {password}"


def ordinary_lines() -> Iterator[str]:
    """Yield each form without a password, with an ordinary word at or beside each place."""
    words = cycle(_ORDINARY)
    for verb, _, filled in forms(with_password=False):
        said = [word for word in filled if word != "*"]
        yield f"{_line(verb, said)} {next(words)}"
        yield f"{verb} {next(words)} {next(words)} {next(words)}"
        for at in range(len(said)):
            yield _line(verb, [*said[:at], next(words), *said[at + 1 :]])
            yield _line(verb, [*said[:at], next(words), *said[at:]])


def _line(verb: str, words: list[str]) -> str:
    return " ".join([verb, *words])
