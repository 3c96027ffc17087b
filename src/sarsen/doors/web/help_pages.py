"""Help pages, the same ones that mails are answered with."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.core.errors import UserError
from sarsen.doors.web.lessons import rules_of
from sarsen.doors.web.prose import to_html
from sarsen.doors.web.refusals import explains_refusals
from sarsen.games import find
from sarsen.help import find_page
from sarsen.language.commands import COMMANDS

LONGEST_SUBJECT = 60


@dataclass(frozen=True)
class Shelf:
    """A group of subjects in the index: pairs of a subject and what it is called."""

    title: str
    subjects: tuple[tuple[str, str], ...]


@explains_refusals
def show_help(request: HttpRequest, subject: str = "") -> HttpResponse:
    """Show one help page beside the index of all of them."""
    if len(subject) > LONGEST_SUBJECT:
        raise UserError("No help page has so long a name.", code="unknown-subject", hint="help")
    page = find_page(tuple(subject.lower().split()))
    has_boards = subject.lower() in find()
    facts = {
        "title": page.title,
        "text": rules_of(subject.lower()) if has_boards else to_html(page.text),
        "has_boards": has_boards,
        "shelves": _shelves(),
        "subject": subject.lower(),
    }
    return render(request, "web/help.html", facts)


def _shelves() -> tuple[Shelf, ...]:
    first = (
        ("tutorial", "Your first game"),
        ("bots", "Programs to play with"),
        ("options", "Options"),
        ("commands", "All commands"),
    )
    games = tuple((name, game.info.title) for name, game in find().items())
    commands = tuple((command.words[0], command.words[0]) for command in COMMANDS)
    return (Shelf("To begin", first), Shelf("Games", games), Shelf("Commands", commands))
