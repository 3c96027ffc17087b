"""`sarsen report`: fairness, depth, tension and more of a game, measured and written as a page."""

from __future__ import annotations

import html
import json
import re
import time
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from sarsen.core.errors import UserError
from sarsen.lab.arguments import JSON, SCHEDULER, LabCommand, interrupt_on_sigterm, read_words
from sarsen.search import bots

if TYPE_CHECKING:
    from sarsen.drawing.scene import Scene
    from sarsen.lab.reporting.result import Report


@click.command("report", cls=LabCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME|FOLDER [-OPTIONS]")
@click.option(
    "--minutes",
    type=click.FloatRange(0.05, 10_000),
    default=15.0,
    show_default=True,
    help="Minutes per game, including solving and counting.",
)
@click.option(
    "--rounds", type=click.IntRange(1, 100_000), help="Play this many rounds, without a time limit."
)
@click.option(
    "--steps",
    type=click.IntRange(3, 11),
    help="Number of doublings of the search nodes.  [default: by time]",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Number of parallel processes.",
)
@SCHEDULER
@click.option("--against", default="", metavar='"GAME [-OPTIONS]"', help="Compare two games.")
@click.option(
    "--write",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    help="Folder for the page, the figures as JSON, and the games; a second run continues.",
)
@click.option("--mail", is_flag=True, help="Also write the page as a mail (.eml file).")
@JSON
def report_command(
    words: tuple[str, ...],
    minutes: float,
    rounds: int | None,
    steps: int | None,
    seed: int,
    jobs: int,
    scheduler: str,
    against: str,
    write: Path,
    mail: bool,
    as_json: bool,
) -> None:
    """Find out what a game is like: is it fair, does it end, does skill matter, is it exciting?

    Searches of different strength play each other, and their games are judged by a deeper
    one. The page says the worst news first; every figure has its 95 % interval.
    """
    from sarsen.lab.reporting.page import html_page, text_page

    interrupt_on_sigterm()
    arguments = _ReportArguments(minutes, rounds, steps, seed, jobs, scheduler, write)
    report = arguments.report(words)
    other = arguments.report(tuple(against.split())) if against else None
    setup = report.games.setup
    line = f"sarsen report {setup.text} --rounds {max(1, report.games.rounds)}"
    line += f' --against "{against}"' if against else ""
    stem = write / _stem(report.game.info.name, setup.options)
    page, text = html_page(report, line, other), text_page(report, line, other)
    stem.with_suffix(".html").write_text(page, encoding="utf-8")
    facts = json.dumps(report.as_dict() | {"command": line}, indent=1)
    stem.with_suffix(".json").write_text(facts + "\n", encoding="utf-8")
    if mail:
        stem.with_suffix(".eml").write_bytes(_letter(report, text, line, other))
    if as_json:
        click.echo(facts)
    else:
        click.echo(text, nl=False)
        click.echo(f"\nThe page: {stem.with_suffix('.html')}")


def _letter(report: Report, text: str, line: str, other: Report | None) -> bytes:
    """Return a mail with a report as text and as a page, to be opened or sent.

    Mail programs do not show SVG, so pictures are attached as PNG.
    """
    from sarsen.drawing.png import png
    from sarsen.lab.reporting.page import html_page

    pictures: list[bytes] = []

    def show(scene: Scene) -> str:
        pictures.append(png(scene))
        title = html.escape(scene.title)
        return f'<p><img src="cid:picture{len(pictures)}" alt="{title}"></p>'

    letter = EmailMessage()
    letter["Subject"] = f"Report on {report.title}"
    letter.set_content(text)
    letter.add_alternative(html_page(report, line, other, show), subtype="html")
    page = cast(EmailMessage, list(letter.iter_parts())[1])
    for number, picture in enumerate(pictures, 1):
        page.add_related(picture, "image", "png", cid=f"<picture{number}>")
    return bytes(letter)


@dataclass(frozen=True)
class _ReportArguments:
    """The options of the command."""

    minutes: float
    rounds: int | None
    steps: int | None
    seed: int
    jobs: int
    scheduler: str
    folder: Path

    def report(self, words: tuple[str, ...]) -> Report:
        """Play what is missing, with the progress on a terminal, and return the report.

        Raises:
            UserError: The words do not name one game of two seats, and its options.
        """
        from sarsen.lab.checking.loading import load_game
        from sarsen.lab.progress import shown_progress
        from sarsen.lab.reporting.plan import ReportSetup
        from sarsen.lab.reporting.result import Report
        from sarsen.lab.reporting.run import ROUNDS, Run, chosen_steps, kept_setup

        started, sorted_words = time.monotonic(), read_words(words)
        if len(sorted_words.others) != 1:
            raise UserError(
                "A report covers one game." if words else "Which game?",
                code="too-many-words" if words else "game-missing",
                hint="sarsen report druid -size=5 --minutes 15",
            )
        (source,), options = sorted_words.others, sorted_words.options
        game = load_game(source)
        bots.load(bots.MOST)  # refused where no search is compiled
        start = game.start(options)
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{_stem(game.info.name, options)}.jsonl"
        seconds = 60 * self.minutes
        stored = kept_setup(file)
        steps = self.steps or (stored.steps if stored else chosen_steps(start, seconds, self.jobs))
        setup = ReportSetup(source, options, self.seed, steps)
        with shown_progress(self.rounds or ROUNDS, "rounds", in_files=False) as progress:

            def show_round(used: float, done: int) -> None:
                if self.rounds is None and done:
                    progress.total = max(done, round(done * seconds / used))
                progress.show(done, game.info.title)

            run = Run(setup, seconds, show_round, self.jobs, self.scheduler, file, self.rounds)
            run.started = started
            try:
                games, truth = run.play()
            except KeyboardInterrupt:
                click.echo("Stopped. Run the same command again to continue.", err=True)
                raise SystemExit(130) from None
        return Report(games, truth, run.used)


def _stem(name: str, options: str) -> str:
    """Return the name of the files of a report, without their endings."""
    return "-".join((name, *re.findall("[a-z0-9]+", options)))
