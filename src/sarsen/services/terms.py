"""The server's own options of a challenge, such as `--unrated`."""

from __future__ import annotations

from sarsen.core.errors import BadOption
from sarsen.core.options import Flag, Options, read_options

TERMS = (
    Flag("unrated", "The result does not count for ratings."),
    Flag("private", "Only the players see the board."),
)


def read_terms(words: tuple[str, ...]) -> Options:
    """Read `--unrated --private`.

    Raises:
        BadOption: With the terms there are.
    """
    try:
        return read_options(TERMS, " ".join(word[1:] for word in words))
    except BadOption as refusal:
        usages = " ".join(f"-{term.usage}" for term in TERMS)
        raise BadOption(
            refusal.text.replace(" -", " --"),
            code=refusal.code,
            hint=f"The server's options are: {usages}.",
        ) from None
