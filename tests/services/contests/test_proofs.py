"""Proofs at the end date (E16), and of losses on time (E11): searched, checked, kept, rated."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

import pytest

from contest_world import DAY, ContestWorld
from sarsen.core import answers
from sarsen.core.answers import NotProvedError
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Outcome
from sarsen.games import load
from sarsen.language.commands import LeaveContest, PlayMove, Resign
from sarsen.search import written_proofs
from sarsen.services.admin.actions import undo_forfeit
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks import running as clocks
from sarsen.services.contests.course import proving, running
from sarsen.services.contests.course.proving import Prover
from sarsen.services.contests.views.facts import view_proof
from sarsen.services.contests.views.pages import view_page
from sarsen.services.ratings import rating
from sarsen.storage.models import (
    Contest,
    ContestBoard,
    ContestEvent,
    Heartbeat,
    Match,
    MatchEvent,
    Result,
)

SHORT = ("--days=14", "--forfeittime=30")


def position_of(game: str, options: str, *moves: str) -> AnyPosition:
    position = load(game).start(options)
    for move in moves:
        position = position.play(position.parse(move))
    return position


def prove(game: str, position: str) -> str:
    return written_proofs.prove(load(game).read(position))


@pytest.fixture(scope="module")
def proof() -> str:
    """The answers of the first seat of the smallest board of Visavis."""
    return written_proofs.prove(position_of("visavis", "-size=5"))


def test_a_search_finds_answers_that_the_rules_confirm(proof: str) -> None:
    start = position_of("visavis", "-size=5")
    checked = answers.check(start, proof)
    assert checked.winner == answers.winner_of(start, proof) == 0
    # Independent of the check: a second walk, by hand, in which every reply is tried.
    known = {tuple(line.split()[:-1]): line.split()[-1] for line in proof.splitlines()}
    positions = {start.write(): known[()]}
    for path, answer in known.items():
        position = start
        for move in path:
            position = position.play(position.parse(move))
        positions[position.write()] = answer
    waiting, games = [start], 0
    while waiting:
        position = waiting.pop()
        after = position.play(position.parse(positions[position.write()]))
        replies = [] if after.outcome() else [after.play(one) for one in after.legal_moves()]
        games += not replies
        waiting += replies
        outcome = after.outcome()
        assert outcome is None or outcome.winner == 0
    assert games


def test_the_seat_that_moves_second_is_proved_as_well() -> None:
    start = position_of("vasco", "-size=12", "a1")
    text = written_proofs.prove(start)
    assert answers.check(start, text).winner == 1


@pytest.mark.parametrize("line", [0, 3, 7, 12])
def test_no_answer_can_be_left_out_or_changed(proof: str, line: int) -> None:
    start = position_of("visavis", "-size=5")
    lines = proof.splitlines()
    for changed in (
        lines[:line] + lines[line + 1 :],
        [*lines[:line], lines[line] + "9", *lines[line + 1 :]],
        [*lines, lines[-1] + " A1"],
    ):
        with pytest.raises(NotProvedError):
            answers.check(start, "\n".join(changed))


@pytest.mark.parametrize("text", ["", "Z9", "A1 A1", "D2", "\x00", "D2 D5"])
def test_what_is_no_proof_is_refused(text: str) -> None:
    with pytest.raises(NotProvedError):
        answers.check(position_of("visavis", "-size=5"), text)


def ended(world: ContestWorld, late: timedelta = timedelta()) -> Contest:
    """Let a contest come to its end date, and be decided."""
    contest = Contest.objects.get(pk=world.number)
    assert contest.ends_at is not None
    world.now = contest.ends_at + late
    world.sweep()
    contest.refresh_from_db()
    return contest


def play(world: ContestWorld, board: Match, chance: random.Random) -> None:
    """Play any move, by the player who is to move."""
    match = Match.objects.get(pk=board.pk)
    position = load(match.game).read(match.position)
    move = position.format(chance.choice(position.legal_moves()))
    userid = match.seat_rows[match.seat_to_move].player.userid
    world.say(userid, PlayMove(match.game, board.pk, move))


def differences() -> list[str]:
    return [str(one) for one in verify(VerifyReport(), lambda: None)]


@pytest.mark.django_db
def test_e16_a_proved_win_counts_and_is_rated() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", options="-size=7", terms=SHORT)
    played, chance = world.board("ann", "bob"), random.Random(2)
    for _ in range(8):
        play(world, played, chance)
    world.prove = prove
    contest = ended(world)
    assert contest.state == "ended"
    row = ContestBoard.objects.select_related("match").get(match=played)
    assert row.match.scores == [1.0, 0.0]
    assert answers.check(load("visavis").read(row.match.position), row.proof).winner == 0
    assert row.match.reason.startswith("O can force a win")
    # A player whose win is proved has brought it about; other decisions are not rated.
    assert set(Result.objects.filter(is_rated=True).values_list("match", flat=True)) == {played.pk}
    assert view_proof(world.number, played.pk) == row.proof
    with pytest.raises(UserError) as refusal:
        view_proof(world.number, world.board("ann", "cid").pk)
    assert refusal.value.code == "no-proof"
    assert differences() == []


@pytest.mark.django_db
def test_e16_without_a_proof_the_law_decides_unrated() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", terms=SHORT)
    world.prove = lambda game, position: ""
    ended(world)
    # Nobody has made the first move: the seat that was due loses.
    assert [match.scores for match in Match.objects.all()] == [[0.0, 1.0]] * 3
    assert set(ContestBoard.objects.values_list("proof", flat=True)) == {"-"}
    assert not Result.objects.filter(is_rated=True).exists()
    assert differences() == []


@pytest.mark.django_db
def test_e16_where_nothing_can_be_proved_nothing_is_asked() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", terms=SHORT)
    Contest.objects.update(law=Contest.objects.get().law | {"proofs": False})
    asked: list[str] = []

    def find_nothing(game: str, position: str) -> str:
        asked.append(position)
        return ""

    world.prove = find_nothing
    assert ended(world).state == "ended"
    assert not asked


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "in_first_run"), [(0.0, [1, 1]), (20.0, [6, 6])])
def test_e16_boards_are_asked_as_long_as_a_run_may_take_and_none_twice(
    monkeypatch: Any, seconds: float, in_first_run: list[int]
) -> None:
    monkeypatch.setattr(proving, "RUN_SECONDS", seconds)
    world, asked = ContestWorld(), Counter[str]()
    games = {"visavis": "-size=5", "vasco": "-size=12"}
    for game, options in games.items():
        terms = ("--solved", *SHORT) if game == "vasco" else SHORT
        world.make("ann", "bob", "cid", "dora", game=game, options=options, terms=terms)
    assert {contest.law["proofs"] for contest in Contest.objects.all()} == {True}

    def find_nothing(game: str, position: str) -> str:
        asked[game] += 1
        return ""

    world.skip_to(max(one.ends_at for one in Contest.objects.all() if one.ends_at))
    running.sweep(world.now, AFTER_EVENTS, find_nothing)
    assert [asked[game] for game in games] == in_first_run
    world.prove = find_nothing
    world.sweep()
    assert asked == {"visavis": 6, "vasco": 6}


def lost_in_one_absence(prove: Prover | None) -> tuple[ContestWorld, list[Match]]:
    """Let ann lose two boards on time in one absence; return them in the order of their ends."""
    world, chance = ContestWorld(), random.Random(2)
    world.prove = prove
    world.make("ann", "bob", "cid", options="-size=7", terms=("--forfeittime=10",))
    for other in ("bob", "cid"):
        match = world.board("ann", other)
        for _ in range(5):
            match.refresh_from_db()
            if match.ply < 4 or match.seat_rows[match.seat_to_move].player.key != "ann":
                play(world, match, chance)
        world.now += timedelta(hours=1)
    world.wait(14 * DAY)
    lost = MatchEvent.objects.filter(kind="forfeit").order_by("at", "pk")
    boards = [
        event.match for event in lost if event.match.seat_rows[event.seat].player.key == "ann"
    ]
    assert len(boards) == 2
    return world, boards


def is_rated(match: Match) -> bool:
    assert Match.objects.get(pk=match.pk).ended_at is not None
    (found,) = set(match.results.values_list("is_rated", flat=True))
    return bool(found)


@pytest.mark.django_db
@pytest.mark.parametrize("winner", ["bob or cid", "ann", "nobody"])
def test_e11_a_further_loss_of_an_absence_is_rated_if_a_program_confirms_it(
    monkeypatch: Any, winner: str
) -> None:
    asked: list[str] = []

    def find(game: str, position: str) -> str:
        asked.append(position)
        return "" if winner == "nobody" else "an answer"

    def give_scores(position: AnyPosition, text: str) -> list[float]:
        """Let the seat win that is to move, which has lost on time, or the other one."""
        named = position.seat if winner == "ann" else 1 - position.seat
        return [float(seat == named) for seat in range(2)]

    monkeypatch.setattr(proving, "scores_of", give_scores)
    _, (first, further) = lost_in_one_absence(find)
    assert asked == [further.position]
    assert is_rated(first)
    assert is_rated(further) == (winner == "bob or cid")
    proofs = dict(ContestBoard.objects.values_list("match", "proof"))
    assert proofs[first.pk] == ""
    assert proofs[further.pk] == ("an answer" if winner == "bob or cid" else "-")
    # Both are rated in the order of their ends, as if it had been known at once.
    rated = Result.objects.filter(is_rated=True).order_by("at", "match", "seat")
    numbers = list(rated.values_list("match", "seat", "rating", "deviation"))
    assert None not in {value for row in numbers for value in row}
    rating.rate_anew("visavis")
    rating.sweep()
    assert list(rated.values_list("match", "seat", "rating", "deviation")) == numbers


@pytest.mark.django_db
def test_e11_the_proof_is_kept_shown_and_checked() -> None:
    world, (_, further) = lost_in_one_absence(prove)
    position = load("visavis").read(further.position)
    text = prove("visavis", further.position)
    assert answers.check(position, text).winner == 1 - position.seat
    assert is_rated(further)
    assert view_proof(world.number, further.pk) == text
    assert view_page(world.number, None, world.now).proofs == (further.pk,)
    assert differences() == []
    for planted in (f"{text} A1", prove("visavis", load("visavis").start("-size=5").write())):
        ContestBoard.objects.filter(match=further).update(proof=planted)
        assert any("proof of" in one for one in differences())
    ContestBoard.objects.filter(match=further).update(proof=text)
    Match.objects.filter(pk=further.pk).update(terms=further.terms | {"unrated": True})
    assert any("proof of" in one for one in differences())


@pytest.mark.django_db
def test_e11_a_game_that_goes_on_after_an_unrated_loss_is_rated_at_its_end() -> None:
    world, (_, further) = lost_in_one_absence(lambda game, position: "")
    assert not is_rated(further)
    undo_forfeit(further.pk, "The mail did not arrive.", world.now)
    assert ContestBoard.objects.get(match=further).proof == ""
    loser = further.seat_rows[1 - further.seat_to_move].player.key
    world.say(loser, Resign("visavis", further.pk, confirmed=True))
    assert is_rated(further)


@pytest.mark.django_db
def test_e5_between_the_end_date_and_the_decision_nothing_changes_a_board() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", terms=SHORT)
    contest = Contest.objects.get()
    assert contest.ends_at is not None
    world.now = contest.ends_at
    match = world.board("ann", "bob")
    for command in (
        Resign("visavis", match.pk, confirmed=True),
        LeaveContest(world.number, confirmed=True),
    ):
        with pytest.raises(UserError) as refusal:
            world.say("ann", command)
        assert refusal.value.code == "contest.ended"
    assert "withdrawn" not in world.kinds()
    assert not Match.objects.exclude(ended_at=None).exists()


@pytest.mark.django_db
def test_e5_a_sweep_two_days_late_proves_the_same() -> None:
    found = []
    for late in (timedelta(), 2 * DAY):
        world = ContestWorld()
        world.make("ann", "bob", "cid", terms=SHORT)
        world.prove = prove
        contest = ended(world, late)
        rows = ContestBoard.objects.filter(contest=contest).order_by("key")
        log = ContestEvent.objects.filter(contest=contest, kind="decided")
        found.append(
            (
                list(rows.values_list("key", "proof")),
                [(event.due, event.facts) for event in log.order_by("number")],
            )
        )
    assert found[0] == found[1]


@pytest.mark.django_db
def test_e5_nobody_loses_on_time_after_the_end_date() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", terms=SHORT)
    contest = Contest.objects.get()
    assert contest.ends_at is not None
    # The clocks look first, and late: what is due after the end date is not theirs.
    for late in (5, 8):  # the first look warns
        world.now = contest.ends_at + late * DAY
        Heartbeat.objects.update_or_create(name="clocks", defaults={"at": world.now})
        clocks.sweep(world.now, AFTER_EVENTS)
    assert not MatchEvent.objects.filter(kind="forfeit").exists()
    world.sweep()
    assert MatchEvent.objects.filter(kind="decide").count() == 3
    assert differences() == []


@dataclass(frozen=True)
class Circle:
    """A position that may be left for another and come back for ever; or be won at once."""

    seat: int = 0
    game: None = None

    def outcome(self) -> Outcome | None:
        return Outcome((1.0, 0.0), "won") if self.seat == 2 else None

    def write(self) -> str:
        return str(self.seat)

    def legal_moves(self) -> list[str]:
        return [] if self.seat == 2 else ["on", *(["win"] if self.seat == 0 else [])]

    def play(self, move: str) -> Circle:
        return Circle(2 if move == "win" else 1 - self.seat)

    def parse(self, text: str) -> str:
        return text


def test_a_line_that_comes_back_is_no_win() -> None:
    assert answers.check(cast(AnyPosition, Circle()), "win").winner == 0
    with pytest.raises(NotProvedError, match="comes back"):
        answers.check(cast(AnyPosition, Circle()), "on")
