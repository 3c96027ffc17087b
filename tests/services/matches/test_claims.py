"""Claims: proven ones end the game; of the others nobody learns more than that they are not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from claim_world import DRAWN, LOST, OPEN, WON, ClaimWorld, Line
from sarsen.core.answers import check
from sarsen.core.errors import UserError
from sarsen.language.commands import Chat, PlayMove, Resign
from sarsen.language.learning.claims import ClaimMade
from sarsen.services.admin.verify import verify, verify_board
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import claims
from sarsen.services.matches.matches import position_of
from sarsen.services.matches.proofs import NOTHING
from sarsen.services.ratings import rating
from sarsen.services.request import Actor
from sarsen.storage.models import Claim, Match, MatchEvent, OutgoingMail, Result

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> ClaimWorld:
    return ClaimWorld()


def letters(kind: str = "claim-answer") -> list[tuple[str, dict[str, object]]]:
    rows = OutgoingMail.objects.filter(kind=kind).order_by("pk")
    return [(row.player.userid, row.facts) for row in rows if row.player is not None]


def differences() -> list[str]:
    return [str(one) for one in verify(VerifyReport(), lambda: None)]


def test_a_proven_win_ends_the_game_is_rated_and_kept(world: ClaimWorld) -> None:
    board = world.at(WON)
    assert world.claim(board) == ClaimMade(board)
    assert Match.objects.get(pk=board).ended_at is None
    world.answer()
    match = Match.objects.get(pk=board)
    assert (match.scores, match.reason) == ([1.0, 0.0], "O wins by proof.")
    assert match.ended_at == world.now
    assert MatchEvent.objects.get(match=match, kind="claim").seat == 0
    row = Claim.objects.get()
    assert check(position_of(match), row.proof).winner == 0
    rating.sweep()
    assert [result.is_rated for result in Result.objects.all()] == [True, True]
    assert differences() == []


def test_a_proven_draw_ends_the_game(world: ClaimWorld) -> None:
    board = world.at(DRAWN)
    world.claim(board, draw=True)
    world.answer()
    match = Match.objects.get(pk=board)
    assert (match.scores, match.reason) == ([0.5, 0.5], "Drawn by proof.")
    assert check(position_of(match), Claim.objects.get().proof).winner is None
    assert differences() == []


@pytest.mark.parametrize(
    ("line", "draw"),
    [(DRAWN, False), (LOST, False), (LOST, True), (OPEN, False), (OPEN, True), (WON, True)],
)
def test_all_that_is_not_proven_is_answered_alike(
    world: ClaimWorld, line: Line, *, draw: bool
) -> None:
    if line is OPEN:
        world.prove = lambda *_: ""  # it would search for hours
    board = world.at(line)
    world.claim(board, draw=draw)
    world.answer()
    match = Match.objects.get(pk=board)
    assert match.ended_at is None
    row = Claim.objects.get()
    assert (row.proof, row.answered_at) == (NOTHING, world.now)
    told = letters()
    assert [userid for userid, _ in told] == ["ann", "bob"]
    names = {"board", "ply", "event", "by", "draw"}
    assert all(set(facts) == names for _, facts in told)
    assert differences() == []


def test_no_answer_comes_before_it_is_due(world: ClaimWorld) -> None:
    boards = [world.at(line) for line in (WON, LOST)]
    for board in boards:
        world.claim(board)
    asked_at = world.now
    while claims.search_next(world.now, world.prove):
        pass
    almost = asked_at + claims.ANSWER_AFTER - timedelta(milliseconds=1)
    assert claims.answer_due(almost, AFTER_EVENTS) == 0
    assert not Claim.objects.exclude(answered_at=None).exists()
    assert not letters()
    assert claims.answer_due(asked_at + claims.ANSWER_AFTER, AFTER_EVENTS) == 2


def test_a_search_that_takes_long_is_waited_for(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)
    late = world.now + 3 * claims.ANSWER_AFTER
    assert claims.answer_due(late, AFTER_EVENTS) == 0
    claims.search_next(late, world.prove)
    assert claims.answer_due(late, AFTER_EVENTS) == 1
    assert Match.objects.get(pk=board).ended_at == late


def test_a_claim_is_about_the_position_it_was_made_in(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)
    while claims.search_next(world.now, world.prove):
        pass
    match = Match.objects.get(pk=board)
    position = position_of(match)
    text = position.format(position.legal_moves()[0])
    perform(PlayMove("", board, text), Actor(world.player("ann")), "", world.now)
    world.answer()
    assert Match.objects.get(pk=board).ended_at is None
    assert Claim.objects.get().proof == NOTHING
    assert [userid for userid, _ in letters()] == ["ann", "bob"]


def test_a_game_that_ends_meanwhile_leaves_nothing_to_answer(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)
    perform(Resign("", board, confirmed=True), Actor(world.player("ann")), "", world.now)
    world.answer()
    assert Match.objects.get(pk=board).reason == "O resigned."
    assert letters() == []
    assert differences() == []


def test_a_claim_stops_no_clock(world: ClaimWorld) -> None:
    board = world.at(LOST)
    before = Match.objects.values("turn_began_at", "due_at", "look_at").get(pk=board)
    world.claim(board)
    assert Match.objects.values("turn_began_at", "due_at", "look_at").get(pk=board) == before
    world.answer()
    assert Match.objects.values("turn_began_at", "due_at", "look_at").get(pk=board) == before


def refusal(claim: Callable[[], object]) -> str:
    before = list(Claim.objects.values())
    with pytest.raises(UserError) as refused:
        claim()
    assert list(Claim.objects.values()) == before
    return refused.value.code


def test_who_may_claim_and_when(world: ClaimWorld) -> None:
    board = world.at(WON)
    assert refusal(lambda: world.claim(board, "bob")) == "claim-turn"
    assert refusal(lambda: world.claim(board, "cid")) == "not-your-board"
    early = world.at(Line("visavis", "-size=7", "E3 E4 A3 F5 D6 E2"))
    assert refusal(lambda: world.claim(early)) == "claim-early"
    usual = world.board(WON.game, WON.moves, options=WON.options)
    assert refusal(lambda: world.claim(usual)) == "claim-off"


def test_a_game_without_a_prover_has_no_claims(
    world: ClaimWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = world.at(WON)
    monkeypatch.setattr(claims, "can_prove", lambda _: False)
    assert refusal(lambda: world.claim(board)) == "no-prover"


def play_on(world: ClaimWorld, board: int, plies: int) -> None:
    """Play the last of the legal moves, which end no game of this board so soon."""
    for _ in range(plies):
        match = Match.objects.get(pk=board)
        position = position_of(match)
        after = ((move, position.play(move)) for move in reversed(position.legal_moves()))
        move = next(move for move, reached in after if reached.outcome() is None)
        actor = Actor(world.player(("ann", "bob")[position.seat]))
        perform(PlayMove("", board, position.format(move)), actor, "", world.now)


def test_three_claims_a_game_four_plies_apart(world: ClaimWorld) -> None:
    world.prove = lambda *_: ""
    board = world.at(OPEN)
    for _ in range(claims.MAX_CLAIMS):
        world.claim(board)
        world.answer()
        assert refusal(lambda: world.claim(board)) in ("claim-soon", "claim-limit")
        play_on(world, board, 2)
        assert refusal(lambda: world.claim(board)) in ("claim-soon", "claim-limit")
        play_on(world, board, 2)
    assert refusal(lambda: world.claim(board)) == "claim-limit"
    assert Claim.objects.count() == claims.MAX_CLAIMS
    # Those of the other player are counted apart.
    play_on(world, board, 1)
    world.claim(board, "bob")


def test_the_same_request_twice_is_one_claim(world: ClaimWorld) -> None:
    board = world.at(LOST)
    replies = [world.claim(board, key="one") for _ in range(2)]
    assert replies[0] == replies[1] == ClaimMade(board)
    assert refusal(lambda: world.claim(board, key="two")) == "claim-soon"
    world.answer()
    claims.answer_due(world.now, AFTER_EVENTS)
    assert len(letters()) == 2


def test_a_search_that_was_killed_is_begun_again(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        claims.search_next(world.now, killed)
    # Another worker may be at it.
    assert claims.search_next(world.now, world.prove) is None
    assert not claims.is_any_due(world.now + claims.ANSWER_AFTER)
    world.now += claims.SEARCH_ENDS_AFTER
    assert claims.is_any_due(world.now)
    world.answer()
    assert Match.objects.get(pk=board).reason == "O wins by proof."


def test_a_planted_proof_is_found(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)
    world.answer()
    row = Claim.objects.get()
    right = row.proof
    for wrong in (right.splitlines()[0], right.replace(right.split()[0], "A7"), NOTHING):
        Claim.objects.update(proof=wrong)
        found = [str(one) for one in verify_board(board, VerifyReport())]
        assert any("claim" in one for one in found), wrong
    Claim.objects.update(proof=right, is_draw=True)
    assert differences()
    Claim.objects.update(is_draw=False, seat=1)
    assert differences()
    Claim.objects.update(seat=0)
    assert differences() == []


def test_a_claim_of_a_running_game_cannot_be_planted(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)
    while claims.search_next(world.now, world.prove):
        pass
    Claim.objects.update(answered_at=world.now + claims.ANSWER_AFTER)
    assert any("proven claims" in one for one in differences())


def test_chat_goes_on_beside_a_claim(world: ClaimWorld) -> None:
    board = world.at(LOST)
    world.claim(board)
    perform(Chat("", board, "Well?"), Actor(world.player("bob")), "", world.now)
    world.answer()
    assert len(letters()) == 2
