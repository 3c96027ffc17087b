"""What must be true after the month, computed from what people did and what the relay took."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sarsen.storage.models import InboundMail, MatchEvent, OutgoingMail
from simulation.clock_audit import clocks
from simulation.notice_audit import notices
from simulation.rating_audit import ratings

if TYPE_CHECKING:
    from simulation.month import Month


def audit(month: Month, defects: list[Any]) -> dict[str, Any]:
    """Check the books; give the figures and every entry that does not balance.

    Args:
        defects: What the server logged as its own fault; there should be none.
    """
    faults = [
        *_moves(month),
        *_mails(month),
        *_letters(month),
        *notices(month),
        *clocks(month),
        *ratings(month),
        *(f"the server's own fault: {defect}" for defect in defects),
    ]
    figures: dict[str, Any] = dict(sorted(month.book.counts.items()))
    figures["letters the relay took"] = len(month.letters)
    figures["letters the relay refused"] = month.refused
    return {"figures": figures, "faults": faults}


def _moves(month: Month) -> list[str]:
    """Every move was played once, in order, by its seat."""
    played: dict[int, list[tuple[str, int]]] = {}
    events = MatchEvent.objects.filter(kind="move").order_by("match_id", "number")
    for board, text, seat in events.values_list("match_id", "text", "seat"):
        played.setdefault(board, []).append((text, seat))
    faults = []
    for number, board in month.book.boards.items():
        booked = [(text, seat) for text, seat, _ in board.moves]
        if played.get(number, []) != booked:
            faults.append(f"board {number}: {played.get(number)} is not {booked}")
    return faults


def _mails(month: Month) -> list[str]:
    """Every mail that came in is answered."""
    left = InboundMail.objects.exclude(state=InboundMail.State.ANSWERED)
    return [f"inbound mail {mail.pk} is {mail.state}: {mail.note}" for mail in left]


def _letters(month: Month) -> list[str]:
    """Every letter reached the relay once, or is logged as refused."""
    taken = Counter(letter["Message-ID"].split(".")[1] for letter in month.letters)
    faults = []
    for letter in OutgoingMail.objects.all():
        times = taken.pop(str(letter.pk), 0)
        wanted = 1 if letter.state == OutgoingMail.State.SENT else 0
        if times != wanted:
            faults.append(f"{letter} is {letter.state}, and the relay took it {times} times")
        if letter.state == OutgoingMail.State.FAILED and not letter.error:
            faults.append(f"{letter} failed without a reason")
    faults += [f"letter {number} is not in the books" for number in taken]
    return faults
