"""The screens against a real API: a list, a board, moves by keys and by mouse, news, refusals."""

from __future__ import annotations

import re

import polib
import pytest
from textual.css.query import NoMatches
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, Static

from sarsen.core.errors import UserError
from sarsen.core.phrases import for_example
from sarsen.doors.tui.app import TerminalApp, looks_dark
from sarsen.doors.tui.board_screen import BoardScreen
from sarsen.doors.tui.board_widget import BoardWidget
from sarsen.doors.tui.colours import Colours
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.prompts import ChoiceScreen, ConfirmScreen
from sarsen.doors.tui.words import SideColumn, refusal_words
from sarsen.language.commands import BY_WORD
from sarsen.language.translating import use_language
from sarsen.storage.models import Player
from translations import catalogue
from web_world import World

from .conftest import Seat, run, seen, typed, until

pytestmark = pytest.mark.ci


def board_of(app: TerminalApp) -> BoardScreen:
    screen = next(one for one in reversed(app.screen_stack) if isinstance(one, BoardScreen))
    return screen


def is_ready(app: TerminalApp) -> bool:
    """Return whether one can point at the board that is shown."""
    screen = app.screen
    if not isinstance(screen, BoardScreen) or screen.state is None:
        return False
    return screen.state.taps is not None


def message(app: TerminalApp) -> str:
    return str(board_of(app).query_one("#message", Static).content)


def test_no_sentence_of_ours_is_english_on_german_screens(
    world: World, ann: Seat, bob: Seat
) -> None:
    Player.objects.filter(userid="ann").update(language="de")
    board = world.board("druid", "c1", options="-size=5", players=("bob", "ann"))
    world.challenge("vasco", "bob", "ann", by="bob")
    bob.client.line(f"draw {board}")
    ours = polib.pofile(str(catalogue("de")))
    english = {
        one.msgid.partition("\n")[0].partition("{")[0].strip(" :")
        for one in ours
        if any(place.startswith("doors/tui") for place, _ in one.occurrences)
        and one.msgid != one.msgstr
    }
    english = {text for text in english if len(text) > 5 and text not in BY_WORD}
    met = []

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        home = app.screen
        assert isinstance(home, HomeScreen)
        await until(pilot, lambda: home.table.row_count == 2 and "du bist dran" in seen(app))
        met.append(seen(app))
        await pilot.press("question_mark")
        await pilot.pause()
        met.append(seen(app))
        await pilot.press("escape", "enter")
        await until(pilot, lambda: is_ready(app))
        met.append(seen(app))
        await pilot.press("question_mark")
        await pilot.pause()
        met.append(seen(app))
        await pilot.press("escape")
        await typed(pilot, "z9")
        await pilot.pause()
        met.append(seen(app))
        await pilot.press("escape", "slash")
        await pilot.pause()
        met.append(seen(app))
        await typed(pilot, "Aufgeben")
        await pilot.pause()
        met.append(seen(app))
        await pilot.press("j")
        await until(pilot, lambda: board_of(app).state.facts.is_over)  # type: ignore[union-attr]
        met.append(seen(app))

    with use_language("de"):
        run(ann.app(), story, size=(120, 40))
    for one in met:
        assert [text for text in english if re.search(rf"\b{re.escape(text)}\b", one)] == [], one
    for one, said in zip(
        met,
        (
            "du bist dran",
            "Herausforderung",
            "bietet Remis an",
            "Pfeile",
            "Feld z9",
            "Aufgeben",
            "Diese Partie",
            "auf",
        ),
        strict=True,
    ):
        assert said in one, one


