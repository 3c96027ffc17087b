"""What a reply shows on a page: its sentence, its tables, its boards, and what it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from sarsen.core.errors import UserError
from sarsen.doors.web.frame.hints import Hint, read_hint
from sarsen.doors.web.frame.pictures import in_words, inline_picture
from sarsen.doors.web.frame.prose import to_html
from sarsen.doors.web.frame.tables import LinkedTable, linked_table
from sarsen.doors.web.frame.templatetags.markup import as_written, paragraphs_with_code
from sarsen.language.accounts import ConfirmAccount, Exported, SignOffAsked
from sarsen.language.chat import BroadcastAsked, indented
from sarsen.language.contests.answers import ContestCloseAsked, ContestLeaveAsked, ContestMade
from sarsen.language.contests.commands import CloseContest, LeaveContest, ShowContest
from sarsen.language.contests.ladders import LadderMade
from sarsen.language.moves import Confirm, Submitted
from sarsen.language.offers import AnswerOffer
from sarsen.language.publishing.news import NewsShown
from sarsen.language.replies import (
    Answer,
    ChallengeStands,
    HelpPage,
    Previewed,
    Refusal,
    Reply,
    ResignAsked,
    Several,
    ShownBoard,
    Table,
    Tables,
    sentence,
    sentence_to_type,
)
from sarsen.language.translating import _
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.request import Player


@dataclass(frozen=True)
class RenderedPosition:
    """A board of a reply."""

    view: BoardView
    picture: SafeString
    words: str


@dataclass(frozen=True)
class RenderedReply:
    """A reply in the parts a page can show.

    Attributes:
        line: The command it answers, when there are several.
        parts: The answers of several commands.
    """

    line: str = ""
    refusal: Refusal | None = None
    text: str | SafeString = ""
    title: str = ""
    prose: SafeString | None = None
    tables: tuple[LinkedTable, ...] = ()
    boards: tuple[RenderedPosition, ...] = ()
    parts: tuple[RenderedReply, ...] = ()
    has_file: bool = False
    hint: Hint | None = None


@dataclass(frozen=True)
class ServerQuestion:
    """A question of the server: the words of its two buttons, and what each of them sends.

    Attributes:
        command, no_command: First words of the commands for yes and no.
        yes_fields, no_fields: Fields of these commands. At a board they hold the matter that is
            asked there: a later question is not answered with this one's yes.
    """

    yes: str
    no: str
    command: str
    no_command: str
    yes_fields: Mapping[str, object]
    no_fields: Mapping[str, object]


def render_reply(
    reply: Reply | Refusal, viewer: Player | None, *, has_buttons: bool = True
) -> RenderedReply:
    """Split a reply into the parts of a page.

    Args:
        has_buttons: Whether what the reply asks is answered by buttons, else by lines.
    """
    match reply:
        case Refusal():
            return RenderedReply(refusal=reply, hint=read_hint(reply.hint, _name(viewer)))
        case HelpPage():
            return RenderedReply(title=reply.title, prose=to_html(reply.text))
        case Table():
            return RenderedReply(tables=(linked_table(reply),))
        case Tables():
            return RenderedReply(
                text="" if reply.tables else _("Nothing yet."),
                tables=tuple(
                    linked_table(table, key=f"table-{at}") for at, table in enumerate(reply.tables)
                ),
            )
        case Several():
            return RenderedReply(parts=tuple(_part(part, viewer) for part in reply.answers))
        case _:
            text = (
                sentence(reply) if has_buttons and question_of(reply) else sentence_to_type(reply)
            )
            boards = _boards(reply, viewer)
            html = paragraphs_with_code(text)
            if isinstance(reply, BroadcastAsked | NewsShown) and reply.text:
                html = _as_everybody_sees(reply, text)
            return RenderedReply(text=html, boards=boards, has_file=isinstance(reply, Exported))


def _as_everybody_sees(reply: BroadcastAsked | NewsShown, text: str) -> SafeString:
    """Return a question, or an answer, with the broadcast in it as its readers see it."""
    before, _shown, after = text.partition(indented(reply.text))
    return paragraphs_with_code(before) + as_written(reply.text) + paragraphs_with_code(after)


def done_sentence(reply: Reply) -> str:
    """Return one sentence that says that something is done."""
    if isinstance(reply, ChallengeStands) and reply.is_mailed:
        # The page that follows has the rest: the link, and a button to withdraw.
        return _("If we may write to this address, an invitation is on its way.")
    return sentence(reply) or _("Done.")


def destination(reply: Reply, back: str) -> str:
    """Return where to go after a form was done; "" when the reply needs a page of its own."""
    if not back or isinstance(reply, HelpPage | Table | Tables | Several | Exported):
        return ""
    if isinstance(reply, Previewed):
        tries = urlencode({"try": reply.moves}, doseq=True)
        ply = reverse("board-ply", args=[reply.board, reply.ply])
        return f"{ply if 'board' not in back else back.partition('?')[0]}?{tries}"
    if isinstance(reply, ChallengeStands):
        if reply.board is not None:
            return reverse("board", args=[reply.board])
        return reverse("challenge", args=[reply.number])
    if isinstance(reply, ContestMade | LadderMade):
        return reverse("contest", args=[reply.number])
    return back


def question_of(reply: object) -> ServerQuestion | None:
    """Return the question that a reply asks, if it asks one."""
    match reply:
        case ResignAsked():
            return _at_board(reply, _("Yes, resign"), _("No, play on"))
        case Submitted():
            return _at_board(reply, _("Play {move}").format(move=reply.text), _("Take it back"))
        case ContestLeaveAsked():
            yes, no = LeaveContest.words[0], ShowContest.words[0]
            fields: dict[str, object] = {"number": reply.number}
            return ServerQuestion(
                *(_("Yes, leave"), _("No, stay"), yes, no),
                yes_fields=fields | {"confirmed": "on"},
                no_fields=fields,
            )
        case ContestCloseAsked():
            yes, no = CloseContest.words[0], ShowContest.words[0]
            numbered: dict[str, object] = {"number": reply.number}
            return ServerQuestion(
                *(_("Yes, close it"), _("No, keep it open"), yes, no),
                yes_fields=numbered | {"reason": reply.reason, "confirmed": "on"},
                no_fields=numbered,
            )
        case BroadcastAsked():
            return _of_account("broadcast", _("Send to everyone"), _("Discard"))
        case SignOffAsked():
            yes = _("Yes, delete all my data") if reply.forgets else _("Yes, close my account")
            what = "forget" if reply.forgets else "signoff"
            return _of_account(what, yes, _("No, keep my account"))
        case _:
            return None


def _at_board(reply: ResignAsked | Submitted, yes: str, no: str) -> ServerQuestion:
    fields = {"board": reply.board, "matter": reply.matter}
    return ServerQuestion(
        yes, no, Confirm.words[0], AnswerOffer.words[0], yes_fields=fields, no_fields=fields
    )


def _of_account(what: str, yes: str, no: str) -> ServerQuestion:
    word = ConfirmAccount.words[0]
    refuses = {"what": what, "agrees": ""}
    return ServerQuestion(yes, no, word, word, yes_fields={"what": what}, no_fields=refuses)


def _name(viewer: Player | None) -> str:
    return viewer.userid if viewer else ""


def _part(answer: Answer, viewer: Player | None) -> RenderedReply:
    return replace(render_reply(answer.reply, viewer, has_buttons=False), line=answer.line)


def _boards(reply: object, viewer: Player | None) -> tuple[RenderedPosition, ...]:
    shown_boards: tuple[ShownBoard, ...] = getattr(reply, "shown_boards", ())
    boards = []
    for shown in shown_boards:
        try:
            view = view_board(
                shown.board, shown.ply, viewer=viewer, tried=shown.tried, event=shown.event
            )
        except UserError:
            continue  # what was done is still said: a board may be hidden from this reader
        boards.append(
            RenderedPosition(view, inline_picture(view.position), in_words(view.position))
        )
    return tuple(boards)
