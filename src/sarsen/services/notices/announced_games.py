"""The letter that announces a game: the author's words, the lines that begin one, the rules."""

from __future__ import annotations

from django.conf import settings

from sarsen.core.game import GameInfo
from sarsen.core.options import read_options
from sarsen.games import load
from sarsen.help import find_page
from sarsen.help.rendering import page_text
from sarsen.language.publishing.announcing import Announce
from sarsen.language.translating import _, use_language
from sarsen.storage.models import Player

RULE = "~" * 72
# Characters of rules that are sent along; longer ones, perhaps of a plug-in, are linked alone.
MAX_RULES = 20_000


def compose(command: Announce, author: Player, own_words: str) -> tuple[str, str, str]:
    """Return the text of an announcement, with the game and its options as boards keep them.

    Raises:
        UserError: There is no such game, or it has no such options.
    """
    info = load(command.game).info
    options = read_options(info.options, command.options).write()
    with use_language(author.language):
        text = _text(info, options, author.userid, own_words)
    return text, info.name, options


def challenge_lines(game: str, options: str, reader: str, author: str) -> tuple[str, str]:
    """Return the two lines with which a reader begins a game with an author."""
    start = " ".join(filter(None, (game, "challenge", options)))
    return f"{start} {reader} {author}", f"{start} {author} {reader}"


def _text(info: GameInfo, options: str, author: str, own_words: str) -> str:
    words = own_words or _("I would like to play {game} with you. Challenge me!").format(
        game=info.title
    )
    lines = challenge_lines(info.name, options, "me", author)
    parts = [
        _("New game: {game}, by {author} ({year})").format(
            game=info.title, author=info.author, year=info.year
        ),
        _(info.summary),
        words,
        "\n".join(f"    {line}" for line in lines),
        _("The rules: {address}").format(address=f"{settings.SARSEN_URL}/games/{info.name}/"),
        author,
    ]
    rules = page_text(find_page((info.name,)))
    if len(rules) <= MAX_RULES:
        parts += [RULE, rules]
    return "\n\n".join(filter(None, parts))