def test_a_game_is_played_from_the_list_to_its_end_by_keys_alone(
    world: World, ann: Seat, bob: Seat
) -> None:
    waits = world.board("druid", "c1", options="-size=5", players=("bob", "ann"))
    world.board("gyges", players=("bob", "ann"))
    world.challenge("vasco", "bob", "ann", by="bob")

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        home = app.screen
        assert isinstance(home, HomeScreen)
        await until(pilot, lambda: home.table.row_count == 3)
        table: DataTable[str] = home.table
        assert [table.get_row_at(at)[0] for at in range(3)] == ["your move", "challenge", "waiting"]
        await pilot.press("enter")
        await until(pilot, lambda: is_ready(app))
        await play_by_cursor(app, pilot)
        assert bob.client.board(waits).ply == 2
        await answered(app, pilot)
        await refused(app, pilot)
        await talked(app, pilot)
        await resigned(app, pilot)

    async def play_by_cursor(app: TerminalApp, pilot: Pilot[None]) -> None:
        screen = board_of(app)
        picture = screen.query_one(BoardWidget)
        picture.cursor = "c2"
        await pilot.press("up", "right", "left", "enter")
        assert screen.state is not None
        assert screen.state.draft is not None
        assert screen.state.draft.text == "c3"
        # It is shown, and nothing is sent.
        assert bob.client.board(waits).ply == 1
        await pilot.press("escape")
        assert screen.state.draft is None
        await pilot.press("enter", "enter")
        await until(pilot, lambda: screen.state is not None and screen.state.facts.ply == 2)

    async def answered(app: TerminalApp, pilot: Pilot[None]) -> None:
        # News of the other side come by themselves.
        bob.client.move(waits, "b1")
        screen = board_of(app)
        await until(pilot, lambda: screen.state is not None and screen.state.facts.ply == 3)
        await until(pilot, lambda: is_ready(app))
        await pilot.press("comma", "comma")
        assert screen.state is not None
        assert screen.state.cursor.at == 1
        await pilot.press("left", "end")
        assert screen.state.cursor.is_at_end
        await until(pilot, lambda: is_ready(app))

    async def refused(app: TerminalApp, pilot: Pilot[None]) -> None:
        await typed(pilot, "z9")
        assert "druid." in message(app)
        field = app.screen.query_one(Input)
        assert field.value == "z9"
        await pilot.press("backspace", "backspace")
        await typed(pilot, "a3")
        assert "a3: Enter sends it" in message(app)
        await pilot.press("escape")

    async def talked(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("quotation_mark")
        await typed(pilot, "hello bob")
        await until(pilot, lambda: bob.client.board(waits).chat)
        assert bob.client.board(waits).chat[0].text == "hello bob"
        said = board_of(app).query_one(SideColumn).query_one("#chat", Static)
        await until(pilot, lambda: "hello bob" in str(said.content.renderables[-1]))  # type: ignore

    async def resigned(app: TerminalApp, pilot: Pilot[None]) -> None:
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await typed(pilot, "resign")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        assert not bob.client.board(waits).is_over
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await typed(pilot, "resign")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: bob.client.board(waits).is_over)
        screen = board_of(app)
        await until(pilot, lambda: screen.state is not None and screen.state.facts.is_over)

    run(ann.app(), story)


def test_a_game_is_played_with_the_mouse_and_moves_are_tried_and_planned(
    world: World, ann: Seat, bob: Seat
) -> None:
    board = world.board("visavis", "C3 D4", options="-size=9", players=("ann", "bob"))

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: is_ready(app))
        screen = board_of(app)
        picture = screen.query_one(BoardWidget)
        await pilot.press("ctrl+e")
        await until(pilot, lambda: is_ready(app))
        for text in ("G5", "D6", "G7"):
            await click(pilot, picture, text)
            await pilot.press("enter")
            await until(pilot, lambda: is_ready(app))
        assert screen.state is not None
        assert screen.state.cursor.tried_texts == ("G5", "D6", "G7")
        assert bob.client.board(board).ply == 2
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await typed(pilot, "plan these")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: own_plan(ann, board))
        assert "if D6 then G7" in own_plan(ann, board)

    async def click(pilot: Pilot[None], picture: BoardWidget, spot: str) -> None:
        column, row = picture.mosaic.places[spot].middle
        left, top = picture.offset_of_board
        await pilot.click("#board", offset=(left + column, top + row))

    run(ann.app(board), story)


