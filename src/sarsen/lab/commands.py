"""`sarsen engine`, `match`, `ladder` and `bot`: what the lab offers in a terminal.

Nothing heavy is imported before a command runs: `sarsen --help` stays quick.
"""

from __future__ import annotations

import json
import logging
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sarsen.core.errors import UserError
from sarsen.lab.arguments import (
    JSON,
    SCHEDULER,
    WORDS,
    LabCommand,
    budget_of,
    interrupt_on_sigterm,
    read_game,
    read_level,
    read_levels,
    read_sprt,
    read_words,
)
from sarsen.search import bots

if TYPE_CHECKING:
    from sarsen.lab.ladder import Climb
    from sarsen.lab.matches import MatchResult, Setup

SEED = click.option("--seed", type=click.IntRange(0, 2**31 - 1), metavar="N", help="Random seed.")
NODES = click.option(
    "--nodes", type=click.IntRange(1, 10**12), metavar="N", help="Positions searched per move."
)
TIME = click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 86_400),
    metavar="S",
    help="Seconds per move.",
)
JOBS = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Number of parallel processes.",
)


@click.command("engine", cls=LabCommand)
@WORDS
@click.option(
    "--level",
    default="max",
    show_default=True,
    metavar="1-8|max",
    help="Level of play; max is the strongest, 8.",
)
@SEED
@NODES
@TIME
def engine_command(
    words: tuple[str, ...], level: str, seed: int | None, nodes: int | None, seconds: float | None
) -> None:
    """Run an engine on standard input and output.

    docs/engine.md describes the protocol. Without --nodes or --time, the level sets the limits.
    """
    from sarsen.lab.engine import Engine, speak

    sorted_words = read_words(words)
    game = read_game(sorted_words.others, sorted_words.options, "sarsen engine GAME [-OPTIONS]")
    bot = bots.load(read_level(level))
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    chance = seed if seed is not None else random.SystemRandom().getrandbits(31)
    engine = Engine(game, sorted_words.options, bot, budget_of(nodes, seconds), chance)
    try:
        speak(engine, sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        # Nobody listens any more. What is left in the buffer must not be tried again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.command("match", cls=LabCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="A B [-OPTIONS]")
@click.option("--game", "game_name", required=True, metavar="GAME")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True)
@NODES
@TIME
@click.option(
    "--sprt",
    "test",
    metavar="ELO0,ELO1",
    help="Stop when a sequential test accepts one of these values.",
)
@SEED
@JOBS
@SCHEDULER
@click.option(
    "--opening-plies",
    type=click.IntRange(0, 40),
    default=2,
    show_default=True,
    help="Random moves at the start.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 3600),
    metavar="S",
    help="Seconds that an external engine may exceed its time.  [default: 5, or 60 without --time]",
)
@click.option(
    "--record",
    type=click.File("w", encoding="utf-8", lazy=False),
    help="Write all games to this file, one JSON object per line.",
)
@JSON
def match_command(words: tuple[str, ...], game_name: str, **arguments: Any) -> None:
    """Play two engines against each other, in pairs with the seats exchanged.

    A and B are bot1 to bot8, pure1 to pure4 (the levels without compiled searches), uct, random,
    or in quotes the command line of an engine that uses the protocol of docs/engine.md, optionally
    with a name: "mine=./engine". An engine can have its own limits: bot5@nodes=1000, uct@time=0.5.
    An odd number of games is rounded up to whole pairs.
    """
    from rich.console import Console

    from sarsen.lab.matches import INTERRUPTED, play_match, record_lines
    from sarsen.lab.progress import shown_progress
    from sarsen.lab.tables import match_facts, print_match, standing

    setup = _setup(words, game_name, arguments)
    interrupt_on_sigterm()
    record = arguments["record"]
    with shown_progress(2 * setup.pairs, step=2) as progress:

        def show(match: MatchResult) -> None:
            progress.show(2 * len(match.pairs), standing(match))
            for facts in record_lines(match, match.pairs[-1]) if record else ():
                record.write(json.dumps(facts) + "\n")
                record.flush()

        match = play_match(setup, show)
    if arguments["as_json"]:
        click.echo(json.dumps(match_facts(match)))
    else:
        print_match(match, Console(width=None if sys.stdout.isatty() else 100))
    _show_end(match.stopped == INTERRUPTED)


