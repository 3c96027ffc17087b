"""`sarsen completion bash`: what a shell needs so that the Tab key completes lines."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
_NAME = "sarsen"


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print what your shell sources to complete commands, boards and moves.

    \b
        bash    eval "$(sarsen completion bash)"      in ~/.bashrc
        zsh     eval "$(sarsen completion zsh)"       in ~/.zshrc
        fish    sarsen completion fish | source       in ~/.config/fish/config.fish
    """
    found = get_completion_class(shell)
    assert found is not None  # SHELLS are click's own
    root = ctx.find_root()
    variable = f"_{_NAME}_COMPLETE".upper()  # as click names it
    click.echo(found(root.command, {}, _NAME, variable).source())
