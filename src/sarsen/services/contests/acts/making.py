"""Make contests, and let their hosts start and close them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import chain, count
from statistics import median
from typing import Any

from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import Game
from sarsen.core.options import Options, read_options
from sarsen.core.phrases import Phrase, Typed, quoted
from sarsen.games import load
from sarsen.language.contests.answers import ContestMade
from sarsen.language.contests.commands import (
    MAX_NAME,
    MIN_NAME,
    MakeContest,
)
from sarsen.language.contests.ladders import LadderMade
from sarsen.language.contests.law import (
    DAYS_TO_ENTER,
    FIXED,
    LADDER,
    LAWS,
    STARTS,
    TERMS_OF_CONTESTS,
    TITLES,
    WITH,
)
from sarsen.language.grammar.dates import read_day
from sarsen.language.grammar.typography import QUOTES, one_line
from sarsen.language.terms import TERMS
from sarsen.search.written_proofs import can_prove
from sarsen.services.contests import inviting
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import fillers, running
from sarsen.services.contests.course.proving import PROOFS
from sarsen.services.contests.inviting import find_invited
from sarsen.services.contests.known import known_value
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Phase
from sarsen.services.contests.views.ladders import ladders_of
from sarsen.services.contests.views.wording import title_of
from sarsen.services.limits import daily
from sarsen.services.matches.terms import read_terms
from sarsen.services.request import Player, Request
from sarsen.storage.models import Contest, Match
from sarsen.storage.transactions import await_turn

MAX_OPEN = 3  # contests of one host that have not started (E37)
# E2: the clocks of a contest come from its days and the length of such games.
SAMPLED, MIN_SAMPLED, USUAL_PLIES = 200, 50, 40
VACATION_SHARE = 4  # of the days may be vacation (E3)
FORFEIT_DAYS, NAG_DAYS = 14.0, 5.0
DAY = timedelta(days=1)
_LINK = re.compile(r"://|\bwww\.", re.IGNORECASE)  # names stand on everybody's home page
_VALUES = {STARTS: "DATE", WITH: "USERID"}  # of options, as usages show them
MAX_AHEAD = timedelta(days=366)  # of the last day of entry: a later one is a slip


def make(command: MakeContest, request: Request) -> ContestMade | LadderMade:
    """Make a contest; its host is in it, unless `--host` says otherwise."""
    host = request.player("contest new USERID PASSWORD druid round-robin")
    game = load(command.game)
    _check_format(command)
    law_words, term_words, named = _sorted_words(command)
    today = request.now.astimezone(UTC).date()
    starts = _start(command, named.get(STARTS), today)
    options = _options(command, game)
    if command.format == LADDER:
        _check_no_other(game)
    law = _law(command.format, _read(command, law_words), game.info.name, options.write())
    _check_numbers(command, law)
    if law["value"] is not None and law["games"] == 1 and not law["solved"]:
        raise _solved(command)
    invited = None
    if (userid := named.get(WITH)) is not None:
        invited = find_invited(userid, host, game.info.name, partial(_line, command, WITH))
        law[inviting.WITH] = invited.pk
    terms = _terms(command, game, law, term_words)
    name = _name(command, game)
    _check_room(host)
    daily.check(host, "challenge", request.now)
    agreed = NewContest(command.format, game.info.name, options.write(), law, terms)
    held = _store(agreed, name, host, starts, request.now)
    contest = held.contest
    if not law["host"]:
        contest_log.enter(held, host.pk, request.now)
        held.save(running.next_look(held, request))
    if held.format.is_endless:
        places = [row.place for row in held.format.table(held.state)]
        place = 0 if law["host"] else places[-1]
        facts = (game.info.title, contest.options, game.info.name)
        return LadderMade(contest.pk, title_of(contest), *facts, place)
    inviting.invite(contest, request.now)
    return ContestMade(
        number=contest.pk,
        name=title_of(contest),
        game=game.info.title,
        options=contest.options,
        format=contest.format,
        games=law["games"],
        is_in=not law["host"],
        entrants=len(held.state.entrants),
        most=law["most"],
        least=law["least"],
        today=today.isoformat(),
        starts=starts.isoformat(),
        ends=(starts + timedelta(law["days"])).isoformat(),
        has_fillers=held.state.law.has_fillers,
        invited="" if invited is None else invited.userid,
    )


def _check_no_other(game: Game) -> None:
    """Refuse a second ladder of a game."""
    await_turn(f"ladder of {game.info.name}")  # two at once would be two
    if ladders_of(game.info.name):
        raise UserError(
            "There is a {game} ladder already.",
            code="contest.ladder",
            hint=f"{game.info.name} ladder",
            game=game.info.title,
        )


def _start(command: MakeContest, typed: str | None, today: date) -> date:
    """Return the last day of entry."""
    usual = today + timedelta(DAYS_TO_ENTER)
    if typed is None:
        return usual
    try:
        day = read_day(typed, today)
    except UserError as refusal:
        hint = _line(command, STARTS, f"{STARTS}={usual.isoformat()}")
        raise UserError(refusal.text, code=refusal.code, hint=hint) from None
    if not today < day <= today + MAX_AHEAD:
        raise UserError(
            "The last day to join is tomorrow at the earliest, and within a year.",
            code="contest.dates",
            hint=_line(command, STARTS, f"{STARTS}={usual.isoformat()}"),
        )
    return day


def _options(command: MakeContest, game: Game) -> Options:
    """Read the options of the game."""
    try:
        options = read_options(game.info.options, command.options)
    except BadOption as refusal:
        raise _mended(command, refusal, refusal.hint) from None
    game.start(options.as_dict())
    return options


def _law(named: str, options: Options, game: str, game_options: str) -> dict[str, Any]:
    """Return all options of a contest by name, those that its format fixes among them."""
    value = known_value(game, game_options)
    plies = _usual_plies(game, game_options)
    own = options.as_dict()
    if "vacation" in own and own["vacation"] is None:
        own["vacation"] = options.number("days") / VACATION_SHARE
    fixed = {**FIXED.get(named, {}), **own, "value": value, "plies": plies}
    law = {"host": False, **fixed, PROOFS: can_prove(load(game))}
    # A climb is two boards where one would be decided by the seats (E28).
    return law | {"games": 2} if named == LADDER and value is not None else law


@dataclass(frozen=True)
class NewContest:
    """The agreement about a contest before there is one: the fields of its row."""

    format: str
    game: str
    options: str
    law: dict[str, Any]
    terms: dict[str, Any]


def open_contest(
    named: str, game: str, options: str, words: tuple[str, ...], starts: date, now: datetime
) -> Contest:
    """Open a contest of the server itself.

    Args:
        named: The format.
        words: Options of the contest, as typed.
        starts: The last day of entry.
    """
    info = load(game).info
    written = read_options(info.options, options).write()
    declared = read_options(LAWS[named], " ".join(word[1:] for word in words))
    law = _law(named, declared, game, written)
    command = MakeContest(game, named, options, words)
    terms = _terms(command, load(game), law, [])
    agreed = NewContest(named, game, written, law, terms)
    return _store(agreed, _free_name(load(game), named), None, starts, now).contest


def _store(agreed: NewContest, name: str, host: Player | None, starts: date, now: datetime) -> Held:
    """Store a contest that is open for entry; a ladder runs at once."""
    contest = Contest.objects.create(
        **vars(agreed),
        rules_version=load(agreed.game).info.rules_version,
        name=name,
        host=host,
        made_at=now,
        state=Phase.OPEN,
    )
    held = contest_log.read(contest)
    held.add(Kind.MADE, now, {"host": host.pk if host else None})
    if held.format.is_endless:
        running.start(held, now)
        if held.state.law.has_fillers:
            fillers.fill_ladder(held, now)
        held.save(now)
        return held
    starts_at = _end_of(starts)
    contest_log.open_until(held, starts_at, starts_at + timedelta(agreed.law["days"]), now)
    held.save(starts_at)
    return held


def _check_format(command: MakeContest) -> None:
    if command.format not in LAWS:
        words = [command.game, "round-robin", *command.options.split(), *command.terms]
        raise UserError(
            "There is no kind of contest called {typed}. There are: {formats}.",
            code="unknown-format",
            hint=Typed(" ".join(["contest new", *words, command.name]).strip()),
            typed=quoted(command.format),
            formats=", ".join(LAWS),
        )


def _solved(command: MakeContest) -> UserError:
    return UserError(
        "It is known who wins this game with best play, and a program here knows how. Play each "
        "pair twice, or say that you know: --solved.",
        code="contest.solved",
        hint=_line(replace(command, terms=(*command.terms, "--games=2"))),
    )


def _others(named: str) -> tuple[str, ...]:
    """Return the options of a format whose values are no figures."""
    return {LADDER: (), "match": (STARTS, WITH)}.get(named, (STARTS,))


def _sorted_words(command: MakeContest) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the options of the contest, those of its boards, and the values of others by name.

    These are its day of start and, of a match, whom it is for.
    """
    others = _others(command.format)
    law_names = {option.name for option in LAWS[command.format]}
    law_words, term_words, named = [], [], {}
    for word in filter(None, command.terms):  # of a form some are empty
        name, _, value = word.partition("=")
        if name.lower() in named:
            raise BadOption(
                "The option -{option} was given twice.",
                code="repeated-option",
                hint=_line(command, word),
                word=word,
                option=name.lower().removeprefix("-"),
            )
        if name.lower() in others:
            named[name.lower()] = value
        elif name.lower().lstrip("-") in law_names:
            law_words.append(word)
        else:
            term_words.append(word)
    return law_words, term_words, named


