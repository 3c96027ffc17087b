"""Claims of a win or a draw: made at a board, searched by a worker, answered when they are due.

A search takes seconds, so it is not made in the transaction of the claim. The answer comes at a
time that is fixed before the search begins, and all claims that are not proven are answered alike:
see decision 0081.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.db.models.functions import Substr

from sarsen.core.answers import longest_line
from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.language.learning.claims import ClaimMade, ClaimResult
from sarsen.language.terms import ON
from sarsen.search.written_proofs import can_prove
from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.limits import daily
from sarsen.services.matches import matches
from sarsen.services.matches.moves import Participant, lock_as_participant, name_of
from sarsen.services.matches.proofs import NOTHING, is_proof
from sarsen.services.matches.terms import CONTEST
from sarsen.services.notices import Event, notify, streams
from sarsen.services.request import NOBODY, AfterEvents, Request
from sarsen.storage import move_path
from sarsen.storage.models import Claim, Contest, Match, Player
from sarsen.storage.transactions import asking_transaction

# Of a seat and a game. Each of them asks a program, so they must not show the way.
MAX_CLAIMS, MIN_PLY, PLIES_BETWEEN = 3, 8, 4
# From a claim to its answer: a child process is started, and has five seconds of processor.
ANSWER_AFTER = timedelta(seconds=10)
SEARCH_ENDS_AFTER = timedelta(seconds=330)  # else its worker was killed, and another one begins
MAX_ANSWERED = 100  # of one run: other jobs get their turn
LAST_DAY = timedelta(days=1)  # of a contest: days are of UTC and end at 24:00 (E4)
ANSWER = "claim-answer"  # the letter
PROVEN, NOT_PROVEN = "proven", "not-proven"

# (game, position as stored, the seat that is to win or None for a draw) -> a proof that the rules
# have checked; "" for none.
ClaimProver = Callable[[str, str, int | None], str]


def claim(command: ClaimResult, request: Request) -> ClaimMade:
    """Note a claim; its answer comes later."""
    participant = lock_as_participant(command.board, command.game, request, "claim")
    match, seat = participant.match, participant.row.seat
    _check_may_claim(participant, request.now)
    daily.check(participant.player, "offer", request.now)
    Claim.objects.create(
        match=match,
        seat=seat,
        is_draw=command.draw,
        ply=match.ply,
        event=match.event_count,
        asked_at=request.now,
        due_at=request.now + ANSWER_AFTER,
    )
    task_queue.wake(task_queue.ANSWER_CLAIMS)
    return ClaimMade(match.pk, command.draw)


def _check_may_claim(participant: Participant, now: datetime) -> None:
    match = participant.match
    board, game = match.pk, load(match.game)
    hint = f"{match.game} show {board}"
    matches.check_end_date(match, now)
    if not can_prove(game):
        raise UserError(
            "No program here can prove who wins at {game}.",
            code="no-prover",
            hint=hint,
            game=game.info.title,
        )
    is_last_day = _is_last_day(match, now)
    if match.terms.get("claims") != ON and not is_last_day:
        raise UserError(
            "Board {board} was agreed without claims.",
            code="claim-off",
            hint=f"{match.game} show {board}",
            board=board,
        )
    if match.seat_to_move not in participant.seats and not is_last_day:
        raise UserError(
            "It is not your turn on board {board}: {player} is to move. You can claim when you "
            "are.",
            code="claim-turn",
            hint=hint,
            board=board,
            player=name_of(match, match.seat_to_move),
        )
    if match.ply < MIN_PLY:
        raise UserError(
            "On board {board} you can claim after move {ply} at the earliest.",
            code="claim-early",
            hint=hint,
            board=board,
            ply=MIN_PLY,
        )
    _check_own(participant, Claim.objects.filter(match=match, seat=participant.row.seat))


def _check_own(participant: Participant, made: QuerySet[Claim]) -> None:
    """Refuse a claim that comes too soon after one's last, or after the last there is."""
    match, plies = participant.match, list(made.values_list("ply", flat=True))
    hint = f"{match.game} show {match.pk}"
    reason = _reason_to_wait(plies, match.ply)
    if reason == "claim-limit":
        raise UserError(
            "You have made all your {most} claims on board {board}.",
            code="claim-limit",
            hint=hint,
            most=MAX_CLAIMS,
            board=match.pk,
        )
    if reason == "claim-soon":
        raise UserError(
            "You claimed on board {board} after move {ply}. You can claim again after move {next}.",
            code="claim-soon",
            hint=hint,
            board=match.pk,
            ply=plies[-1],
            next=plies[-1] + PLIES_BETWEEN,
        )


def _is_last_day(match: Match, now: datetime) -> bool:
    """Return whether the contest of a board ends within a day."""
    number = match.terms.get(CONTEST)
    ending = Contest.objects.filter(pk=number, ends_at__gt=now, ends_at__lte=now + LAST_DAY)
    return bool(number) and ending.exists()


def is_any_due(now: datetime) -> bool:
    """Return whether a claim has to be searched or answered."""
    return _due(now).exists() or _unsearched(now).exists()


def is_any_to_search(now: datetime) -> bool:
    """Return whether a claim waits for its search."""
    return _unsearched(now).exists()


def _due(now: datetime) -> QuerySet[Claim]:
    return Claim.objects.filter(answered_at=None, due_at__lte=now).exclude(proof="")


def _unsearched(now: datetime) -> QuerySet[Claim]:
    waiting = Claim.objects.filter(answered_at=None, proof="")
    return waiting.exclude(taken_at__gt=now - SEARCH_ENDS_AFTER)


