"""The replies to commands about contests, and their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sarsen.language.contests.ladders import ordinary_words
from sarsen.language.contests.law import FORMAT_NAMES
from sarsen.language.grammar.dates import day_words
from sarsen.language.grammar.typography import as_sentence
from sarsen.language.translating import _, _n, sentence, translated, typed_next


@dataclass(frozen=True)
class ContestMade:
    """A contest was made.

    Attributes:
        game: What the game is called; `options` as typed.
        entrants: How many are in, the speaker among them if `is_in`.
        has_fillers: It starts two days after the first player has joined.
        today, starts, ends: Days of UTC in ISO format.
        invited: The userid of the player whom a match is for; "" for anybody.
    """

    number: int
    name: str
    game: str
    options: str
    format: str
    games: int
    is_in: bool
    entrants: int
    most: int
    least: int
    today: str
    starts: str
    ends: str
    has_fillers: bool = False
    invited: str = ""


@dataclass(frozen=True)
class ContestJoined:
    """The speaker is in a contest, perhaps as the last one it waited for.

    Attributes:
        once: Of a league, for one season only.
        has_started: It runs already, and the speaker has the seat of a program.
        at_once: The speaker would have waited for a seat.
        today: Of UTC, in ISO format; "" where a seat was free after the start.
        fills_after: Programs take the empty seats after this day, and it starts; "" for none.
    """

    number: int
    name: str
    entrants: int
    most: int
    format: str = ""
    once: bool = False
    has_started: bool = False
    at_once: bool = False
    today: str = ""
    fills_after: str = ""


@dataclass(frozen=True)
class ContestWaiting:
    """The speaker waits for a seat in a contest that has started, at this place of the list."""

    number: int
    name: str
    place: int


@dataclass(frozen=True)
class ContestLeft:
    """The speaker has left a contest before it started.

    Attributes:
        has_waited: The list of those who wait for a seat, after the start.
    """

    number: int
    name: str
    has_waited: bool = False


@dataclass(frozen=True)
class ContestDeclined:
    """The speaker has declined an invitation to a match, which is closed.

    Attributes:
        told: The userid of the host; "" for one who wants no letters of contests.
    """

    number: int
    name: str
    told: str


@dataclass(frozen=True)
class ContestKept:
    """The speaker stays in a contest, and was asked about leaving it."""

    number: int
    name: str


@dataclass(frozen=True)
class ContestLeaveAsked:
    """The server asks whether the speaker means to leave a contest that runs.

    Attributes:
        finished: Of the speaker's `games` so many are over.
        annuls: Whether all of them would count for nothing; else those left would be lost.
    """

    number: int
    name: str
    finished: int
    games: int
    annuls: bool


@dataclass(frozen=True)
class ContestWithdrawn:
    """Somebody was taken out of a running contest, or has left it.

    Attributes:
        userid: Who is out; "" for the speaker.
        reason: As the host gave it.
        finished, games, annuls: As of `ContestLeaveAsked`.
    """

    number: int
    name: str
    userid: str
    reason: str
    finished: int
    games: int
    annuls: bool


@dataclass(frozen=True)
class ContestCorrected:
    """An operator has set the result of a board; so many of its players are told."""

    number: int
    board: int
    result: str
    reason: str
    told: int


@dataclass(frozen=True)
class ContestStarted:
    """The host has started a contest."""

    number: int
    name: str
    entrants: int
    boards: int


@dataclass(frozen=True)
class ContestCloseAsked:
    """The server asks whether the speaker means to close a ladder, which ends it for everybody.

    Attributes:
        reason: As typed; those who are told read it.
        told: So many others would be.
        boards: As of `ContestClosed`.
    """

    number: int
    name: str
    reason: str
    told: int
    boards: int


@dataclass(frozen=True)
class ContestNotClosed:
    """A ladder goes on; the speaker was asked about closing it."""

    number: int
    name: str


@dataclass(frozen=True)
class ContestClosed:
    """A contest was closed before it started, or a ladder; so many others are told.

    Attributes:
        boards: How many running boards of a ladder are ordinary ones now.
    """

    number: int
    name: str
    told: int
    boards: int = 0


ContestReply = (
    ContestMade
    | ContestJoined
    | ContestWaiting
    | ContestLeft
    | ContestDeclined
    | ContestKept
    | ContestLeaveAsked
    | ContestWithdrawn
    | ContestCorrected
    | ContestStarted
    | ContestCloseAsked
    | ContestNotClosed
    | ContestClosed
)


def format_words(named: str, entrants: int, games: int) -> str:
    """Return what is played: `round robin of 4, one game each`."""
    if named == "league":
        return translated(FORMAT_NAMES[named])
    if named == "match":
        return _n("match of {count} game", "match of {count} games", games).format(count=games)
    once = _("one game each") if games == 1 else _("two games each")
    return _("{format} of {count}, {games}").format(
        format=translated(FORMAT_NAMES[named]), count=entrants, games=once
    )


@sentence.register
def _contest_made(reply: ContestMade) -> str:
    today = date.fromisoformat(reply.today)
    starts, ends = (date.fromisoformat(day) for day in (reply.starts, reply.ends))
    title = _("Contest {number}, {name}: {game}, {what}.").format(
        number=reply.number,
        name=translated(reply.name),
        game=f"{reply.game} {reply.options}".strip(),
        what=format_words(reply.format, reply.most, reply.games),
    )
    entered = (
        _("You are in.")
        if reply.is_in and reply.format == "league"
        else _("You are in ({count} of {most}).").format(count=reply.entrants, most=reply.most)
        if reply.is_in
        else _("Nobody is in yet.")
    )
    when = (
        _(
            "Its first season starts when {starts} is over, with {least} players or more, and ends "
            "on {ends} at 24:00 UTC; the next one follows a week later."
        )
        if reply.format == "league"
        else _(
            "It starts when {most} have joined, or two days after the first, with programs to make "
            "up {least}, and ends on {ends} at 24:00 UTC."
        )
        if reply.has_fillers
        else _(
            "It starts when both have joined, which must be by {starts}, and ends on {ends} at "
            "24:00 UTC."
        )
        if reply.format == "match"
        else _(
            "It starts when {most} have joined, or on {starts} with {least}, and ends on {ends} at "
            "24:00 UTC."
        )
        if reply.least < reply.most
        else _(
            "It starts when {most} have joined, which must be by {starts}, and ends on {ends} at "
            "24:00 UTC."
        )
    )
    dates = when.format(
        most=reply.most,
        least=reply.least,
        starts=day_words(starts, today),
        ends=day_words(ends, today),
    )
    if not reply.invited:
        return f"{title} {entered} {dates}"
    invited = _("{player} is invited.").format(player=reply.invited)
    return f"{title} {entered} {invited} {dates}"


@typed_next.register
def _after_contest_made(reply: ContestMade) -> str:
    if reply.invited:  # only they can join
        return _("To see it: {line}").format(line=f"contest {reply.number}")
    return _("To join: {line}").format(line=f"contest join {reply.number}")


@sentence.register
def _contest_joined(reply: ContestJoined) -> str:
    entered = _joined_words(reply)
    return f"{entered} {_('There was room: you need not wait.')}" if reply.at_once else entered


def _joined_words(reply: ContestJoined) -> str:
    if reply.format == "league":
        return _league_joined(reply)
    entered = _("You are in contest {number}, {name} ({count} of {most}).").format(
        number=reply.number, name=translated(reply.name), count=reply.entrants, most=reply.most
    )
    if reply.has_started:
        return _("You are in contest {number}, {name}, in the place of a program.").format(
            number=reply.number, name=translated(reply.name)
        )
    if reply.entrants >= reply.most:
        return f"{entered} {_('It starts now.')}"
    if not reply.fills_after:
        return entered
    today, day = date.fromisoformat(reply.today), date.fromisoformat(reply.fills_after)
    fills = _("It starts when {most} have joined; after {day} programs take the empty seats.")
    return f"{entered} {fills.format(most=reply.most, day=day_words(day, today))}"


def _league_joined(reply: ContestJoined) -> str:
    entered = _n(
        "You are in contest {number}, {name}, with {count} player so far.",
        "You are in contest {number}, {name}, with {count} players so far.",
        reply.entrants,
    ).format(number=reply.number, name=translated(reply.name), count=reply.entrants)
    stays = _("For this season only.") if reply.once else _("You stay for the seasons after it.")
    return f"{entered} {stays}"


@typed_next.register
def _after_contest_joined(reply: ContestJoined) -> str:
    if reply.entrants >= reply.most and reply.format != "league":
        return _("To see the table: {line}").format(line=f"contest {reply.number}")
    return _("To leave: {line}").format(line=f"contest leave {reply.number}")


@sentence.register
def _contest_waiting(reply: ContestWaiting) -> str:
    return _(
        "You are on the waiting list of contest {number}, {name}, at place {place}. You play as "
        "soon as a seat becomes free because its player does not come."
    ).format(number=reply.number, name=translated(reply.name), place=reply.place)


@typed_next.register
def _after_contest_waiting(reply: ContestWaiting) -> str:
    return _("To leave: {line}").format(line=f"contest leave {reply.number}")


@sentence.register
def _contest_left(reply: ContestLeft) -> str:
    left = (
        _("You no longer wait for a seat in contest {number}, {name}.")
        if reply.has_waited
        else _("You have left contest {number}, {name}.")
    )
    return left.format(number=reply.number, name=translated(reply.name))


@sentence.register
def _contest_declined(reply: ContestDeclined) -> str:
    declined = _("You decline contest {number}, {name}.").format(
        number=reply.number, name=translated(reply.name)
    )
    told = _("{player} is told.") if reply.told else _("Its host wants no mails about contests.")
    return f"{declined} {told.format(player=reply.told)}"


@sentence.register
def _contest_kept(reply: ContestKept) -> str:
    return _("You stay in contest {number}, {name}.").format(
        number=reply.number, name=translated(reply.name)
    )


@sentence.register
def _contest_started(reply: ContestStarted) -> str:
    boards = _n("{count} board", "{count} boards", reply.boards).format(count=reply.boards)
    return _("Contest {number}, {name}, has started: {count} players, {boards}.").format(
        number=reply.number, name=translated(reply.name), count=reply.entrants, boards=boards
    )


@sentence.register
def _contest_closed(reply: ContestClosed) -> str:
    closed = _("Contest {number}, {name}, is closed.").format(
        number=reply.number, name=translated(reply.name)
    )
    return " ".join(filter(None, [closed, ordinary_words(reply.boards), _told(reply.told)]))


@sentence.register
def _contest_close_asked(reply: ContestCloseAsked) -> str:
    asked = _("Do you want to close contest {number}, {name}, for good?").format(
        number=reply.number, name=translated(reply.name)
    )
    told = _n("{count} player would be told.", "{count} players would be told.", reply.told)
    boards = _n(
        "{count} running game would go on as an ordinary one.",
        "{count} running games would go on as ordinary ones.",
        reply.boards,
    )
    stays = _("Its places stay as they are, and nobody climbs any more.")
    return " ".join(
        [
            *(asked, stays),
            *([boards.format(count=reply.boards)] if reply.boards else ()),
            *([told.format(count=reply.told)] if reply.told else ()),
        ]
    )


@typed_next.register
def _after_contest_close_asked(reply: ContestCloseAsked) -> str:
    line = f"contest close {reply.number} yes {reply.reason}".strip()
    return _("To close it: {line}").format(line=line)


@sentence.register
def _contest_not_closed(reply: ContestNotClosed) -> str:
    return _("Contest {number}, {name}, stays open.").format(
        number=reply.number, name=translated(reply.name)
    )


@sentence.register
def _contest_leave_asked(reply: ContestLeaveAsked) -> str:
    asked = _("Do you want to leave contest {number}, {name}?").format(
        number=reply.number, name=translated(reply.name)
    )
    return f"{asked} {_fate(reply, is_done=False)}"


@typed_next.register
def _after_contest_leave_asked(reply: ContestLeaveAsked) -> str:
    return _("To leave: {line}").format(line=f"contest leave {reply.number} yes")


@sentence.register
def _contest_withdrawn(reply: ContestWithdrawn) -> str:
    if not reply.userid:
        gone = _("You have left contest {number}, {name}.")
    elif reply.reason:
        gone = _("{player} is withdrawn from contest {number}: {reason}")
    else:
        gone = _("{player} is withdrawn from contest {number}.")
    facts = {
        "number": reply.number,
        "name": translated(reply.name),
        "player": reply.userid,
        "reason": as_sentence(reply.reason),
    }
    return f"{gone.format(**facts)} {_fate(reply, is_done=True)}"


def _fate(reply: ContestLeaveAsked | ContestWithdrawn, *, is_done: bool) -> str:
    """Return what becomes of the games of somebody who is out, or would be (E9)."""
    finished = _("Games finished: {count} of {games}").format(
        count=reply.finished, games=reply.games
    )
    if reply.annuls:
        fate = (
            _("fewer than half, so all are annulled for the table")
            if is_done
            else _("fewer than half, so all would be annulled for the table")
        )
        return f"{finished}, {fate}."
    if reply.finished == reply.games:
        return f"{finished}."
    lost = _("The rest counts as lost.") if is_done else _("The rest would count as lost.")
    return f"{finished}. {lost}"


@sentence.register
def _contest_corrected(reply: ContestCorrected) -> str:
    corrected = (
        _("Board {board} now counts for nothing in contest {number}: {reason}")
        if reply.result == "void"
        else _("Board {board} now counts {result} in contest {number}: {reason}")
    )
    counted = corrected.format(
        board=reply.board,
        result=reply.result,
        number=reply.number,
        reason=as_sentence(reply.reason),
    )
    told = _("Both players are told.") if reply.told == 2 else _told(reply.told)
    return f"{counted} {told}".strip()


def _told(players: int) -> str:
    """Return how many players are told; "" for nobody."""
    told = _n("{count} player is told.", "{count} players are told.", players)
    return told.format(count=players) if players else ""
