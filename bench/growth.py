"""`python -m bench.growth [--most 1024000] [--postgres URL] [--json FILE]`: the cost of growth.

One database, doubled from a few hundred boards on, and kept at each size. Then a process for
each size does the same things in turn, as the doors do them: a move (rules, clock, events, two
letters queued, one durable commit), pages, lists, every sweep with nothing due, operators'
pages. What is compared is processor time, of the same minutes; the ratios are to the smallest
size, at which some lists are not full, and "growth" is that of the largest size to the most of
the others. Beside them the durable commits a second of the same disk, and one digest run.

On PostgreSQL (`tests/with_postgres sh -c '... --postgres "$DATABASE_URL"'`) each size has a
database of its own, `growth_1000`, and the processor time of the server's process counts, too,
which therefore must be of this machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from rich.console import Console
from rich.table import Table

from bench.disk import durable_commits
from bench.figures import Spread, spread
from bench.filling import (
    FIRST_BOARDS,
    GAME,
    PROGRAM,
    add_contest_and_news,
    double,
    fill_first,
    is_running,
)
from bench.server import make_tables

ROUNDS = 40
WARM_UP = 5  # rounds that are not counted
MOVE, MOVES = "a move", 5  # of a round
DIGESTS = 100_000  # players in one run
NOW = datetime(2027, 1, 4, 12, tzinfo=UTC)
# 250 boards, doubled. Not before the second size are all lists full: 500 boards of the program in
# play, 500 players with a rating, 100 open challenges.
SIZES = (1_000, 32_000, 128_000, 1_024_000)
LIMIT = 1.2  # that a thing may cost at the largest size, by the most that it costs at another one
RARE = "vasco"  # a game of which nobody has played a board

Ask = Callable[[], object]


def main() -> None:
    """Fill, measure at each size, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="boards at the last size")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="few boards: shows that all works")
    parser.add_argument("--filled", type=Path, help="a folder to fill once, and to use again")
    parser.add_argument("--postgres", default="", metavar="URL", help="of a server of this machine")
    parser.add_argument("--json", type=Path, metavar="FILE")
    asked = parser.parse_args()
    rounds, warm_up = (1, 1) if asked.quick else (asked.rounds, WARM_UP)
    sizes = [FIRST_BOARDS, 2 * FIRST_BOARDS] if asked.quick else sizes_up_to(asked.most)
    if not sizes:
        parser.error(f"--most is at least {SIZES[0]}, the smallest size")
    console = Console(width=None if sys.stdout.isatty() else 120)
    told = ", ".join(f"{size:,}" for size in sizes)
    console.print(f"{FIRST_BOARDS} boards are doubled, and measured at {told}")
    with ExitStack() as stack:
        folder = asked.filled or stack.enter_context(_temporary_folder())
        folder.mkdir(parents=True, exist_ok=True)
        places = {size: _Place(folder / str(size), asked.postgres) for size in sizes}
        if not all(place.folder.is_dir() for place in places.values()):
            with console.status("filling"):
                _in_process(_fill, _Place(folder / "growing", asked.postgres), places)
        with console.status("measuring"):
            found = _measure_all(places, rounds, warm_up)
        commits = durable_commits(folder, 3, 0.5)
        with console.status("one run of digests"):
            digests = _in_process(_measure_digests, places[sizes[-1]])
    _print(console, found, commits, digests)
    if asked.json:
        kept = {"sizes": found, "commits": asdict(commits), "digests": digests}
        asked.json.write_text(json.dumps(kept, indent=1, default=asdict) + "\n", encoding="utf-8")


def sizes_up_to(most: int) -> list[int]:
    """Return at how many boards things are measured, the last the largest that doubling makes."""
    if most < SIZES[0]:
        return []
    last = FIRST_BOARDS
    while 2 * last <= most:
        last *= 2
    return [*(size for size in SIZES if size < last), last]


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Yield a folder on a disk, which /tmp may not be."""
    beside = Path(__file__).parents[1] / ".venv"
    with tempfile.TemporaryDirectory(prefix="growth-", dir=beside) as made:
        yield Path(made)


def _in_process(do: Callable[..., Any], *arguments: Any) -> Any:
    """Do something in a process of its own, which has one database."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(do, arguments)


