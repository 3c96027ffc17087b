"""What a command says of itself is so: each property beside something that does not follow it."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from command_lines import LINES
from every_command import prepared
from sarsen.games import names
from sarsen.language.commands import COMMANDS, Command, MakeContest, Multiple
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.publishing.wishes import Wish
from sarsen.services.dispatch import HANDLERS, perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player
from web_world import NOW, World

BY_NAME = {one.__name__: one for one in COMMANDS}


def _with(name: str) -> set[str]:
    return {one.__name__ for one in COMMANDS if getattr(one, name)}


def test_guests_neither_write_to_people_nor_change_what_needs_an_address() -> None:
    # Spelled out, since a guest is known by nothing but the cookie of a browser.
    writing = "Announce Broadcast Chat Report SendMessage Wish WithdrawNews"
    # A contest waits for its players, at days a move.
    contests = (
        "CloseContest CorrectContest JoinContest LeaveContest MakeContest StartContest "
        "WithdrawFromContest JoinLadder LeaveLadder ClimbLadder"
    )
    # Guests play programs, which neither ask nor wait. (The answer to an invitation by mail makes
    # a guest an account.)
    answering = "Accept Decline"
    of_accounts = (
        "Account AutoAccept ChangeAbout ChangeAddress ChangeCoordinates ChangeDailyPuzzle "
        "ChangeNotices ChangePassword ChangePlace ChangeWeekends Deliveries Limit Refuse Revoke "
        "SetReviews Subscribe TakeVacation Unsubscribe VotePuzzle ChangePuzzles"
    )
    of_lines = "Multiple"  # its lines are performed one by one
    others = {one.__name__ for one in COMMANDS} - _with("for_guests")
    assert others == set(f"{writing} {contests} {answering} {of_accounts} {of_lines}".split())


def _ask(text: str, body: str = "") -> Any:
    context = Context(names(), speaker="ann", body=tuple(body.split("\n")) if body else ())
    return read_line(text, context).command


@pytest.mark.django_db
def test_a_query_writes_nothing() -> None:
    words = prepared(World())
    actor = Actor(Player.objects.get(key="ann"))
    writing: dict[str, list[str]] = {}
    # A question is noted until it is searched: a repeat does no harm, and nothing else reads it.
    for name in _with("is_query") - {"Analyse"}:
        line = LINES[BY_NAME[name]]
        with CaptureQueriesContext(connection) as queries:
            perform(_ask(line.text.format(**words), line.body), actor, "", NOW)
        writes = [one["sql"] for one in queries if one["sql"].split()[0] != "SELECT"]
        writing |= {name: writes} if writes else {}
    assert writing == {}


def test_a_mail_may_share_a_batch_if_nothing_after_it_is_read_or_proved_otherwise() -> None:
    assert _with("may_share_a_batch") == {"PlayMove", "Submit", "Chat", "WriteNote"}
    assert not _with("may_share_a_batch") & _with("is_of_account")


def test_moves_are_judged_first_where_one_is_played_put_forward_or_confirmed() -> None:
    # A yes to the letter that asks whether to play the move is `AnswerOffer` as well.
    assert _with("is_judged_first") == {"PlayMove", "Submit", "Confirm", "AnswerOffer"}
    for name in _with("is_judged_first"):
        assert {"game", "board"} <= {one.name for one in fields(BY_NAME[name])}


def test_commands_that_give_control_of_the_account_need_more_than_a_letter_of_a_game() -> None:
    assert _with("is_of_account") == {
        "ChangeAddress",
        "ChangePassword",
        "ConfirmAccount",
        "SignOff",
    }


def test_commands_that_leave_run_alone() -> None:
    leaving = {
        one.__name__ for one, handler in HANDLERS.items() if handler.__module__.endswith(".leaving")
    }
    assert _with("may_close_account") == leaving - _with("is_query")


def test_a_new_password_stands_in_its_usage_or_in_its_fields() -> None:
    secret = {
        one.__name__
        for one in COMMANDS
        if any(not part.repr and part.name != "code" for part in fields(one))
    }
    assert _with("sets_password") == secret


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.__name__)
def test_lines_below_a_command_belong_to_it_if_it_takes_a_text(command: type[Command]) -> None:
    words = dict.fromkeys(("board", "ended", "invitation", "own", "news"), 7)
    words |= dict.fromkeys(("contest", "own_contest", "running_contest", "contest_board"), 7)
    words["claim_board"] = 8
    words |= {"code": "c", "friend_code": "c", "password": "p"}
    words |= {"first_day": "2099-02-01", "last_day": "2099-02-05"}
    line = LINES[command].text.format(**words)
    below = "if zz9 then zz8"  # also a plan goes on so
    takes = "zz9" in repr(_ask(line, below))
    assert takes == command.takes_text or command is Multiple


def test_words_for_people_are_the_text_or_the_reason() -> None:
    for command in COMMANDS:
        named = {one.name for one in fields(command)}
        # These names are read by all, and nobody has chosen them from a list.
        is_named = command in (MakeContest, Wish)
        assert command.takes_reason == ("reason" in named or is_named), command
        assert not command.takes_text or "text" in named, command


def test_the_usage_of_a_command_at_a_board_begins_with_its_number() -> None:
    begins = re.compile(r"(?:GAME )?\w+ \[?BOARD(?:#PLY)?\]?(?![|\w])")
    at_board = {one.__name__ for one in COMMANDS if begins.match(one.usage)}
    assert _with("at_board") == at_board


def test_a_move_follows_the_board_where_one_is_tried_put_forward_played_or_planned() -> None:
    assert _with("takes_move") == {"Preview", "Submit", "PlayMove", "QueueMoves"}
    assert _with("takes_move") <= _with("at_board")
