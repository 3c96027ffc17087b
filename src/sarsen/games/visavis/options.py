"""What a challenge to Visavis may set."""

from sarsen.core.options import Flag, Number, Option

OPTIONS: tuple[Option, ...] = (
    # Ruling X1: only odd sizes, with the reason.
    Number(
        "size",
        "letters and rows of the board",
        low=5,
        high=25,
        default=25,
        step=2,
        why="the size is odd, for an even one would end in a row of the wrong colour.",
    ),
    Flag("swap", "X may answer the first bridge by changing sides"),
)
