"""Run a plan: every measurement in turn, and all that was started is stopped again."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import api, games, kernels, mail, thinking
from bench.api import ApiSpeed
from bench.disk import IN_MEMORY, durable_commits, file_system
from bench.figures import Spread
from bench.kernels import KernelSpeeds
from bench.mail import MailPlace, MailSpeed, Series
from bench.memory import ProcessMemory, idle_memory_of, memory_of
from bench.plan import WARM_UP, WARM_UP_SECONDS, Plan
from bench.relay import Relay, relaying
from bench.server import environment, serving
from bench.starting import command_seconds
from bench.steps import Step
from bench.stocking import MoveMail, stock
from bench.thinking import Worker
from sarsen.games import names

SEARCH_STEPS = 2


@dataclass(frozen=True)
class SearchResults:
    """What was found of the kernels, and of a process that thinks."""

    kernels: KernelSpeeds
    worker: Worker


@dataclass(frozen=True)
class Results:
    """All that a run has found.

    Attributes:
        start_s: From the command to `ready`, on an empty data folder and on a used one.
        commits: Durable commits a second, before and after the mail series.
        memory: Of the server's processes; the keys say when.
        search: What the searches compute with, and a process that thinks.
    """

    file_system: str
    games: tuple[games.GameSpeed, ...]
    commands_s: dict[str, Spread]
    start_s: dict[str, float]
    commits: dict[str, Spread]
    mail: tuple[MailSpeed, ...]
    api: tuple[ApiSpeed, ...]
    memory: dict[str, list[ProcessMemory]]
    search: SearchResults

    @property
    def commit_limit(self) -> float:
        """Durable commits a second: the mean of before and after."""
        medians = [one.median for one in self.commits.values()]
        return sum(medians) / len(medians)


def steps(plan: Plan) -> int:
    """Count the steps that a run of this plan reports."""
    return (
        len(names()[: plan.most_games])
        + len(plan.plain)
        + len(plan.pictured)
        + len(plan.api_connections)
        + 5
        + SEARCH_STEPS
    )


def run_search(plan: Plan, step: Step) -> SearchResults:
    """Measure only the kernels and what thinks with them."""
    step("kernels")
    speeds = kernels.measure(plan.kernel_runs, plan.kernel_seconds)
    step("a worker that thinks")
    return SearchResults(speeds, thinking.measure(names()[: plan.most_games], plan))


def run(plan: Plan, step: Step) -> Results:
    """Measure everything; `step` is told what comes next."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=_real_disk()) as folder:
        return asyncio.run(_run(plan, Path(folder), step))


def _real_disk() -> Path | None:
    """Return a folder beside the code, since the system's temporary one may be in memory."""
    beside = Path(__file__).parents[1] / ".venv"
    default = Path(tempfile.gettempdir())
    return beside if beside.is_dir() and file_system(default) in IN_MEMORY else None


async def _run(plan: Plan, folder: Path, step: Step) -> Results:
    speeds = []
    for name in names()[: plan.most_games]:
        step(f"rules of {name}")
        speeds.append(games.measure(name, plan.runs))
    search = run_search(plan, step)
    step("commands that end at once")
    commands = command_seconds(plan.show_runs)
    step("durable commits")
    commits = {"before": durable_commits(folder, plan.disk_runs, plan.disk_seconds)}
    async with AsyncExitStack() as stack:
        relay = await stack.enter_async_context(relaying())
        rig = _Rig(plan, folder, relay, step)
        measured = [
            *await rig.measure_group(plan.plain, pictures=False),
            *await rig.measure_group(plan.pictured, pictures=True),
        ]
        programs = await rig.measure_api()
    step("durable commits again")
    commits["after"] = durable_commits(folder, plan.disk_runs, plan.disk_seconds)
    return Results(
        file_system=file_system(folder),
        games=tuple(speeds),
        commands_s=commands,
        start_s=rig.start_s,
        commits=commits,
        mail=tuple(measured),
        api=tuple(programs),
        memory=rig.memory,
        search=search,
    )


class _Rig:
    """A data folder with boards on it, and the relay that its server sends to."""

    def __init__(self, plan: Plan, folder: Path, relay: Relay, step: Step) -> None:
        self._plan = plan
        self._folder = folder
        self._relay = relay
        self._step = step
        self.start_s: dict[str, float] = {}
        self.memory: dict[str, list[ProcessMemory]] = {}
        self._boards = self._stock()

    def _stock(self) -> list[list[MoveMail]]:
        self._step("first start")
        with serving(self._folder, self._relay.port) as server:
            self.start_s["empty folder"] = server.start_seconds
            self.memory["idle"] = idle_memory_of(server.process)
        self._step("boards to play on")
        wanted = sum(series.boards for series in (*self._plan.plain, *self._plan.pictured))
        made = wanted + 3 * WARM_UP.boards + sum(map(_api_boards, self._plan.api_connections))
        return stock(made, self._plan.plies, environment(self._folder, self._relay.port))

    async def measure_group(self, group: tuple[Series, ...], *, pictures: bool) -> list[MailSpeed]:
        """Measure some series on one server, started for them."""
        with serving(self._folder, self._relay.port, pictures=pictures) as server:
            self.start_s.setdefault("used folder", server.start_seconds)
            place = MailPlace(server, self._relay, pictures)
            await mail.measure(WARM_UP, self._take(WARM_UP.boards), place, WARM_UP_SECONDS)
            speeds = []
            for series in group:
                self._step(f"mail, {series.name}{', with pictures' if pictures else ''}")
                boards = self._take(series.boards)
                seconds = self._plan.series_seconds
                speeds.append(await mail.measure(series, boards, place, seconds))
            when = "after mail with pictures" if pictures else "after mail"
            self.memory[when] = memory_of(server.process)
        return speeds

    async def measure_api(self) -> list[ApiSpeed]:
        """Measure what programs play, on a server started for it."""
        with serving(self._folder, self._relay.port) as server:
            await api.measure(self._take(WARM_UP.boards), 1, server, WARM_UP_SECONDS)
            speeds = []
            for connections in self._plan.api_connections:
                self._step(f"API, {connections} at a time")
                boards = self._take(_api_boards(connections))
                speeds.append(
                    await api.measure(boards, connections, server, self._plan.series_seconds)
                )
        return speeds

    def _take(self, count: int) -> list[list[MoveMail]]:
        taken, self._boards = self._boards[:count], self._boards[count:]
        return taken


def _api_boards(connections: int) -> int:
    """Return how many boards a series of the API may need; one alone plays on several."""
    return max(16, 2 * connections)
