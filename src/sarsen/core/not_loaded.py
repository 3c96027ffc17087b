"""Explain why a package of a game cannot be loaded, and in which line of which file."""

from __future__ import annotations

import traceback
from pathlib import Path

from sarsen.core.errors import UserError


def not_loaded(name: str, failed: Exception, package: str, hint: str = "list") -> UserError:
    """Return the refusal that stands for a game whose package failed.

    Args:
        name: Of the game, as it is asked for.
        package: The module that was to be loaded: the place where no line of a file is known.
    """
    if isinstance(failed, UserError):
        return UserError(
            "The game {name} cannot be loaded: {problem}",
            code=failed.code,
            hint=hint,
            name=name,
            problem=failed.text,
        )
    return UserError(
        "The game {name} cannot be loaded: {problem} ({place}).",
        code="game-not-loaded",
        hint=hint,
        name=name,
        problem=f"{type(failed).__name__}: {_message(failed)}",
        place=_place(failed, package),
    )


def _message(failed: Exception) -> str:
    text = failed.msg if isinstance(failed, SyntaxError) else str(failed)
    return text.partition("\n")[0].rstrip(".")[:200]


def _place(failed: Exception, package: str) -> str:
    """Return file and line: of the error, or the last one in the package before it left it."""
    if isinstance(failed, SyntaxError) and failed.filename:
        return f"{Path(failed.filename).name}:{failed.lineno}"
    folder = package.partition(".")[0]
    frames = [
        frame
        for frame in traceback.extract_tb(failed.__traceback__)
        if folder in Path(frame.filename).parts or Path(frame.filename).stem == folder
    ]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else package
