"""The quick start: a game, a strength, and a button for whom to play."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest

from sarsen.doors.web.frame.posted_forms import Posted
from sarsen.games import find
from sarsen.language.commands import MakeChallenge
from sarsen.services.bots.accounts import list_programs

FIELD = "quick"


def quick_start(request: HttpRequest, posted: Posted) -> Posted:
    """Return the challenge that the form of the quick start asks for; any other form as it is.

    The weakest program plays a short game, where the usual one is long: its opponents are new here.
    """
    if posted.command is not MakeChallenge or FIELD not in request.POST:
        return posted
    game = find().get("".join(posted.fields.get("game", ())))
    opponents = " ".join(posted.fields.get("names", ())).split()
    weakest = next((program.userid for program in list_programs()), None)
    if game is None or weakest not in opponents:
        return posted
    return replace(posted, fields={**posted.fields, "options": [game.info.quick]})
