"""Queries about boards: shown, previewed, listed. They change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from django.db.models import QuerySet

from sarsen.core.errors import UserError
from sarsen.core.game import TESTERS_WANTED, GameInfo
from sarsen.core.phrases import Phrase, Typed, joined
from sarsen.core.referee import judge
from sarsen.games import load, names
from sarsen.language.challenges import ANYONE
from sarsen.language.commands import AllShow, Games, ListBoards, Preview, Show, ShowAs
from sarsen.language.grammar.dates import day_words
from sarsen.language.plans import DEEPEST, PlanLine, PlanText, write_plan
from sarsen.language.queries import MAX_BOARDS
from sarsen.language.replies import (
    BoardsShown,
    OwnBoard,
    OwnBoardsShown,
    Previewed,
    Table,
    Tables,
)
from sarsen.language.schema.fields import MAX_LISTED_PLAYERS
from sarsen.services.board_cache import position_after
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.challenges.acceptance import taken_words, willing_players
from sarsen.services.challenges.lists import open_challenges
from sarsen.services.clocks.vacations import away_now
from sarsen.services.matches import matches
from sarsen.services.matches.chat import notes_of
from sarsen.services.matches.lobby import newest_boards_of
from sarsen.services.matches.terms import write_terms
from sarsen.services.plans import stored_trees as plans
from sarsen.services.players import find_player, marked
from sarsen.services.request import Player, Request
from sarsen.storage.models import Match

MAX_PREVIEWED = 40  # moves of one command: each is judged by the rules
MAX_ROWS = 200  # of a table, so that a mail or page of it can be read
MAX_NOTES = 20  # of each board of a list, the newest: one page or mail has all
RECENT = 10  # boards that ended, the newest of each game: the history has all
COLUMNS = ("board", "game", "players", "move", "turn or result")


def show(command: Show, request: Request) -> BoardsShown:
    """Find the boards to draw."""
    _check_boards("show", command)
    _check_names("show", command)
    places: list[tuple[int, int | None]] = []
    for number, due_ply in command.boards:
        ply = None if due_ply is None else max(due_ply - 1, 0)
        view_board(number, ply, game=command.game, viewer=request.actor.player)
        places.append((number, ply))
    for userid in command.userids:
        player = find_player(userid)
        boards = _boards(command.game, (player,), command.which)
        visible = [match for match in boards if _is_visible(match, request)]
        places += [(match.pk, None) for match in visible[: MAX_BOARDS - len(places)]]
    if not places:
        names_text = " ".join(command.userids)
        raise UserError(
            "{players} has no such boards.",
            code="no-boards",
            hint=f"games {names_text} all",
            players=names_text,
        )
    return BoardsShown(tuple(places[:MAX_BOARDS]))


def _check_boards(verb: str, command: Show | ShowAs) -> None:
    """Refuse more boards than one answer has room for."""
    if len(command.boards) > MAX_BOARDS:
        first = " ".join(str(number) for number, _ in command.boards[:MAX_BOARDS])
        raise UserError(
            "One command shows at most {most} boards.",
            code="too-many-boards",
            hint=Typed(f"{verb} {first}"),
            most=MAX_BOARDS,
        )


def _check_names(verb: str, command: Show | Games) -> None:
    """Refuse to look up as many players as a line has room for."""
    if len(command.userids) > MAX_LISTED_PLAYERS:
        first = (command.game, verb, *command.userids[:MAX_LISTED_PLAYERS], command.which)
        raise UserError(
            "One command takes at most {most} players; this one has {count}.",
            code="too-many-names",
            hint=Typed(" ".join(filter(None, first))),
            most=MAX_LISTED_PLAYERS,
            count=len(command.userids),
        )


def all_show(command: AllShow, request: Request) -> BoardsShown:
    """Find one player's boards over all games."""
    return show(Show("", (), (command.userid,), command.which), request)


