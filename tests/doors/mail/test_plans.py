"""Plans by mail: queued in an answer, played with the other side's letter, told in words."""

from __future__ import annotations

import pytest

from doors.mail.conftest import ANN, BOB, PostOffice, text_of, words_of
from sarsen.games import load
from sarsen.storage.models import Match, Plan


def _texts() -> list[str]:
    return list(Match.objects.get().events.filter(kind="move").values_list("text", flat=True))


def _html(letter: object) -> str:
    part = letter.get_body(("html",))  # type: ignore[attr-defined]
    return str(part.get_content())


def test_plan_is_queued_by_answering_a_letter_and_played_when_its_turn_comes(
    post: PostOffice,
) -> None:
    letters = post.board()
    post.answer(letters["ann"], "queue a1; if d4 then a2; if any then b1")
    kept = text_of(post.last(ANN))
    assert "You played a1 (move 1)." in kept
    assert "Planned: if d4 then a2; if any then b1." in kept
    assert kept.count("Planned:") == 1
    assert "To drop it: queue 1 off" in kept
    post.answer(post.last(BOB), "d4")
    theirs = words_of(post.last(BOB))
    assert "You played d4 (move 2)." in theirs
    assert "The planned answer a2 by ann was played at once (move 3)." in theirs
    assert "after 3 moves: bob (H) to move" in theirs
    (mine,) = post.box(ANN)
    told = "bob played d4. Your planned answer a2 was played at once (move 3). bob moves next."
    assert told in words_of(mine)
    assert "Your planned answer a2" in _html(mine)


def test_letter_to_the_owner_says_what_is_planned_and_no_other_letter_does(
    post: PostOffice,
) -> None:
    letters = post.board()
    post.answer(letters["bob"], "queue if a1 then d4, if a2 then c4")
    assert "Planned: if a1 then d4, if a2 then c4." in text_of(post.last(BOB))
    post.answer(letters["ann"], "a1")
    mine, theirs = post.last(BOB), post.last(ANN)
    assert "Planned: if a2 then c4." in text_of(mine)
    assert "Planned: if a2 then c4." in _html(mine)
    assert "Planned" not in theirs.as_string()
    assert "if a2" not in theirs.as_string()


def test_no_letter_to_the_other_side_holds_a_word_of_a_plan(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "queue if a1 then d4, if any then d1-d3")
    post.box(BOB)
    post.answer(letters["ann"], "a1")
    mine = post.last(ANN)
    for line in ("show", "showas", "queue", "notes", "history", "export", "games"):
        post.answer(mine, line)
    eve = post.join("eve")
    for line in ("druid show 1", "show bob", "showas 1", "queue 1", "queue 1 publish", "export"):
        post.answer(eve, line)
    for letter in [mine, *post.box(ANN), *post.box("eve@eve.example")]:
        assert "d1-d3" not in letter.as_string()
        assert "if any" not in letter.as_string()
    post.answer(post.last(BOB), "showas 1")
    assert "if any then d1-d3" in text_of(post.last(BOB))


def test_dropped_move_is_told_with_the_rule_that_refused_it(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "queue a1; if any then d4")
    post.box(ANN)
    post.answer(post.last(BOB), "d4")
    answer = text_of(post.last(BOB))
    assert "dropped" not in answer
    letter = words_of(post.last(ANN))
    assert "bob played d4. Dropped from your plan, with everything after it: d4. " in letter
    assert "It is your turn." in letter
    assert _texts() == ["a1", "d4"]


def test_letter_says_when_a_plan_does_not_cover_what_was_played(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "queue a1; if d4 then a2")
    post.box(ANN)
    post.answer(post.last(BOB), "c4")
    letter = words_of(post.last(ANN))
    assert "Your plan does not cover c4 by bob, so it is on hold. It is your turn." in letter
    assert "Planned:" not in letter


def test_plan_that_holds_again_after_moves_were_taken_back_is_told(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "queue if a1 then d4; if b1 then c4")
    post.answer(letters["ann"], "a1")
    post.answer(post.last(ANN), "undo")
    post.answer(post.last(BOB), "accept")
    accepted = text_of(post.last(BOB))
    assert "Planned: if a1 then d4; if b1 then c4." in accepted
    post.answer(post.last(ANN), "b1")
    assert _texts() == ["a1", "d4", "b1", "c4"]


def test_refused_plan_names_the_item_and_changes_nothing(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "queue a1; if d4 then d4; if any then b1")
    answer = text_of(post.last(ANN))
    assert "Nothing was changed: In `if d4 then d4`, d4:" in answer
    assert "[druid." in answer
    assert Match.objects.get().ply == 0
    assert not Plan.objects.exists()


def test_old_form_with_userid_and_password(post: PostOffice) -> None:
    post.board()
    post.send("ann@else.example", subject="druid queue 1 ann secret-ann a1; if d4 then a2")
    answer = post.last("ann@else.example")
    assert "You played a1 (move 1)." in text_of(answer)
    assert "Planned: if d4 then a2." in text_of(answer)
    assert "secret-ann" not in answer.as_string()
    assert _texts() == ["a1"]


