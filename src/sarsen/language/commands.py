"""Every command there is: one frozen dataclass each, in files by subject.

A command says its words, its usage and one line of help, and reads itself from
a sentence. Its one handler is in `services`. `BY_WORD` finds it by any alias.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.accounts import (
    Account,
    ChangeAbout,
    ChangePlace,
    ConfirmAccount,
    ConfirmSignup,
    Export,
    SignOff,
    SignUp,
)
from sarsen.language.challenges import Accept, Decline, MakeChallenge, Rematch, Withdraw
from sarsen.language.chat import Broadcast, Chat, SendMessage, WriteNote
from sarsen.language.clocks import TakeVacation
from sarsen.language.command import Command, Scope
from sarsen.language.contests.commands import (
    CloseContest,
    CorrectContest,
    JoinContest,
    LeaveContest,
    ListContests,
    MakeContest,
    ShowContest,
    StartContest,
    WithdrawFromContest,
)
from sarsen.language.contests.ladders import ClimbLadder, JoinLadder, LeaveLadder, ShowLadder
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.invitations import AnswerInvitation
from sarsen.language.learning.analysis import Analyse
from sarsen.language.learning.claims import ClaimResult
from sarsen.language.learning.lessons import TakeLesson
from sarsen.language.learning.puzzle_choices import ChangePuzzles, VotePuzzle
from sarsen.language.learning.puzzles import ChangeDailyPuzzle, TakePuzzle
from sarsen.language.moves import Confirm, PlayMove, Resign, Submit
from sarsen.language.notices import ChangeNotices, Deliveries, Subscribe, Unsubscribe
from sarsen.language.offers import AnswerOffer, AskUndo, OfferDraw
from sarsen.language.plans import QueueMoves
from sarsen.language.preferences import (
    AutoAccept,
    ChangeAddress,
    ChangeCoordinates,
    ChangeLanguage,
    ChangePassword,
    ChangeTimezone,
    ChangeWeekends,
    Limit,
    Refuse,
    Revoke,
)
from sarsen.language.publishing.announcing import Announce
from sarsen.language.publishing.news import ShowNews, WithdrawNews
from sarsen.language.publishing.reports import Report
from sarsen.language.publishing.wishes import ShowWishes, Wish
from sarsen.language.queries import (
    AllShow,
    Games,
    Help,
    ListBoards,
    Preview,
    Show,
    ShowAs,
    ShowProfile,
)
from sarsen.language.ratings import History, Ratings, Standings
from sarsen.language.reviews import SetReviews, ShowReview
from sarsen.language.schema.fields import Example
from sarsen.language.translating import N_

MAX_LINES = 50  # of one `multiple`: a mail is answered in one transaction


@dataclass(frozen=True)
class Multiple(Command):
    """Run every line of the body as a command; refusing one does not stop the others."""

    words = ("multiple",)
    usage = "multiple"
    summary = N_("Every line of the body is a command; each is answered.")
    scope = Scope.READ

    lines: Annotated[tuple[str, ...], Example(["list", "help"])]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Take the lines of the body."""
        lines = tokens.context.body
        if not lines:
            raise UserError(
                "`multiple` needs commands below it, one per line.",
                code="lines-missing",
                hint="help multiple",
            )
        return cls(lines)


COMMANDS: tuple[type[Command], ...] = (
    Help,
    SignUp,
    ConfirmSignup,
    Account,
    ChangePassword,
    ChangeAddress,
    ChangeTimezone,
    ChangeLanguage,
    ChangeWeekends,
    ChangeCoordinates,
    ChangePlace,
    ChangeAbout,
    ChangeNotices,
    Deliveries,
    Export,
    Revoke,
    SignOff,
    ConfirmAccount,
    TakeVacation,
    Refuse,
    Limit,
    AutoAccept,
    SendMessage,
    Broadcast,
    Announce,
    ShowNews,
    WithdrawNews,
    Report,
    ShowWishes,
    Wish,
    MakeChallenge,
    Accept,
    Decline,
    Withdraw,
    AnswerInvitation,
    Rematch,
    ListContests,
    ShowContest,
    MakeContest,
    JoinContest,
    LeaveContest,
    StartContest,
    CloseContest,
    WithdrawFromContest,
    CorrectContest,
    ShowLadder,
    JoinLadder,
    LeaveLadder,
    ClimbLadder,
    PlayMove,
    Submit,
    Confirm,
    Preview,
    QueueMoves,
    OfferDraw,
    AskUndo,
    AnswerOffer,
    ClaimResult,
    Resign,
    Chat,
    WriteNote,
    Subscribe,
    Unsubscribe,
    Show,
    ShowAs,
    Games,
    ListBoards,
    AllShow,
    ShowProfile,
    Standings,
    Ratings,
    History,
    ShowReview,
    SetReviews,
    TakeLesson,
    TakePuzzle,
    ChangeDailyPuzzle,
    Analyse,
    VotePuzzle,
    ChangePuzzles,
    Multiple,
)

BY_WORD: dict[str, type[Command]] = {
    word: command for command in COMMANDS for word in command.words
}
