"""The terms that the players of a game agree on, in words."""

from __future__ import annotations

from sarsen.core.game import GameInfo
from sarsen.core.options import Flag, Number
from sarsen.language.challenges import ANYONE, terms_words
from sarsen.language.ratings import MARK
from sarsen.language.terms import speed_of
from sarsen.language.translating import N_, _
from sarsen.services.challenges.lists import ListedChallenge

_SIZE = N_("size")  # an option of most games


def challenge_words(challenge: ListedChallenge) -> tuple[str, ...]:
    """Return what is agreed in words: size and options, the clock, who begins, the rating."""
    typed = {word.lstrip("-").partition("=")[0]: word for word in challenge.options.split()}
    usual = [
        f"{_(option.name)} {option.default}"
        for option in challenge.game.options
        if isinstance(option, Number) and option.name not in typed
    ]
    speed = speed_of(challenge.terms)
    clock = [_(speed.words)] if speed else []
    times = set(speed.terms.split()) if speed else set()
    terms = [word for word in challenge.terms.split() if word not in times]
    rating = [] if "--unrated" in terms else [_("rated")]
    agreed = terms_words(" ".join(terms))
    return (
        *usual,
        *option_words(challenge.options, challenge.game),
        *clock,
        *agreed,
        *rating,
        _who_begins(challenge),
    )


def option_words(options: str, game: GameInfo) -> tuple[str, ...]:
    """Return what `-size=5 -nogaps` means: `size 5`, `no gaps`."""
    flags = {option.name: option.words for option in game.options if isinstance(option, Flag)}
    parts = (word.lstrip("-").partition("=") for word in options.split())
    return tuple(f"{_(flags.get(name) or name)} {value}".strip() for name, _sign, value in parts)


def _who_begins(challenge: ListedChallenge) -> str:
    """Return who moves first, as the viewer reads it."""
    first, opponent = challenge.names[0].removesuffix(MARK), challenge.opponent
    if first == opponent or (first == ANYONE and not opponent):
        return _("{player} begins").format(player=opponent or _("the other side"))
    return _("you begin")
