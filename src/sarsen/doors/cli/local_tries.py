"""What lessons and puzzles at this terminal share: lines read, paragraphs printed, refusals."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from contextlib import contextmanager

import click

from sarsen.core.errors import UserError
from sarsen.doors.cli.local_play import WIDTH
from sarsen.doors.cli.shell_hints import TYPED, mended
from sarsen.language.grammar.typography import normalise
from sarsen.language.replies import Refusal, encode

PROMPT = "> "
ENDS = ("quit", "q", "exit", "stop")


def read_lines() -> Iterator[str]:
    """Yield what is typed, until the input ends or somebody stops."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (makes the prompt editable, with a history)
    while True:
        try:
            text = normalise(click.prompt("", prompt_suffix=PROMPT)).strip()
        except click.Abort:
            click.echo()
            return
        if text.lower() in ENDS:
            return
        yield text


def print_paragraphs(text: str) -> None:
    """Print paragraphs no wider than every terminal is; nothing for an empty text."""
    for line in filter(None, text.split("\n")):
        click.echo(click.wrap_text(line, WIDTH))


@contextmanager
def refused_for_shell(*, as_json: bool) -> Iterator[None]:
    """Raise refusals with a line that can be typed in a shell, or print them as JSON."""
    try:
        yield
    except UserError as refusal:
        hint = mended(refusal, click.get_current_context().find_root().meta.get(TYPED, ()))
        if not as_json:
            raise UserError(refusal.text, code=refusal.code, hint=hint) from refusal
        facts = encode(Refusal(refusal.text, refusal.code, hint))
        click.echo(json.dumps(facts, ensure_ascii=False))
        raise SystemExit(2) from None
