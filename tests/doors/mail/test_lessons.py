"""Lessons by mail: a step as a letter, its reply as a try, to the end of the lesson."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, PostOffice, text_of, words_of
from sarsen.doors.mail import jobs
from sarsen.doors.mail.reply.lessons import titled_lesson
from sarsen.doors.mail.reply.puzzles import titled_puzzle
from sarsen.language.grammar.tokens import LessonContext, PuzzleContext
from sarsen.learning.lessons import Step, lesson_of
from sarsen.learning.tries import judge_line, move_to_show
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.limits import daily
from sarsen.services.mail import incoming, reply_addresses
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.reply_addresses import LessonNumbers
from sarsen.storage.models import AuditEntry, LessonProgress, Match, Player

EVE = "eve@eve.example"


def begun(post: PostOffice, line: str = "lesson druid") -> EmailMessage:
    """Join as ann, ask for a step, and return its letter."""
    post.answer(post.join("ann"), line)
    return post.last(ANN)


def answered(post: PostOffice, letter: EmailMessage, line: str) -> EmailMessage:
    post.answer(letter, line)
    return post.last(str(letter["To"]))


def right_line(game: str, step: Step) -> tuple[str, ...]:
    """Return own moves that solve a step."""
    line: tuple[str, ...] = ()
    while True:
        line = (*line, move_to_show(game, step, judge_line(game, step, line)))
        if judge_line(game, step, line).verdict == "solved":
            return line


def test_a_player_asks_for_the_lesson_and_wins_its_first_step(post: PostOffice) -> None:
    first = begun(post)
    assert first["Subject"] == "Lesson druid 1/8"
    assert first["Reply-To"].startswith("lesson-")
    assert "Join bottom and top" in words_of(first)
    assert "Marked: b4" in text_of(first)
    second = answered(post, first, "b4")
    assert second["Subject"] == "Lesson druid 2/8"
    assert "> b4 Right. That is the whole aim." in words_of(second)
    assert "Step 2 of 8: a2 is H's." in words_of(second)
    assert LessonProgress.objects.get().done == ["win"]


@pytest.mark.parametrize(
    ("game", "count"), [("druid", 8), ("gyges", 7), ("vasco", 7), ("visavis", 7)]
)
def test_a_lesson_is_finished_by_replies_alone(post: PostOffice, game: str, count: int) -> None:
    make_accounts(timezone.now())
    letter = begun(post, f"lesson {game}")
    for at, step in enumerate(lesson_of(game).steps, start=1):
        assert letter["Subject"] == f"Lesson {game} {at}/{count}"
        for move in right_line(game, step):
            letter = answered(post, letter, move)
            is_meant = step.success == "refused"
            said = "Refused, as meant." if is_meant else "Right."
            begins = f"> {move} {'Lesson finished. ' if letter_ends(letter) else ''}{said}"
            assert words_of(letter).startswith(begins)
    assert letter_ends(letter)
    assert LessonProgress.objects.get().done == [step.id for step in lesson_of(game).steps]
    started = answered(post, letter, "play")
    assert Match.objects.get().game == game
    assert f"{game} challenge me bot1" in text_of(started)


def letter_ends(letter: EmailMessage) -> bool:
    return "Lesson finished." in text_of(letter)


def test_letters_of_a_game_are_one_thread_with_text_picture_and_link(post: PostOffice) -> None:
    first = begun(post)
    second = answered(post, first, "b4")
    for letter in (first, second):
        assert "<lesson.druid@sarsen.test>" in letter["References"]
        assert letter["In-Reply-To"]
        kinds = [part.get_content_type() for part in letter.walk()]
        assert kinds == [
            "multipart/alternative",
            "text/plain",
            "multipart/related",
            "text/html",
            "image/png",
        ]
        assert len(letter.as_bytes()) < 30_000
    assert "http://sarsen.test/learn/druid/own-ground/" in text_of(second)
    page = second.get_body(("html",))
    assert page is not None
    assert 'href="http://sarsen.test/learn/druid/own-ground/"' in page.get_content()
    assert 'alt="' in page.get_content()


def test_a_step_of_several_moves_goes_on_after_the_answer(post: PostOffice) -> None:
    letter = begun(post, "lesson druid level")
    between = answered(post, letter, "a3")
    assert between["Subject"] == "Lesson druid 5/8"
    assert "> a3 Right. c1 is played. Step 5 of 8" in words_of(between)
    assert words_of(answered(post, between, "a1-a3")).startswith("> a1-a3 Right. You may always")


@pytest.mark.parametrize(
    "line", ["b4", "B4.", "I play b4", "My move is b4.", "ich spiele b4", "ok: b4", "b4, thanks"]
)
def test_a_try_may_be_said_in_a_sentence(post: PostOffice, line: str) -> None:
    assert answered(post, begun(post), line)["Subject"] == "Lesson druid 2/8"


def test_a_wrong_move_is_met_and_the_board_comes_back(post: PostOffice) -> None:
    letter = begun(post, "lesson druid block")
    wrong = answered(post, letter, "a1")
    assert wrong["Subject"] == "Lesson druid 6/8"
    assert words_of(wrong).startswith(
        "> a1 Not yet. H plays d3 and has joined left and right. Step 6 of 8"
    )
    assert board_of(wrong) == board_of(letter)
    for _ in range(2):
        wrong = answered(post, wrong, "a1")
    assert "The move is d3: play it and see." in words_of(wrong)


def board_of(letter: EmailMessage) -> str:
    """Return the board in letters that a letter has."""
    rows = text_of(letter).replace("\r\n", "\n").split("\n\n")
    return next(row for row in rows if row.count("\n") > 3 and "learn" not in row)


@pytest.mark.parametrize(
    ("word", "subject", "said"),
    [
        ("hint", "Lesson druid 2/8", "Go ahead and build on H's stone."),
        ("show", "Lesson druid 2/8", "The move is a2: play it and see."),
        ("skip", "Lesson druid 3/8", "Step 3 of 8"),
        ("Back!", "Lesson druid 1/8", "Step 1 of 8"),
        ("stop", "Lesson druid 2/8", "The lesson of Druid waits for you at step 2 of 8."),
        ("hint, please", "Lesson druid 2/8", "Go ahead and build on H's stone."),
        ("hint show", "Lesson druid 2/8", "[lesson-word] lesson druid 2 hint"),
    ],
)
def test_words_of_a_reply(post: PostOffice, word: str, subject: str, said: str) -> None:
    found = answered(post, begun(post, "lesson druid 2"), word)
    assert found["Subject"] == subject
    assert said in words_of(found)
    assert not AuditEntry.objects.filter(kind="lesson").exists()


@pytest.mark.parametrize(
    ("word", "subject", "said"),
    [
        ("Tipp", "Lesson druid 2/8", "Go ahead and build on H's stone."),
        ("zeig bitte!", "Lesson druid 2/8", "The move is a2: play it and see."),
        ("Weiter.", "Lesson druid 3/8", "Step 3 of 8"),
        ("zurück", "Lesson druid 1/8", "Step 1 of 8"),
        ("stopp", "Lesson druid 2/8", "waits for you at step 2 of 8."),
        ("lesson druid tipp", "Lesson druid 2/8", "Go ahead and build on H's stone."),
        ("lesson druid 2 Tipp", "Lesson druid 2/8", "Go ahead and build on H's stone."),
    ],
)
def test_german_words_of_a_reply(post: PostOffice, word: str, subject: str, said: str) -> None:
    found = answered(post, begun(post, "lesson druid 2"), word)
    assert found["Subject"] == subject
    assert said in words_of(found)


def test_a_word_in_the_middle_of_a_step_keeps_its_moves(post: PostOffice) -> None:
    between = answered(post, begun(post, "lesson druid level"), "a3")
    shown = answered(post, between, "show")
    assert "The move is a1-a3" in words_of(shown)
    assert board_of(shown) == board_of(between)
    assert answered(post, shown, "a1-a3")["Subject"] == "Lesson druid 6/8"


@pytest.mark.parametrize("move", ["d2", "zz9", "b4 d4", "my cat"])
def test_what_the_rules_refuse_says_so_and_shows_the_board_again(
    post: PostOffice, move: str
) -> None:
    letter = begun(post)
    refused = answered(post, letter, move)
    assert refused["Subject"] == "Lesson druid 1/8"
    assert "Nothing was changed: " in words_of(refused)
    assert "Step 1 of 8" in words_of(refused)
    assert board_of(refused) == board_of(letter)
    assert LessonProgress.objects.get().tries == 0
    assert answered(post, refused, "b4")["Subject"] == "Lesson druid 2/8"


def test_a_first_line_that_is_refused_can_be_answered(post: PostOffice) -> None:
    refused = begun(post, "lesson druid 1 d2")
    assert refused["Reply-To"].startswith("player-")
    assert answered(post, refused, "b4")["Subject"] == "Lesson druid 2/8"


def test_a_reply_to_an_old_letter_is_judged_for_its_own_step(post: PostOffice) -> None:
    first = begun(post)
    second = answered(post, first, "b4")
    third = answered(post, second, "a2")
    assert third["Subject"] == "Lesson druid 3/8"
    again = answered(post, first, "c1")
    assert words_of(again).startswith("> c1 Not yet. Bottom and top are still apart.")
    assert answered(post, second, "a2")["Subject"] == "Lesson druid 3/8"
    assert answered(post, third, "a1-a3")["Subject"] == "Lesson druid 4/8"
    assert LessonProgress.objects.get().done == ["win", "own-ground", "lintel"]


def test_an_old_letter_in_the_middle_of_a_step_knows_its_moves(post: PostOffice) -> None:
    between = answered(post, begun(post, "lesson druid level"), "a3")
    answered(post, answered(post, between, "a1-a3"), "d3")
    assert answered(post, between, "a1-a3")["Subject"] == "Lesson druid 6/8"


def test_a_try_after_the_end_says_that_the_lesson_is_finished(post: PostOffice) -> None:
    letter = begun(post, "lesson druid two-threats")
    step = lesson_of("druid").step("two-threats")
    assert step is not None
    for move in right_line("druid", step):
        letter = answered(post, letter, move)
    assert letter_ends(letter)
    refused = answered(post, letter, "a1")
    assert "You have finished this lesson." in words_of(refused)
    assert "[lesson-finished]" in words_of(refused)
    assert answered(post, refused, "lesson druid 1")["Subject"] == "Lesson druid 1/8"


def test_the_same_mail_twice_is_answered_once_and_counted_once(post: PostOffice) -> None:
    letter = begun(post)
    mail = post.answer(letter, "c1")
    assert len(post.box(ANN)) == 1
    post.deliver(mail.as_bytes(), ANN, str(letter["Reply-To"]))
    assert not post.box(ANN)
    assert LessonProgress.objects.get().tries == 1
    assert AuditEntry.objects.filter(kind="lesson").count() == 1


def test_the_try_beyond_the_limit_of_a_day_is_refused_once(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "lesson", 1)
    letter = answered(post, begun(post), "c1")
    refused = answered(post, letter, "b4")
    assert "Your limit for tries at lessons is 1 a day." in words_of(refused)
    assert "[lesson-flood]" in words_of(refused)
    post.answer(refused, "b4")
    assert not post.box(ANN)
    assert LessonProgress.objects.get().done == []
    assert "Follow your stones" in words_of(answered(post, letter, "hint"))


def test_a_reply_address_proves_nothing_about_the_account(post: PostOffice) -> None:
    letter = begun(post)
    assert "[account-proof]" in words_of(answered(post, letter, "signoff"))
    assert "[account-proof]" in words_of(answered(post, letter, "change password new-words-here"))


def test_a_try_is_judged_before_the_transaction(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = begun(post, "lesson druid block")
    judge_line.cache_clear()
    seen: list[bool] = []
    monkeypatch.setattr(
        "sarsen.services.mail.settle.transactions.in_transaction",
        lambda work, *others: seen.append(judge_line.cache_info().currsize > 1) or work(*others),
    )
    post.answer(letter, "a1")
    assert seen[0]


def test_several_lessons_in_one_mail_are_answered_in_one(post: PostOffice) -> None:
    letter = begun(post, "multiple\nlesson druid 6\nlesson druid 1 b4")
    assert "Step 6 of 8" in words_of(letter)
    assert "Right. That is the whole aim." in words_of(letter)
    assert LessonProgress.objects.get().done == ["win"]


def test_many_mails_of_a_batch_are_judged_one_after_the_other(post: PostOffice) -> None:
    letter = begun(post)
    mails = [
        post.write(ANN, line, to=str(letter["Reply-To"]), subject="Re: Lesson druid 1/8")
        for line in ("c1", "b4")
    ]
    incoming.store(
        [Delivery(ANN, str(letter["Reply-To"]), mail.as_bytes()) for mail in mails], timezone.now()
    )
    jobs.answer_mail.call()
    jobs.send_mail.call()
    subjects = [str(letter["Subject"]) for letter in post.box(ANN)]
    assert subjects == ["Lesson druid 1/8", "Lesson druid 2/8"]
    assert LessonProgress.objects.get().done == ["win"]


def test_a_stranger_takes_the_lesson_without_an_account(post: PostOffice) -> None:
    post.send(EVE, subject="lesson druid")
    first = post.last(EVE)
    assert first["Subject"] == "Lesson druid 1/8"
    assert first["Reply-To"] == "sarsen@sarsen.test"
    assert "join with `signup USERID`" in words_of(first)
    assert "http://sarsen.test/learn/druid/win/" in words_of(first)
    second = answered(post, first, "I play b4")
    assert second["Subject"] == "Lesson druid 2/8"
    assert words_of(second).startswith("> I play b4 Right.")
    assert answered(post, second, "skip")["Subject"] == "Lesson druid 3/8"
    assert not LessonProgress.objects.exists()
    assert not Player.objects.filter(key="eve").exists()


def test_a_reply_of_a_stranger_goes_on_in_a_step_of_several_moves(post: PostOffice) -> None:
    post.send(EVE, subject="lesson druid level")
    between = answered(post, post.last(EVE), "a3")
    assert between["Subject"] == "Lesson druid 5/8 (a3)"
    assert "The move is a1-a3" in words_of(answered(post, between, "show"))
    assert answered(post, between, "a1-a3")["Subject"] == "Lesson druid 6/8"
    assert answered(post, between, "lesson druid 5 a3 a1-a3")["Subject"] == "Lesson druid 6/8"


def test_german_subject_names_the_step_that_a_reply_answers(post: PostOffice) -> None:
    post.answer(post.join("ann"), "change language de")
    first = answered(post, post.last(ANN), "lesson druid 2")
    assert first["Subject"] == "Lektion druid 2/8"
    # As it comes from a program that knows no address to reply to.
    address = reply_addresses.player_address(Player.objects.get())
    post.send(ANN, "a2", to=address, subject="AW: Lektion druid 2/8")
    assert post.last(ANN)["Subject"] == "Lektion druid 3/8"


def test_german_subject_keeps_the_place_of_a_stranger() -> None:
    place = LessonContext("druid", "5", ("a3",), 2)
    assert titled_lesson("Lesson druid 5/8 (a3), try 3") == place
    assert titled_lesson("Lektion druid 5/8 (a3), Versuch 3") == place
    place_in_puzzle = PuzzleContext("druid", 17, ("a3", "b4"))
    assert titled_puzzle("Puzzle druid-17: win within 3 (a3 b4)") == place_in_puzzle
    assert titled_puzzle("Rätsel druid-17: gewinne in höchstens 3 (a3 b4)") == place_in_puzzle


def test_a_reply_that_says_a_lesson_is_not_the_lesson_of_its_subject(post: PostOffice) -> None:
    post.send(EVE, subject="lesson foo")
    refused = post.last(EVE)
    assert answered(post, refused, "lesson druid")["Subject"] == "Lesson druid 1/8"


def test_a_stranger_who_wants_to_play_is_told_to_join(post: PostOffice) -> None:
    post.send(EVE, subject="lesson druid two-threats")
    assert "join with `signup USERID`" in words_of(post.last(EVE))
    for line in ("play", "lesson druid play"):
        post.send(EVE, line, subject="Re: Lesson druid 8/8")
        told = words_of(post.last(EVE))
        assert "[lesson-play] signup USERID" in told
        assert "USERID PASSWORD" not in told
    assert not Match.objects.exists()


def test_a_sender_who_is_known_and_not_proved_confirms_the_game(post: PostOffice) -> None:
    make_accounts(timezone.now())
    post.join("ann")
    post.send(ANN, "play", subject="Re: Lesson druid 8/8")
    assert "asks for a game of Druid: ann v bot1" in words_of(post.last(ANN))
    assert not Match.objects.exists()


def test_the_game_after_a_lesson_is_shown_again_while_it_runs(post: PostOffice) -> None:
    make_accounts(timezone.now())
    letter = begun(post, "lesson visavis 7")
    end = answered(post, letter, "skip")
    assert "`visavis challenge me bot1 -size=9`" in words_of(end)
    assert "has started as board" in words_of(answered(post, end, "play"))
    again = answered(post, end, "Spielen!")
    board = Match.objects.get()
    assert board.options == "-size=9"
    assert f"> show {board.pk}" in words_of(again)
    assert "Your first game is still running" in words_of(again)
    post.answer(letter, "lesson visavis play")
    assert f"[lesson-play] show {board.pk}" in words_of(post.last(ANN))
    post.answer(letter, "lesson druid play")
    assert "[lesson-play] druid challenge me bot1" in words_of(post.last(ANN))


def test_the_move_is_shown_to_strangers_after_as_many_tries_as_to_players(
    post: PostOffice,
) -> None:
    post.send(EVE, subject="lesson druid level")
    theirs, own = answered(post, post.last(EVE), "a3"), begun(post, "lesson druid level a3")
    for at in (1, 2, 3):
        theirs, own = answered(post, theirs, "b1"), answered(post, own, "b1")
        assert theirs["Subject"] == f"Lesson druid 5/8 (a3), try {at + 1}"
        assert own["Subject"] == "Lesson druid 5/8"
        for letter in (theirs, own):
            assert ("The move is a1-a3" in words_of(letter)) == (at == 3)
    refused = answered(post, theirs, "zz9")
    assert refused["Subject"] == "Lesson druid 5/8 (a3), try 4"
    assert answered(post, refused, "hint")["Subject"] == "Lesson druid 5/8 (a3), try 4"
    assert answered(post, theirs, "a1-a3")["Subject"] == "Lesson druid 6/8"


def test_answers_to_a_stranger_are_bounded(post: PostOffice) -> None:
    for _ in range(52):
        post.send(EVE, subject="lesson druid")
    letters = post.box(EVE)
    assert len(letters) == 50
    assert "This is the last answer" in words_of(letters[-1])


def test_a_player_whom_nothing_proves_is_told_how_to_keep_the_place(post: PostOffice) -> None:
    post.join("ann")
    post.send(ANN, subject="lesson druid")
    assert "send `lesson druid` as a reply to another mail from here" in words_of(post.last(ANN))


def test_a_step_that_is_gone_shows_the_one_that_comes_now(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = begun(post)
    monkeypatch.setattr(Step, "number", property(lambda step: len(step.id)))
    shown = answered(post, letter, "b4")
    assert shown["Subject"] == "Lesson druid 1/8"
    assert "That step is no longer part of the lesson" in words_of(shown)


def test_an_address_that_is_too_old_shows_where_the_lesson_stands(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = begun(post)
    monkeypatch.setattr(reply_addresses, "SPEAKS", timedelta(days=-1))
    shown = answered(post, letter, "b4")
    assert shown["Subject"] == "Lesson druid 1/8"
    assert "The reply address you used is too old" in words_of(shown)
    assert LessonProgress.objects.get().done == []


def test_an_address_of_somebody_else_proves_nothing(post: PostOffice) -> None:
    letter = begun(post)
    local_part, _, domain = str(letter["Reply-To"]).partition("@")
    kind, row, player, *others = local_part.split("-")
    forged = "-".join((kind, row, str(int(player) + 1), *others))
    assert reply_addresses.read_signed_address(local_part) is not None
    assert reply_addresses.read_signed_address(forged) is None
    post.send(EVE, "b4", to=f"{forged}@{domain}")
    assert "[reply-address]" in words_of(post.last(EVE))
    assert LessonProgress.objects.get().done == []


def test_local_parts_are_as_long_as_mail_allows(post: PostOffice) -> None:
    begun(post)
    player, most = Player.objects.get(), LessonNumbers(99_999_999, 999_999, 9_999)
    player.pk = 9_999_999
    assert len(reply_addresses.lesson_address(player, most).partition("@")[0]) <= 64


def test_a_program_that_ignores_the_reply_address_is_understood(post: PostOffice) -> None:
    letter = begun(post, "lesson druid level")
    between = answered(post, letter, "a3")
    post.send(
        ANN,
        "a1-a3",
        subject=f"Re: {between['Subject']}",
        In_Reply_To=str(between["Message-ID"]),
    )
    assert post.last(ANN)["Subject"] == "Lesson druid 6/8"
    assert LessonProgress.objects.get().done == ["level"]
