"""Options of a game: declared once, read from a text or a mapping, written back.

An option text is what players type: `-size=6 -nogaps`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sarsen.core.errors import BadOption
from sarsen.core.phrases import Phrase, listed, quoted

_DECIMAL = re.compile(r"(\d{1,6})(?:[.,](\d{1,4}))?", re.ASCII)


@dataclass(frozen=True)
class Flag:
    """Declare an option that is on when named (`-nogaps`) and off otherwise.

    Attributes:
        opposite: A word that says it is off, which it is anyhow; "" for none.
        words: What pages call it, such as `no gaps`; "" for its name.
    """

    name: str
    summary: str
    opposite: str = ""
    words: str = ""

    @property
    def default(self) -> bool:
        return False

    @property
    def usage(self) -> str:
        return f"-{self.name}" + (f"|-{self.opposite}" if self.opposite else "")

    @property
    def values(self) -> str:
        """Return words that say which values there are."""
        return Phrase("off by default")


@dataclass(frozen=True)
class Number:
    """Declare an option with a whole number (`-size=6`).

    Attributes:
        low, high: The range, both ends included.
        step: Values are low, low + step, low + 2 step …
        why: The reason of a step other than 1, told to a player who misses it.
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

    @property
    def values(self) -> str:
        """Return words that say which values there are."""
        low, high, usual = self.low, self.high, self.default
        if self.step == 1:
            return Phrase("{low} to {high}; default: {usual}", low=low, high=high, usual=usual)
        return Phrase(
            "{low} to {high} in steps of {step}; default: {usual}",
            low=low,
            high=high,
            step=self.step,
            usual=usual,
        )


@dataclass(frozen=True)
class Days:
    """Declare an option that is a stretch of days, parts of days allowed (`-nagtime=1.5`).

    Attributes:
        low, high: The range, both ends included.
        default: None when there is none, or when it follows from something else.
        otherwise: What holds unless named, in words, where there is no default.
    """

    name: str
    summary: str
    low: float
    high: float
    default: float | None = None
    otherwise: str = Phrase("none")

    @property
    def usage(self) -> str:
        return f"-{self.name}=DAYS"

    @property
    def values(self) -> str:
        """Return words that say which values there are."""
        usual = self.otherwise if self.default is None else f"{self.default:g}"
        return Phrase(
            "{low} to {high} days; default: {usual}",
            low=f"{self.low:g}",
            high=f"{self.high:g}",
            usual=usual,
        )


@dataclass(frozen=True)
class Choice:
    """Declare an option that is one of some words (`-weekends=off`)."""

    name: str
    summary: str
    words: tuple[str, ...]
    default: str

    @property
    def usage(self) -> str:
        return f"-{self.name}={'|'.join(self.words)}"

    @property
    def values(self) -> str:
        """Return words that say which values there are."""
        return Phrase(
            "{words}; default: {usual}", words=listed(self.words, "or"), usual=self.default
        )


Option = Flag | Number | Days | Choice
Value = bool | int | float | str | None


@dataclass(frozen=True)
class Options:
    """The value of every declared option of one game, in declared order."""

    declared: tuple[Option, ...]
    values: tuple[Value, ...]

    def __getitem__(self, name: str) -> Value:
        for option, value in zip(self.declared, self.values, strict=True):
            if option.name == name:
                return value
        raise KeyError(name)

    def flag(self, name: str) -> bool:
        """Return whether a flag is set."""
        return bool(self[name])

    def number(self, name: str) -> int:
        """Return the value of a number option."""
        value = self[name]
        assert isinstance(value, int)  # of a declared number
        return value

    def days(self, name: str) -> float | None:
        """Return the value of an option in days; None where it is not set."""
        value = self[name]
        assert value is None or isinstance(value, float)  # of declared days
        return value

    def choice(self, name: str) -> str:
        """Return the word chosen."""
        value = self[name]
        assert isinstance(value, str)  # of a declared choice
        return value

    def write(self) -> str:
        """Write the options that differ from their defaults: `-size=4 -nogaps`.

        The pair of `read_options`; empty when everything is at its default.
        """
        words = []
        for option, value in zip(self.declared, self.values, strict=True):
            if isinstance(option, Flag):
                words += [f"-{option.name}"] if value else []
            elif value != option.default:
                words.append(_format_value(option, value))
        return " ".join(words)

    def as_dict(self) -> dict[str, Value]:
        """Return a plain dict of every option, defaults included."""
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
    pairs = _words(declared, given) if isinstance(given, str) else list(given.items())
    by_name = {option.name: option for option in declared}
    opposites = {
        option.opposite: option
        for option in declared
        if isinstance(option, Flag) and option.opposite
    }
    values_by_name: dict[str, Value] = {}
    for raw_name, raw in pairs:
        typed = str(raw_name).lstrip("-").lower()
        option = by_name.get(typed) or opposites.get(typed)
        if option is None:
            raise BadOption(
                "There is no option -{option} here.",
                code="unknown-option",
                hint=_options_hint(declared),
                word=str(raw_name),
                option=typed,
            )
        if option.name in values_by_name:
            raise BadOption(
                "The option -{option} was given twice.",
                code="repeated-option",
                hint=_options_hint(declared),
                word=str(raw_name),
                option=option.name,
            )
        value = _value(option, raw, str(raw_name))
        values_by_name[option.name] = value if typed == option.name else not value
    values = tuple(values_by_name.get(option.name, option.default) for option in declared)
    return Options(declared, values)