@click.command("ladder", cls=LabCommand)
@WORDS
@click.option("--levels", default="1-8", show_default=True, metavar="1-8")
@click.option(
    "--games",
    type=click.IntRange(2, 1_000_000),
    default=40,
    show_default=True,
    help="Games per pairing.",
)
@click.option(
    "--sprt",
    "test",
    is_flag=False,
    flag_value="50,100",
    metavar="ELO0,ELO1",
    help="End a pairing when a sequential test accepts a value; default values: 50,100.",
)
@SEED
@JOBS
@SCHEDULER
@click.option(
    "--high-games",
    type=click.IntRange(2, 1_000_000),
    metavar="N",
    help="Games per pairing with level 6 or higher, which are slow.  [default: as --games]",
)
@click.option(
    "--top-nodes",
    type=click.IntRange(1, 10**12),
    metavar="N",
    help="Positions that level 8 searches per move, instead of its own limits.",
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Update the tables in this page, such as docs/strength.md.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Save all games to this file; a second run continues after them.",
)
@JSON
def ladder_command(
    words: tuple[str, ...],
    levels: str,
    games: int,
    test: str | None,
    seed: int | None,
    jobs: int,
    scheduler: str,
    high_games: int | None,
    top_nodes: int | None,
    write: Path | None,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Measure the bot levels of a game: each plays the next two levels."""
    from sarsen.lab.ladder import Climb

    sorted_words = read_words(words)
    game = read_game(sorted_words.others, sorted_words.options, "sarsen ladder GAME [-OPTIONS]")
    climb = Climb(
        *(game.info.name, sorted_words.options, read_levels(levels), (games + 1) // 2),
        *(seed or 0, jobs, read_sprt(test) if test else None, top_nodes),
        high_pairs=(high_games + 1) // 2 if high_games else None,
        scheduler=scheduler,
    )
    _climb(climb, keep, write, as_json)


def _climb(climb: Climb, keep: Path | None, write: Path | None, as_json: bool) -> None:
    from rich.console import Console

    from sarsen.lab.ladder import Keeper, climb_ladder
    from sarsen.lab.progress import shown_progress
    from sarsen.lab.strength_page import write_section
    from sarsen.lab.tables import print_ladder, standing

    keeper = Keeper(keep) if keep else None
    interrupt_on_sigterm()
    with shown_progress(climb.games, step=2) as progress:

        def show(finished: Sequence[MatchResult], running: MatchResult) -> None:
            progress.show(climb.played(finished, running), standing(running))

        ladder = climb_ladder(climb, show, keeper)
    if keeper:
        keeper.close()
    if write:
        write_section(write, ladder)
    if as_json:
        click.echo(json.dumps(ladder.as_dict()))
    else:
        print_ladder(ladder, Console(width=None if sys.stdout.isatty() else 100))
    _show_end(not ladder.is_whole)


@click.command("bot")
@click.option(
    "--engine",
    "engine",
    required=True,
    metavar="PLAYER",
    help="bot1 to bot8, or in quotes the command line of an engine.",
)
@click.option("--server", default="", metavar="ADDRESS", help="[default: where you are logged in]")
@click.option(
    "--accept", default="", metavar="GAMES", help="Accept invitations to these games: druid,vasco."
)
@click.option(
    "--boards",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    help="Decline invitations at this number of running boards.",
)
@NODES
@TIME
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 3600),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds that an engine may exceed its time.",
)
def bot_command(engine: str, server: str, accept: str, boards: int, **arguments: Any) -> None:
    """Play on a server with an engine, as the account you are logged in with.

    The account is marked as a program. The engine uses the protocol of docs/engine.md. Boards that
    already wait are played first; lost connections are renewed. SARSEN_TOKEN and SARSEN_SERVER
    take precedence over `sarsen login`.
    """
    from sarsen.client import Client
    from sarsen.client.logins import chosen
    from sarsen.lab.players import make_player, read_entry
    from sarsen.lab.server_bot import ServerBot

    games = frozenset(
        read_game((word,), "", "sarsen bot --accept druid,vasco").info.name
        for word in accept.replace(",", " ").split()
    )
    login = chosen(Path(click.get_app_dir("sarsen")), os.environ, server)
    if not login.token:
        raise UserError(
            f"You are not logged in to {login.url}.",
            code="not-logged-in",
            hint=f"sarsen login {login.url}",
        )
    entry = read_entry(engine, budget_of(arguments["nodes"], arguments["seconds"]))
    player = make_player(entry, arguments["patience"])
    interrupt_on_sigterm()
    try:
        ServerBot(Client(login.url, login.token), player, games, boards, click.echo).run()
    except KeyboardInterrupt:
        click.echo("Stopped. Run the same command again to continue the boards.")
    finally:
        player.close()


def _setup(words: tuple[str, ...], game_name: str, arguments: dict[str, Any]) -> Setup:
    from sarsen.lab.matches import Setup
    from sarsen.lab.players import read_entry

    sorted_words = read_words(words)
    game = read_game((game_name,), sorted_words.options, "sarsen match A B --game GAME")
    if len(sorted_words.others) != 2:
        raise UserError(
            f"A match needs two players, not {len(sorted_words.others)}.",
            code="two-players",
            hint=f"sarsen match bot5 bot3 --game {game.info.name} --games 20",
        )
    if len(game.info.seats) != 2:
        raise UserError(
            f"{game.info.title} has {len(game.info.seats)} seats; a match is between two players.",
            code="two-seats",
            hint="sarsen match bot5 bot3 --game druid --games 20",
        )
    budget = budget_of(arguments["nodes"], arguments["seconds"])
    a, b = (read_entry(word, budget) for word in sorted_words.others)
    patience = arguments["patience"] or (5.0 if arguments["seconds"] else 60.0)
    return Setup(
        *(game.info.name, sorted_words.options, a, b, (arguments["games"] + 1) // 2),
        *(arguments["seed"] or 0, arguments["opening_plies"], patience),
        sprt=read_sprt(arguments["test"]) if arguments["test"] else None,
        jobs=arguments["jobs"],
        scheduler=arguments["scheduler"],
    )


def _show_end(is_interrupted: bool) -> None:
    """Exit with status 130 when games are missing, for scripts."""
    if is_interrupted:
        raise SystemExit(130)
