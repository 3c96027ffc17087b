"""A yes or a no at a board: to one's own question, or to what the other side asks."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.language.commands import AnswerOffer, Confirm
from sarsen.language.replies import (
    DrawAgreed,
    Moved,
    Offered,
    OfferRejected,
    Resigned,
    TakenBack,
    TakenOff,
)
from sarsen.language.replies.boards import move_matter
from sarsen.services import agreeing, moves, offers, resigning
from sarsen.services.call import Call
from sarsen.services.seated import Seated, sit_down
from sarsen.storage.models import MatchSeat

Yes = Moved | Resigned | Offered | DrawAgreed | TakenBack


def confirm(command: Confirm, call: Call) -> Yes:
    """Say yes to what waits: the speaker's own newest wish, else what the other side asks."""
    return _yes(sit_down(command.board, command.game, call, "confirm"), command, call)


def answer(command: AnswerOffer, call: Call) -> Yes | OfferRejected | TakenOff:
    """Say yes or no to what waits at a board."""
    verb = "accept" if command.accepts else "reject"
    seated = sit_down(command.board, command.game, call, verb)
    if command.accepts and _kind(command) in ("resign", "move"):
        return _yes(seated, command, call)
    if command.accepts:
        return agreeing.agree(seated, call, command)
    return _no(seated, command, call)


def _yes(seated: Seated, command: Confirm | AnswerOffer, call: Call) -> Yes:
    kind = _kind(command)
    row = _asked(seated, call)
    if row is not None and row.submitted and command.matter in ("", move_matter(row.submitted)):
        return moves.play_text(seated, row.submitted, call)
    if row is not None and not row.submitted and kind in ("", "resign"):
        return resigning.give_up(seated, row.seat, call)
    offer = AnswerOffer(command.game, command.board, True, command.matter, command.event)
    if kind in ("draw", "undo") or (not kind and agreeing.offer_of_others(seated)):
        return agreeing.agree(seated, call, offer)
    raise _nothing(seated)


def _no(seated: Seated, command: AnswerOffer, call: Call) -> OfferRejected | TakenOff:
    kind = _kind(command)
    row = _asked(seated, call)
    standing = offers.read(seated.match.offer)
    is_open = standing is not None and standing.is_open
    is_about_offer = kind in ("draw", "undo") or (kind == "offer" and is_open)
    if row is None or is_about_offer:
        if kind in ("resign", "move"):
            raise _nothing(seated)
        return agreeing.say_no(seated, call, command)
    taken_off = TakenOff(seated.match.pk, "move" if row.submitted else "resign", row.submitted)
    row.submitted, row.submitted_ply, row.resign_asked_at = "", None, None
    row.save(update_fields=["submitted", "submitted_ply", "resign_asked_at"])
    return taken_off


def _asked(seated: Seated, call: Call) -> MatchSeat | None:
    """Return the speaker's seat that has a move put forward, or a question that waits."""
    rows = (seated.match.sitting[seat] for seat in seated.all_seats)
    return next((row for row in rows if row.submitted or resigning.was_asked(row, call.now)), None)


def _kind(command: Confirm | AnswerOffer) -> str:
    return command.matter.partition(" ")[0]


def _nothing(seated: Seated) -> UserError:
    board = seated.match.pk
    return UserError(
        f"Nothing waits for your answer on board {board}: a move at the board, a newer wish or an "
        "answer makes older ones void.",
        code="nothing-to-confirm",
        hint=f"{seated.match.game} show {board}",
    )
