"""Options of a game, and of the server, as fields of a form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sarsen.core.options import Choice, Days, Flag, Number, Option
from sarsen.language.terms import OFF, ON
from sarsen.language.translating import N_, _


@dataclass(frozen=True)
class OptionField:
    """An option as a field of a form.

    Attributes:
        name: As it is typed: `-size`, `--unrated`.
        kind: `flag`, `days` or `choice`.
        choices: Values to choose from, where there are few.
        value: What a ticked flag sends.
        default: What holds unless named, in words.
        content: What stands in it; "" for nothing.
        is_refused: The refusal shown with the form is about this field.
    """

    name: str
    key: str
    label: str
    kind: str
    choices: tuple[str, ...] = ()
    value: str = "on"
    default: str = ""
    content: str = ""
    is_refused: bool = False


@dataclass(frozen=True)
class Preset:
    """A ready choice of options; `options` as typed, "" for the usual game."""

    title: str
    options: str
    words: str


def option_fields(
    options: Iterable[Option], dashes: str, values: Mapping[str, str], refused: str = ""
) -> list[OptionField]:
    """Turn options into fields that hold what was filled in, by name with its dashes."""
    fields = [_field(option, dashes) for option in options]
    return [
        replace(field, content=values.get(field.name, ""), is_refused=field.name == refused)
        for field in fields
    ]


def presets(options: Iterable[Option]) -> tuple[Preset, ...]:
    """Return the usual game, a quicker one, and one whose first move is shared out fairly."""
    ready: list[Preset] = []
    for option in options:
        match option:
            case Number() if option.low < option.default:
                # Half way down from the usual size, on a value that there is.
                steps = (option.default - option.low) // (2 * option.step)
                quick = option.low + steps * option.step
                ready.insert(0, Preset(N_("Standard"), "", f"{_(option.name)} {option.default}"))
                ready.append(
                    Preset(N_("Quick"), f"-{option.name}={quick}", f"{_(option.name)} {quick}")
                )
            case Flag(name="swap"):
                ready.append(Preset(N_("Balanced"), "-swap", _(option.summary)))
    return tuple(ready)


def small_options(options: Iterable[Option]) -> str:
    """Return the options of a quick game, as typed; "" where there is but one kind."""
    return next((preset.options for preset in presets(options) if preset.title == "Quick"), "")


def _field(option: Option, dashes: str) -> OptionField:
    name, key = dashes + option.name, f"option{dashes}{option.name}"
    match option:
        case Flag():
            return OptionField(name, key, _(option.summary), "flag")
        case Number():
            values = range(option.low, option.high + 1, option.step)
            default = str(option.default)
            return OptionField(
                name, key, _(option.summary), "choice", tuple(map(str, values)), default=default
            )
        case Days():
            label = _(option.summary)
            if "days" not in option.summary:
                label = _("{what}, in days").format(what=label)
            default = (
                f"{option.default:g}" if option.default else option.otherwise.partition(",")[0]
            )
            return OptionField(name, key, label, "days", default=default)
        case Choice(words=(first, second)) if (first, second) == (ON, OFF):
            # Its summary says what the less usual value means, for which a tick stands.
            ticked = OFF if option.default == ON else ON
            label = _(option.summary).removeprefix(f"`{ticked}`: ")
            return OptionField(name, key, label, "flag", value=ticked)
        case Choice():
            return OptionField(
                name, key, _(option.summary), "choice", option.words, default=option.default
            )
