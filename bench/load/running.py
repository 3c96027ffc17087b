"""Run a load: everything in turn, on servers started for it, and stopped again."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.api import ApiSpeed
from bench.disk import IN_MEMORY, durable_commits_under, file_system
from bench.figures import Spread
from bench.load import doors, limits
from bench.load.limits import Limits
from bench.load.plan import AHEAD, LIMIT_RUNS, PACE, PLIES, Load
from bench.load.slow_disk import slow_disk
from bench.mail import MailPlace, MailSpeed
from bench.memory import ProcessMemory, memory_of
from bench.relay import Relay, relaying
from bench.server import environment, make_tables, serving
from bench.steps import Step
from bench.stocking import MoveMail, stock

# No program of the server's own plays, so that its searches do not share the cores.
QUIET = {"SARSEN_BOTS": "off"}
WARM_UP = 1.5  # seconds; the first letters load what later ones share


@dataclass(frozen=True)
class Slowed:
    """The figures on the disk with slower flushes, and the limits of that disk."""

    commits: Spread
    mail: MailSpeed
    api: ApiSpeed


@dataclass
class Loaded:
    """What a run has found.

    Attributes:
        workers: That the server had.
        commits_after: Durable commits once more, when all else was done.
        slowed: None where no shim could be compiled.
    """

    file_system: str
    workers: int
    limits: Limits
    mail: list[MailSpeed] = field(default_factory=list)
    paced: MailSpeed | None = None
    api: list[ApiSpeed] = field(default_factory=list)
    web: doors.DoorSpeed | None = None
    together: doors.Together | None = None
    memory: dict[str, list[ProcessMemory]] = field(default_factory=dict)
    slowed: Slowed | None = None
    commits_after: Spread | None = None

    @property
    def commit_limit(self) -> float:
        """Durable commits a second: the mean of before and after."""
        found = [self.limits.commits, *([self.commits_after] if self.commits_after else [])]
        return sum(one.median for one in found) / len(found)


def steps(load: Load) -> int:
    """Count the steps that a run reports."""
    return 10 + len(load.connections) + load.slow


def run(load: Load, step: Step) -> Loaded:
    """Measure everything; `step` is told what comes next."""
    default = Path(tempfile.gettempdir())
    beside = Path(__file__).parents[2] / ".venv"
    place = beside if beside.is_dir() and file_system(default) in IN_MEMORY else None
    with tempfile.TemporaryDirectory(prefix="load-", dir=place) as folder:
        return asyncio.run(_run(load, Path(folder), step))


async def _run(load: Load, folder: Path, step: Step) -> Loaded:
    async with relaying() as relay:
        rig = _Rig(load, folder / "first", relay, step)
        step("boards to play on")
        # One more than there are series: some boards go where a server warms up.
        rig.stock(mailed=7, proved=5 + len(load.connections))
        step("what the machine can do alone")
        alone = await limits.measure(load, folder, rig.any_move())
        found = Loaded(file_system(folder), load.workers, alone)
        await _play_by_all_doors(rig, found, step)
        await _play_with_pictures(rig, found, step)
        step("a slower disk")
        found.slowed = await _play_on_slow_disk(rig, folder) if load.slow else None
    step("the disk once more")
    found.commits_after = limits.commits(load, folder)
    return found


async def _play_by_all_doors(rig: _Rig, found: Loaded, step: Step) -> None:
    load = rig.load
    with rig.serving() as place:
        await rig.warm_up(place)
        for connections, ahead in ((load.most, AHEAD), (load.several, 1)):
            step(f"mail, {connections} at a time")
            found.mail.append(await rig.mail(place, connections, ahead))
        step(f"mail, {PACE:g} a second")
        found.paced = await rig.mail(place, load.several, AHEAD, PACE)
        for connections in load.connections:
            step(f"API, {connections} at a time")
            found.api.append(await rig.api(place, connections))
        step("API, at half of that rate")
        half = max(one.moves_per_s for one in found.api) / 2
        found.api.append(await rig.api(place, load.most, half))
        step("pages")
        found.web = await doors.by_web(rig.proved(), load.several, place, load.seconds)
        step("mail, pages and API at once")
        three = (rig.mailed(), rig.proved(), rig.proved())
        found.together = await doors.at_once(three, load.several, place, load.seconds)
        found.memory["after all doors"] = memory_of(place.server.process)


async def _play_with_pictures(rig: _Rig, found: Loaded, step: Step) -> None:
    step("mail with pictures")
    with rig.serving(pictures=True) as place:
        await rig.warm_up(place)
        found.mail.append(await rig.mail(place, rig.load.most, AHEAD))
        found.memory["after pictures"] = memory_of(place.server.process)


async def _play_on_slow_disk(rig: _Rig, folder: Path) -> Slowed | None:
    shim = slow_disk(folder)
    if shim is None:
        return None
    around = environment(folder, rig.relay.port) | shim
    commits = durable_commits_under(around, folder, LIMIT_RUNS, rig.load.seconds / 8)
    with rig.serving(more=shim) as place:
        await rig.warm_up(place)
        mail = await rig.mail(place, rig.load.most, AHEAD)
        return Slowed(commits, mail, await rig.api(place, rig.load.most))


class _Rig:
    """A data folder with boards on it, and the relay that its server sends to."""

    def __init__(self, load: Load, folder: Path, relay: Relay, step: Step) -> None:
        self.load, self.folder, self.relay, self.step = load, folder, relay, step
        self._mailed: list[list[MoveMail]] = []
        self._proved: list[list[MoveMail]] = []
        self._stocked = 0

    def environment(self) -> dict[str, str]:
        return environment(self.folder, self.relay.port) | QUIET

    def prepare(self) -> None:
        """Make the folder and its tables."""
        make_tables(self.folder)

    def stock(self, *, mailed: int, proved: int) -> None:
        """Make boards for so many series by mail, and as many by players with a log-in."""
        if not self.folder.exists():
            self.prepare()
        self._mailed += self._make(mailed, by_mail_only=True)
        self._proved += self._make(proved, by_mail_only=False)

    def _make(self, series: int, *, by_mail_only: bool) -> list[list[MoveMail]]:
        made = stock(
            series * self.load.boards,
            PLIES,
            self.environment(),
            games=self.load.games,
            seed=self.load.seed + self._stocked,
            by_mail_only=by_mail_only,
        )
        self._stocked += len(made)
        return made

    def any_move(self) -> MoveMail:
        return self._mailed[0][0]

    def mailed(self) -> list[list[MoveMail]]:
        """Take the boards of one series by mail."""
        return self._take(self._mailed)

    def proved(self) -> list[list[MoveMail]]:
        return self._take(self._proved)

    def _take(self, kept: list[list[MoveMail]]) -> list[list[MoveMail]]:
        taken = kept[: self.load.boards]
        del kept[: self.load.boards]
        return taken

    @contextlib.contextmanager
    def serving(
        self, *, pictures: bool = False, more: dict[str, str] | None = None
    ) -> Iterator[MailPlace]:
        around = QUIET | {"SARSEN_WORKERS": str(self.load.workers)} | (more or {})
        with serving(self.folder, self.relay.port, pictures=pictures, more=around) as server:
            yield MailPlace(server, self.relay, pictures)

    async def warm_up(self, place: MailPlace) -> None:
        """Play a little of each game, not counted."""
        few = self._mailed[: len(self.load.games)]
        if len(few[0]) < PLIES // 2:
            raise RuntimeError("no boards left to warm up on")
        del self._mailed[: len(few)]
        await doors.by_mail(few, 1, 1, place, WARM_UP)

    async def mail(
        self, place: MailPlace, connections: int, ahead: int, per_s: float = 0.0
    ) -> MailSpeed:
        boards, seconds = self.mailed(), self.load.seconds
        return await doors.by_mail(boards, connections, ahead, place, seconds, per_s)

    async def api(self, place: MailPlace, connections: int, wanted_per_s: float = 0.0) -> ApiSpeed:
        boards, seconds = self.proved(), self.load.seconds
        return await doors.by_api(boards, connections, place, seconds, wanted_per_s)