def test_forged_plan_does_nothing(post: PostOffice) -> None:
    letters = post.board()
    post.send(BOB, subject="druid queue 1 ann wrong-word a1; if d4 then a2")
    post.send(BOB, "queue a1; if d4 then a2", subject="Druid Board 1")
    forged = str(letters["ann"]["Reply-To"]).replace("board-1-0", "board-1-1")
    post.send(BOB, "queue a1; if d4 then a2", to=forged, subject="Re: Druid Board 1")
    assert _texts() == []
    assert not Plan.objects.exists()
    # The other side's plan belongs to that side; it never speaks for the opponent.
    post.answer(letters["bob"], "queue a1; if d4 then a2")
    assert _texts() == []


def test_same_mail_twice_makes_one_plan_and_one_move(post: PostOffice) -> None:
    letters = post.board()
    to = str(letters["ann"]["Reply-To"])
    message = post.write(ANN, "queue a1; if any then b1", to=to, subject="Re: board")
    for _ in range(3):
        post.deliver(message.as_bytes(), ANN, to)
    assert _texts() == ["a1"]
    assert len(post.box(ANN)) == 1


def test_plan_for_an_older_position_is_stale(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "queue d4")
    post.answer(letters["ann"], "a1")
    post.answer(letters["ann"], "queue b1; if any then c1")
    assert "[stale-ply]" in text_of(post.last(ANN))
    assert _texts() == ["a1", "d4"]
    # To show and to forget is always possible.
    post.answer(letters["bob"], "queue off")
    assert "Nothing was planned" in text_of(post.last(BOB))


def test_letter_names_a_few_of_many_dropped_lines(post: PostOffice) -> None:
    letters = post.board()
    impossible = "; ".join(f"if zz{number} then b1" for number in range(40))
    post.answer(letters["ann"], f"queue a1; if any then a2 ({impossible})")
    post.answer(post.last(BOB), "d4")
    letter = words_of(post.last(ANN))
    assert letter.count("Dropped from your plan") == 5
    assert "And 35 more." in letter


def test_plan_a_mail_program_broke_into_lines_is_read_whole(post: PostOffice) -> None:
    letters = post.board()
    body = "queue a1; if d4 then\na2; if\nc4 then b1\nif any then c1\n\nGood luck!\nAnn"
    post.answer(letters["ann"], body)
    text = text_of(post.last(ANN))
    assert "Planned: if d4 then a2; if c4 then b1; if any then c1." in text
    assert "Only the first line" not in text


def test_words_show_forget_and_publish(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "queue if a1 then d4")
    post.box(BOB)
    post.answer(letters["bob"], "queue")
    shown = text_of(post.last(BOB))
    assert "Board 1. Planned: if a1 then d4." in shown
    assert "Your variations there have 2 moves." in shown
    post.answer(letters["bob"], "queue publish")
    assert "[plan-running]" in text_of(post.last(BOB))
    post.answer(letters["bob"], "queue off")
    text = text_of(post.last(BOB))
    assert "The plan for board 1 is dropped. It was: if a1 then d4." in text
    post.answer(letters["ann"], "a1")
    assert _texts() == ["a1"]
    post.answer(post.last(ANN), "resign")
    post.answer(post.last(ANN), "yes")
    post.answer(post.last(BOB), "queue publish")
    assert "Everyone can now see your variations" in text_of(post.last(BOB))


def test_preview_is_refused_where_the_players_agreed_on_it(post: PostOffice) -> None:
    letters = post.board("-size=4 --exploration=off")
    post.answer(letters["ann"], "preview a1")
    text = text_of(post.last(ANN))
    assert "agreed with --exploration=off" in text
    assert "[exploration-off]" in text


@pytest.mark.parametrize("game", ["druid", "gyges", "vasco", "visavis"])
def test_plan_in_every_game_plays_what_its_owner_would_have_typed(
    post: PostOffice, game: str
) -> None:
    letters = post.board("", game)
    position = load(game).start()
    moves = []
    for _ in range(5):
        legal = position.legal_moves()
        move = legal[len(legal) // 3]
        moves.append(position.format(move))
        position = position.play(move)
    first, answer, reply, second, last = moves
    plan = f"queue {first.lower()}; if {answer} then {reply}, if any then {last}"
    post.answer(letters["ann"], plan)
    post.answer(post.last(BOB), answer)
    assert _texts() == [first, answer, reply]
    post.answer(post.last(BOB), second)
    assert _texts() == moves
    assert f"Your planned answer {last} was played at once" in text_of(post.last(ANN))


def test_double_move_of_gyges_with_its_semicolon_can_be_planned(post: PostOffice) -> None:
    letters = post.board("", "gyges")
    post.answer(letters["ann"], "queue 231123; if any then 11-12; 12-13; if 111111 then 11-12")
    text = text_of(post.last(ANN))
    assert "In `if 111111 then 11-12`" in text
    post.answer(letters["ann"], "queue 231123; if any then 11-12; 12-13")
    text = text_of(post.last(ANN))
    assert "Planned: if any then 11-12; 12-13." in text