@dataclass(frozen=True)
class _Place:
    """A folder of data, whose database is in it or on a PostgreSQL server.

    Attributes:
        server: The URL of any database there; "" for SQLite.
    """

    folder: Path
    server: str

    @property
    def name(self) -> str:
        """The name of the database on a PostgreSQL server."""
        return f"growth_{self.folder.name}"

    def set_up(self) -> None:
        """Set Django up for it; a process does so once."""
        os.environ |= {
            "SARSEN_DATA": str(self.folder),
            "SARSEN_SECRET_KEY": "of a bench",
            "DJANGO_SETTINGS_MODULE": "sarsen.server.settings",
        }
        os.environ.pop("DATABASE_URL", None)  # of somebody who runs this on a server
        if self.server:
            os.environ["DATABASE_URL"] = f"{self.server.rpartition('/')[0]}/{self.name}"
        self.folder.mkdir(exist_ok=True)
        # Static files: no browser asks for them.
        warnings.filterwarnings("ignore", "No directory at")
        import django

        django.setup()

    def make(self) -> None:
        """Make the tables."""
        if self.server:
            self._create("")
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
        else:
            make_tables(self.folder)

    def copy_from(self, other: _Place) -> None:
        """Copy a database to which nobody is connected."""
        if self.server:
            self.folder.mkdir(exist_ok=True)
            self._create(f"TEMPLATE {other.name}")
        else:
            left_out = shutil.ignore_patterns("*.sqlite3-*")
            shutil.copytree(other.folder, self.folder, ignore=left_out, dirs_exist_ok=True)

    def remove(self) -> None:
        """Remove the database and the folder."""
        shutil.rmtree(self.folder)
        if self.server:
            self._say(f"DROP DATABASE {self.name}")

    def _create(self, how: str) -> None:
        self._say(f"DROP DATABASE IF EXISTS {self.name}")
        self._say(f"CREATE DATABASE {self.name} {how}")

    def _say(self, statement: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as server:
            server.execute(statement)  # type: ignore[arg-type]

    @property
    def megabytes(self) -> float:
        """How large the database is."""
        if not self.server:
            return (self.folder / "sarsen.sqlite3").stat().st_size / 1e6
        with psycopg.connect(self.server) as server:
            row = server.execute("SELECT pg_database_size(%s)", [self.name]).fetchone()
        return row[0] / 1e6 if row else 0.0


def _fill(growing: _Place, places: dict[int, _Place]) -> None:
    """Make a database of each size."""
    growing.set_up()
    from django.db import connection

    growing.make()
    filled = fill_first(NOW)
    for size, place in places.items():
        while filled.boards < size:
            filled = double(filled)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE" if growing.server else "PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        place.copy_from(growing)
    growing.remove()


def _measure_all(places: dict[int, _Place], rounds: int, warm_up: int) -> list[dict[str, Any]]:
    """Do everything at each size in turn, in the same rounds."""
    spawn = multiprocessing.get_context("spawn")
    processes = []
    for place in places.values():
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_serve, args=(place, theirs), daemon=True)
        process.start()
        processes.append((process, ours))
    (names, *_) = [ours.recv() for _, ours in processes]
    spent: list[dict[str, list[float]]] = [{name: [] for name in names} for _ in places]
    for round_number in range(rounds + warm_up):
        for name in names:
            for times, (_, ours) in zip(spent, processes, strict=True):
                ours.send(name)
                taken = ours.recv()
                if round_number >= warm_up:
                    times[name] += taken
    for process, ours in processes:
        ours.send(None)
        process.join()
    return [
        {
            "boards": size,
            "megabytes": place.megabytes,
            "milliseconds": {name: spread(taken) for name, taken in times.items()},
            "ratios": {
                name: round(median(taken) / median(spent[0][name]), 2)
                for name, taken in times.items()
            },
        }
        for (size, place), times in zip(places.items(), spent, strict=True)
    ]


def _serve(place: _Place, pipe: Connection) -> None:
    """Do what the pipe names, and answer with the milliseconds of processor it took."""
    place.set_up()
    prepare_move, asks = _asks()
    pipe.send([MOVE, *asks])
    server = _server_process() if place.server else 0
    while (name := pipe.recv()) is not None:
        if name == MOVE:
            pipe.send([_time(prepare_move(), server) for _ in range(MOVES)])
        else:
            pipe.send([_time(asks[name], server)])


