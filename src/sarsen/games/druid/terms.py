"""The terms of a match: what a challenge may set, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.options import Flag, Number, Options, read_options

SMALLEST, LARGEST = 3, 12

OPTIONS = (
    Number("size", "squares along each side of the site", SMALLEST, LARGEST, 8),
    Flag("nogaps", "no gap may be left under the middle of a lintel"),
    Flag("exact", "a lintel rests on exactly two stones of its own colour"),
    Flag("swap", "H may answer the first stone by changing sides"),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The options of one match; the fields are named like the options."""

    size: int
    nogaps: bool
    exact: bool
    swap: bool

    @property
    def most_plies(self) -> int:
        # Ruling D5: stones may be stacked for ever, so a game of 10 n² plies is a draw.
        return 10 * self.size**2

    def options(self) -> Options:
        """Return the options these terms were made of. The pair of `agreed`."""
        return read_options(
            OPTIONS,
            {"size": self.size, "nogaps": self.nogaps, "exact": self.exact, "swap": self.swap},
        )


def agreed(options: Options) -> Terms:
    """Make terms of options."""
    return Terms(
        options.number("size"),
        options.flag("nogaps"),
        options.flag("exact"),
        options.flag("swap"),
    )
