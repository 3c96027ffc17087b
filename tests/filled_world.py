"""A server with something on it, and the address of every kind of page; for browsers."""

from __future__ import annotations

from contest_world import ContestWorld
from sarsen.games import names
from sarsen.language.commands import LeaveContest
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import playable, puzzled
from sarsen.services.bots.accounts import make_accounts
from web_world import NOW, World

DRUID = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"
# A move of several bounces, as long as any line in a table gets.
GYGES = "231123 321123 16-35 61-53 15-24 66x65=21 13-14-24x35=33 62x53=36 14-24-35x36=43"
# A table of two columns, wider than a phone, and a word that no screen can break at a blank.
WORDS = f"New game: Vasco\n\n{'    1  2  3  4  5' * 8}\n{'    a  .  .  x  .' * 8}\n\n{'x' * 90}"
LONG = ("Winifred_Long-16", "Maximilian-Mori1")


def paths(world: World) -> list[str]:
    """Put something onto the server, and give the address of every kind of page."""
    boards = [world.board(moves=DRUID), world.board("gyges", GYGES)]
    boards += [world.board(name) for name in names()]
    boards.append(world.board(moves="b12", options="-size=12 -nogaps -exact -swap"))
    make_accounts(NOW)
    boards.append(world.board("visavis", players=LONG))
    world.challenge("druid", "Winifred_Long-16", "anyone", options="-size=12 -nogaps -exact -swap")
    wide = "To see it again, answer this mail with `show`; to give up, with `resign`. " * 2
    subject = "Re: visavis challenge -size=25 --unrated Winifred_Long-16 " + "x" * 60
    news = [world.news("Winifred_Long-16", text) for text in (WORDS, "A tournament in December.")]
    mail = world.caught("winifred.long.address@a-long-domain.example.org", subject, wide)
    code = world.mail_invitation(LONG[0], "maximilian@example.org")
    return [
        *(f"/invited/{code}/", f"/invited/{code}/never/"),
        *("/", "/games/", "/help/", "/help/commands/", "/help/tutorial/"),
        *("/news/", "/news/?q=tournament", f"/news/{news[1]}/", f"/news/{news[0]}/"),
        *("/wishes/", "/styles/", "/figures/", "/games/visavis/try/?partner=on"),
        "/games/druid/try/?moves=a1+a2&at=1",
        *(
            "/learn/",
            "/learn/druid/win/",
            "/learn/druid/win/?moves=a1",
            "/learn/druid/win/?moves=b4",
        ),
        *("/learn/gyges/bounce/?ask=hint", "/learn/vasco/two-loops/?ask=show"),
        *("/learn/druid/level/?moves=a3", "/learn/visavis/crossed/?moves=D2"),
        "/analyse/",
        "/analyse/druid/?options=-size%3D5&moves=c1+b2",
        "/analyse/vasco/",
        "/puzzles/",
        *(f"/puzzles/{game}/{playable(game)[0].id}/" for game in puzzled()),
        *(f"/puzzles/{game}/{one.id}/?moves={one.first[0]}" for game, one in _solvable()),
        *(f"/games/{name}/" for name in names()),
        *(f"/boards/{board}/" for board in boards),
        *(f"/boards/{board}/text/" for board in boards[1:4]),
        f"/boards/{boards[0]}/variations/?ply=12&try=d3&try=e4",
        *contest_paths(world),
        *("/mail/", f"/mail/{mail}/", "/mail/write/", "/nope/", "/boards/99999/"),
    ]


def _solvable() -> list[tuple[str, Puzzle]]:
    """Return the first puzzle of each game that has some."""
    return [(game, playable(game)[0]) for game in puzzled()]


def contest_paths(world: World) -> list[str]:
    """Make contests that are open, running and over, and give the addresses of their pages."""
    contests = ContestWorld(world.now)
    druid = {"game": "druid", "options": ""}
    over = contests.make("ann", "bob", "cid", "dora", name="Four Corners", **druid)
    for winner, loser in (("ann", "bob"), ("bob", "cid"), ("ann", "cid")):
        contests.win(winner, loser)
    for winner in ("ann", "bob", "cid"):
        contests.win(winner, "dora")
    names = (*LONG, "ann", "bob", "cid", "dora")
    running = contests.make(*names, name="Stonehenge " * 3, **druid)
    contests.win("ann", "bob")
    contests.say("dora", LeaveContest(running, confirmed=True))
    opened = contests.make("ann", LONG[0], most=8, name="December", game="druid")
    pages = [f"/contests/{number}/" for number in (over, running, opened)]
    return [*("/contests/", "/contests/calendar/"), *pages, "/players/ann/"]


def own_paths(world: World) -> list[str]:
    """Return the address of every kind of page that is for players alone."""
    board = world.board("gyges", GYGES, players=LONG)
    small = world.board(options="-size=3", players=LONG)
    world.challenge("druid", *reversed(LONG), options="-size=12 -nogaps -exact -swap")
    return [
        *("/my/", "/do/", "/account/", "/account/play/", "/account/deliveries/", "/challenges/"),
        *("/programs/", "/players/bot7/"),
        *("/games/druid/challenge/", f"/players/{LONG[1]}/", f"/players/{LONG[1]}/history/"),
        *(f"/boards/{board}/", f"/boards/{small}/", f"/boards/{small}/?try=b2"),
        *(f"/boards/{board}/text/", f"/boards/{small}/text/?try=b2"),
        *(f"/boards/{board}/variations/", f"/boards/{small}/variations/?try=b2&try=c2"),
        *("/games/druid/standings/", "/games/druid/ratings/", "/games/druid/history/"),
    ]
