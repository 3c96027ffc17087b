"""What programs read: games, boards, players, challenges, records; conditional and in pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from every_command import ENDED
from program import Program
from sarsen.core.game import AnyPosition
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import Review
from short_sight import ShortSight

Programs = Callable[..., Program]


def test_a_board_is_read_without_a_token_with_moves_clock_and_text(
    world: Any, program: Programs
) -> None:
    board = world.board(moves="b8 b5")
    visitor = program()
    found = visitor.get(f"boards/{board}")
    assert visitor.status == 200
    assert (found["game"], found["players"], found["ply"]) == ("druid", ["ann", "bob"], 2)
    assert [move["text"] for move in found["moves"]] == ["b8", "b5"]
    assert "b4" in found["legal_moves"]
    assert found["to_move"] == 0
    assert found["clock"]["userid"] == "ann"
    assert found["own"] is None
    assert "+---" in found["text"]


def test_a_board_says_when_its_review_is_ready_and_is_then_sent_again(
    world: Any, program: Programs
) -> None:
    board = world.board("visavis", "A3 C2 D3 D1 B4", options="-size=5")
    ann = program("ann")
    assert ann.get(f"boards/{board}")["is_reviewed"] is False
    etag = ann.headers["ETag"]
    ann.line(f"review {board}")
    assert ann.get(f"boards/{board}")["is_reviewed"] is False  # it is only asked for
    while work_step(_think, Stop(), timezone.now()):
        pass
    assert ann.get(f"boards/{board}", If_None_Match=etag)["is_reviewed"] is True
    Review.objects.update(findings={})  # of an older version
    assert ann.get(f"boards/{board}")["is_reviewed"] is False


def _think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return ShortSight(3)(position, seed)


def test_an_earlier_ply_has_the_moves_that_were_possible_then(
    world: Any, program: Programs
) -> None:
    board = world.board(moves="b8 b5")
    visitor = program()
    found = visitor.get(f"boards/{board}/plies/1")
    assert (found["ply"], found["last_ply"], found["to_move"]) == (1, 2, None)
    assert "b5" in found["legal_moves"]
    visitor.get(f"boards/{board}/plies/3")
    assert (visitor.status, visitor.code) == (404, "unknown-ply")


def test_who_has_a_board_already_gets_304_until_it_changes(world: Any, program: Programs) -> None:
    board = world.board(moves="b8")
    visitor, bob = program(), program("bob")
    visitor.get(f"boards/{board}")
    etag = visitor.headers["ETag"]
    visitor.get(f"boards/{board}", If_None_Match=etag)
    assert (visitor.status, visitor.body) == (304, b"")
    bob.line(f"move {board} b5")
    visitor.get(f"boards/{board}", If_None_Match=etag)
    assert visitor.status == 200


def test_a_private_board_is_for_others_as_if_it_did_not_exist(
    world: Any, program: Programs
) -> None:
    board = world.board(moves="b8", terms=("--private",))
    missing = board + 1000
    for one in (program(), program("eve")):
        for path in ("boards/{}", "boards/{}/plies/0", "boards/{}/record"):
            refused = one.get(path.format(board))
            assert one.status == 404
            same = one.get(path.format(missing))
            assert refused["code"] == same["code"] == "unknown-board"
            assert refused["detail"].replace(str(board), "") == same["detail"].replace(
                str(missing), ""
            )
        assert board not in [line["number"] for line in one.get("boards")["boards"]]
    ann = program("ann")
    assert ann.get(f"boards/{board}")["own"]["seats"] == [0]
    assert board in [line["number"] for line in ann.get("boards")["boards"]]


def test_lists_of_boards_come_in_pages_that_neither_miss_nor_repeat(
    world: Any, program: Programs
) -> None:
    boards = [world.board() for _ in range(5)]
    visitor, seen, path = program(), [], "boards?most=2&state=running&player=ann"
    while path:
        page = visitor.get(path)
        seen += [line["number"] for line in page["boards"]]
        path = visitor.headers["Link"].split(">")[0].strip("<") if page["further"] else ""
    assert seen == boards[::-1]
    assert visitor.get("boards?game=gyges")["boards"] == []
    visitor.get("boards?game=chess")
    assert (visitor.status, visitor.code) == (404, "unknown-game")
    visitor.get("boards?most=0")
    assert (visitor.status, visitor.code) == (422, "invalid")


def test_a_record_comes_as_json_and_as_text_once_the_game_is_over(
    world: Any, program: Programs
) -> None:
    running, ended = world.board(), world.board(moves=ENDED)
    visitor = program()
    found = visitor.get(f"boards/{ended}/record")
    assert found["sarsen-record"] >= 1
    assert found["signature"]
    text = visitor.get(f"boards/{ended}/record", Accept="text/plain")
    assert "players: " in text
    visitor.get(f"boards/{running}/record")
    assert (visitor.status, visitor.code) == (409, "board-running")


def test_games_players_ratings_standings_and_challenges_are_public(
    world: Any, program: Programs
) -> None:
    world.board(moves=ENDED)
    number = world.challenge("gyges", "ann", "anyone").number
    world.challenge("gyges", "ann", "bob")
    visitor = program()
    assert [game["name"] for game in visitor.get("games")["games"]][:2] == ["druid", "gyges"]
    assert visitor.get("games/druid")["options"][0]["kind"]
    standings = visitor.get("games/druid/standings")["standings"]
    assert {line["userid"]: line["won"] for line in standings} == {"ann": 1, "bob": 0} | {
        line["userid"]: line["won"] for line in standings
    }
    assert sum(line["won"] for line in standings) == 1
    assert visitor.get("games/druid/ratings")["game"] == "druid"
    first = visitor.get("games/druid/ratings")["ratings"][0]
    assert (first["userid"], first["games"], round(first["change"])) == ("ann", 1, 162)
    seats = visitor.get("boards/1")["ratings"]
    assert [round(one["change"]) for one in seats] == [162, -162]
    # An earlier position does not tell how the game ended.
    early = visitor.get("boards/1/plies/1")["ratings"]
    assert [(one["rating"], one["change"]) for one in early] == [(1500, None)] * 2
    strength = visitor.get("players/ann")["strength"][0]
    assert (strength["games"], strength["board"]) == (1, 1)
    assert visitor.get("players/ann")["userid"] == "ann"
    visitor.get("players/nobody")
    assert (visitor.status, visitor.code) == (404, "unknown-player")
    challenges = visitor.get("challenges")["challenges"]
    assert [one["number"] for one in challenges] == [number]
    assert len(program("bob").get("challenges")["challenges"]) == 2


def test_news_are_public_and_come_in_pages_or_by_their_words(world: Any, program: Programs) -> None:
    numbers = [world.news("ann", f"News {word}.") for word in ("one", "two", "three")]
    one = program()
    page = one.get("news?most=2")
    assert [item["number"] for item in page["news"]] == numbers[:0:-1]
    rest = one.get(f"news?most=2&before={page['further']}")
    assert [item["title"] for item in rest["news"]] == ["News one."]
    assert rest["further"] is None
    assert [item["text"] for item in one.get("news?search=TWO")["news"]] == ["News two."]
    assert one.get(f"news/{numbers[0]}")["author"] == "ann"
    one.get("news/999")
    assert (one.status, one.code) == (404, "unknown-news")


def test_a_board_is_read_as_text_by_who_asks_for_text(world: Any, program: Programs) -> None:
    board = world.board(moves="b8")
    visitor = program()
    text = visitor.get(f"boards/{board}", Accept="text/plain")
    assert visitor.headers["Content-Type"].startswith("text/plain")
    assert f"Druid Board {board}: " in text


def test_openapi_says_in_which_form_lines_come(program: Programs) -> None:
    ann = program("ann")
    paths = ann.get("openapi.json")["paths"]
    for path, kinds in (
        ("events", {"application/x-ndjson", "text/event-stream"}),
        ("events/boards", {"application/x-ndjson", "text/event-stream"}),
        ("account/export", {"application/jsonl"}),
    ):
        content = paths[f"/api/v1/{path}"]["get"]["responses"]["200"]["content"]
        assert content.keys() == kinds
        ann.get(path + ("?seconds=0" if "events" in path else ""))
        sent = ann.headers["Content-Type"]
        assert content[sent]["schema"].keys() & {"$ref", "oneOf", "type"}


def test_openapi_names_every_command_and_the_page_needs_no_foreign_script(
    program: Programs,
) -> None:
    from sarsen.doors.api.commands import name_of
    from sarsen.language.commands import COMMANDS

    visitor = program()
    paths = visitor.get("openapi.json")["paths"]
    for command in COMMANDS:
        posted = paths[f"/api/v1/commands/{name_of(command)}"]["post"]
        assert command.usage in posted["description"]
    page = visitor.get("docs")
    assert "://" not in page
    assert "script-src 'self'" in visitor.headers["Content-Security-Policy"]
