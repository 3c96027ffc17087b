"""Puzzles by mail: one as a letter, its reply as a try, to the solution."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, PostOffice, text_of, words_of
from puzzle_lines import legal_with, puzzle_and_move, puzzle_with, right_line
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import puzzle_of_day
from sarsen.learning.puzzles.tries import Verdict
from sarsen.services.limits import daily
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.reply_addresses import PuzzleNumbers
from sarsen.storage.models import AuditEntry, Player, PuzzleTry

EVE = "eve@eve.example"


def given(post: PostOffice, puzzle: Puzzle, game: str = "druid") -> EmailMessage:
    """Join as ann, ask for a puzzle, and return its letter."""
    post.answer(post.join("ann"), f"puzzle {game}-{puzzle.id}")
    return post.last(ANN)


def answered(post: PostOffice, letter: EmailMessage, line: str) -> EmailMessage:
    post.answer(letter, line)
    return post.last(str(letter["To"]))


def board_of(letter: EmailMessage) -> str:
    """Return the board in letters that a letter has."""
    rows = text_of(letter).replace("\r\n", "\n").split("\n\n")
    return next(row for row in rows if row.count("\n") > 3)


def test_a_puzzle_is_solved_by_replies_alone(post: PostOffice) -> None:
    puzzle = puzzle_with(moves=3)
    letter = given(post, puzzle)
    assert letter["Subject"] == f"Puzzle druid-{puzzle.id}: win within {puzzle.within}"
    assert letter["Reply-To"].startswith("puzzle-")
    assert f"to move. Win within {puzzle.within} moves." in words_of(letter)
    *firsts, last = right_line("druid", puzzle)
    for move in firsts:
        before, letter = letter, answered(post, letter, move)
        assert words_of(letter).startswith(f"> {move} Right. ")
        assert letter["Subject"] == before["Subject"]
        assert board_of(letter) != board_of(before)
    letter = answered(post, letter, last)
    assert words_of(letter).startswith(f"> {last} Solved. ")
    assert "Your rating at puzzles of Druid: 1540? (+40)." in words_of(letter)
    another = answered(post, letter, "puzzle druid")
    assert another["Subject"].startswith("Puzzle druid-")
    assert another["Subject"] != letter["Subject"]


def test_german_subject_names_the_puzzle_that_a_reply_answers(post: PostOffice) -> None:
    puzzle = puzzle_with(moves=3)
    post.answer(post.join("ann"), "change language de")
    letter = answered(post, post.last(ANN), f"puzzle druid-{puzzle.id}")
    subject = f"Rätsel druid-{puzzle.id}: gewinne in höchstens {puzzle.within}"
    assert letter["Subject"] == subject
    address = reply_addresses.player_address(Player.objects.get())
    post.send(ANN, right_line("druid", puzzle)[0], to=address, subject=f"AW: {subject}")
    met = post.last(ANN)
    assert met["Subject"] == subject
    assert "Richtig." in words_of(met)


def test_a_move_that_is_not_proved_is_met_and_the_board_comes_back(post: PostOffice) -> None:
    puzzle = puzzle_with("visavis", "keep", 2)
    wrong, met = next((k, v) for k, v in puzzle.answers.items() if isinstance(v, str))
    letter = given(post, puzzle, "visavis")
    assert letter["Subject"] == f"Puzzle visavis-{puzzle.id}: keep the win"
    missed = answered(post, letter, wrong)
    said = f"> {wrong} Not proven to win. After {wrong} comes {met}. Try again."
    assert words_of(missed).startswith(said)
    assert board_of(missed) == board_of(letter)
    assert words_of(answered(post, missed, right_line("visavis", puzzle)[0])).startswith(
        f"> {right_line('visavis', puzzle)[0]} Right."
    )


def test_a_later_win_and_a_refused_move_count_neither_way(post: PostOffice) -> None:
    puzzle, late = puzzle_and_move(Verdict.LATE)
    letter = given(post, puzzle)
    told = answered(post, letter, late)
    assert words_of(told).startswith(f"> {late} Too late. {late} wins as well, but later.")
    refused = answered(post, told, "z99")
    assert words_of(refused).startswith("> z99 Refused. ")
    assert refused["Subject"] == letter["Subject"]
    assert board_of(refused) == board_of(letter)
    assert PuzzleTry.objects.get().result == ""


def test_a_saving_move_has_words_of_its_own(post: PostOffice) -> None:
    puzzle = puzzle_with(task="save", moves=1)
    letter = given(post, puzzle)
    assert letter["Subject"] == f"Puzzle druid-{puzzle.id}: save the game"
    wrong = legal_with("druid", puzzle, Verdict.NOT_PROVED)
    assert words_of(answered(post, letter, wrong)).startswith(f"> {wrong} Not saved. ")


def test_show_gives_a_solution_at_once(post: PostOffice) -> None:
    puzzle = puzzle_with(moves=2)
    shown = answered(post, given(post, puzzle), "Zeig bitte.")
    assert f"A solution: {right_line('druid', puzzle)[0]} " in words_of(shown)
    assert PuzzleTry.objects.get().result == "failed"


@pytest.mark.parametrize("said", ["{move}", "{MOVE}.", "I play {move}", "{move}, thanks"])
def test_a_try_may_be_said_in_a_sentence(post: PostOffice, said: str) -> None:
    puzzle = puzzle_with(moves=2)
    move = right_line("druid", puzzle)[0]
    line = said.format(move=move, MOVE=move.upper())
    assert " Right. " in words_of(answered(post, given(post, puzzle), line))


def test_an_older_letter_of_a_puzzle_is_a_try_at_its_own_position(post: PostOffice) -> None:
    puzzle = puzzle_with(moves=2)
    first, second = right_line("druid", puzzle)
    letter = given(post, puzzle)
    between = answered(post, letter, first)
    assert answered(post, between, second)["Subject"] == letter["Subject"]
    assert words_of(answered(post, letter, first)).startswith(f"> {first} Right. ")
    assert words_of(answered(post, between, second)).startswith(f"> {second} Solved. ")


def test_letters_are_small_one_thread_with_picture_and_link(post: PostOffice) -> None:
    puzzle = puzzle_with(moves=2)
    letter = given(post, puzzle)
    right = answered(post, letter, right_line("druid", puzzle)[0])
    for one in (letter, right):
        assert f"<puzzle.druid-{puzzle.id}@sarsen.test>" in one["References"]
        kinds = [part.get_content_type() for part in one.walk()]
        assert kinds[-1] == "image/png"
        assert len(one.as_bytes()) < 30_000
        assert f"http://sarsen.test/puzzles/druid/{puzzle.id}/" in text_of(one)


def test_somebody_without_an_account_solves_the_puzzle_of_the_day(post: PostOffice) -> None:
    puzzle = puzzle_of_day("druid", timezone.now().date())
    post.send(EVE, subject="puzzle druid")
    letter = post.last(EVE)
    assert letter["Subject"].startswith(f"Puzzle druid-{puzzle.id}: ")
    assert "No account is needed" in words_of(letter)
    own: tuple[str, ...] = ()
    for move in right_line("druid", puzzle):
        post.answer(letter, move)
        letter, own = post.last(EVE), (*own, move)
        is_over = own == right_line("druid", puzzle)
        assert f"> {move} {'Solved.' if is_over else 'Right.'}" in words_of(letter)
        assert letter["Subject"].endswith("" if is_over else f" ({' '.join(own)})")
    assert not PuzzleTry.objects.exists()


def test_an_empty_reply_shows_the_puzzle_of_its_subject(post: PostOffice) -> None:
    letter = given(post, puzzle_with())
    assert answered(post, letter, "")["Subject"] == letter["Subject"]


def test_the_try_beyond_the_limit_of_a_day_is_refused_once(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "puzzle", 1)
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    letter = given(post, puzzle)
    post.answer(letter, wrong)
    refused = answered(post, letter, wrong)
    assert "Your limit for tries at puzzles is 1 a day." in words_of(refused)
    post.answer(refused, wrong)
    assert not post.box(ANN)
    assert AuditEntry.objects.filter(kind="puzzle").count() == 1


def test_an_address_speaks_for_its_player_and_its_puzzle_alone(post: PostOffice) -> None:
    given(post, puzzle_with())
    row, ann = PuzzleTry.objects.get(), Player.objects.get(key="ann")
    address = reply_addresses.puzzle_address(ann, PuzzleNumbers(row.pk, 0)).split("@")[0]
    signed = reply_addresses.read_signed_address(address)
    assert signed is not None
    assert (signed.player, signed.puzzle) == (ann, PuzzleNumbers(row.pk, 0))
    assert not signed.proves_account
    longest = PuzzleNumbers(999_999_999, 999_999)
    ann.pk = 999_999_999
    assert len(reply_addresses.puzzle_address(ann, longest).split("@")[0]) <= 64
