"""The quick start: a game, a strength, and a button for whom to play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpRequest

from sarsen.core.game import GameInfo
from sarsen.doors.web.frame.posted_forms import Posted
from sarsen.games import find
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import MakeChallenge
from sarsen.language.translating import N_
from sarsen.services.bots.accounts import Program, list_programs

FIELD, FRIEND = "quick", "friend"
# Three programs to choose from; a page of its own has them all.
STRENGTHS = ((N_("Easy"), 1), (N_("Medium"), 3), (N_("Hard"), 6))


def strengths(programs: Sequence[Program]) -> list[tuple[str, str]]:
    """Return words and userids of a weak, a middling and a strong program, as far as there are."""
    userids = {program.level: program.userid for program in programs}
    return [(words, userids[level]) for words, level in STRENGTHS if level in userids]


def quick_levels(
    programs: Sequence[Program], games: Sequence[GameInfo]
) -> list[tuple[str, str, list[str]]]:
    """Return `strengths`, each with its figures at these games; see `Program.strength`.

    `+0` is left out: it says only that the others are counted from there.
    """
    by_userid = {program.userid: program for program in programs}
    return [
        (
            words,
            userid,
            [by_userid[userid].strength(game.name).removesuffix("+0") for game in games],
        )
        for words, userid in strengths(programs)
    ]


def next_strength(programs: Sequence[Program], beaten: str) -> tuple[str, str] | None:
    """Return words and userid of the next stronger program after one; None for another player."""
    levels = {program.userid: program.level for program in programs}
    if beaten not in levels:
        return None
    stronger = (pair for pair in strengths(programs) if levels[pair[1]] > levels[beaten])
    return next(stronger, None)


def quick_start(request: HttpRequest, posted: Posted) -> Posted:
    """Return the challenge that the form of the quick start asks for; any other form as it is.

    With a friend it is a link, whatever strength is chosen. The weakest program plays a short game,
    where the usual one is long: its opponents are new here.
    """
    if posted.command is not MakeChallenge or FIELD not in request.POST:
        return posted
    if request.POST[FIELD] == FRIEND:
        by_link = {"names": [ME, ANYONE], "terms": ["--link"]}
        return replace(posted, fields={**posted.fields, **by_link})
    game = find().get("".join(posted.fields.get("game", ())))
    opponents = " ".join(posted.fields.get("names", ())).split()
    weakest = next((program.userid for program in list_programs()), None)
    if game is None or weakest not in opponents:
        return posted
    return replace(posted, fields={**posted.fields, "options": [game.info.quick]})
