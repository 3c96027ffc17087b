"""The command that holds other commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.sentence import Sentence

MOST_LINES = 50


@dataclass(frozen=True)
class Multiple:
    """Run every body line as a command; each is answered, a failing one stops nothing."""

    words: ClassVar[tuple[str, ...]] = ("multiple",)
    usage: ClassVar[str] = "multiple"
    summary: ClassVar[str] = f"Every line of the body is a command, up to {MOST_LINES} of them."

    lines: tuple[str, ...]

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Take the lines of the body."""
        lines = sentence.context.body
        if not lines:
            raise UserError(
                "`multiple` needs commands below it, one a line.",
                code="lines-missing",
                hint="help multiple",
            )
        return cls(lines)
