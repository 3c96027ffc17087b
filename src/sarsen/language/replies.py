"""What commands are answered with: facts, in files by subject.

`sentence` says them in plain sentences; every door adds what it can show.
All replies can be written as JSON and read back, so that a repeated request gets
the same answer and an answer can be worded later than it was decided.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from sarsen.core.phrases import Phrase
from sarsen.language import (
    accounts,
    challenges,
    chat,
    clocks,
    invitations,
    moves,
    notices,
    offers,
    plans,
    preferences,
    queries,
    ratings,
    reviews,
)
from sarsen.language.accounts import AccountReply, AddressConfirmed, ProfileChanged, SignupAsked
from sarsen.language.challenges import (
    ChallengeAsked,
    ChallengeEnded,
    ChallengeReply,
    ChallengeStands,
)
from sarsen.language.chat import (
    BroadcastAsked,
    BroadcastSent,
    ChatSaid,
    ConversationReply,
    MessageSent,
    MessagesReply,
    NoteKept,
    NoteLine,
    NotesShown,
    OwnBoard,
    OwnBoardsShown,
)
from sarsen.language.clocks import ClockReply, VacationEnded, VacationTaken
from sarsen.language.contests import answers as contest_answers
from sarsen.language.contests import ladders
from sarsen.language.contests.answers import ContestReply
from sarsen.language.contests.ladders import LadderReply
from sarsen.language.invitations import InvitationAccepted, InvitationDeclined, InvitationReply
from sarsen.language.learning import analysis, claims, lessons, mistakes, puzzle_choices, puzzles
from sarsen.language.learning.analysis import AnalysisShown
from sarsen.language.learning.claims import ClaimReply
from sarsen.language.learning.lessons import LessonReply
from sarsen.language.learning.mistakes import MistakeShown
from sarsen.language.learning.puzzle_choices import PuzzleChoiceReply
from sarsen.language.learning.puzzles import PuzzleReply
from sarsen.language.moves import (
    DroppedMove,
    FollowedMove,
    Moved,
    MoveReply,
    ResignAsked,
    Resigned,
    Submitted,
)
from sarsen.language.notices import NoticesReply, NoticesStand, Watching
from sarsen.language.offers import (
    DrawAgreed,
    Offered,
    OfferRejected,
    OfferReply,
    TakenBack,
    TakenOff,
)
from sarsen.language.plans import PlanForgotten, PlanKept, PlanPublished, PlanReply, PlanShown
from sarsen.language.preferences import (
    CoordinatesChanged,
    LanguageChanged,
    PreferenceReply,
    TimezoneChanged,
    WeekendsChanged,
)
from sarsen.language.publishing import news, reports, wishes
from sarsen.language.publishing.news import NewsReply, NewsShown, NewsWithdrawn
from sarsen.language.publishing.reports import Reported
from sarsen.language.publishing.wishes import WishStands
from sarsen.language.queries import BoardsShown, HelpPage, Previewed, QueryReply, ShownBoard
from sarsen.language.ratings import Table, TableReply, Tables, table_text
from sarsen.language.reviews import ReviewAsked, ReviewReply, ReviewShown, ReviewsSet
from sarsen.language.translating import sentence, sentence_to_type


@dataclass(frozen=True)
class Refusal:
    """A `UserError` as a fact.

    Attributes:
        text, hint: Phrases where they can be translated; plain English in what 0.4 stored.
    """

    text: str
    code: str
    hint: str


@dataclass(frozen=True)
class Answer:
    """One command line, its secrets blotted out, and what came of it."""

    line: str
    reply: Reply | Refusal


@dataclass(frozen=True)
class Several:
    """The answers to the commands of one `multiple`."""

    answers: tuple[Answer, ...]


Reply = (
    AccountReply
    | AnalysisShown
    | MoveReply
    | ChallengeReply
    | ClaimReply
    | ClockReply
    | ContestReply
    | ConversationReply
    | InvitationReply
    | LadderReply
    | LessonReply
    | MessagesReply
    | NewsReply
    | NoticesReply
    | OfferReply
    | QueryReply
    | PlanReply
    | PreferenceReply
    | PuzzleReply
    | MistakeShown
    | PuzzleChoiceReply
    | Reported
    | ReviewReply
    | TableReply
    | WishStands
    | Several
)

_KINDS: dict[str, type] = {
    name: kind
    for part in (
        accounts,
        analysis,
        challenges,
        chat,
        claims,
        clocks,
        contest_answers,
        invitations,
        ladders,
        lessons,
        mistakes,
        puzzle_choices,
        moves,
        news,
        notices,
        offers,
        plans,
        preferences,
        puzzles,
        queries,
        ratings,
        reports,
        reviews,
        wishes,
    )
    for name, kind in vars(part).items()
    if isinstance(kind, type) and is_dataclass(kind)
} | {kind.__name__: kind for kind in (Refusal, Answer, Several)}
# Kinds that were renamed: stored replies and clients of the API know them by their former names.
_FORMER_NAMES: dict[type, str] = {preferences.AcceptanceList: "WishesStand"}
_KINDS |= {name: kind for kind, name in _FORMER_NAMES.items()}


def kind_name(kind: type) -> str:
    """Return the name of a kind of reply in JSON."""
    return _FORMER_NAMES.get(kind, kind.__name__)


def encode(value: Any, *, with_templates: bool = False) -> Any:
    """Return a reply as JSON can hold it. The pair of `decode`.

    Args:
        with_templates: Keep what phrases are made of, so that they can still be translated;
            programs get finished sentences.
    """
    if is_dataclass(value) and not isinstance(value, type):
        pairs = {field.name: getattr(value, field.name) for field in fields(value)}
        encoded = {
            name: encode(item, with_templates=with_templates) for name, item in pairs.items()
        }
        return {"kind": kind_name(type(value)), **encoded}
    if isinstance(value, tuple):
        return [encode(item, with_templates=with_templates) for item in value]
    if isinstance(value, Phrase):
        return _encoded_phrase(value) if with_templates else str(value)
    return value


def _encoded_phrase(phrase: Phrase) -> Any:
    facts = {name: encode(fact, with_templates=True) for name, fact in phrase.facts.items()}
    return {"kind": Phrase.__name__, "template": phrase.template, "facts": facts}


def decode(value: Any) -> Any:
    """Return the reply that `encode` wrote."""
    if isinstance(value, dict) and value["kind"] == Phrase.__name__:
        facts = {name: decode(fact) for name, fact in value["facts"].items()}
        return Phrase(value["template"], **facts)
    if isinstance(value, dict):
        kind = _KINDS[value["kind"]]
        return kind(**{name: decode(item) for name, item in value.items() if name != "kind"})
    if isinstance(value, list):
        return tuple(decode(item) for item in value)
    return value