def _read(command: MakeContest, words: list[str]) -> Options:
    """Read options with two dashes.

    Raises:
        BadOption: The hint is the whole line, mended.
    """
    try:
        return read_options(LAWS[command.format], " ".join(word[1:] for word in words))
    except BadOption as refusal:
        mended = f"-{refusal.hint}" if refusal.hint.startswith("-") else ""
        text = Phrase(refusal.text)
        if "option" in text.facts:  # these have two dashes
            facts = {**text.facts, "option": f"-{text.facts['option']}"}
            text = Phrase(text.template, **facts)
        hint = _line(command, f"-{refusal.word}", mended)
        raise BadOption(text, code=refusal.code, hint=hint, word=f"-{refusal.word}") from None


def _line(command: MakeContest, word: str = "", mended: str = "") -> Typed:
    """Write the line that makes a contest, with one option replaced, or left out."""
    words = [command.game, command.format, *command.options.split(), *command.terms]
    named = [
        at for at, term in enumerate(words) if term.partition("=")[0] == word.partition("=")[0]
    ]
    if word and named:
        # Of an option that was given twice the first one stays.
        words[named[-1]] = mended
    words.append(command.name)
    return Typed(" ".join(["contest new", *filter(None, words)]))


def _terms(
    command: MakeContest, game: Game, law: Mapping[str, Any], words: list[str]
) -> dict[str, Any]:
    """Return the terms of all boards: those typed, and else the clocks of E2."""
    known = {term.name for term in TERMS if term.name in TERMS_OF_CONTESTS} | {"rated"}
    for word in words:
        name = word.partition("=")[0].lstrip("-").lower()
        if f"--{name}" == WITH:
            raise BadOption(
                "{option} is an option of matches.",
                code="unknown-option",
                hint=_line(command, word),
                word=word,
                option=WITH,
            )
        if name not in known:
            raise BadOption(
                "There is no option {option} of contests of this kind ({format}). There are: "
                "{known}.",
                code="unknown-option",
                hint=_line(command, word),
                word=word,
                format=command.format,
                option=quoted(word.partition("=")[0]),
                known=_usages(command.format),
            )
    typed = {word.partition("=")[0].lstrip("-").lower() for word in words}
    clocks = {"nagtime", "forfeittime", "totaltime", "increment"}
    usual = [] if typed & clocks else _usual_time(law["days"], law["plies"])
    try:
        terms = read_terms((*words, *usual)).as_dict()
    except BadOption as refusal:
        raise _mended(command, refusal, refusal.hint) from None
    terms.pop("link")
    return terms


