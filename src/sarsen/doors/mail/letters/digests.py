"""Summaries: a player's digest, what waits for its reader first, and the games of a week."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.doors.mail.letter import Letter, Written
from sarsen.doors.mail.letters import contests
from sarsen.doors.mail.letters.answers import RULE
from sarsen.doors.mail.letters.board_text import board_text, headline, wants_coordinates
from sarsen.games import find
from sarsen.language.grammar.dates import day_words, moment
from sarsen.language.grammar.kept_text import named
from sarsen.language.translating import N_, _, _n, current_language, translated
from sarsen.services.boards.view import view_board
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.request import Player

Entry = Mapping[str, Any]
Parts = list[str | Written]
_HAPPENED = {
    "moved": N_("a move"),
    "started": N_("the game has started"),
    "offer": N_("an offer or a reply to one"),
    "plan": N_("a planned move"),
    "reminder": N_("a reminder"),
    "review": N_("the review you asked for"),
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
    sections: Parts = [
        _section(_("It is your turn on these boards:"), [_turn(entry, due) for entry in mine]),
        _section(
            _("These challenges are waiting for your reply:"),
            [_invitation(entry) for entry in invited],
        ),
        _section(_("What else has happened:"), [_board(entry, player) for entry in boards]),
        *(part for entry in others for part in _other(entry, due, write)),
    ]
    left_out = due.facts["left_out"]
    if left_out:
        more = _("And {count} more: all show {userid}")
        sections.append(more.format(count=left_out, userid=player.userid))
    sections.append(
        _(
            "Reply with one of the indented lines, or with several below the "
            "word `multiple`.\nTo choose what comes in the digest, and when: "
            "notices"
        )
    )
    return Letter(
        _subject(len(mine), len(invited)),
        "",
        parts=tuple(filter(None, sections)),
        thread=f"digest.{player.pk}",
    )


def _subject(mine: int, invited: int) -> str:
    boards = _n("{count} board", "{count} boards", mine).format(count=mine) if mine else ""
    challenges = (
        _n("{count} challenge", "{count} challenges", invited).format(count=invited)
        if invited
        else ""
    )
    if not boards and not challenges:
        return _("Your digest")
    waiting = (
        _("{one} and {other}").format(one=boards, other=challenges)
        if boards and challenges
        else boards or challenges
    )
    subject = _n(
        "Your digest: {what} is waiting for you",
        "Your digest: {what} are waiting for you",
        mine + invited,
    )
    return subject.format(what=waiting)


def _section(title: str, lines: list[str]) -> str:
    return "\n\n".join([title, *lines]) if lines else ""


def _turn(entry: Entry, due: DueLetter) -> str:
    assert due.player is not None  # digests go to players
    sentence = _("{board}: you must move.")
    until = ""
    if entry["due_at"]:
        sentence = _("{board}: you must move by {until}.")
        at = datetime.fromisoformat(entry["due_at"])
        until = moment(at, due.player.timezone, due.queued_at)
    sentence = sentence.format(board=_title(entry, due.player), until=until)
    return (
        f"{sentence}{_event_words(entry)}{_offer_words(entry)}{_chat_words(entry)}\n"
        f"    {entry['game']} move {entry['board']} MOVE#{entry['ply'] + 1}\n"
        f"    {entry['game']} show {entry['board']}"
    )


def _board(entry: Entry, player: Player) -> str:
    if entry["is_over"]:
        won = _("{player} wins. {why}") if entry["winner"] else "{why}"
        result = won.format(player=entry["winner"], why=translated(entry["result"]))
        state = _("over: {result}").format(result=result)
    else:
        state = _("{player} moves next.").format(player=entry["mover"])
    title = _title(entry, player)
    watched = _("You follow {board}").format(board=title) if entry["is_watched"] else title
    return (
        f"{watched}: {state}{_event_words(entry)}{_offer_words(entry)}"
        f"{_chat_words(entry)}\n"
        f"    {entry['game']} show {entry['board']}"
    )


def _title(entry: Entry, player: Player) -> str:
    game = find().get(entry["game"])
    title = _("{game} Board {board}").format(
        game=game.info.title if game else entry["game"], board=entry["board"]
    )
    moves = _n("after {count} move", "after {count} moves", entry["ply"])
    plies = moves.format(count=entry["ply"])
    return f"{title}, {_(' v ').join(entry['players'])}, {plies}"


def _event_words(entry: Entry) -> str:
    events = entry["events"]
    words = [
        f"{_(what)} ({events[event]})" if events[event] > 1 else _(what)
        for event, what in _HAPPENED.items()
        if event in events
    ]
    since = _("Since the last digest: {events}.").format(events=", ".join(words))
    return f" {since}" if words else ""


def _offer_words(entry: Entry) -> str:
    offers = {
        "draw": _("You are offered a draw."),
        "undo": _("You are asked for a takeback."),
    }
    if entry["asked"] not in offers:
        return ""
    number, game = entry["board"], entry["game"]
    return f" {offers[entry['asked']]}\n    {game} accept {number}\n    {game} reject {number}"


def _chat_words(entry: Entry) -> str:
    return "".join(f"\n{named(by, text)}".replace("\n", "\n  ") for by, text in entry["said"])


def _invitation(entry: Entry) -> str:
    by = entry["by"] or _("Somebody")
    sentence = _("{player} would like to play {game}, {players}.").format(
        player=by, game=entry["game"], players=_(" v ").join(entry["names"])
    )
    return f"{sentence}\n    accept {entry['challenge']}\n    decline {entry['challenge']}"


def _other(entry: Entry, due: DueLetter, write: Callable[[DueLetter], Letter]) -> Parts:
    facts = entry["facts"]
    match entry["event"]:
        case "message":
            heading = _("{sender} wrote to you:").format(sender=facts["from"])
            line = f"message {facts['from']}: {_('your message')}"
            return [heading, Written(facts["text"]), f"    {line}"]
        case "broadcast" | "newgame":
            heading = _("{sender} wrote to everyone:").format(sender=facts["from"])
            return [heading, Written(facts["text"])]
    letter = write(replace(due, kind=entry["kind"], facts=facts, event=entry["event"]))
    return [f"{letter.subject}\n{'-' * len(letter.subject)}\n{letter.text.rstrip()}"]


def weekly(due: DueLetter) -> Letter:
    facts = due.facts
    shown, listed = tuple(facts["shown"]), tuple(facts["listed"])
    with_coordinates = wants_coordinates(due.player)
    # The same for everybody who reads one language and one kind of board: drawn once a batch.
    games = due.boards.get_or_make(
        ("weekly", shown, listed, current_language(), with_coordinates),
        lambda: _games(shown, listed, with_coordinates=with_coordinates),
    )
    day = day_words(date.fromisoformat(facts["begins"]), due.queued_at.date())
    summary = _n(
        "In the week from {day}, {count} game ended here.",
        "In the week from {day}, {count} games ended here.",
        facts["ended"],
    ).format(day=day, count=facts["ended"])
    left = facts["ended"] - len(shown) - len(listed)
    more = "\n\n" + _("And {count} more: list").format(count=left) if left > 0 else ""
    how = _("To stop this weekly mail, reply with `unsubscribe weekly`.")
    begins = datetime.combine(date.fromisoformat(facts["begins"]), time(), UTC)
    own = contests.week_text(due, begins)
    head = f"{own}\n\n{summary}" if own else summary
    text = f"{head}{RULE}{games}{more}\n\n{how}"
    subject = _("Games that ended in the week from {day}").format(day=day)
    return Letter(subject, text, thread="weekly")


def _games(shown: tuple[int, ...], listed: tuple[int, ...], *, with_coordinates: bool) -> str:
    """Return the games of a week: some as boards, the others as lines."""
    boards, lines = [], []
    for board in shown:
        try:
            view = view_board(board)
        except UserError:  # a game that is no longer installed
            continue
        url = f"{settings.SARSEN_URL}/boards/{board}/"
        boards.append(f"{board_text(view, None, with_coordinates=with_coordinates)}\n\n{url}")
    for board in listed:
        try:
            lines.append(headline(view_board(board)))
        except UserError:
            continue
    return RULE.join(filter(None, [*boards, "\n".join(lines)]))