def search_next(now: datetime, prove: ClaimProver) -> Claim | None:
    """Search the claim that has waited longest, in no transaction; None where none waits.

    What is found is kept, and changes nothing before the answer is due.
    """
    row = _unsearched(now).select_related("match").order_by("due_at", "pk").first()
    if row is None:
        return None
    # As it was found: another worker may have taken it.
    if not _unsearched(now).filter(pk=row.pk).update(taken_at=now):
        return row
    match = row.match
    is_present = match.ended_at is None and match.event_count == row.event
    seat = None if row.is_draw else row.seat
    proof = prove(match.game, match.position, seat) if is_present else ""
    Claim.objects.filter(pk=row.pk, proof="").update(proof=proof or NOTHING)
    return row


def answer_due(now: datetime, after_events: AfterEvents) -> int:
    """Answer the claims that are due, each in a transaction of its own; return how many."""
    keys = list(_due(now).order_by("pk").values_list("pk", "match_id")[:MAX_ANSWERED])
    request = Request(NOBODY, now, after_events)
    for key, board in keys:
        crash_log.note_progress()
        with asking_transaction():
            speakers.hold_everybody()  # before all rows: letters may go to anybody
            match = move_path.lock_match(board)
            row = Claim.objects.select_for_update().get(pk=key)
            if match is not None and row.answered_at is None:
                _answer(row, match, request)
                task_queue.wake(task_queue.SEND_MAIL)
    return len(keys)


def _answer(row: Claim, match: Match, request: Request) -> None:
    """End the game of a claim that is proven, or say that it is not."""
    row.answered_at = request.now
    # A claim is about the position in which it was made.
    is_present = match.ended_at is None and match.event_count == row.event
    if not (is_present and is_proof(row.proof)):
        row.proof = NOTHING
    row.save(update_fields=["answered_at", "proof"])
    if row.proof != NOTHING:
        matches.follow_up(matches.record_claim(match, row.seat, request, is_draw=row.is_draw))
    elif match.ended_at is None:
        _tell(row, match, request.now)


def _tell(row: Claim, match: Match, now: datetime) -> None:
    claimant = match.seat_rows[row.seat].player
    facts = {**match.facts, "by": claimant.userid, "draw": row.is_draw}
    what = {"seat": row.seat, "what": "draw" if row.is_draw else "win", "is_proven": False}
    streams.record(match, "claim", {"ply": match.ply, "event": match.event_count, **what}, now)
    players = dict.fromkeys(seat.player for seat in match.seat_rows)
    for player in sorted(players, key=lambda one: one.pk):
        if player.level is None:
            notify(player, Event.OFFER, ANSWER, facts, now, match=match)


@dataclass(frozen=True)
class ClaimView:
    """A claim at a board.

    Attributes:
        ply: How many moves had been played.
        answer: `PROVEN`, `NOT_PROVEN`, or "" while it waits.
    """

    seat: int
    ply: int
    is_draw: bool
    answer: str


def has_claims(match: Match) -> bool:
    """Return whether claims can have been made at a board: others are not asked for them."""
    return match.terms.get("claims") == ON or CONTEST in match.terms


def claims_of(match: Match) -> tuple[ClaimView, ...]:
    """Return the claims at a board, oldest first; nothing of what was found before it is told."""
    if not has_claims(match):
        return ()
    # A proof may be a megabyte.
    rows = Claim.objects.filter(match=match).order_by("pk").annotate(begin=Substr("proof", 1, 2))
    return tuple(
        ClaimView(
            row.seat,
            row.ply,
            row.is_draw,
            "" if row.answered_at is None else PROVEN if is_proof(row.begin) else NOT_PROVEN,
        )
        for row in rows.defer("proof")
    )


def seats_to_claim(match: Match, made: Sequence[ClaimView], now: datetime) -> frozenset[int]:
    """Return the seats that may claim at a board now."""
    is_agreed = has_claims(match) and can_prove(load(match.game))
    if not is_agreed or match.ended_at is not None or match.ply < MIN_PLY:
        return frozenset()
    if _is_last_day(match, now):
        seats = [row.seat for row in match.seat_rows]
    elif match.terms.get("claims") == ON and not matches.is_past_end_date(match, now):
        seats = [match.seat_to_move]
    else:
        return frozenset()
    plies = {seat: [one.ply for one in made if one.seat == seat] for seat in seats}
    return frozenset(seat for seat in seats if _reason_to_wait(plies[seat], match.ply) is None)


def _reason_to_wait(plies: Sequence[int], ply: int) -> str | None:
    """Return the code of the refusal of one more claim of a seat; None where it may be made."""
    if len(plies) >= MAX_CLAIMS:
        return "claim-limit"
    return "claim-soon" if plies and ply < plies[-1] + PLIES_BETWEEN else None


def view_proof(board: int, viewer: Player | None) -> str:
    """Return the proof that ended a game: answers, a line a position.

    Raises:
        UserError: There is no such board, or no proof.
    """
    match = matches.find(board, viewer=viewer)
    proof = proof_of(match)
    if not proof:
        raise UserError(
            "Board {board} did not end by a proof.",
            code="no-proof",
            hint=f"{match.game} show {board}",
            board=board,
        )
    return proof


def proof_line(board: int) -> tuple[str, ...]:
    """Return the longest line of the proof by which a game ended; () where it ended otherwise."""
    proof = proof_of(matches.find_any(board))
    return longest_line(proof) if proof else ()


def proof_of(match: Match) -> str:
    """Return the proof by which a game ended; "" where it ended otherwise."""
    if match.ended_at is None or not has_claims(match):
        return ""
    proven = Claim.objects.filter(match=match).exclude(answered_at=None)
    return proven.exclude(proof=NOTHING).values_list("proof", flat=True).first() or ""
