"""The puzzle of the day by mail: switched on and off, written once a day."""

from __future__ import annotations

from datetime import timedelta
from html import escape

import pytest

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.doors.mail.letters import write_letter
from sarsen.games import names
from sarsen.language.commands import ChangeDailyPuzzle, ChangeNotices
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context, PuzzleContext
from sarsen.language.learning.puzzles import DailyPuzzleSet
from sarsen.language.translating import sentence_to_type
from sarsen.learning.puzzles import shelf
from sarsen.learning.puzzles.shelf import has_daily, puzzle_of_day, puzzled
from sarsen.learning.puzzles.tries import judge_tries, solution
from sarsen.services.dispatch import perform
from sarsen.services.learning import daily_puzzles
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.request import Actor
from sarsen.storage.models import OutgoingMail, PuzzleSubscription, PuzzleTry
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
DAY = timedelta(days=1)


@pytest.fixture
def ann() -> Actor:
    return Actor(World().player("ann"))


def switch(actor: Actor, game: str = "druid", *, is_on: bool = True) -> DailyPuzzleSet:
    reply = perform(ChangeDailyPuzzle(game, is_on), actor, "", NOW)
    assert isinstance(reply, DailyPuzzleSet)
    return reply


def letters() -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(kind=daily_puzzles.LETTER).order_by("pk"))


def test_it_comes_from_the_next_day_on_once_a_day(ann: Actor) -> None:
    on = switch(ann)
    said = "From tomorrow on, the puzzle of the day at Druid comes by mail."
    assert sentence_to_type(on).startswith(said)
    assert not daily_puzzles.is_any_due(NOW)
    assert daily_puzzles.sweep(NOW) == 0
    for day in (1, 1, 2):
        daily_puzzles.sweep(NOW + DAY * day)
    today, following = (NOW.date() + DAY * day for day in (1, 2))
    assert [letter.facts["puzzle"] for letter in letters()] == [
        puzzle_of_day("druid", today).id,
        puzzle_of_day("druid", following).id,
    ]


def test_it_is_switched_off_and_a_repeat_changes_nothing(ann: Actor) -> None:
    assert switch(ann).games == ("druid",)
    assert switch(ann, "visavis").games == ("druid", "visavis")
    assert switch(ann, "visavis").games == ("druid", "visavis")
    for _ in range(2):
        assert switch(ann, is_on=False).games == ("visavis",)
    assert daily_puzzles.sweep(NOW + DAY) == 1
    assert letters()[0].facts["game"] == "visavis"


def test_a_game_with_too_few_puzzles_has_none(ann: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "has_puzzles", lambda game: game != "gyges")
    monkeypatch.setattr(shelf, "LEAST_FOR_DAILY", 1 + len(shelf.playable("vasco")))
    refused_with = {"gyges": "no-puzzles", "vasco": "no-daily", "chess": "unknown-game"}
    for game, code in refused_with.items():
        with pytest.raises(UserError) as refused:
            switch(ann, game)
        assert refused.value.code == code
    assert not PuzzleSubscription.objects.exists()


def test_the_letter_begins_with_the_proof_of_yesterdays(ann: Actor) -> None:
    switch(ann)
    now = NOW + DAY
    daily_puzzles.sweep(now)
    (row,) = letters()
    due = DueLetter(row.pk, row.kind, row.facts, "", row.player, "", now, 0, row.event)
    letter = write_letter(due)
    puzzle, before = (puzzle_of_day("druid", now.date() - DAY * back) for back in (0, 1))
    assert letter.subject.startswith(f"Puzzle druid-{puzzle.id}: ")
    line = " ".join(solution(judge_tries("druid", before, ())))
    told = " ".join(letter.text.split())
    assert told.startswith(f"Yesterday's puzzle, druid-{before.id}: ")
    assert f"A solution: {line}." in told
    assert "puzzle daily druid off" in told
    assert letter.pictures[-1][0] == "board"
    solved = judge_tries("druid", before, solution(judge_tries("druid", before, ()))[::2])
    drawn = drawing.text(solved.position)
    assert drawn in letter.text
    assert letter.pictures[0][0] == "before" or escape(drawn) in letter.html
    assert letter.unsubscribe
    assert letter.reply_to is not None
    signed = reply_addresses.read_signed_address(letter.reply_to.partition("@")[0])
    assert signed is not None
    assert signed.puzzle is not None
    assert PuzzleTry.objects.get(pk=signed.puzzle.row).puzzle == puzzle.id


def test_switching_on_mends_what_notices_have_switched_off(ann: Actor) -> None:
    switch(ann)
    perform(ChangeNotices("puzzle", "none"), ann, "", NOW)
    assert ann.player is not None
    ann.player.refresh_from_db()
    assert daily_puzzles.subscribed_games(ann.player) == ()
    daily_puzzles.sweep(NOW + DAY)
    assert letters() == []
    switch(ann)
    ann.player.refresh_from_db()
    assert daily_puzzles.subscribed_games(ann.player) == ("druid",)
    daily_puzzles.sweep(NOW + DAY * 2)
    assert len(letters()) == 1


def test_the_line_is_read_with_and_without_a_game() -> None:
    def read(line: str, context: Context | None = None) -> object:
        return read_line(line, context or Context(names(), speaker="ann")).command

    assert read("puzzle daily druid on") == ChangeDailyPuzzle("druid", is_on=True)
    assert read("druid puzzle daily off") == ChangeDailyPuzzle("druid", is_on=False)
    context = Context(names(), speaker="ann", puzzle=PuzzleContext("visavis", 3))
    assert read("puzzle daily off", context) == ChangeDailyPuzzle("visavis", is_on=False)
    with pytest.raises(UserError) as refused:
        read("puzzle daily druid")
    assert refused.value.code == "on-or-off"


@pytest.mark.parametrize("game", tuple(filter(has_daily, puzzled())))
def test_a_letter_has_30_kb_at_most(ann: Actor, game: str) -> None:
    for day in range(0, 80, 8):
        today = NOW.date() + DAY * day
        facts = {"game": game, "puzzle": puzzle_of_day(game, today).id, "day": today.isoformat()}
        due = DueLetter(1, daily_puzzles.LETTER, facts, "", ann.player, "", NOW, 0, "puzzle")
        letter = write_letter(due)
        pictures = sum(len(picture) for _, picture in letter.pictures)
        # As base64, in rows; the heads have some hundred bytes.
        assert len(letter.text) + len(letter.html) + pictures * 1.37 + 1_500 <= 30_000
