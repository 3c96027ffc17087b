"""Questions about positions: what they use, what is kept, and what is never answered."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.language.commands import Analyse
from sarsen.language.learning.analysis import AnalysisShown, LikelyMove
from sarsen.language.replies import Refusal
from sarsen.language.translating import sentence
from sarsen.search.analysis import Analysis, Likely, analyse
from sarsen.services.analysis import budget, questions, results, searching
from sarsen.services.analysis.budget import GUEST, MEMBER
from sarsen.services.command_lines import read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.limits.daily import Flood
from sarsen.services.request import Actor
from sarsen.storage.models import AnalysisResult, Analyst, Player
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
VISITOR = Actor(client_address="192.0.2.7")
LINE = ("c1", "b2", "b3", "c3")


@pytest.fixture(autouse=True)
def _search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "are_made", lambda: True)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ann(world: World) -> Actor:
    return Actor(world.player("ann"))


def ask(
    *moves: str, by: Actor = VISITOR, options: str = "-size=5", after: float = 0.0
) -> AnalysisShown:
    now = NOW + timedelta(seconds=after)
    reply = perform(Analyse("druid", options, moves), by, "", now)
    assert isinstance(reply, AnalysisShown)
    return reply


def refused(code: str, *moves: str, **words: object) -> UserError:
    with pytest.raises(UserError) as caught:
        ask(*moves, **words)  # type: ignore[arg-type]
    assert caught.value.code == code
    return caught.value


def found(move: str, seconds: float = 0.5, proved: float | None = None) -> Analysis:
    likely = () if proved is not None else (Likely(move, 0.6),)
    return Analysis(proved, (move,), None, likely, seconds)


def search(move: str, seconds: float = 0.5, after: float = 0.0) -> searching.Claim:
    """Do what the thinker does for the question that has waited longest."""
    now = NOW + timedelta(seconds=after)
    claim = searching.claim(now)
    assert claim is not None
    searching.settle(claim, found(move, seconds), now)
    return claim


def test_a_question_waits_for_the_thinker_and_its_answer_is_kept_and_free(ann: Actor) -> None:
    assert ask(*LINE, by=ann).is_waiting
    assert searching.is_any_waiting()
    claim = search("a1")
    assert (claim.game, claim.seconds) == ("druid", MEMBER.position)
    told = ask(*LINE, by=ann)
    assert [one.move for one in told.likely] == ["a1"]
    assert told.left == MEMBER.hour - 0.5
    # Of another asker it takes nothing.
    assert ask(*LINE).left == GUEST.hour
    assert "Likely best for V, with the chance to win: a1 (60%)." in sentence(told)


def test_an_answer_is_kept_for_the_mirrored_position_in_its_own_moves(ann: Actor) -> None:
    ask(*LINE, by=ann)
    search("a1")
    mirrored = [f"{'edcba'['abcde'.index(move[0])]}{move[1]}" for move in LINE]
    told = ask(*mirrored, by=ann)
    assert [one.move for one in told.likely] == ["e1"]
    assert told.line == ("e1",)
    assert AnalysisResult.objects.count() == 1


def test_the_same_question_again_and_again_is_one_question(ann: Actor) -> None:
    for _ in range(3):
        assert ask(*LINE, by=ann).left == MEMBER.hour - MEMBER.position  # reserved, once
    row = Analyst.objects.get()
    assert (row.number, row.reserved, row.spent) == (1, MEMBER.position, 0)
    # Another one goes after it, and reserves nothing meanwhile.
    assert ask(*LINE[:3], by=ann).is_waiting
    assert Analyst.objects.get().number == 1
    search("a1")
    assert ask(*LINE[:3], by=ann).is_waiting
    assert Analyst.objects.get().number == 2


def test_a_guest_has_a_second_a_position_and_twenty_an_hour() -> None:
    line: tuple[str, ...] = ()
    position = load("druid").start("-size=5")
    for count in range(20):
        told = ask(*line)
        assert told.is_waiting
        assert told.left == GUEST.hour - count - GUEST.position
        search(position.format(position.legal_moves()[0]), seconds=7.0, after=count)
        move = position.legal_moves()[0]
        line, position = (*line, position.format(move)), position.play(move)
    refusal = refused("analysis-budget", *line, after=600)
    assert isinstance(refusal, Flood)
    assert refusal.seconds == 3000
    assert "There is more in 3000 seconds" in str(refusal.text)
    assert not Analyst.objects.get().reserved
    # What was asked before is shown; an hour later there is more.
    assert not ask(*line[:5], after=600).is_waiting
    assert ask(*line, after=3600).is_waiting


def test_visitors_of_one_network_share_their_seconds_and_all_visitors_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask(*LINE, by=Actor(client_address="2001:db8::1"))
    assert ask(*LINE[:2], by=Actor(client_address="2001:db8::2")).left == GUEST.hour - 1
    assert Analyst.objects.count() == 1
    assert "2001" not in Analyst.objects.get().key
    monkeypatch.setattr(budget, "MAX_VISITORS_SECONDS", 2.0)
    ask(*LINE[:3], by=Actor(client_address="192.0.2.9"))
    refused("analysis-budget", *LINE[:2], by=Actor(client_address="192.0.2.10"))
    monkeypatch.setattr(budget, "MAX_VISITORS", 2)
    refused("analysis-budget", *LINE[:2], by=Actor(client_address="192.0.2.11"))
    assert Analyst.objects.count() == 2


def test_a_thinker_that_is_killed_leaves_the_question_to_the_next_one(ann: Actor) -> None:
    ask(*LINE, by=ann)
    first = searching.claim(NOW)
    assert first is not None
    assert searching.claim(NOW) is None  # nobody else takes it for a while
    later = NOW + searching.CLAIM_LASTS
    second = searching.claim(later)
    assert second == replace(first, attempt=2)
    assert (first.gives_way, replace(first, attempt=3).gives_way) == (True, False)
    searching.settle(second, found("a1", 2.0), later)
    searching.settle(first, found("a1", 2.0), later)  # it was not dead after all
    row = Analyst.objects.get()
    assert (row.spent, row.reserved, row.state) == (2.0, 0.0, Analyst.State.DONE)


def test_a_question_that_kills_every_thinker_is_charged_once_and_said_to_have_failed(
    ann: Actor,
) -> None:
    ask(*LINE, by=ann)
    for attempt in range(searching.MAX_ATTEMPTS + 1):
        searching.claim(NOW + attempt * searching.CLAIM_LASTS)
    row = Analyst.objects.get()
    assert (row.spent, row.reserved) == (MEMBER.position, 0.0)
    refused("analysis-failed", *LINE, by=ann, after=100)
    assert ask(*LINE[:2], by=ann, after=100).is_waiting  # another one


def test_a_cancelled_question_costs_what_it_has_used_and_stops_its_search(ann: Actor) -> None:
    row = questions.row_of(ann, NOW)
    ask(*LINE, by=ann)
    questions.cancel(row.pk, 1, NOW)
    assert searching.claim(NOW) is None
    assert Analyst.objects.get().spent == 0.0  # it had not begun
    ask(*LINE, by=ann)
    claim = searching.claim(NOW)
    assert claim is not None
    assert searching.is_wanted(claim)
    questions.cancel(row.pk, 1, NOW)  # the one before
    assert searching.is_wanted(claim)
    later = NOW + timedelta(seconds=2)
    questions.cancel(row.pk, 2, later)
    assert not searching.is_wanted(claim)
    searching.give_back(claim, later)
    searching.settle(claim, found("a1", 2.0), later)
    row.refresh_from_db()
    assert (row.spent, row.reserved, row.state) == (2.0, 0.0, "")


def test_only_so_many_answers_are_kept_those_used_longest_ago_go_first() -> None:
    for count in range(5):
        used = NOW + timedelta(days=count)
        results.store(f"key {count}", "…", found("a1"), 1.0, used)
    results.find("key 0", NOW + timedelta(days=9))
    assert results.clear(2) == 3
    assert sorted(AnalysisResult.objects.values_list("key", flat=True)) == ["key 0", "key 4"]


def test_a_longer_search_replaces_an_answer_and_a_shorter_one_does_not(ann: Actor) -> None:
    ask(*LINE)
    search("a1")
    assert ask(*LINE, by=ann).is_waiting  # a member's five seconds find more than a guest's one
    search("a2")
    for asker in (ann, VISITOR):
        assert [one.move for one in ask(*LINE, by=asker).likely] == ["a2"]
    results.store(AnalysisResult.objects.get().key, "…", found("a5"), 0.5, NOW)
    assert [one.move for one in ask(*LINE).likely] == ["a2"]


def test_what_is_over_or_cannot_be_read_is_refused_as_the_game_says(ann: Actor) -> None:
    refused("druid.off-board", "z9", by=ann)
    refused("druid.opening", "c3", by=ann)
    with pytest.raises(UserError) as unknown:
        perform(Analyse("chess"), ann, "", NOW)
    assert unknown.value.code == "unknown-game"
    over = over_line()
    assert refused("game-over", *over, by=ann).hint.endswith(over[-2])
    assert not Analyst.objects.exists()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("analyse", "analysis-game"),
        ("analyse druid -size=99", "option-range"),
        ("analyse druid -size=5 -sise=6 c1", "unknown-option"),
        ("analyse druid -size=5 -size=6", "repeated-option"),
        ("analyse druid -size=5 c1 z9 b2", "druid.off-board"),
        ("analyse druid c1 zz c1", "druid.unreadable-move"),
        ("analyse vasco -size=30 a1 zz", "vasco.unreadable-move"),
        ("analyse visavis -size=9 A3 A3", "visavis.other-side"),
    ],
)
def test_the_hint_of_a_refusal_is_a_line_that_works(line: str, code: str) -> None:
    refusal = read_and_perform(line, "", VISITOR, "", NOW).reply
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert isinstance(read_and_perform(refusal.hint, "", VISITOR, "", NOW).reply, AnalysisShown)


def over_line() -> tuple[str, ...]:
    """Return random moves to the end of a game."""
    position, line, chance = load("druid").start("-size=5"), list[str](), random.Random(1)
    while position.outcome() is None:
        move = chance.choice(position.legal_moves())
        line.append(position.format(move))
        position = position.play(move)
    return tuple(line)


def test_a_server_without_searches_says_so(monkeypatch: pytest.MonkeyPatch, ann: Actor) -> None:
    monkeypatch.setattr(questions, "are_made", lambda: False)
    refused("analysis-off", *LINE, by=ann)


def test_a_real_search_is_settled_with_the_processor_time_it_took(ann: Actor) -> None:
    options = "-size=9"
    asked = Analyse("visavis", options, ("H2",))
    perform(asked, ann, "", NOW)
    claim = searching.claim(NOW)
    assert claim is not None
    position = load(claim.game).read(claim.position)
    found = analyse(position, 0.5)
    searching.settle(claim, found, NOW)
    told = perform(asked, ann, "", NOW)
    assert isinstance(told, AnalysisShown)
    assert told.proved in ("win", "loss")
    assert Player.objects.count() == 1
    used = min(max(found.seconds, budget.LEAST_SECONDS), MEMBER.position)
    assert Analyst.objects.get().spent == pytest.approx(used)


def test_moves_that_look_alike_are_said_to_be_so() -> None:
    alike = AnalysisShown("gyges", "Gyges", "", (), "South", likely=_likely(0.501, 0.499))
    assert sentence(alike).endswith("No move stands out.")
    best = AnalysisShown("gyges", "Gyges", "", (), "South", likely=_likely(0.6, 0.5))
    assert "stands out" not in sentence(best)


def _likely(*chances: float) -> tuple[LikelyMove, ...]:
    return tuple(LikelyMove(move, chance) for move, chance in zip("ab", chances, strict=True))


def test_a_finished_game_is_asked_about_by_its_number(world: World, ann: Actor) -> None:
    moves = ("a1", "b2", "a2", "c2", "a3")
    board = world.board("druid", " ".join(moves), options="-size=3")

    def asked(*more: str, due: int = 0) -> AnalysisShown:
        reply = perform(Analyse("", "", more, board=board, due=due), ann, "", NOW)
        assert isinstance(reply, AnalysisShown)
        return reply

    last = asked()  # where a move is left to find
    assert (last.game, last.options, last.moves) == ("druid", "-size=3", moves[:-1])
    assert asked(due=3).moves == moves[:2]
    assert asked("c3", due=3).moves == (*moves[:2], "c3")
    assert asked(due=1).moves == ()
    with pytest.raises(UserError) as caught:
        asked(due=9)
    assert caught.value.code == "unknown-ply"
    with pytest.raises(UserError) as caught:
        perform(Analyse("", "-size=4", board=board), ann, "", NOW)
    assert caught.value.code == "analysis-options"


def test_a_private_board_has_no_number_for_others(world: World) -> None:
    board = world.board("druid", "c1 b2", options="-size=5", terms=("--private",))
    for number in (board, board + 1):
        with pytest.raises(UserError) as caught:
            perform(Analyse("", board=number), VISITOR, "", NOW)
        assert caught.value.code == "unknown-board"


POSITIONS = {
    "druid": "-size=5;9;;Vc1 Vd1 Ve1 Ha3 Va4 Hd4 He4 Vd5 He4",
    "gyges": "S 231123/f/f/f/f/321123",
    "vasco": "18 X 0,0=a",
    "visavis": "-size=7;;7/5o1/1oo4/4x1x/2o3o/5x1/5x1",
}


@pytest.mark.parametrize("game", POSITIONS)
def test_a_position_is_set_up_and_played_on_from(game: str) -> None:
    start = load(game).read(POSITIONS[game])
    move = start.format(start.legal_moves()[0])
    reply = perform(Analyse(game, "", (move,), POSITIONS[game]), VISITOR, "", NOW)
    assert isinstance(reply, AnalysisShown)
    assert (reply.position, reply.moves, reply.is_waiting) == (POSITIONS[game], (move,), True)
    claim = searching.claim(NOW)
    assert claim is not None
    assert claim.position == start.play(start.legal_moves()[0]).write()


@pytest.mark.parametrize("game", POSITIONS)
def test_whatever_is_set_up_is_a_position_or_refused_with_one(game: str) -> None:
    chance = random.Random(game)
    signs = sorted({*"".join(POSITIONS.values())})
    for _ in range(300):
        line = list(POSITIONS[game])
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(line))
            line[at : at + chance.randrange(2)] = chance.choice(([], [chance.choice(signs)]))
        text = "".join(line)
        try:
            question = questions.question_of(Analyse(game, position=text), VISITOR)
        except UserError as refusal:
            hint = str(refusal.hint)
            assert refusal.code == "game-over" or hint.startswith(f"analyse {game} from ")
        else:
            assert question.position.legal_moves()


def test_a_refused_position_says_why_and_shows_one_that_works(ann: Actor) -> None:
    def said(line: str) -> object:
        return read_and_perform(line, "", ann, "", NOW).reply

    reply = said("analyse gyges from S 231123/f/f/f/f/32112")
    assert isinstance(reply, Refusal)
    assert "is not a row of six slots" in str(reply.text)
    assert reply.hint == f"analyse gyges from {load('gyges').start().write()}"
    assert isinstance(said(str(reply.hint)), AnalysisShown)
    with pytest.raises(UserError) as caught:
        perform(Analyse("druid", position="Vc1 " * 400), ann, "", NOW)
    assert caught.value.code == "setup-long"