def show_as(command: ShowAs, request: Request) -> OwnBoardsShown:
    """Find boards as their player sees them, with notes and plan."""
    player = request.player("druid showas USERID PASSWORD 123")
    _check_boards("showas USERID PASSWORD", command)
    chosen = command.boards
    if not chosen:
        boards = _boards(command.game, (player,), command.which)[:MAX_BOARDS]
        chosen = tuple((match.pk, None) for match in boards)
    if not chosen:
        raise UserError(
            "{player} has no such boards.",
            code="no-boards",
            hint=f"games {player.userid} all",
            player=player.userid,
        )
    return OwnBoardsShown(
        tuple(_own_board(number, due_ply, command.game, player) for number, due_ply in chosen)
    )


def _own_board(number: int, due_ply: int | None, game: str, player: Player) -> OwnBoard:
    ply = None if due_ply is None else max(due_ply - 1, 0)
    view_board(number, ply, game=game, viewer=player)
    match = matches.find(number, game, viewer=player)
    return OwnBoard(number, ply, notes_of(match, player, MAX_NOTES), _plan(match, player))


def _plan(match: Match, player: Player) -> str:
    _, tree = plans.load(match, player)
    return plans.plan_after(tree, plans.played_path_of(match).path)


def preview(command: Preview, request: Request) -> Previewed:
    """Try moves on a board."""
    if len(command.moves) > MAX_PREVIEWED:
        raise UserError(
            "A preview takes at most {most} moves.",
            code="too-many-moves",
            hint=Typed(f"preview {command.board} {' '.join(command.moves[:2])}"),
            most=MAX_PREVIEWED,
        )
    match = matches.find(command.board, command.game, viewer=request.actor.player)
    plans.check_exploration(match)
    ply = None if command.ply is None else max(command.ply - 1, 0)
    view = view_board(
        command.board,
        ply,
        game=command.game,
        viewer=request.actor.player,
        tried=command.moves,
        budget=request.actor.budget,
        boards=request.boards,
    )
    plan = _plan_for(view, request.actor.player) if match.ended_at is None else ""
    return Previewed(view.number, view.ply, view.previewed, plan)


def games(command: Games, request: Request) -> Table:
    """Make a table of boards, one line each."""
    _check_names("games", command)
    players = tuple(find_player(userid) for userid in command.userids)
    boards = _boards(command.game, players, command.which)
    title = Phrase("Boards")
    if command.game:
        title = Phrase("{game} boards", game=load(command.game).info.title)
    return Table(title, COLUMNS, _rows(boards, request))


def list_boards(command: ListBoards, request: Request) -> Tables:
    """List the games, then each game's running and recently ended boards."""
    game_names = [load(name).info.name for name in command.games[:20]]
    tables = []
    if not game_names:
        tables.append(_games_table())
    tables.append(_challenges_table(game_names, request))
    tables.append(_willing_table(game_names))
    for name in game_names or names():
        title = load(name).info.title
        running = Match.objects.filter(game=name, ended_at=None).order_by("-moved_at")
        ended = Match.objects.filter(game=name, ended_at__isnull=False).order_by("-ended_at")
        running_title = Phrase("{game}: running", game=title)
        tables.append(Table(running_title, COLUMNS, _rows(running[:MAX_ROWS], request)))
        ended_title = Phrase("{game}: recently ended", game=title)
        tables.append(Table(ended_title, COLUMNS, _rows(ended[:RECENT], request)))
    return Tables(tuple(table for table in tables if table.rows))


def _games_table() -> Table:
    infos = [load(name).info for name in names()]
    rows = tuple(
        (info.name, _what_it_is(info), f"{info.author}, {info.year}", f"help {info.name}")
        for info in infos
    )
    return Table(Phrase("Games"), ("game", "what it is", "made by", "rules"), rows)


def _what_it_is(info: GameInfo) -> Phrase:
    summary = Phrase(info.summary)
    return joined((summary, TESTERS_WANTED)) if info.wants_testers else summary


def _challenges_table(game_names: list[str], request: Request) -> Table:
    rows = []
    for one in open_challenges(request.actor.player, *game_names, most=MAX_ROWS):
        game = " ".join(filter(None, (one.game.name, one.options, one.terms)))
        rows.append((str(one.number), game, " v ".join(one.names), f"accept {one.number}"))
    return Table(
        Phrase("Open challenges"), ("number", "game", "players", "to take it"), tuple(rows)
    )


