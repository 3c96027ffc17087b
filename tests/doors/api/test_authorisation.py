"""Every operation with every proof: no token, one without the scope, the right one, a stranger's.

The operations are read from the OpenAPI document, so a new one is tried without being named
here; what it needs to be called with stands in `ASKED` or is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from command_lines import LINES, as_json
from databases import undone
from every_command import prepared
from program import Program
from sarsen.doors.api.authentication import is_for_all, scope_of
from sarsen.doors.api.commands import name_of
from sarsen.doors.api.urls import document
from sarsen.language.command import Scope
from sarsen.language.commands import COMMANDS
from web_world import World

Programs = Callable[..., Program]
Operation = tuple[str, str, dict[str, Any]]  # path, method, what the document says of it
METHODS = ("get", "post", "patch", "delete", "put")
# Those that need a token whatever they are called with, and its scope.
TOKEN_ONLY = {
    "read-account": Scope.READ,
    "read-events": Scope.READ,
    "read-export": Scope.ACCOUNT,
    "read-tokens": Scope.ACCOUNT,
    "change-account": Scope.ACCOUNT,
    "make-token": Scope.ACCOUNT,
    "revoke-token": Scope.ACCOUNT,
}
# Callers without a token use these, and any token is out of place there.
NO_TOKEN = {"login", "login-code"}
# Commands that nobody in particular may speak.
SPOKEN_BY_NOBODY = {
    "help", "signup", "welcome", "invited", "show", "all-show", "profile", "games", "list",
    "preview", "standings", "ratings", "history", "news", "wishes", "multiple",
    "contest", "contests", "ladder", "lesson", "puzzle", "analyse",
}  # fmt: skip
ASKED = {
    "change-account": {"is_program": True},
    "make-token": {"scopes": ["read"]},
    "try-lesson": {"move": "b4"},
    "try-puzzle": {"moves": ["b3"]},
    "analyse-position": {"game": "druid"},
}


@pytest.fixture(scope="module")
def operations() -> list[Operation]:
    """Read the document once, and not while tests are collected: it takes seconds."""
    return [
        (path, method, operation)
        for path, methods in json.loads(document())["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


@pytest.fixture(scope="module")
def words(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    """Prepare one server for all operations; each test takes back what it did there."""
    with django_db_blocker.unblock(), transaction.atomic():
        world = World()
        yield {**prepared(world), "private": world.board(terms=("--private",))}
        transaction.set_rollback(True)


def called(one: Program, path: str, method: str, asked: Any, **filled: object) -> int:
    address = path.format(
        **{
            "number": 1,
            "board": 1,
            "name": "druid",
            "userid": "ann",
            "ply": 0,
            "step": "win",
            **filled,
        }
    )
    query = "?seconds=0" if "/events" in path else ""
    if method == "get":
        one.get(address + query)
    else:
        one.send(method, address, asked)
    return one.status


def test_every_operation_takes_the_tokens_it_should_and_no_other(
    words: dict[str, Any], program: Programs, operations: list[Operation]
) -> None:
    assert len(operations) > 60
    for path, method, operation in operations:
        with undone():
            require_its_tokens(program, path, method, operation)


def require_its_tokens(
    program: Programs, path: str, method: str, operation: dict[str, Any]
) -> None:
    name = operation["operationId"]
    asked = ASKED.get(name, {})
    needed = TOKEN_ONLY.get(name) or (
        Scope(operation["x-scope"]) if "x-scope" in operation else None
    )
    if needed is None and method == "get":
        needed = Scope.READ
    if name in TOKEN_ONLY:
        assert called(program(), path, method, asked) == 401, name
    if needed is not None:
        without = " ".join(one for one in Scope if one != needed)
        lacking = program("ann", without)
        assert called(lacking, path, method, asked) == 403, name
        assert f"`{needed}`" in lacking.body.decode()
    nobodys = program()
    nobodys.token = "sarsen_" + "A" * 32
    assert called(nobodys, path, method, asked) == 401, name
    if name in NO_TOKEN:
        assert called(program("ann"), path, method, asked) == 401, name
    elif needed is not None:
        assert called(program("ann", needed), path, method, asked) not in (401, 403), name


def test_nobody_speaks_only_the_commands_that_are_for_everybody(
    words: dict[str, Any], program: Programs, subtests: pytest.Subtests
) -> None:
    for command in COMMANDS:
        with subtests.test(command.__name__), undone():
            visitor = program()
            asked = as_json(LINES[command].text.format(**words), LINES[command].body)
            status = called(visitor, f"/api/v1/commands/{name_of(command)}", "post", asked)
            assert status == (200 if name_of(command) in SPOKEN_BY_NOBODY else 401), visitor.body


def test_a_private_board_is_missing_for_strangers_at_every_address(
    words: dict[str, Any], program: Programs, operations: list[Operation]
) -> None:
    of_boards = {path for path, _, _ in operations if "/boards/{" in path}
    assert len(of_boards) >= 3
    for one in (program(), program("eve")):
        for path in of_boards:
            assert called(one, path, "get", {}, number=words["private"]) == 404, path
            assert one.code == "unknown-board", path


@pytest.mark.parametrize(
    "command",
    [one for one in COMMANDS if "{board}" in LINES[one].text],
    ids=lambda one: one.__name__,
)
def test_a_private_board_is_missing_for_strangers_to_every_command(
    words: dict[str, Any], program: Programs, command: type
) -> None:
    eve = program("eve")
    there = {**words, "board": words["private"]}
    asked = as_json(LINES[command].text.format(**there), LINES[command].body)
    status = called(eve, f"/api/v1/commands/{name_of(command)}", "post", asked)
    assert (status, eve.code) == (404, "unknown-board"), eve.body


def test_no_command_needs_another_scope_than_its_tokens_were_made_for() -> None:
    # Spelled out: tokens that are out there were made for these.
    expected = {
        Scope.READ: "Help Preview Show ShowAs Games ListBoards AllShow ShowProfile Standings "
        "Ratings History ShowNews ShowWishes Multiple ListContests ShowContest "
        "ShowLadder",
        Scope.PLAY: "PlayMove Submit Confirm Resign QueueMoves OfferDraw AskUndo AnswerOffer "
        "MakeChallenge Accept Decline Withdraw Rematch ShowReview "
        "MakeContest JoinContest LeaveContest StartContest CloseContest WithdrawFromContest "
        "JoinLadder LeaveLadder ClimbLadder TakeLesson TakePuzzle VotePuzzle Analyse ClaimResult",
        Scope.CHAT: "SendMessage Report Wish Chat WriteNote",
        Scope.ACCOUNT: "SignUp ConfirmSignup AnswerInvitation Account ChangePassword ChangeAddress "
        "ChangeTimezone ChangeLanguage ChangeWeekends ChangeCoordinates ChangePlace ChangeAbout "
        "Export Revoke SignOff ConfirmAccount ChangeNotices Deliveries Subscribe Unsubscribe "
        "TakeVacation Refuse Limit AutoAccept Broadcast Announce WithdrawNews SetReviews "
        "CorrectContest ChangeDailyPuzzle ChangePuzzles",
    }
    scopes = {name: scope for scope, line in expected.items() for name in line.split()}
    assert {one.__name__: scope_of(one) for one in COMMANDS} == scopes


def test_who_has_no_token_may_join_read_and_learn_and_nothing_else() -> None:
    expected = {one.__name__ for one in COMMANDS if one.scope is Scope.READ}
    expected |= {"SignUp", "ConfirmSignup", "AnswerInvitation", "TakeLesson", "TakePuzzle"}
    expected |= {"Analyse"}
    assert {one.__name__ for one in COMMANDS if is_for_all(one)} == expected