def _server_process() -> int:
    """Return the process of PostgreSQL that serves this connection."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    return int(process)


def _asks() -> tuple[Callable[[], Ask], dict[str, Ask]]:
    """Return how a move is prepared, and by name all else that is measured."""
    from django.utils.module_loading import import_string

    from sarsen.language import commands
    from sarsen.services import task_queue
    from sarsen.services.admin.cleanup import tidy_up
    from sarsen.services.admin.monitoring import measure
    from sarsen.services.boards.my_boards import next_board
    from sarsen.services.dispatch import perform
    from sarsen.services.events.live_updates import own_stamp
    from sarsen.services.events.statistics import count, sweep_figures
    from sarsen.services.records import collections
    from sarsen.services.request import NOBODY
    from sarsen.storage.models import Match, Player

    sweep_figures(NOW)  # as workers do before anybody asks
    boards = Match.objects.latest("pk").pk
    contest = add_contest_and_news(NOW)
    dice = random.Random(boards)
    running = [board for board in range(1, boards + 1) if is_running(board)]
    person = Player.objects.get(userid="p3")

    def command(one: Any) -> Ask:
        return lambda: perform(one, NOBODY, "", NOW)

    sweeps = [
        one
        for one in task_queue.SWEEPS
        if one not in (task_queue.ANSWER_MAIL, task_queue.SEND_MAIL, task_queue.TIDY)
    ]
    return lambda: _prepare_move(dice.choice(running), dice), {
        **_pages(lambda: dice.choice(running), boards, person, contest),
        "next board": lambda: next_board(person, None),
        "stamp of my boards": lambda: own_stamp(person),
        "metrics": lambda: measure(NOW),
        "figures, counted by a worker": lambda: count(NOW),
        "list": command(commands.ListBoards(())),
        "games p3 next": command(commands.Games("", ("p3",), "next")),
        f"games {PROGRAM} all": command(commands.Games("", (PROGRAM,), "all")),
        "records of a game": lambda: collections.page(collections.Selection(game=GAME)),
        "records of a person": lambda: collections.page(collections.Selection(userid="p3")),
        "records of a program": lambda: collections.page(collections.Selection(userid=PROGRAM)),
        "sweep: tidy": lambda: tidy_up(NOW),
        **{f"sweep: {one.rpartition('.')[2]}": import_string(one).call for one in sweeps},
    }


def _pages(board: Callable[[], int], boards: int, person: Any, contest: int) -> dict[str, Ask]:
    """Return requests for pages, by name."""
    from django.test import Client

    from sarsen.services.accounts.sessions import BEGAN
    from sarsen.services.admin.roles import OPERATOR_PATH
    from sarsen.storage.models import Player

    nobody, player, operator = (Client(SERVER_NAME="127.0.0.1") for _ in range(3))
    player.force_login(person)
    staff = Player.objects.get(userid="p4")
    Player.objects.filter(pk=staff.pk).update(is_staff=True, is_superuser=True)
    operator.force_login(Player.objects.get(pk=staff.pk))
    session = operator.session
    session[BEGAN] = datetime.now(UTC).isoformat()
    session.save()

    def ask(client: Client, path: str) -> Ask:
        def get() -> None:
            response = client.get(path.format(board=board()))
            if response.status_code != 200:
                raise SystemExit(f"{path} answered {response.status_code}")

        return get

    paths = {
        "home": "/",
        "board": "/boards/{board}/",
        "board of the API": "/api/v1/boards/{board}",
        "person": "/players/p3/",
        "program": f"/players/{PROGRAM}/",
        "history of a person": "/players/p3/history/",
        "history of a program": f"/players/{PROGRAM}/history/",
        "programs": "/programs/",
        "game": f"/games/{GAME}/",
        "ratings": f"/games/{GAME}/ratings/",
        "standings": f"/games/{GAME}/standings/",
        "history of a game": f"/games/{GAME}/history/",
        "history of a rare game": f"/games/{RARE}/history/",
        "challenges": "/challenges/",
        "contests": "/contests/",
        "a contest": f"/contests/{contest}/",
        "news": "/news/",
        "figures": "/figures/",
        "API: boards": "/api/v1/boards",
        "API: boards from the middle on": f"/api/v1/boards?before={boards // 2}",
        "API: running boards": "/api/v1/boards?state=running",
        "API: ended boards of a game": f"/api/v1/boards?state=ended&game={GAME}",
        "API: boards of a rare game": f"/api/v1/boards?game={RARE}",
        "API: boards of a person": "/api/v1/boards?player=p3",
        "API: boards of a program": f"/api/v1/boards?player={PROGRAM}",
        "API: running boards of a program": f"/api/v1/boards?player={PROGRAM}&state=running",
        "API: ratings": f"/api/v1/games/{GAME}/ratings",
        "API: challenges": "/api/v1/challenges",
    }
    operators = ("", "storage/match/", "storage/match/?q=p3", "storage/player/")
    operators += ("storage/outgoingmail/", "storage/inboundmail/")
    return {
        **{name: ask(nobody, path) for name, path in paths.items()},
        "my boards": ask(player, "/my/"),
        "API: boards of a caller": ask(player, "/api/v1/boards"),
        **{f"operators: /{one}": ask(operator, f"/{OPERATOR_PATH}{one}") for one in operators},
    }


def _time(do: Ask, server: int) -> float:
    """Return the milliseconds of the processor, those of a process of PostgreSQL with them."""
    began = time.process_time() + _processor_seconds(server)
    do()
    return (time.process_time() + _processor_seconds(server) - began) * 1e3


def _processor_seconds(process: int) -> float:
    """Return what a process has used of the processor; 0.0 for process 0."""
    if not process:
        return 0.0
    nanoseconds, *_ = Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()
    return int(nanoseconds) / 1e9


def _prepare_move(number: int, dice: random.Random) -> Ask:
    """Choose a move, and return what plays it."""
    from sarsen.language.commands import PlayMove
    from sarsen.services.dispatch import perform
    from sarsen.services.matches import matches
    from sarsen.services.request import Actor
    from sarsen.storage.models import Match

    match = Match.objects.get(pk=number)
    position = matches.position_of(match)
    text = position.format(dice.choice(position.legal_moves()))
    player = match.seats.select_related("player").get(seat=match.seat_to_move).player
    command, request_id = PlayMove(match.game, number, text), f"bench:{number}:{match.ply}"
    return lambda: perform(command, Actor(player), request_id, NOW)


def _measure_digests(place: _Place) -> dict[str, Any]:
    """Write the digests of very many players whose hour has come at once."""
    place.set_up()
    from bench.filling import fill_digests
    from sarsen.services.notices.digests import sweep_digests
    from sarsen.storage.models import Player

    players = min(Player.objects.count(), DIGESTS)
    items = fill_digests(players, NOW)
    before = _peak_megabytes()
    wall, processor = time.perf_counter(), time.process_time()
    while sweep_digests(NOW + timedelta(hours=1)):
        pass
    return {
        "players": players,
        "items": items,
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - processor,
        "megabytes": _peak_megabytes() - before,
    }


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _growth(medians: list[float]) -> float:
    """Return what a thing costs at the largest size, by the most that it costs at another one.

    A list that is not full at the smallest size costs more at the next one, and then no more.
    """
    return medians[-1] / max(medians[:-1]) if len(medians) > 1 else 1.0


def _print(
    console: Console, found: list[dict[str, Any]], commits: Spread, digests: dict[str, Any]
) -> None:
    table = Table(title="Growth: processor time, ms, and the ratio to the smallest size")
    table.add_column("with stored boards")
    for one in found:
        table.add_column(f"{one['boards']:,}", justify="right")
    table.add_column("growth", justify="right")
    for name in found[0]["milliseconds"]:
        cells = [
            f"{one['milliseconds'][name].median:,.1f} ({one['ratios'][name]:.2f})" for one in found
        ]
        growth = _growth([one["milliseconds"][name].median for one in found])
        table.add_row(name, *cells, f"{growth:.2f}{' !' if growth > LIMIT else ''}")
    table.add_row("database, MB", *(f"{one['megabytes']:,.0f}" for one in found))
    console.print(table)
    console.print(f"{commits.median:,.0f} durable commits/s beside it")
    console.print(
        f"Digests of {digests['players']:,} players, {digests['items']:,} lines: "
        f"{digests['seconds']:.1f} s, of it processor {digests['cpu_seconds']:.1f} s, "
        f"{digests['megabytes']:.0f} MB more memory at the most"
    )


if __name__ == "__main__":
    main()
