"""Summaries: a player's digest, what waits for its reader first, and the games of a week."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.doors.mail.letters.answers import RULE
from sarsen.doors.mail.letters.board_text import board_text, headline
from sarsen.doors.mail.send.composing import Letter
from sarsen.games import find
from sarsen.language.grammar.dates import moment
from sarsen.language.translating import spoken
from sarsen.services.boards.view import view_board
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.request import Player

Entry = Mapping[str, Any]
_HAPPENED = {
    "moved": "a move",
    "started": "the game has started",
    "offer": "an offer or a reply to one",
    "plan": "a planned move",
    "reminder": "a reminder",
    "review": "the review you asked for",
}


def digest(due: DueLetter, write: Callable[[DueLetter], Letter]) -> Letter:
    """Write a digest.

    Args:
        write: Words a letter of any kind; for what has no shorter form here.
    """
    assert due.player is not None  # digests go to players
    player, entries = due.player, due.facts["entries"]
    mine = [entry for entry in entries if entry["about"] == "board" and entry["is_mine"]]
    invited = [entry for entry in entries if entry["about"] == "invitation"]
    boards = [entry for entry in entries if entry["about"] == "board" and not entry["is_mine"]]
    others = [entry for entry in entries if entry["about"] == "other"]
    sections = [
        _section("It is your turn on these boards:", [_turn(one, due) for one in mine]),
        _section(
            "These challenges are waiting for your reply:", [_invitation(one) for one in invited]
        ),
        _section("What else has happened:", [_board(one, player) for one in boards]),
        *(_other(one, due, write) for one in others),
    ]
    left_out = due.facts["left_out"]
    if left_out:
        sections.append(f"And {left_out} more: all show {player.userid}")
    sections.append(
        "Reply with one of the indented lines, or with several below the word "
        "`multiple`.\nTo choose what comes in the digest, and when: notices"
    )
    return Letter(
        _subject(len(mine), len(invited)),
        "\n\n".join(filter(None, sections)),
        thread=f"digest.{player.pk}",
    )


def _subject(mine: int, invited: int) -> str:
    waiting = []
    if mine:
        waiting.append(f"{mine} board{'' if mine == 1 else 's'}")
    if invited:
        waiting.append(f"{invited} challenge{'' if invited == 1 else 's'}")
    if not waiting:
        return "Your digest"
    return f"Your digest: {' and '.join(waiting)} wait{'s' if mine + invited == 1 else ''} for you"


def _section(title: str, lines: list[str]) -> str:
    return "\n\n".join([title, *lines]) if lines else ""


def _turn(entry: Entry, due: DueLetter) -> str:
    assert due.player is not None  # digests go to players
    until = ""
    if entry["due_at"]:
        at = datetime.fromisoformat(entry["due_at"])
        until = f" by {moment(at, due.player.timezone, due.queued_at)}"
    return (
        f"{_title(entry, due.player)}: you must move{until}.{_happened(entry)}{_asked(entry)}"
        f"{_said(entry)}\n"
        f"    {entry['game']} move {entry['board']} MOVE#{entry['ply'] + 1}\n"
        f"    {entry['game']} show {entry['board']}"
    )


def _board(entry: Entry, player: Player) -> str:
    if entry["is_over"]:
        winner = f"{entry['winner']} wins. " if entry["winner"] else ""
        state = f"over: {winner}{entry['result']}"
    else:
        state = f"{entry['mover']} moves next."
    watched = "You are watching " if entry["is_watched"] else ""
    return (
        f"{watched}{_title(entry, player)}: {state}{_happened(entry)}{_asked(entry)}"
        f"{_said(entry)}\n"
        f"    {entry['game']} show {entry['board']}"
    )


def _title(entry: Entry, player: Player) -> str:
    game = find().get(entry["game"])
    title = f"{game.info.title if game else entry['game']} Board {entry['board']}"
    plies = f"after {entry['ply']} {'move' if entry['ply'] == 1 else 'moves'}"
    return f"{title}, {' v '.join(entry['players'])}, {plies}"


def _happened(entry: Entry) -> str:
    events = entry["events"]
    words = [
        f"{what} ({events[event]})" if events[event] > 1 else what
        for event, what in _HAPPENED.items()
        if event in events
    ]
    return f" Since the last digest: {', '.join(words)}." if words else ""


def _asked(entry: Entry) -> str:
    offers = {"draw": "a draw", "undo": "a takeback"}
    if entry["asked"] not in offers:
        return ""
    number, game = entry["board"], entry["game"]
    return (
        f" You are asked for {offers[entry['asked']]}.\n"
        f"    {game} accept {number}\n    {game} reject {number}"
    )


def _said(entry: Entry) -> str:
    lines = [f"\n  {by}: {text}".replace("\n", "\n  ") for by, text in entry["said"]]
    return "".join(lines)


def _invitation(entry: Entry) -> str:
    by = entry["by"] or "Somebody without a name"
    return (
        f"{by} would like to play {entry['game']}, {' v '.join(entry['names'])}.\n"
        f"    accept {entry['challenge']}\n"
        f"    decline {entry['challenge']}"
    )


def _other(entry: Entry, due: DueLetter, write: Callable[[DueLetter], Letter]) -> str:
    facts = entry["facts"]
    match entry["event"]:
        case "message":
            said = f"{facts['from']} wrote to you:\n\n{facts['text']}"
            return f"{said}\n\n    message {facts['from']}: your message"
        case "broadcast":
            return f"{facts['from']} wrote to everyone:\n\n{facts['text']}"
    letter = write(replace(due, kind=entry["kind"], facts=facts, event=entry["event"]))
    return f"{letter.subject}\n{'-' * len(letter.subject)}\n{letter.text.rstrip()}"


def weekly(due: DueLetter) -> Letter:
    facts = due.facts
    shown, listed = tuple(facts["shown"]), tuple(facts["listed"])
    # The same for everybody who reads one language, so drawn once a batch.
    games = due.boards.once(("weekly", shown, listed, spoken()), lambda: _games(shown, listed))
    count = f"{facts['ended']} game{'' if facts['ended'] == 1 else 's'}"
    named = len(shown) + len(listed)
    more = f"\n\nAnd {facts['ended'] - named} more: list" if facts["ended"] > named else ""
    text = (
        f"In the week from {facts['begins']}, {count} ended here.{RULE}{games}{more}\n\n"
        "To stop this weekly mail, reply with `unsubscribe weekly`."
    )
    subject = f"Games that ended in the week from {facts['begins']}"
    return Letter(subject, text, thread="weekly")


def _games(shown: tuple[int, ...], listed: tuple[int, ...]) -> str:
    """Return the games of a week: some as boards, the others as lines."""
    drawn, lines = [], []
    for board in shown:
        try:
            view = view_board(board)
        except UserError:  # a game that is no longer installed
            continue
        url = f"{settings.SARSEN_URL}/boards/{board}/"
        drawn.append(f"{board_text(view, None)}\n\n{url}")
    for board in listed:
        try:
            lines.append(headline(view_board(board)))
        except UserError:
            continue
    return RULE.join(filter(None, [*drawn, "\n".join(lines)]))