def usages(declared: tuple[Option, ...]) -> str:
    """List the options there are: `-size=N -nogaps`."""
    return " ".join(option.usage for option in declared) or "no options"


def _words(declared: tuple[Option, ...], text: str) -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for word in text.split():
        if not word.startswith("-"):
            raise BadOption(
                "{typed} is not an option: options begin with a dash.",
                code="unreadable-option",
                hint=_dashed(declared, word),
                word=word,
                typed=quoted(word),
            )
        name, equals, value = word.partition("=")
        pairs.append((name, value if equals else True))
    return pairs


def _dashed(declared: tuple[Option, ...], word: str) -> str:
    """Return a word that has no dash as the option that is meant, which works as it stands."""
    try:
        read_options(declared, f"-{word}")
    except BadOption as refusal:
        return refusal.hint
    return f"-{word}"


def _value(option: Option, raw: object, word: str) -> Value:
    match option:
        case Flag():
            return _flag_value(option, raw, word)
        case Number():
            return _number_value(option, raw, word)
        case Days():
            return _days_value(option, raw, word)
        case Choice():
            return _choice_value(option, raw, word)


def _flag_value(option: Flag, raw: object, word: str) -> bool:
    if raw is None or isinstance(raw, bool):
        return raw is None or raw
    name = word.lstrip("-").lower()
    raise BadOption(
        "The option -{option} takes no value.",
        code="unreadable-option",
        hint=f"-{name}",
        word=word,
        option=name,
    )


def _number_value(option: Number, raw: object, word: str) -> int:
    digits = str(raw)
    whole = isinstance(raw, int) and not isinstance(raw, bool)
    if not whole and not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise _unreadable(option, Phrase("a whole number"), option.default, word)
    number = int(digits)
    if not option.low <= number <= option.high:
        raise _out_of_range(option, number, word)
    if (number - option.low) % option.step:
        raise BadOption(
            "-{option}={number} is not possible: {why}",
            code="option-step",
            hint=f"-{option.name}={number - (number - option.low) % option.step}",
            word=word,
            option=option.name,
            number=number,
            why=Phrase(option.why),
        )
    return number


def _days_value(option: Days, raw: object, word: str) -> float | None:
    if option.default is None and str(raw).lower() == "none":
        return None
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        days = float(raw)
    else:
        pattern_match = _DECIMAL.fullmatch(str(raw))
        if not pattern_match:
            raise _unreadable(
                option, Phrase("a number of days"), option.default or option.low, word
            )
        days = float(f"{pattern_match[1]}.{pattern_match[2] or 0}")
    if not option.low <= days <= option.high:
        raise _out_of_range(option, days, word)
    return days


def _choice_value(option: Choice, raw: object, word: str) -> str:
    chosen = str(raw).lower()
    if chosen not in option.words:
        raise _unreadable(
            option, Phrase("one of {words}", words=", ".join(option.words)), option.default, word
        )
    return chosen


def _unreadable(option: Option, needed: Phrase, example: object, word: str) -> BadOption:
    return BadOption(
        "The option -{option} needs {needed}.",
        code="unreadable-option",
        hint=_format_value(option, example),
        word=word,
        option=option.name,
        needed=needed,
    )


def _out_of_range(option: Number | Days, number: float, word: str) -> BadOption:
    return BadOption(
        "-{option} must be from {low} to {high}, not {number}.",
        code="option-range",
        hint=_format_value(option, min(max(number, option.low), option.high)),
        word=word,
        option=option.name,
        low=f"{option.low:g}",
        high=f"{option.high:g}",
        number=_plain(number),
    )


def _format_value(option: Option, value: object) -> str:
    return f"-{option.name}={_plain(value)}"


def _plain(value: object) -> str:
    if isinstance(value, float):
        # Not `:g`, which turns to powers of ten and drops digits that were typed.
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return "none" if value is None else str(value)


def _options_hint(declared: tuple[Option, ...]) -> str:
    return Phrase("This game has these options: {options}.", options=usages(declared))
