"""What programs do at boards, without the process that thinks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    AnswerOffer,
    AskUndo,
    Chat,
    MakeChallenge,
    OfferDraw,
    PlayMove,
    QueueMoves,
    Subscribe,
)
from sarsen.language.replies import ChallengeStands, Offered, TakenBack
from sarsen.search.thought import Thought, gives_up
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.boards.view import view_board
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.bots.due_boards import DueBoard, boards_due
from sarsen.services.clocks.running import sweep
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import ChatLine, Match, MatchEvent, OutgoingMail
from sarsen.workers.thinking.playing import BotTurn, carry_out, is_still_due, take_up
from web_world import NOW, World

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=365)


@pytest.fixture
def world() -> World:
    make_accounts(NOW)
    return World()


def begin(world: World, *names: str, terms: tuple[str, ...] = (), options: str = "-size=4") -> int:
    command = MakeChallenge("druid", options, terms, names)
    reply = perform(command, Actor(world.player("ann")), "", NOW)
    assert isinstance(reply, ChallengeStands)
    assert reply.board is not None
    return reply.board


def play(world: World, board: int, text: str) -> None:
    perform(PlayMove("druid", board, text), Actor(world.player("ann")), "", NOW)


def due() -> DueBoard:
    (board,) = boards_due(1, 8, but=(), limit=10)
    return board


def taken_up() -> BotTurn:
    turn = take_up(due())
    assert turn is not None
    return turn


def first_move(turn: BotTurn, **more: float) -> Thought:
    return Thought(turn.position.legal_moves()[0], 0.5, **more)  # type: ignore[arg-type]


def texts(board: int) -> list[str]:
    return list(MatchEvent.objects.filter(match=board).values_list("text", flat=True))


def test_board_is_due_while_a_program_is_to_move_and_its_move_reaches_the_person(
    world: World,
) -> None:
    board = begin(world, "me", "bot3")
    assert not boards_due(1, 8, but=(), limit=10)
    play(world, board, "a1")
    turn = taken_up()
    assert (turn.board, turn.level, turn.player.userid, turn.is_to_move) == (board, 3, "bot3", True)
    carry_out(turn, first_move(turn), NOW)
    assert not boards_due(1, 8, but=(), limit=10)
    letter = OutgoingMail.objects.get()
    assert (letter.address, letter.kind, letter.event) == ("ann@example.org", "board", "turn")


def test_the_same_thought_again_plays_once(world: World) -> None:
    board = begin(world, "bot3", "me")
    turn = taken_up()
    for _ in range(3):
        carry_out(turn, first_move(turn), NOW)
    assert len(texts(board)) == 1


def test_two_thoughts_about_one_turn_play_the_first_that_comes(world: World) -> None:
    board = begin(world, "bot3", "me")
    first, second = taken_up(), taken_up()
    carry_out(first, first_move(first), NOW)
    carry_out(second, Thought(second.position.legal_moves()[5], 0.5), NOW)
    assert texts(board) == [first.position.format(first.position.legal_moves()[0])]


def test_thought_about_a_position_that_was_taken_back_changes_nothing(world: World) -> None:
    board = begin(world, "me", "bot3", terms=("--unrated",))
    play(world, board, "a1")
    was_due, turn = due(), taken_up()
    undone = perform(AskUndo("druid", board), Actor(world.player("ann")), "", NOW)
    assert isinstance(undone, TakenBack)
    play(world, board, "b1")
    with pytest.raises(UserError) as refused:
        carry_out(turn, first_move(turn), NOW)
    assert refused.value.code == "stale-board"
    assert not is_still_due(was_due)
    assert take_up(was_due) is None
    assert due().event == 3


def test_boards_that_wait_longest_come_first_within_their_levels(world: World) -> None:
    boards = {level: begin(world, f"bot{level}", "me") for level in (7, 2, 8, 1)}
    for minutes, level in enumerate((8, 7, 2, 1)):
        moved_at = NOW + timedelta(minutes=minutes)
        Match.objects.filter(pk=boards[level]).update(moved_at=moved_at)
    found = boards_due(1, 8, but=(), limit=3)
    assert [one.level for one in found] == [8, 7, 2]
    assert [one.level for one in boards_due(1, 5, but=(), limit=3)] == [2, 1]
    assert [one.level for one in boards_due(6, 8, but={boards[8]}, limit=1)] == [7]


def test_boards_of_people_come_before_those_of_programs_alone(world: World) -> None:
    alone = begin(world, "bot7", "bot8")
    with_ann = begin(world, "bot7", "me")
    Match.objects.filter(pk=alone).update(moved_at=NOW - timedelta(days=1))
    found = boards_due(1, 8, but=(), limit=2)
    assert [one.board for one in found] == [with_ann, alone]


def test_no_clock_runs_for_a_program_and_it_never_loses_on_time(world: World) -> None:
    board = begin(world, "bot3", "me", terms=("--totaltime=1", "--forfeittime=1"))
    match = Match.objects.get(pk=board)
    assert (match.turn_began_at, match.due_at, match.look_at) == (None, None, None)
    assert sweep(NOW + YEAR, AFTER_EVENTS) == 0
    assert view_board(board).clock is None
    turn = taken_up()
    carry_out(turn, first_move(turn), NOW + YEAR)
    match.refresh_from_db()
    assert match.ended_at is None
    assert match.due_at is not None  # the person's clock begins only now
    assert match.due_at > NOW + YEAR
    assert match.seats.get(seat=0).reserve == 86_400


def test_queued_moves_answer_a_program_as_they_answer_people(world: World) -> None:
    board = begin(world, "bot3", "me")
    ann = Actor(world.player("ann"))
    perform(QueueMoves("druid", board, "if any then d4"), ann, "", NOW)
    turn = taken_up()
    carry_out(turn, first_move(turn), NOW)
    assert texts(board)[1:] == ["d4"]
    assert due().event == 2


def test_program_takes_moves_back_where_nothing_is_rated(world: World) -> None:
    board = begin(world, "me", "bot3", terms=("--unrated",))
    play(world, board, "a1")
    turn = taken_up()
    carry_out(turn, first_move(turn), NOW)
    undone = perform(AskUndo("druid", board), Actor(world.player("ann")), "", NOW)
    assert isinstance(undone, TakenBack)
    assert undone.ply == 0


def test_program_takes_nothing_back_in_rated_games_and_says_where_it_does(world: World) -> None:
    board = begin(world, "me", "bot3")
    play(world, board, "a1")
    with pytest.raises(UserError) as refused:
        perform(AskUndo("druid", board), Actor(world.player("ann")), "", NOW)
    assert refused.value.code == "bot-undo"
    assert refused.value.hint == "druid challenge --unrated me bot3"


@pytest.mark.parametrize(("proved", "is_over"), [(0.5, True), (1.0, False), (None, False)])
def test_program_agrees_only_to_a_draw_that_is_proved(
    world: World, proved: float | None, is_over: bool
) -> None:
    board = begin(world, "me", "bot3")
    ann = Actor(world.player("ann"))
    assert isinstance(perform(OfferDraw("druid", board), ann, "", NOW), Offered)
    turn = taken_up()
    assert (turn.is_to_move, turn.offer is not None) == (False, True)
    carry_out(turn, Thought(turn.position.legal_moves()[0], 0.5, proved=proved), NOW)
    match = Match.objects.get(pk=board)
    assert (match.ended_at is not None) == is_over
    assert match.bot_level is None
    assert not boards_due(1, 8, but=(), limit=10)
    (letter,) = OutgoingMail.objects.all()
    assert letter.kind == ("board" if is_over else "offer-answer")


def test_draw_offered_with_a_move_is_declined_by_the_programs_next_move(world: World) -> None:
    board = begin(world, "me", "bot3")
    ann = Actor(world.player("ann"))
    play(world, board, "a1")
    perform(OfferDraw("druid", board), ann, "", NOW)
    turn = taken_up()
    assert (turn.is_to_move, turn.offer is not None) == (True, True)
    carry_out(turn, first_move(turn), NOW)
    match = Match.objects.get(pk=board)
    assert (match.ply, match.offer, match.bot_level) == (2, None, None)


def test_offer_that_is_taken_off_needs_no_answer(world: World) -> None:
    board = begin(world, "me", "bot3")
    ann = Actor(world.player("ann"))
    perform(OfferDraw("druid", board), ann, "", NOW)
    was_due = due()
    perform(AnswerOffer("druid", board), ann, "", NOW)
    assert take_up(was_due) is None


def test_program_resigns_only_what_is_proved_lost_and_near_its_end() -> None:
    lost = Thought("c3", 0.0, proved=0.0, plies=4)
    assert gives_up(6, lost)
    assert not gives_up(2, lost)  # beginners want to win to the end
    assert not gives_up(6, Thought("c3", 0.0, proved=0.0, plies=30))
    assert not gives_up(6, Thought("c3", 0.0, proved=0.0))
    assert not gives_up(6, Thought("c3", 0.0))


def test_program_that_resigns_thanks_for_the_game_in_its_last_letter(world: World) -> None:
    board = begin(world, "bot6", "me")
    turn = taken_up()
    carry_out(turn, Thought("c3", 0.0, proved=0.0, plies=2), NOW)
    match = Match.objects.get(pk=board)
    assert match.scores == [0.0, 1.0]
    assert "thank you for the game" in ChatLine.objects.get(match=board).text
    assert [letter.kind for letter in OutgoingMail.objects.all()] == ["board"]


def test_program_answers_words_once_a_game(world: World) -> None:
    board = begin(world, "me", "bot3")
    ann = Actor(world.player("ann"))
    for _ in range(3):
        perform(Chat("druid", board, "Hello!"), ann, "", NOW)
    said = ChatLine.objects.filter(match=board, player__level=3)
    assert [line.text.count("program of level 3") for line in said] == [1]
    assert [letter.kind for letter in OutgoingMail.objects.all()] == ["chat"]


def test_watchers_of_a_game_between_programs_get_no_mail_for_every_move(world: World) -> None:
    board = begin(world, "bot1", "bot2")
    perform(Subscribe((str(board),)), Actor(world.player("ann")), "", NOW)
    turn = taken_up()
    carry_out(turn, first_move(turn), NOW)
    assert not OutgoingMail.objects.exists()
    assert due().level == 2  # the other one


def test_programs_play_a_game_to_its_end(world: World) -> None:
    board = begin(world, "bot1", "bot1", options="-size=3")
    for _ in range(200):
        found = boards_due(1, 8, but=(), limit=1)
        if not found:
            break
        turn = take_up(found[0])
        assert turn is not None
        moves = turn.position.legal_moves()
        wins = [one for one in moves if turn.position.play(one).outcome()]
        carry_out(turn, Thought((wins or moves)[turn.seed % len(wins or moves)], 0.5), NOW)
    match = Match.objects.get(pk=board)
    assert match.ended_at is not None
    assert match.bot_level is None


def test_seed_of_a_board_is_kept_and_another_one_at_each_move(world: World) -> None:
    begin(world, "bot3", "me")
    first = taken_up()
    assert taken_up().seed == first.seed
    begin(world, "bot3", "me")
    seeds = {take_up(one).seed for one in boards_due(1, 8, but=(), limit=9)}  # type: ignore[union-attr]
    assert len(seeds) == 2