def _usages(named: str) -> str:
    """List the options that a contest takes: its own, and those of its boards."""
    boards = [term for term in TERMS if term.name in TERMS_OF_CONTESTS]
    words = [f"-{option.usage.replace('|-', '|--')}" for option in (*LAWS[named], *boards)]
    return " ".join([*words, *(f"{name}={_VALUES[name]}" for name in _others(named))])


def _mended(command: MakeContest, refusal: BadOption, hint: str) -> BadOption:
    """Return a refusal of an option whose hint is the whole line, mended."""
    replaced = hint if hint.startswith("-") and " " not in hint else ""
    line = _line(command, refusal.word, replaced)
    return BadOption(refusal.text, code=refusal.code, hint=line, word=refusal.word)


def _usual_plies(game: str, options: str) -> float:
    """Return the plies of a usual game: the median of the last rated ones (E2)."""
    rated = Match.objects.filter(
        game=game, options=options, is_imported=False, ended_at__isnull=False
    ).exclude(terms__unrated=True)
    plies = list(rated.order_by("-ended_at").values_list("ply", flat=True)[:SAMPLED])
    return median(plies) if len(plies) >= MIN_SAMPLED else USUAL_PLIES


def _usual_time(days: int, length: float) -> list[str]:
    """Return the time of a board: two who use all of it are done when the days are over (E2)."""
    increment = int(days / (3 * max(length, 1)) / 0.05) * 0.05
    times = {
        "totaltime": days / 3,
        "increment": round(increment, 2),
        "forfeittime": FORFEIT_DAYS,
        "nagtime": NAG_DAYS,
    }
    return [f"--{name}={value:.4f}".rstrip("0").rstrip(".") for name, value in times.items()]


