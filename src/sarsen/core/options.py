"""Options of a game: declared once, read from a text or a mapping, written back.

An option text is what players type: `-size=6 -nogaps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sarsen.core.errors import BadOption


@dataclass(frozen=True)
class Flag:
    """Declare an option that is on when named (`-nogaps`) and off otherwise."""

    name: str
    summary: str

    @property
    def usage(self) -> str:
        return f"-{self.name}"


@dataclass(frozen=True)
class Number:
    """Declare an option with a whole number (`-size=6`).

    Attributes:
        low, high: The range, both ends included.
        step: Values are low, low + step, low + 2 step …
        why: The reason of a step other than 1, told to whoever misses it.
    """

    name: str
    summary: str
    low: int
    high: int
    default: int
    step: int = 1
    why: str = ""

    @property
    def usage(self) -> str:
        return f"-{self.name}=N"


Option = Flag | Number
Value = bool | int


@dataclass(frozen=True)
class Options:
    """Hold the value of every declared option of one game, in declared order."""

    declared: tuple[Option, ...]
    values: tuple[Value, ...]

    def __getitem__(self, name: str) -> Value:
        for option, value in zip(self.declared, self.values, strict=True):
            if option.name == name:
                return value
        raise KeyError(name)

    def flag(self, name: str) -> bool:
        """Tell whether a flag is set."""
        return bool(self[name])

    def number(self, name: str) -> int:
        """Give the value of a number option."""
        return int(self[name])

    def write(self) -> str:
        """Write the options that differ from their defaults: `-size=4 -nogaps`.

        The pair of `read_options`; empty when everything is at its default.
        """
        words = []
        for option, value in zip(self.declared, self.values, strict=True):
            if isinstance(option, Flag):
                words += [f"-{option.name}"] if value else []
            elif value != option.default:
                words.append(f"-{option.name}={value}")
        return " ".join(words)

    def as_dict(self) -> dict[str, Value]:
        """Give a plain dict of every option, defaults included."""
        return {
            option.name: value for option, value in zip(self.declared, self.values, strict=True)
        }


def read_options(declared: tuple[Option, ...], given: str | Mapping[str, object] = "") -> Options:
    """Read an option text or a mapping against the options a game declares.

    Args:
        declared: What the game has.
        given: `"-size=4 -nogaps"`, or `{"size": 4, "nogaps": True}`.

    Raises:
        BadOption: Unknown name, unreadable or outside its range, or given twice.
    """
    pairs = _words(given) if isinstance(given, str) else list(given.items())
    known = {option.name: option for option in declared}
    found: dict[str, Value] = {}
    for raw_name, raw in pairs:
        name = str(raw_name).lstrip("-").lower()
        if name not in known:
            raise BadOption(
                f"There is no option -{name} here.", code="unknown-option", hint=_have(declared)
            )
        if name in found:
            raise BadOption(
                f"The option -{name} is given twice.", code="repeated-option", hint=_have(declared)
            )
        found[name] = _value(known[name], raw)
    values = tuple(
        found.get(option.name, False if isinstance(option, Flag) else option.default)
        for option in declared
    )
    return Options(declared, values)


def _words(text: str) -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for word in text.split():
        if not word.startswith("-"):
            raise BadOption(
                f"{word!r} is not an option: options begin with a dash.",
                code="unreadable-option",
                hint=f"-{word}",
            )
        name, equals, value = word.partition("=")
        pairs.append((name, value if equals else None))
    return pairs


def _value(option: Option, raw: object) -> Value:
    if isinstance(option, Flag):
        return _flag_value(option, raw)
    digits = str(raw)
    whole = isinstance(raw, int) and not isinstance(raw, bool)
    if not whole and not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise BadOption(
            f"The option -{option.name} needs a whole number.",
            code="unreadable-option",
            hint=f"-{option.name}={option.default}",
        )
    number = int(digits)
    if not option.low <= number <= option.high:
        raise BadOption(
            f"-{option.name} goes from {option.low} to {option.high}; {number} is outside.",
            code="option-range",
            hint=f"-{option.name}={min(max(number, option.low), option.high)}",
        )
    if (number - option.low) % option.step:
        raise BadOption(
            f"-{option.name}={number} is not possible: {option.why}",
            code="option-step",
            hint=f"-{option.name}={number - (number - option.low) % option.step}",
        )
    return number


def _flag_value(option: Flag, raw: object) -> bool:
    if raw is None or isinstance(raw, bool):
        return raw is None or raw
    raise BadOption(
        f"The option -{option.name} stands alone, without a value.",
        code="unreadable-option",
        hint=f"-{option.name}",
    )


def _have(declared: tuple[Option, ...]) -> str:
    return "This game has: " + (" ".join(option.usage for option in declared) or "no options") + "."
