"""One working line of every command, with what must stand before it: for the doors' tests.

`{board}` is a druid board of ann and bob on which b8 and b5 are played; the other words in
braces are made by `every_command.prepared`. A command that is missing here fails the tests
of every door, and the page that compares the doors.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any

from sarsen.games import names
from sarsen.language import commands
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context

BODY_WORDS = "Words of ann, in two lines.\nThis is the second."


@dataclass(frozen=True)
class Line:
    """A command as ann types it.

    Attributes:
        text: The line; numbers and codes stand in braces.
        body: The lines below it.
        answer: Words that its answer must have.
        needs: Lines of ann's that make it possible.
        of_bob: Lines of bob's that make it possible.
    """

    text: str
    answer: str
    body: str = ""
    needs: tuple[str, ...] = ()
    of_bob: tuple[str, ...] = ()


LINES: dict[type, Line] = {
    commands.Help: Line("help move", "The command move"),
    commands.SignUp: Line("signup dora dora@example.org", "Welcome, dora"),
    commands.ConfirmSignup: Line("welcome {code}", "confirmed for dora"),
    commands.Account: Line("account", "ann@example.org"),
    commands.ChangePassword: Line("change password brand-new-words", "password is changed"),
    commands.ChangeAddress: Line("change address ann@example.net", "ann@example.net"),
    commands.ChangeTimezone: Line("change timezone Europe/Berlin", "Europe/Berlin"),
    commands.ChangeLanguage: Line("change language de", "Deutsch"),
    commands.ChangeWeekends: Line("change weekends off", "do not count"),
    commands.ChangeCoordinates: Line("change coordinates off", "without coordinates"),
    commands.ChangePlace: Line("change place Berlin", "shows where you live"),
    commands.ChangeAbout: Line("change about", "shows your text", body=BODY_WORDS),
    commands.ChangeNotices: Line("notices chat digest", "digest"),
    commands.Deliveries: Line("deliveries", "last 30 days"),
    commands.Export: Line("export", "lines of JSON"),
    commands.Revoke: Line("revoke {board}", "no longer valid"),
    commands.SignOff: Line("signoff", "Do you really want to leave"),
    commands.ConfirmAccount: Line("confirm signoff", "is closed", needs=("signoff",)),
    commands.TakeVacation: Line("vacation {first_day} {last_day}", "clocks are stopped"),
    commands.Refuse: Line("refuse bob", "bob"),
    commands.Limit: Line("limit 7", "7 running games"),
    commands.AutoAccept: Line("autoaccept bob", "bob"),
    commands.SendMessage: Line("message bob:", "bob", body=BODY_WORDS),
    commands.Broadcast: Line("broadcast", "Words of ann", body=BODY_WORDS),
    commands.Announce: Line("announce druid -size=5", "Words of ann", body=BODY_WORDS),
    commands.ShowNews: Line("news", "News"),
    commands.WithdrawNews: Line("withdraw news {news}", "is withdrawn"),
    commands.Report: Line("report bob", "operators will look", body=BODY_WORDS),
    commands.ShowWishes: Line("wishes", "Games that players wish for"),
    commands.Wish: Line("wish Havannah", "You voted for Havannah"),
    commands.MakeChallenge: Line("druid challenge -size=5 ann bob", "Challenge"),
    commands.Accept: Line("accept {invitation}", "has started as board"),
    commands.Decline: Line("decline {invitation} too many games", "declined"),
    commands.Withdraw: Line("withdraw {own}", "withdrawn"),
    commands.AnswerInvitation: Line("invited {friend_code} accept", "has started as board"),
    commands.Rematch: Line("rematch {ended}", "bob v ann"),
    commands.ListContests: Line("contests", "Contests"),
    commands.ShowContest: Line("contest {contest} log", "Log of contest"),
    commands.MakeContest: Line("contest new druid round-robin --most=4 Four Corners", "You are in"),
    commands.JoinContest: Line("contest join {contest}", "You are in contest"),
    commands.LeaveContest: Line(
        "contest leave {contest}", "You have left", needs=("contest join {contest}",)
    ),
    commands.StartContest: Line("contest start {own_contest}", "has started"),
    commands.CloseContest: Line("contest close {own_contest} too few", "is closed"),
    commands.WithdrawFromContest: Line(
        "contest withdraw {running_contest} bob gone", "bob is withdrawn"
    ),
    commands.CorrectContest: Line(
        "contest correct {running_contest} {contest_board} 1-0 wrong board", "now counts 1-0"
    ),
    commands.ShowLadder: Line("druid ladder", "It is open to everybody"),
    commands.JoinLadder: Line("druid ladder join", "You are on the Druid ladder, at place 2."),
    commands.LeaveLadder: Line(
        "druid ladder leave", "You have left the Druid ladder.", needs=("druid ladder join",)
    ),
    commands.ClimbLadder: Line(
        "druid climb bob", "You climb from place 2 to bob", needs=("druid ladder join",)
    ),
    commands.PlayMove: Line("druid move {board} b4", "You played b4"),
    commands.Submit: Line("druid submit {board} b4", "b4"),
    commands.Confirm: Line("confirm {board}", "You played b4", needs=("submit {board} b4",)),
    commands.Preview: Line("druid preview {board} b4 c5", "Druid Board {board}"),
    commands.QueueMoves: Line("druid queue {board} b4; if a5 then b6", "b4"),
    commands.OfferDraw: Line("druid draw {board}", "draw"),
    commands.AskUndo: Line("druid undo {board}", "take back"),
    commands.AnswerOffer: Line("druid reject {board}", "draw", of_bob=("draw {board}",)),
    commands.ClaimResult: Line("visavis claim {claim_board}", "You claim a win"),
    commands.Resign: Line("druid resign {board}", "Do you really want to resign"),
    commands.Chat: Line("druid chat {board}", "bob", body=BODY_WORDS),
    commands.WriteNote: Line("druid notes {board}", "note", body=BODY_WORDS),
    commands.Subscribe: Line("subscribe bob", "bob"),
    commands.Unsubscribe: Line("unsubscribe bob", "bob", needs=("subscribe bob",)),
    commands.Show: Line("druid show {board}", "Druid Board {board}"),
    commands.ShowAs: Line("druid showas ann {password} {board}", "Druid Board {board}"),
    commands.Games: Line("druid games ann", "ann v bob"),
    commands.ListBoards: Line("list druid", "Druid: running"),
    commands.AllShow: Line("all show ann", "Druid Board {board}"),
    commands.ShowProfile: Line("profile ann", "joined"),
    commands.Standings: Line("druid standings", "standings"),
    commands.Ratings: Line("druid ratings", "ratings"),
    commands.History: Line("druid history", "past games"),
    commands.ShowReview: Line("druid review {ended}", "is being reviewed"),
    commands.SetReviews: Line("reviews on", "all your games are reviewed"),
    commands.TakeLesson: Line("lesson druid 1 b4", "Right. That is the whole aim."),
    commands.TakePuzzle: Line("puzzle druid-1", " to move. "),
    commands.ChangeDailyPuzzle: Line(
        "puzzle daily druid on", "the puzzle of the day at Druid comes by mail"
    ),
    commands.Analyse: Line("analyse druid -size=5 c1 b2", "The server is searching."),
    commands.VotePuzzle: Line(
        "puzzle vote druid-1 good", "druid-1 is a good puzzle", needs=("puzzle druid-1 show",)
    ),
    commands.ChangePuzzles: Line("puzzle days", "of the last 30 puzzles of the day solved"),
    commands.Multiple: Line("multiple", "The command move", body="help move\nlist druid"),
}


def as_json(line: str, body: str) -> dict[str, Any]:
    """Return the JSON of a line: the fields that have other values than their defaults."""
    below = tuple(body.split("\n")) if body else ()
    parsed = read_line(line, Context(names(), speaker="ann", body=below)).command
    found = {one: getattr(parsed, one.name) for one in fields(parsed)}
    return {one.name: value for one, value in found.items() if value != _default_of(one)}


def as_form(line: str, body: str) -> dict[str, list[str]]:
    """Return the fields of a form that sends the command of a line."""
    return {name: _texts(value) for name, value in as_json(line, body).items()}


def _texts(value: Any) -> list[str]:
    match value:
        case bool():
            return ["on" if value else ""]
        case tuple():
            return [text for one in value for text in _texts(_address(one))]
        case _:
            return [] if value is None else [str(value)]


def _address(one: Any) -> Any:
    """Return a board as it is typed: `123#4`, or `123`."""
    return (
        "#".join(str(part) for part in one if part is not None) if isinstance(one, tuple) else one
    )


def _default_of(one: Any) -> Any:
    made = one.default_factory
    return made() if made is not MISSING else one.default