def _check_numbers(command: MakeContest, law: Mapping[str, Any]) -> None:
    if law["least"] > law["most"]:
        raise UserError(
            "--least={least} is more than --most={most}.",
            code="contest.dates",
            hint=_line(command, "--least", f"--least={law['most']}"),
            least=law["least"],
            most=law["most"],
        )


def _end_of(day: date) -> datetime:
    """Return the end of a day of UTC (E4)."""
    return datetime.combine(day + DAY, time(), UTC)


def _name(command: MakeContest, game: Game) -> str:
    """Return the name of a new contest: the one typed, else one that is free."""
    typed = _unquoted(one_line(command.name).strip())
    name = typed or _free_name(game, command.format)
    has_words = re.search(r"[^\W\d_]", name) and not name.startswith("-")
    is_named = MIN_NAME <= len(name) <= MAX_NAME and has_words and not _LINK.search(name)
    if not is_named or _is_taken(name):
        is_long = len(name) > MAX_NAME and not _LINK.search(name)
        other = (
            name[: MAX_NAME - 2].strip()
            if is_named or is_long
            else _usual_name(game, command.format)
        )
        raise UserError(
            "There is a contest called {name} already."
            if is_named
            else "The name of a contest needs {least} to {most} characters, a letter, and no link.",
            code="contest.name",
            hint=Typed(str(_line(command)).removesuffix(command.name) + f"{other} 2"),
            name=Typed(name),
            least=MIN_NAME,
            most=MAX_NAME,
        )
    return name


def _unquoted(typed: str) -> str:
    """Return a name without the quotes around all of it."""
    inner = typed.strip(f" {QUOTES}")
    is_quoted = len(typed) > 1 and typed[0] in QUOTES and typed[-1] in QUOTES
    return inner if is_quoted and not set(inner) & set(QUOTES) else typed


def _usual_name(game: Game, named: str) -> str:
    return str(Phrase(TITLES[named], game=game.info.title))


def _free_name(game: Game, named: str) -> str:
    """Return a name for a contest of a format that no other has."""
    usual = _usual_name(game, named)
    numbered = (f"{usual} {number}" for number in count(2))
    return next(one for one in chain([usual], numbered) if not _is_taken(one))


def _is_taken(name: str) -> bool:
    return bool(Contest.objects.filter(name__iexact=name).exists())


def _check_room(host: Player) -> None:
    """Bound how many contests of one host wait for players (E37)."""
    # A further season of a league opens by itself.
    waiting = Contest.objects.filter(host=host, state=Phase.OPEN, season=1)
    if waiting.count() >= MAX_OPEN:
        raise UserError(
            "{most} contests of yours wait for players, as many as one can have.",
            code="contest.limit",
            hint=f"contest {waiting.earliest('pk').pk}",
            most=MAX_OPEN,
        )
