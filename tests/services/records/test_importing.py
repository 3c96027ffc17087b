"""Records become finished boards that count for nothing, and come out again as they went in."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.test import Client

from sarsen.core.errors import UserError
from sarsen.core.records import Ending, Record, RecordedMove, text
from sarsen.games import load
from sarsen.language.commands import AnswerOffer, Games, OfferDraw, Rematch, Resign
from sarsen.server.command import main
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.boards.queries import games
from sarsen.services.boards.view import view_board
from sarsen.services.dispatch import perform
from sarsen.services.matches.lobby import ended_boards
from sarsen.services.matches.openings import look_up, store_some
from sarsen.services.notices import weekly
from sarsen.services.ratings import rating
from sarsen.services.ratings.counting import view_finished
from sarsen.services.records import importing, signatures
from sarsen.services.records.collections import Selection, collect
from sarsen.services.records.published_games import published_games
from sarsen.services.records.recording import view_record
from sarsen.services.records.signatures import PublicKey, public_of
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import Import, Match, OutgoingMail, Player, Rating
from sarsen.storage.models import Result as Score
from web_world import NOW, World

pytestmark = pytest.mark.django_db

WON = "E3 D4 B2 E2"  # X joins top and bottom at once
SECRET = bytes(range(32))
KEY = PublicKey(public_of(SECRET))
PLACE = "https://elsewhere.example/boards/9/"


def record(**named: Any) -> Record:
    """Return the record of a short game that the rules ended."""
    game = load("visavis")
    position, moves = game.start("-size=5"), []
    for at, move in enumerate(WON.split()):
        moves.append(RecordedMove(position.seat, move, NOW - timedelta(days=9, minutes=-at)))
        position = position.play(position.parse(move))
    outcome = position.outcome()
    assert outcome is not None
    usual: dict[str, Any] = {
        "players": ("Ann", "bob"),
        "ending": Ending.MOVE,
        "scores": outcome.scores,
        "reason": outcome.reason,
        "place": PLACE,
        "started_at": NOW - timedelta(days=10),
        "ended_at": NOW - timedelta(days=9),
    }
    return replace(Record("visavis", 1, "-size=5", (), tuple(moves)), **(usual | named))


def signed_elsewhere(one: Record) -> Record:
    return signatures.signed(one, load(one.game), SECRET)


def take(*records: Record, known: dict[str, str] | None = None, **wanted: Any) -> list[int]:
    proved = [importing.check(one, NOW, **wanted) for one in records]
    return importing.take_in(proved, importing.players_by_name(known or {}), NOW)


def written(board: int) -> Record:
    (file,) = collect(Selection(board=board, has_private=True))
    return file.record


def test_an_imported_game_comes_out_as_it_went_in_with_its_own_signature() -> None:
    one = signed_elsewhere(record())
    (board,) = take(one, keys=[KEY])
    assert written(board) == view_record(board, None).record == one
    half_known = record(
        place="",
        started_at=None,
        signature="",
        ended_at=None,
        reason="",
        terms="--unrated",
        players=("Ann", ""),
        moves=tuple(replace(move, at=None) for move in one.moves[:2]) + one.moves[2:],
    )
    (other,) = take(half_known)
    assert written(other) == half_known
    assert text.read(text.write(written(other), load("visavis")), load) == half_known


@pytest.mark.parametrize(
    ("ending", "by", "scores", "reason"),
    [
        (Ending.RESIGNATION, 0, (0.0, 1.0), "O resigned."),
        (Ending.FORFEIT, 1, (1.0, 0.0), "X ran out of time."),
        (Ending.AGREEMENT, None, (0.5, 0.5), "Agreed a draw."),
    ],
)
def test_every_ending_is_shown_and_kept(
    ending: Ending, by: int | None, scores: tuple[float, float], reason: str
) -> None:
    one = record(ending=ending, ended_by=by, scores=scores, reason="", moves=record().moves[:2])
    (board,) = take(one)
    view = view_board(board)
    assert (view.result, view.scores, view.to_move) == (reason, scores, None)
    assert view.ending is not None
    assert written(board) == one


def test_a_game_without_an_end_is_taken_in_only_when_that_is_said() -> None:
    one = record(ending=Ending.NONE, scores=None, reason="", moves=record().moves[:2])
    with pytest.raises(UserError) as refused:
        take(one)
    assert refused.value.code == "import.no-end"
    (board,) = take(one, as_finished=True)
    assert view_board(board).result == "Broken off."
    assert written(board) == one
    assert board in [listed.number for listed in ended_boards(most=9)]


def test_names_are_shown_and_are_nobody_here() -> None:
    world = World()
    world.player("ann")
    (board,) = take(record(players=("ann", "bob")))
    view = view_board(board, viewer=world.player("ann"), personal=True)
    assert view.players == ("ann (imported)", "bob (imported)")
    assert [player.userid for player in Player.objects.all()] == ["ann"]
    (listed,) = ended_boards(most=9)
    assert listed.players == view.players
    table = games(Games("", (), "all"), Request(NOBODY, NOW, AFTER_EVENTS))
    assert "ann (imported) v bob (imported)" in str(table)
    assert not list(collect(Selection(userid="ann")))
    page = Client().get(f"/boards/{board}/").content.decode()
    assert "<strong>ann (imported)</strong>" in page
    assert "/players/ann" not in page
    assert "played elsewhere and imported" in page
    for address in ("/games/visavis/", "/boards/", "/records.txt", f"/boards/{board}/embed/"):
        assert Client().get(address).status_code in (200, 404)
    with pytest.raises(UserError):
        perform(Rematch("", board), Actor(world.player("ann")), "", NOW)


def test_a_name_that_is_mapped_is_the_account() -> None:
    world = World()
    ann = world.player("ann")
    (board,) = take(record(), known={"Ann": "ANN"})
    assert view_board(board).players == ("ann", "bob (imported)")
    assert [file.board for file in collect(Selection(userid="ann"))] == [board]
    assert written(board).players == ("Ann", "bob")
    with pytest.raises(UserError) as refused:
        perform(Rematch("", board), Actor(ann), "", NOW)
    assert refused.value.code == "player-elsewhere"
    with pytest.raises(UserError, match="Nobody here"):
        take(record(), known={"Ann": "nobody"})


def test_nothing_is_counted_and_nobody_is_told() -> None:
    world = World()
    world.player("ann"), world.player("bob")
    (board,) = take(record(ended_at=NOW - timedelta(days=2)), known={"Ann": "ann", "bob": "bob"})
    rating.sweep()
    assert not Score.objects.exists()
    assert not OutgoingMail.objects.exists()
    assert weekly.finished_in(NOW - timedelta(days=7)).ended == 0
    assert not list(published_games())
    finished = view_finished(board, None)
    assert finished is not None
    assert finished.unrated == "played elsewhere and imported"
    assert finished.changes == ()


def test_private_boards_stay_private_to_players_of_a_similar_name() -> None:
    world = World()
    (board,) = (
        take(record(players=("ann", "bob"), terms="--private"), known={"bob": "eve"})
        if (world.player("eve"))
        else [0]
    )
    assert view_board(board, viewer=world.player("eve")).is_private
    for viewer in (None, world.player("ann"), world.player("bob")):
        with pytest.raises(UserError, match="There is no board"):
            view_board(board, viewer=viewer)
    assert not list(collect(Selection()))
    assert not ended_boards(most=9)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"rules_version": 2}, "import.rules"),
        ({"rules_version": 0}, "import.rules"),
        ({"options": "-width=5"}, "unknown-option"),
        ({"terms": "--secret"}, "unknown-option"),
        ({"game": "chess"}, "unknown-game"),
        ({"scores": (1.0, 0.0)}, "record.result"),
        ({"players": ("x" * 61, "bob")}, "import.name"),
        ({"players": ("ann",)}, "record.seats"),
        ({"players": ("a\0nn", "bob")}, "import.characters"),
        ({"reason": "X \u202ewon."}, "import.characters"),
        ({"ended_at": NOW + timedelta(days=2)}, "import.time"),
        ({"started_at": NOW.replace(year=1)}, "import.time"),
    ],
)
def test_what_cannot_be_a_board_here_is_refused_by_name(wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(UserError) as refused:
        take(record(**wrong))
    assert refused.value.code == code
    assert not Match.objects.exists()


def sarsen(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["import", *words], input=given)


def test_a_file_is_taken_in_once_and_each_refusal_has_its_line(tmp_path: Path) -> None:
    game = load("visavis")
    good, bad = record(), record(moves=record().moves[:-1])
    other = record(players=("eve", "dan"))
    path = tmp_path / "games.txt"
    path.write_text("\n".join(text.write(one, game) for one in (good, bad, other, good)))
    dry = sarsen(str(path), "--dry-run")
    assert dry.stdout.splitlines()[-1] == "3 sound, 0 known, 1 refused."
    assert not Match.objects.exists()
    first = sarsen(str(path), "--json")
    assert first.exit_code == 1
    found = {
        one["record"].rpartition(":")[2]: one for one in map(json.loads, first.stdout.splitlines())
    }
    assert sorted(one["state"] for one in found.values()) == [
        "imported",
        "imported",
        "known",
        "refused",
    ]
    assert found["18"]["code"] == "record.not-over"
    again = sarsen(str(path))
    assert again.stdout.splitlines()[-1] == "0 imported, 3 known, 1 refused."
    assert Import.objects.count() == Match.objects.count() == 2
    # Signed or not, by whomever, it is the same game.
    unsigned = text.write(good.unsigned, game)
    assert sarsen("-", given=unsigned).stdout == "0 imported, 1 known, 0 refused.\n"
    assert sarsen("-", given="").exit_code == 1
    assert sarsen("-", "--map", "Ann=nobody", given=unsigned).exit_code == 2


def test_what_this_server_has_written_is_known_to_it_and_the_same_on_another(
    tmp_path: Path,
) -> None:
    world = World()
    boards = [
        world.board("visavis", WON, options="-size=5"),
        world.board("visavis", "E3", options="-size=5", terms=("--private", "--nagtime=3")),
        world.board("gyges"),
    ]
    perform(Resign("", boards[1], confirmed=True), Actor(world.player("bob")), "", NOW)
    perform(OfferDraw("", boards[2]), Actor(world.player("ann")), "", NOW)
    perform(AnswerOffer("", boards[2], accepts=True), Actor(world.player("bob")), "", NOW)
    exported = CliRunner().invoke(main, ["export", "--private"]).stdout
    assert exported.count("sarsen-record:") == 3
    path = tmp_path / "all.txt"
    path.write_text(exported, encoding="utf-8")
    assert sarsen(str(path)).stdout == "0 imported, 3 known, 0 refused.\n"
    Match.objects.all().delete()
    assert sarsen(str(path)).stdout == "3 imported, 0 known, 0 refused.\n"
    assert CliRunner().invoke(main, ["export", "--private"]).stdout == exported


def test_signature_that_nobody_has_checked_is_published_nowhere(client: Client) -> None:
    """By another key, or none that is known; and in what earlier releases have imported."""
    one = signed_elsewhere(record())
    for given in (one, replace(one, signature=f"{KEY.name}:nonsense"), replace(one, signature="?")):
        (board,) = take(given)
        stored = Import.objects.get(match=board)
        assert stored.head["signature"] == given.signature
        pages = [client.get(f"/boards/{board}/record.{form}") for form in ("txt", "json", "sgf")]
        pages.append(client.get("/records.jsonl"))
        told = b"".join(b"".join(page) for page in pages)
        assert b"signature" not in told
        assert b"Ann" in told
        assert written(board).signature == ""
        Match.objects.all().delete()
    with pytest.raises(UserError) as refused:
        take(replace(one, reason="Changed."), keys=[KEY])
    assert refused.value.code == "record.signature"


def test_command_keeps_signatures_by_keys_that_are_given_and_by_those_of_this_server() -> None:
    game = load("visavis")
    ours = signatures.signed(record(players=("eve", "dan")), game, signatures.secret_key())
    theirs = signed_elsewhere(record()).signature
    content = "\n".join(text.write(one, game) for one in (signed_elsewhere(record()), ours))
    for words, kept in (
        ((), {"", ours.signature}),
        (("--key", KEY.public), {theirs, ours.signature}),
    ):
        assert sarsen(*words, "-", given=content).exit_code == 0
        boards = Match.objects.values_list("pk", flat=True)
        assert {written(board).signature for board in boards} == kept
        Match.objects.all().delete()


def test_moves_are_kept_in_full_form_and_then_without_a_signature() -> None:
    short = record(moves=tuple(replace(one, text=one.text.lower()) for one in record().moves))
    (board,) = take(signed_elsewhere(short), keys=[KEY])
    assert [move.text for move in written(board).moves] == WON.split()
    assert written(board).signature == ""
    assert importing.board_of(importing.check(record(), NOW)) == board


def test_an_import_counts_among_the_openings_without_the_ratings_of_its_players() -> None:
    ann = World().player("ann")
    Rating.objects.create(
        player=ann, game="visavis", rating=1800, deviation=60, volatility=0.06, rated_at=NOW
    )
    board = take(record(), known={"Ann": "ann"})[0]
    assert store_some() == 1
    opening = look_up(load("visavis").start("-size=5"))
    assert [(one.text, one.lost, one.rating) for one in opening.moves] == [("E3", 1, None)]
    assert [one.number for one in opening.newest] == [board]
