"""The help page of a game: how to challenge, then its rules, then who made it.

Its first and last parts are written from what the game declares, so that every game has them.
"""

from __future__ import annotations

from sarsen.core.game import TESTERS_WANTED, GameInfo
from sarsen.core.options import Option
from sarsen.games import help_text, language_of_help, load, text_file
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.translating import _, translated, use_language

_LESSON = "lessons.toml"  # see `sarsen.learning`, which stands beside this folder


def game_page(name: str) -> str:
    """Return the page of a game in Markdown, without its title; examples as the game has them."""
    info = load(name).info
    rules = help_text(name).partition("\n")[2].strip()
    with use_language(language_of_help(name)):
        parts = (_opening(info), rules, _closing(info))
    return "\n\n".join(filter(None, parts)) + "\n"


def challenge_usage(info: GameInfo) -> str:
    """Return the line that challenges, with every option: `druid challenge [-size=N] …`."""
    options = (f"[{option.usage}]" for option in info.options)
    players = (f"USERID{seat + 1}" for seat in range(len(info.seats)))
    return " ".join((info.name, "challenge", *options, *players))


def _opening(info: GameInfo) -> str:
    return "\n".join(
        (
            "```text",
            challenge_usage(info),
            "```",
            "",
            _(
                "The first player named moves first. `{me}` is you, `{anyone}` leaves a seat open; "
                "with a program such as `bot3` the game starts at once. What every game has: "
                "`help commands` and `help options`."
            ).format(me=ME, anyone=ANYONE),
            *(["", _lesson_line(info)] if text_file(info.name, _LESSON) else []),
            *(["", *map(_option_line, info.options)] if info.options else []),
        )
    )


def _lesson_line(info: GameInfo) -> str:
    line = _("New to {title}? `lesson {name}` teaches it in three minutes.")
    return line.format(title=info.title, name=info.name)


def _option_line(option: Option) -> str:
    return f"- `{option.usage}`: {_(option.summary)} ({translated(option.values)})."


def _closing(info: GameInfo) -> str:
    by = _("{title} was made by {author} in {year}.") if info.year > 1 else _("{title}: {author}.")
    facts = [by.format(title=info.title, author=info.author, year=info.year)]
    facts += [info.rights] if info.rights else []
    facts += [translated(TESTERS_WANTED)] if info.wants_testers else []
    if info.implementers:
        names = _(" and ").join(info.implementers)
        facts.append(_("Programmed for this server by {names}.").format(names=names))
    links = [f"- {_(link.title)}: {link.address}" for link in info.links]
    heading = f"## {_('Who made it')}"
    return "\n".join((heading, "", " ".join(facts), *(["", *links] if links else [])))