def _willing_table(game_names: list[str]) -> Table:
    """Return the players with whom one of these games, or any game, starts at once."""
    rows = [
        (marked(player), taken_words(taken))
        for player, taken in willing_players(MAX_ROWS)
        if not game_names or taken == (ANYONE,) or set(game_names) & set(taken)
    ]
    return Table(Phrase("Players who start at once"), ("player", "start at once"), tuple(rows))


def _boards(game: str, players: tuple[Player, ...], which: str) -> QuerySet[Match]:
    boards = Match.objects.order_by("-moved_at")
    ended = {"active": False, "next": False, "inactive": True}.get(which)
    if players:
        boards = boards.filter(pk__in=newest_boards_of(players, game=game, ended=ended))
    elif game:
        boards = boards.filter(game=game)
    if ended is not None:
        boards = boards.filter(ended_at__isnull=not ended)
    if which == "next":
        ids = [
            match.pk
            for match in boards[:MAX_ROWS]
            if match.seats.filter(seat=match.seat_to_move, player__in=players).exists()
        ]
        boards = boards.filter(pk__in=ids)
    return boards[:MAX_ROWS]


def _rows(boards: QuerySet[Match], request: Request) -> tuple[tuple[str, ...], ...]:
    rows = []
    listed = [
        match for match in boards.prefetch_related("seats__player") if _is_visible(match, request)
    ]
    sitting = {seat.player_id for match in listed for seat in match.seats.all()}
    last_days = away_now(sitting, request.now)
    for match in listed:
        players = [marked(seat.player) for seat in match.seats.all()]
        state = Phrase(match.reason) if match.ended_at else _turn(match, last_days, request.now)
        rows.append((str(match.pk), _game_words(match), " v ".join(players), str(match.ply), state))
    return tuple(rows)


def _turn(match: Match, last_days: Mapping[int, date], now: datetime) -> str:
    """Return a text that says who moves: `ann to move (on vacation until Sat 2 Jan)`."""
    player = match.seats.all()[match.seat_to_move].player
    until = last_days.get(player.pk)
    if until is None:
        return Phrase("{player} to move", player=player.userid)
    return Phrase(
        "{player} to move (on vacation until {day})",
        player=player.userid,
        day=day_words(until, now.date()),
    )


def _game_words(match: Match) -> str:
    return " ".join(filter(None, (match.game, match.options, write_terms(match.terms))))


def _is_visible(match: Match, request: Request) -> bool:
    try:
        matches.check_visible(match, request.actor.player)
    except UserError:
        return False
    return True


def _plan_for(view: BoardView, player: Player | None) -> str:
    """Return the text by which a player would plan the moves they tried at a running board.

    "" when they do not play there, when they do not begin at the present position, when
    no move of theirs answers one of the other side, or when the sides do not take turns.
    """
    own_seats = {seat for seat, name in enumerate(view.players) if player and name == player.userid}
    is_present = view.ply == view.last_ply
    if not own_seats or len(own_seats) == len(view.players) or not is_present:
        return ""
    moves = list(_moves(view, own_seats))
    first = moves.pop(0)[0] if moves and moves[0][1] else ""
    pairs = list(zip(moves[::2], moves[1::2], strict=False))[:DEEPEST]
    if not pairs or any(answer[1] or not reply[1] for answer, reply in pairs):
        return ""
    lines: tuple[PlanLine, ...] = ()
    for (answer, _), (reply, _) in reversed(pairs):
        lines = (PlanLine(answer, reply, lines),)
    return write_plan(PlanText(first, lines))


def _moves(view: BoardView, own_seats: set[int]) -> list[tuple[str, bool]]:
    """Return the moves that were tried, and whether the player makes them."""
    texts = tuple(move.text for move in view.shown_moves)
    position = position_after(view.game.name, view.options, texts)
    moves = []
    for text in view.previewed:
        moves.append((text, position.seat in own_seats))
        position = judge(position, text).position
    return moves