def own_plan(seat: Seat, board: int) -> str:
    own = seat.client.board(board).own
    return own.plan if own else ""


def test_a_challenge_is_accepted_and_errors_leave_the_typed_line(
    world: World, ann: Seat, bob: Seat
) -> None:
    world.challenge("gyges", "bob", "ann", by="bob")

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        home = app.screen
        assert isinstance(home, HomeScreen)
        await until(pilot, lambda: home.table.row_count == 1)
        await pilot.press("colon")
        await typed(pilot, "chess challenge me bob")
        said = home.query_one("#message", Static)
        await until(pilot, lambda: "[" in str(said.content))
        assert home.query_one(Input).value == "chess challenge me bob"
        await pilot.press("escape", "a")
        await until(pilot, lambda: home.table.get_row_at(0)[0] in ("your move", "waiting"))

    # Without colours, and on a terminal too small for a board: which says so.
    async def small(app: TerminalApp, pilot: Pilot[None]) -> None:
        app.open_board(next(ann.client.boards()).number)
        await pilot.pause()
        cover = app.screen.query_one("TooSmall", Static)
        await until(pilot, lambda: cover.has_class("is-shown"))
        assert "44 x 16" in str(cover.content)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: not cover.has_class("is-shown"))
        await until(pilot, lambda: board_of(app).state is not None)

    run(ann.app(), story)
    run(ann.app(colours=Colours.NONE), small, size=(30, 9))


def test_the_colours_follow_what_the_terminal_says_of_its_background() -> None:
    assert looks_dark({})
    assert looks_dark({"COLORFGBG": "15;0"})
    assert not looks_dark({"COLORFGBG": "0;15"})


def test_an_answer_for_a_screen_that_is_taken_down_is_for_nobody(ann: Seat) -> None:
    async def nothing_is_left() -> None:
        raise NoMatches("No nodes match 'DataTable' on HomeScreen()")

    home = HomeScreen()

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        # Not by `pilot.pause`: it waits in vain for parts that are taken down meanwhile.
        await app.push_screen(home)
        with pytest.raises(NoMatches):  # of one that is shown it would be a defect
            await home.while_shown(nothing_is_left())
        await app.pop_screen()
        await home.while_shown(nothing_is_left())

    run(ann.app(), story)


def test_a_hint_that_is_a_line_has_the_slash_that_it_is_typed_with() -> None:
    line = UserError("There is no board 7.", code="unknown-board", hint="list")
    advice = UserError("Said already.", code="said", hint="Change a word to send it once more.")
    move = UserError("No.", code="no", hint=for_example("c3"))
    assert refusal_words(line).splitlines()[1] == "/list"
    assert refusal_words(line, takes_lines=False).splitlines()[1] == "list"
    assert refusal_words(advice).splitlines()[1] == advice.hint
    assert refusal_words(move).splitlines()[1] == "For example: c3"


def test_a_list_of_ended_boards_has_results_where_running_ones_have_their_time(
    world: World, ann: Seat
) -> None:
    world.board(moves="b8 b5")
    ended = world.board(moves="b8 b5")
    ann.client.line(f"resign {ended}")
    ann.client.line(f"confirm {ended}")

    def headings(app: TerminalApp) -> list[str]:
        home = app.screen
        assert isinstance(home, HomeScreen)
        return [str(column.label) for column in home.table.ordered_columns]

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "My boards" in seen(app))
        await until(pilot, lambda: headings(app)[4] == "Time left")
        await pilot.press("e")
        await until(pilot, lambda: headings(app)[4] == "Result")
        await until(pilot, lambda: "My finished boards" in seen(app))
        assert "Time left" not in seen(app)
        await pilot.press("e")
        await until(pilot, lambda: "Time left" in seen(app))

    run(ann.app(), story, size=(120, 30))
