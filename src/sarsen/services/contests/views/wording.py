"""The words and signs of contests that lists, tables, pages and letters have in common."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sarsen.core.options import Flag
from sarsen.core.phrases import Phrase, Typed, listed
from sarsen.games import find, load
from sarsen.language.contests.facts import ContestBoardLine
from sarsen.language.contests.ladders import ordinal
from sarsen.language.contests.law import FORMAT_NAMES, HELP_ALLOWED, TITLES
from sarsen.language.grammar.dates import day_phrase, short_day_phrase
from sarsen.language.grammar.typography import as_sentence
from sarsen.services.contests.formats import FORMATS
from sarsen.services.contests.inviting import invited_userid
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import ContestGame, Kind, Logged, Phase
from sarsen.services.contests.table import Row
from sarsen.services.ratings.reliability import reliability_of, reliability_words
from sarsen.storage.models import Contest, Player

SELF, RUNNING, TO_COME, ANNULLED = ".", "*", "_", "x"
_PLAYED = {1.0: "1", 0.5: "=", 0.0: "0"}
_UNPLAYED = {1.0: "+", 0.5: "=", 0.0: "-"}  # on time, or decided
# Where both are gone neither has a point (E12).
_RESULTS = {(1.0, 0.0): "1-0", (0.5, 0.5): "½-½", (0.0, 1.0): "0-1", (0.0, 0.0): "0-0"}


@dataclass(frozen=True)
class Crosstable:
    """The games of each pair of entrants, gathered once for all cells of a table.

    Attributes:
        games: By pair, those that have begun.
        waiting: How many of a pair have not.
    """

    games: Mapping[frozenset[int], list[ContestGame]]
    waiting: Mapping[frozenset[int], int]

    def cell(self, number: int, other: int) -> tuple[tuple[str, int | None], ...]:
        """Return the games of an entrant against another one: a sign and a board, or None, each."""
        if number == other:
            return ((SELF, None),)
        pair = frozenset((number, other))
        games = [(_sign(game, number), game.board) for game in self.games.get(pair, ())]
        waiting = [(TO_COME, None)] * self.waiting.get(pair, 0)
        return (*games, *waiting) or ((TO_COME, None),)

    def signs(self, number: int, other: int) -> str:
        """Return the signs of a cell alone."""
        return "".join(sign for sign, _ in self.cell(number, other))


def crosstable_of(held: Held) -> Crosstable:
    """Return the games of a contest by pairs."""
    games: dict[frozenset[int], list[ContestGame]] = defaultdict(list)
    for game in held.state.boards:
        games[frozenset(game.numbers)].append(game)
    waiting = Counter(frozenset(one.numbers) for one in held.format.to_come(held.state))
    return Crosstable(games, waiting)


def _sign(board: ContestGame, number: int) -> str:
    if board.is_closed:
        return ANNULLED
    if board.scores is None:
        return RUNNING
    score = board.scores[board.numbers.index(number)]
    return (_PLAYED if board.is_played else _UNPLAYED).get(score, f"{score:g}")


def board_line(board: ContestGame, names: Mapping[int, str]) -> ContestBoardLine:
    """Return a board with its players and its result."""
    result = "" if board.scores is None else _RESULTS.get(board.scores, "")
    players = tuple(names[number] for number in board.numbers)
    return ContestBoardLine(board.key, board.board, players, result)


def result_words(scores: Sequence[float]) -> str:
    """Return the result of a board as tables and logs show it."""
    return _RESULTS.get((scores[0], scores[1]), f"{scores[0]:g}")


def names_of(held: Held) -> Mapping[int, str]:
    """Return the userids of the entrants by number, with a mark of programs (E29)."""
    players = Player.objects.in_bulk([entrant.player for entrant in held.state.entrants])
    return {
        entrant.number: f"{player.userid} (bot)" if player.is_bot else player.userid
        for entrant in held.state.entrants
        for player in [players[entrant.player]]
    }


def userids_of(held: Held) -> Mapping[int, str]:
    """Return the userids of the entrants by number."""
    players = [entrant.player for entrant in held.state.entrants]
    userids = dict(Player.objects.filter(pk__in=players).values_list("pk", "userid"))
    return {entrant.number: userids[entrant.player] for entrant in held.state.entrants}


def tiers_of(held: Held) -> range:
    """Return the tiers of a contest from 1 on; one where it has not started."""
    return range(1, max(len(held.state.tiers), 1) + 1)


def places_among_people(held: Held, rows: Sequence[Row]) -> Mapping[int, int]:
    """Return the place of each person when programs are left out, by number (E29).

    Nothing where no programs make up the number.
    """
    if not held.state.law.has_fillers:
        return {}
    keys = [row.entrant.player for row in rows]
    people = set(Player.objects.filter(pk__in=keys, level=None).values_list("pk", flat=True))
    counted = Counter((row.tier, row.place) for row in rows if row.entrant.player in people)
    return {
        row.entrant.number: 1
        + sum(n for (tier, place), n in counted.items() if tier == row.tier and place < row.place)
        for row in rows
        if row.entrant.player in people
    }


def on_time_words(held: Held, numbers: Collection[int]) -> Mapping[int, str]:
    """Return the reliability of entrants by number, as tables have it (E33).

    Nothing where the contest does not ask for it, or is over.
    """
    if not held.contest.law.get("reliability") or held.state.phase is Phase.ENDED:
        return {}
    players = {number: held.state.by_number[number].player for number in numbers}
    known = reliability_of(list(players.values()))
    return {number: reliability_words(known[player]) for number, player in players.items()}


def waiting_userids(held: Held) -> tuple[str, ...]:
    """Return who waits for a seat, the first one first."""
    if not held.state.waiting:
        return ()
    userids = dict(Player.objects.filter(pk__in=held.state.waiting).values_list("pk", "userid"))
    return tuple(userids[player] for player in held.state.waiting)


def title_of(contest: Contest) -> str:
    """Return the name of a contest; a phrase where none was typed and the server has found it."""
    game = find().get(contest.game)
    if game is None:  # its package is gone
        return str(contest.name)
    usual = Phrase(TITLES[contest.format], game=game.info.title)
    if contest.name == usual:
        return usual
    if found := re.fullmatch(rf"{re.escape(usual)} (\d+)", contest.name):
        return Phrase("{title} {number}", title=usual, number=int(found[1]))
    return str(contest.name)


def what_is_played(contest: Contest) -> Phrase:
    """Return what is played, with options as they are typed: `Druid -size=8, round robin`."""
    return _played(contest, f"{load(contest.game).info.title} {contest.options}".strip())


def beside_name(contest: Contest) -> str:
    """Return what is played, without the game and the format if the name says them; "" for no more.

    Such a name is that of a contest for which none was typed.
    """
    if not isinstance(title_of(contest), Phrase):
        return what_is_played(contest)
    has_seasons = FORMATS[contest.format].has_seasons
    parts = (
        contest.options,
        Phrase("season {season}", season=contest.season) if has_seasons else "",
        Phrase("solved") if contest.law.get("value") is not None else "",
        Phrase("help by programs allowed") if contest.law.get("help") == HELP_ALLOWED else "",
    )
    said = [part for part in parts if part]
    return listed(said) if said else ""


def played_in_words(contest: Contest) -> Phrase:
    """Return what is played as pages show it, where nothing is to be typed: `Druid, size 8, …`."""
    info = load(contest.game).info
    flags = {option.name: option.words for option in info.options if isinstance(option, Flag)}
    words = Phrase(info.title)
    typed = [word.lstrip("-").partition("=") for word in contest.options.split()]
    for name, _sign, value in typed:
        option = Phrase(flags.get(name) or name)
        valued = Phrase("{option} {value}", option=option, value=value) if value else option
        words = _joined(words, valued)
    return _played(contest, words)


def _played(contest: Contest, game: str) -> Phrase:
    """Add the format, that the value is known (E32), and that help is allowed (E30)."""
    kind = FORMAT_NAMES[contest.format]
    if FORMATS[contest.format].has_seasons:
        kind = Phrase("{format}, season {season}", format=kind, season=contest.season)
    is_known = contest.law.get("value") is not None
    what = Phrase(
        "{game}, {format}, solved" if is_known else "{game}, {format}", game=game, format=kind
    )
    if contest.law.get("help") != HELP_ALLOWED:
        return what
    return Phrase("{what}, help by programs allowed", what=what)


def _joined(one: Phrase, other: Phrase) -> Phrase:
    return Phrase("{one}, {other}", one=one, other=other)


def heading(held: Held, now: datetime, title: Phrase | None = None) -> Phrase:
    """Return what a contest is, and how far it has come.

    Args:
        title: What it is; None for its number, name, game and format.
    """
    state, title = held.state, title or _title(held.contest)
    today = now.date()
    match state.phase:
        case Phase.OPEN:
            assert state.entry_ends_at is not None  # an open contest has dates
            if userid := invited_userid(held.contest):
                return Phrase(
                    "{title}. {player} is invited, and can join until {day}.",
                    title=title,
                    player=userid,
                    day=day_phrase(last_day(state.entry_ends_at), today),
                )
            if state.law.keeps_day:
                return Phrase(
                    "{title}, open until {day}. Joined so far: {count}.",
                    title=title,
                    day=day_phrase(last_day(state.entry_ends_at), today),
                    count=len(state.entrants),
                )
            return Phrase(
                "{title}, open until {day}. Joined so far: {count} of {most}.",
                title=title,
                day=day_phrase(last_day(state.entry_ends_at), today),
                count=len(state.entrants),
                most=state.law.most,
            )
        case Phase.RUNNING if held.format.is_endless:
            return Phrase(
                "{title}. It is open to everybody, and never ends. Running boards: {count}.",
                title=title,
                count=sum(board.is_running for board in state.boards),
            )
        case Phase.RUNNING:
            assert state.ends_at is not None
            all_boards = len(state.boards) + len(held.format.to_come(state))
            return Phrase(
                "{title}, running until {day}. Boards over: {count} of {boards}.",
                title=title,
                day=_end_phrase(held.contest.forecast_at, state.ends_at, today),
                count=sum(not board.is_running for board in state.boards),
                boards=all_boards,
            )
        case Phase.ENDED if held.format.is_endless:
            closed = Phrase("{title}. It is closed; these are its last places.", title=title)
            return with_reason(_last_event(held, Kind.ENDED), closed)
        case Phase.ENDED:
            return Phrase("{title}. Final table.", title=title)
        case Phase.CLOSED:
            closed = Phrase("{title}. It was closed before it started.", title=title)
            return with_reason(_last_event(held, Kind.CLOSED), closed)


def with_reason(event: Logged, words: Phrase) -> Phrase:
    """Return what happened, with the reason that somebody has given for it, if there is one."""
    reason = event.public_facts.get("reason")
    if not reason:
        return words
    said = Typed(as_sentence(reason))
    return Phrase("{what} The reason: {reason}", what=words, reason=said)


def _last_event(held: Held, kind: Kind) -> Logged:
    return next(event for event in reversed(held.log) if event.kind == kind)


def _end_phrase(forecast: datetime | None, ends_at: datetime, today: date) -> Phrase:
    """Return the end date, and the day of the forecast where that is another one (E13)."""
    day = day_phrase(last_day(ends_at), today)
    if forecast is None or last_day(forecast) >= last_day(ends_at):
        return day
    early = short_day_phrase(last_day(forecast), today)
    return Phrase("{day} (forecast: {early})", day=day, early=early)


def _title(contest: Contest) -> Phrase:
    what = beside_name(contest)
    if not what:
        return Phrase("Contest {number}, {name}", number=contest.pk, name=title_of(contest))
    return Phrase(
        "Contest {number}, {name}: {what}", number=contest.pk, name=title_of(contest), what=what
    )


def last_day(end: datetime) -> date:
    """Return the day that ends at an instant: dates are days of UTC that end at 24:00 (E4)."""
    return (end.astimezone(UTC) - timedelta(seconds=1)).date()


def decimal(value: float, places: int) -> Phrase:
    """Return a figure with so many decimals, which each language parts in its way."""
    whole, _, decimals = f"{value:.{places}f}".partition(".")
    return Phrase("{whole}.{decimals}", whole=whole, decimals=decimals)


def span(first: int, last: int) -> str:
    """Return a place, or those that are shared: `2-3`."""
    return str(first) if first == last else f"{first}-{last}"


def reachable(row: Row) -> str:
    """Return the places that are within an entrant's reach: `1st to 3rd`; "" for one who is out."""
    best, worst = row.best, row.worst
    if row.entrant.is_out:
        return ""
    if best == worst:
        return ordinal(best)
    if worst == best + 1:
        return Phrase("{best}, {worst}", best=ordinal(best), worst=ordinal(worst))
    return Phrase("{best} to {worst}", best=ordinal(best), worst=ordinal(worst))
