"""The card of a set of data: what is in it, how it came about, and what is wrong with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sarsen.research.dataset.rows import COLUMNS

UNKNOWN_LICENCE = "unknown"


@dataclass
class Tally:
    """The counts of one game type."""

    games: int = 0
    plies: int = 0
    with_programs: int = 0
    drawn: int = 0
    first_seat: float = 0.0
    by_rules: int = 0
    days: set[str] = field(default_factory=set)
    seats_of: Counter[str] = field(default_factory=Counter)
    rules: Counter[int] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        self.games += 1
        self.plies += row["plies"]
        self.with_programs += "program" in row["kinds"]
        self.drawn += len(set(row["scores"])) == 1
        self.first_seat += row["scores"][0] if row["scores"] else 0
        self.by_rules += row["ending"] == "move"
        self.days |= {row["day"]} - {None}
        self.seats_of.update(set(row["players"]))
        self.rules[row["rules"]] += 1
        self.options[row["options"]] += 1


@dataclass(frozen=True)
class Origin:
    """The source of a set of data.

    Attributes:
        server: The address of the server's pages.
        licence: As its operator words it.
        has_names: Whether userids stand in it.
    """

    server: str
    version: str
    made_at: datetime
    licence: str = UNKNOWN_LICENCE
    has_names: bool = False


class Tallies:
    """Count rows by their game."""

    def __init__(self) -> None:
        self.by_game: defaultdict[str, Tally] = defaultdict(Tally)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        self.by_game[row["game"]].add(row)


def write_card(tallies: Tallies, hashes: Mapping[str, str], origin: Origin) -> str:
    """Word the README of a set of data, Markdown with a head that hubs of data read."""
    parts = (
        _head(tallies, hashes, origin),
        _title(tallies, origin),
        _table(tallies),
        _columns(),
        _making(origin),
        _names(origin),
        _biases(tallies),
        _files(hashes),
    )
    return "\n\n".join(parts) + "\n"


def _head(tallies: Tallies, hashes: Mapping[str, str], origin: Origin) -> str:
    kind = "parquet" if any(name.endswith(".parquet") for name in hashes) else "jsonl"
    lines = ["---", f"license: {_quoted(origin.licence)}", "pretty_name: Games of sarsen"]
    lines += ["tags: [board-games, abstract-games, correspondence]"]
    lines += ["configs:"] * bool(tallies.by_game)
    for game in sorted(tallies.by_game):
        lines += [f"- config_name: {game}", f"  data_files: {game}.{kind}"]
    return "\n".join([*lines, "---"])


def _title(tallies: Tallies, origin: Origin) -> str:
    games = sum(tally.games for tally in tallies.by_game.values())
    licence = f"Licence: {origin.licence}."
    if origin.licence == UNKNOWN_LICENCE:
        licence = "Licence: not stated. Ask the operator of the server before you use it."
    return (
        f"# Finished games of {origin.server}\n\n"
        f"{games} finished public games of abstract boards, played by correspondence on "
        f"{origin.server}: every move that stands, when it was made, by whom, and how the game "
        f"ended.\n\n{licence}"
    )


def _table(tallies: Tallies) -> str:
    lines = [
        "| game | games | plies | players | drawn | score of the first seat | ended by the rules "
        "| with programs | rules | from | to |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for game, tally in sorted(tallies.by_game.items()):
        lines.append(_cells((game, *_figures(tally))))
    return "\n".join(lines)


def _figures(tally: Tally) -> Iterator[object]:
    yield from (tally.games, tally.plies, len(tally.seats_of))
    for part in (tally.drawn, tally.first_seat, tally.by_rules, tally.with_programs):
        yield _share(part, tally)
    yield ", ".join(str(version) for version in sorted(tally.rules))
    days = sorted(tally.days) or ["-"]
    yield from (days[0], days[-1])


def _columns() -> str:
    rows = [_cells((f"`{name}`", kind, meaning)) for name, (kind, meaning) in COLUMNS.items()]
    return "\n".join(["## Columns", "", "| column | kind | meaning |", "|---|---|---|", *rows])


def _making(origin: Origin) -> str:
    return (
        "## How it was made\n\n"
        f"`sarsen dataset`, version {origin.version}, on {origin.made_at:%Y-%m-%d} (UTC), from the "
        "server's own records: all games that have ended and were not agreed to be private, in "
        "the order in which they ended. Running games, chat, notes and plans are not in it. "
        "The server judged each move when it was played, and every row can be replayed:\n\n"
        "```python\n"
        "import sarsen\n"
        'position = sarsen.load(row["game"]).start(row["options"]).play(*row["moves"])\n'
        "```"
    )


def _names(origin: Origin) -> str:
    if origin.has_names:
        text = (
            "Players stand under their userids, as in the server's public pages, and games under "
            "their board numbers. A player who has closed the account has a pseudonym instead."
        )
    else:
        text = (
            "A pseudonym stands for the same player everywhere in this set, and for nobody in "
            "another one: they are made with a random key that was not kept, unless the operator "
            "gave one. The server's own programs keep their names. This is courtesy and "
            "no anonymity: the games are public, so comparing moves with the server's pages "
            "finds the names. Do not."
        )
    return f"## Names\n\n{text}"


def _biases(tallies: Tallies) -> str:
    lines = [
        "## Known biases",
        "",
        "- Those who play by correspondence chose to; they have days for a move, may explore "
        "variations, and some ask programs. No move stands for what a person sees at a glance.",
        "- Strong and eager players meet often, so games are no independent draws; split by "
        "player, not by game.",
        "- A resignation, a forfeit and an agreed draw are decisions of people; only `ending` "
        "`move` is a result the rules gave.",
        "- Ratings are the server's own, moved once a period, and mean nothing elsewhere.",
    ]
    for game, tally in sorted(tallies.by_game.items()):
        lines.append(f"- {game}: {_skew(tally)}")
    return "\n".join(lines)


def _skew(tally: Tally) -> str:
    most = max(tally.seats_of.values(), default=0)
    options, played = tally.options.most_common(1)[0]
    usual = f"`{options}`" if options else "the usual options"
    return (
        f"the busiest player sat in {_share(most, tally)} of the games; "
        f"{_share(played, tally)} were played with {usual}."
    )


def _files(hashes: Mapping[str, str]) -> str:
    rows = [_cells((f"`{name}`", f"`{digest}`")) for name, digest in sorted(hashes.items())]
    return "\n".join(["## Files", "", "| file | SHA-256 |", "|---|---|", *rows])


def _cells(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _share(part: float, tally: Tally) -> str:
    return f"{100 * part / tally.games:.0f} %"


def _quoted(text: str) -> str:
    # One line of YAML, whatever it says.
    return '"' + " ".join(text.split()).replace("\\", "").replace('"', "'") + '"'
