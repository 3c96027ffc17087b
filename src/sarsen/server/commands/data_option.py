"""The option `--data` of commands that look at, or change, what a server has stored."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def with_data_option(command: _Command) -> _Command:
    """Add `--data FOLDER`, which stands for the setting SARSEN_DATA."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        expose_value=False,
        callback=_use,
        help="Data folder of the server.  [default: SARSEN_DATA]",
    )(command)


def _use(ctx: click.Context, option: click.Parameter, folder: Path | None) -> None:
    if folder is not None:
        os.environ["SARSEN_DATA"] = str(folder.absolute())
