"""What a challenge agrees on beside the game's own options: rated, private, days, weekends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import Game
from sarsen.core.options import Option, Options, read_options, usages
from sarsen.core.phrases import Phrase, Typed
from sarsen.language.commands import MakeChallenge
from sarsen.language.terms import MAX_NAG, OFF, ON, TERMS, USUAL_FORFEIT, terms_usage
from sarsen.search.written_proofs import can_prove

CONTEST = "contest"  # the key under which the terms of a board name its contest
# How much vacation counts there: {"days": …, "since": the start of the contest}.
CONTEST_VACATION = "contest_vacation"
OF_CONTESTS = (CONTEST, CONTEST_VACATION)
MAX_WRITTEN = 256  # terms whose words are remembered; most boards have the same few
MAX_MENDED = 10  # options of one line, for the example of a line that works


@dataclass(frozen=True)
class PlayingTime:
    """How much time the terms of a match give.

    Attributes:
        nag: A reminder comes after so long without a move.
        forfeit: A game is lost after so long without a move.
        total: The reserve a seat begins with; None when there is no bound.
        increment: What each move adds to the reserve.
    """

    nag: timedelta
    forfeit: timedelta
    total: timedelta | None
    increment: timedelta
    weekends_are_off: bool


def playing_time(terms: Mapping[str, Any]) -> PlayingTime:
    """Return the time that stored terms agree on; terms of old releases have the defaults."""
    forfeit = terms.get("forfeittime") or USUAL_FORFEIT
    nag = terms.get("nagtime") or min(MAX_NAG, forfeit / 3)
    total = terms.get("totaltime")
    return PlayingTime(
        nag=timedelta(days=nag),
        forfeit=timedelta(days=forfeit),
        total=None if total is None else timedelta(days=total),
        increment=timedelta(days=terms.get("increment") or 0),
        weekends_are_off=terms.get("weekends") == OFF,
    )


@dataclass(frozen=True)
class VacationLimit:
    """How much vacation of a player counts on the boards of a contest, from its start on (E3)."""

    since: datetime
    total: timedelta


def vacation_limit(terms: Mapping[str, Any]) -> VacationLimit | None:
    """Return how much vacation counts on a board of a contest; None where all does."""
    limit = terms.get(CONTEST_VACATION)
    if limit is None:
        return None
    since = datetime.fromisoformat(limit["since"])
    return VacationLimit(since, timedelta(days=limit["days"]))


def with_weekends(terms: Mapping[str, Any], everybody_wants: bool) -> dict[str, Any]:
    """Return the terms with weekends off, where everybody at the board wants that at the start."""
    return {**terms, "weekends": OFF} if everybody_wants else dict(terms)


def read_terms(words: tuple[str, ...]) -> Options:
    """Read `--unrated --nagtime=3`.

    Raises:
        BadOption: The text lists what there is.
    """
    try:
        terms = read_options(TERMS, " ".join(word[1:] for word in words))
    except BadOption as refusal:
        hint = "" if refusal.hint.startswith("This game") else f"-{refusal.hint}"
        text = Phrase(refusal.text)
        if "option" in text.facts:  # a term has two dashes
            facts = {**text.facts, "option": f"-{text.facts['option']}"}
            text = Phrase(text.template, **facts)
        raise BadOption(text, code=refusal.code, hint=hint, word=f"-{refusal.word}") from None
    _check_together(terms)
    return terms


def write_terms(terms: Mapping[str, Any]) -> str:
    """Write the terms that differ from the usual ones: `--unrated --nagtime=3`."""
    return _write(tuple((term.name, terms[term.name]) for term in TERMS if term.name in terms))


@lru_cache(maxsize=MAX_WRITTEN)
def _write(values: tuple[tuple[str, Any], ...]) -> str:
    words = read_options(TERMS, dict(values)).write().split()
    return " ".join(f"-{word}" for word in words)


def offered_terms(game: Game) -> tuple[Option, ...]:
    """Return the terms that a challenge at a game can have: claims only where a program proves."""
    return tuple(term for term in TERMS if term.name != "claims" or can_prove(game))


def agree(game: Game, command: MakeChallenge) -> tuple[Options, Options]:
    """Read the options and the terms of a challenge.

    Raises:
        BadOption: The text lists the options; the hint is this challenge, corrected.
    """
    try:
        return _read_options(game, command.options, command.terms)
    except UserError as refusal:
        text = refusal.text
        if isinstance(refusal, BadOption):
            is_term = refusal.word.startswith("--") or refusal.word in command.terms
            known = terms_usage() if is_term else usages(game.info.options)
            text = (
                Phrase("{refusal} There are: {known}.", refusal=text, known=known)
                if is_term or game.info.options
                else Phrase("{refusal} {game} has none.", refusal=text, game=game.info.title)
            )
        word = refusal.word if isinstance(refusal, BadOption) else ""
        raise BadOption(
            text, code=refusal.code, hint=_corrected_line(game, command), word=word
        ) from None


def _read_options(game: Game, options: str, terms: tuple[str, ...]) -> tuple[Options, Options]:
    game_options = read_options(game.info.options, options)
    game.start(game_options.as_dict())
    agreed = read_terms(terms)
    if agreed["claims"] == ON and not can_prove(game):
        raise BadOption(
            "No program here can prove who wins at {game}.",
            code="no-prover",
            word="--claims",
            game=game.info.title,
        )
    return game_options, agreed


def _check_together(terms: Options) -> None:
    nag, forfeit = terms.days("nagtime"), terms.days("forfeittime") or 0.0
    if nag is not None and nag >= forfeit:
        raise BadOption(
            "--nagtime={nagtime} would be too late: the game is already lost after {forfeittime} "
            "days.",
            code="option-range",
            hint=f"--nagtime={forfeit / 2:.4g}",
            word="--nagtime",
            nagtime=f"{nag:g}",
            forfeittime=f"{forfeit:g}",
        )
    if terms.days("increment") and terms.days("totaltime") is None:
        raise BadOption(
            "--increment adds to a reserve, and without --totaltime there is none.",
            code="option-range",
            hint=f"--totaltime=30 --increment={terms.days('increment'):g}",
            word="--increment",
        )


def _corrected_line(game: Game, command: MakeChallenge) -> str:
    """Return the whole line with each refused word corrected, or left out."""
    options, terms = command.options.split(), list(command.terms)
    for _ in range(MAX_MENDED):
        try:
            _read_options(game, " ".join(options), tuple(terms))
        except BadOption as refusal:
            words = terms if refusal.word.startswith("--") else options
            if not _correct_word(words, refusal):
                options, terms = [], []
        except UserError:
            options = []
        else:
            break
    else:
        options, terms = [], []
    return line(game, (*options, *terms, *command.names))


def line(game: Game, words: Iterable[str]) -> Typed:
    """Write the line that makes a challenge, in words that were typed."""
    return Typed(" ".join([game.info.name, "challenge", *words]))


def _correct_word(words: list[str], refusal: BadOption) -> bool:
    """Replace the last word of the refused name by the one that works; False if there is none."""
    for index in reversed(range(len(words))):
        if words[index].partition("=")[0] == refusal.word:
            # Some hints are a list of what there is; then the word is only left out.
            words[index : index + 1] = refusal.hint.split() if refusal.hint[:1] == "-" else []
            return True
    return False
