"""Letters about contests: begun, put off, closed, and their final tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.html import document, prose, table, unsubscribe_address
from sarsen.doors.mail.letters.leagues import season_begins, season_is_over
from sarsen.language.contests.law import figure
from sarsen.language.grammar.dates import day_words, moment
from sarsen.language.grammar.typography import as_sentence, wrap
from sarsen.language.ratings import Table, reason_words, table_text
from sarsen.language.translating import _, _n, current_language, translated
from sarsen.services.contests.views.letters import (
    ContestView,
    own_boards,
    own_week,
    tier_week,
    userid_of,
    view_for_letter,
    week_for_letter,
)
from sarsen.services.contests.views.weekly import numbers_of
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.notices.channels import Channel, Event, channel_of
from sarsen.services.request import Player


def started(due: DueLetter) -> Letter:
    """Write that a contest has started, with its law and the reader's boards."""
    view = view_for_letter(due.facts["contest"], timezone.now(), due.player)
    news = _("Contest {number}, {name}, has started. It ends on {day} at 24:00 UTC.").format(
        **_introduced(view), day=translated(view.ends)
    )
    how = _(
        "Where you move first, the board comes in a mail of its own, which you answer with your "
        "move; elsewhere it comes when your opponent has moved."
    )
    season = f"{season_begins(view.season)}\n\n" if view.season else ""
    law = (
        _(
            "You have the law of this contest already. To read it again, reply with `{line}`."
        ).format(line=f"contest {view.number} law")
        if view.has_law
        else _law(view)
    )
    return _letter(due, view, news, own_boards(view, _player(due)), f"{season}{how}\n\n{law}")


def _law(view: ContestView) -> str:
    return "\n\n".join([_("The law of this contest:"), *map(translated, view.law)])


def invited(due: DueLetter) -> Letter:
    """Invite the player whom a match is for."""
    view = view_for_letter(due.facts["contest"], timezone.now())
    news = _n(
        "{player} invites you to a match of {count} game: contest {number}, {name}. It starts "
        "as soon as you join, which must be by {starts}, and ends on {day} at 24:00 UTC.",
        "{player} invites you to a match of {count} games: contest {number}, {name}. It starts "
        "as soon as you join, which must be by {starts}, and ends on {day} at 24:00 UTC.",
        view.games,
    ).format(
        player=view.host,
        count=view.games,
        **_introduced(view),
        starts=translated(view.starts),
        day=translated(view.ends),
    )
    lines = [
        *(_("To join, reply with this line:"), f"    contest join {view.number}"),
        *(_("To decline, reply with this line:"), f"    contest decline {view.number}"),
    ]
    return _letter(due, view, news, None, "\n\n".join([*lines, _law(view)]))


def ended(due: DueLetter) -> Letter:
    """Bring the final table."""
    view = view_for_letter(due.facts["contest"], timezone.now(), due.player)
    over = _("Contest {number}, {name}, is over. This is the final table.")
    out = due.facts.get("out")
    named = _facts(view) if out else _introduced(view)  # who is out stands before it
    news = f"{over.format(**named)} {_winner_words(view)}".strip()
    if out:
        news = f"{_out_words(due, view, out)} {news}"
    decided = [
        _("Board {board}, against {player}, was decided: {result}. {why}").format(
            board=one.board,
            player=one.opponent,
            result=translated(one.result),
            why=reason_words(one.why),
        )
        for one in view.decided
    ]
    season = season_is_over(view.season) if view.season else ""
    return _letter(due, view, news, view.table, "\n\n".join(filter(None, [*decided, season])))


def _winner_words(view: ContestView) -> str:
    """Return who is first, in a league in the reader's tier; "" where nobody has a point."""
    if not view.winners:
        return ""
    winners = ", ".join(view.winners)
    if len(view.winners) > 1:
        return (
            _("The match is drawn.")
            if view.is_match
            else _("First place is shared by {players}.").format(players=winners)
        )
    season = view.season
    if season is not None and season.tiers > 1:
        return _("The winner of tier {tier} is {player}.").format(tier=season.tier, player=winners)
    return _("The winner is {player}.").format(player=winners)


def postponed(due: DueLetter) -> Letter:
    """Write that a contest waits longer for players."""
    view = view_for_letter(due.facts["contest"], timezone.now())
    news = _(
        "Contest {number}, {name}, has too few players so far. It waits for more until {day}; its "
        "end date moves as much."
    ).format(**_facts(view), day=translated(view.starts))
    leave = _("To leave it, reply with this line:")
    return _letter(due, view, news, None, f"{leave}\n\n    contest leave {view.number}")


def closed(due: DueLetter) -> Letter:
    """Write that a contest is closed before it started, as a match declined, or a ladder is."""
    view = view_for_letter(due.facts["contest"], timezone.now())
    closed = (
        _("{player} declines your invitation: contest {number}, {name}, is closed.")
        if due.facts.get("declined")
        else _("Contest {number}, {name}, is closed. These are its last places.")
        if view.is_ladder
        else _("{player} has closed contest {number}, {name}, before it started.")
    )
    news = closed.format(player=due.facts["by"], **_introduced(view))
    reason = due.facts["reason"]
    why = _reason_words(reason)
    goes_on = _("Games that were running go on as ordinary ones.") if due.facts.get("freed") else ""
    shown = view.table if view.is_ladder else None
    return _letter(due, view, " ".join(filter(None, [news, why, goes_on])), shown, "")


def warned(due: DueLetter) -> Letter:
    """Warn a player who will be out of a contest soon."""
    view = view_for_letter(due.facts["contest"], timezone.now())
    if due.facts["why"] == "idle":
        return _idle(due, view)
    why = (
        _("You have lost on time in two absences.")
        if due.facts["why"] == "losses"
        else _("We have not heard from you for 23 days.")
    )
    ending = (
        _(
            "Contest {number}, {name}: {why} In 7 days you will be out of it, and your running "
            "games there go on as ordinary ones. To stay, just reply to this mail or make a move."
        )
        if view.is_ladder
        else _(
            "Contest {number}, {name}: {why} In 7 days you will be out of it, and your running "
            "games there will be closed. To stay, just reply to this mail or make a move."
        )
    )
    news = ending.format(**_introduced(view), why=why)
    return _letter(due, view, news, own_boards(view, _player(due)), "")


def _idle(due: DueLetter, view: ContestView) -> Letter:
    """Write to a player of a ladder that places will be lost for not playing."""
    news = _(
        "Contest {number}, {name}: you have not played on this ladder for 53 days. From 60 days on "
        "you lose one place a week. To keep your place, play somebody above you."
    ).format(**_introduced(view))
    how = _("To see whom you can climb, reply with this line:")
    return _letter(due, view, news, None, f"{how}\n\n    {view.game} ladder")


def climbed(due: DueLetter) -> Letter:
    """Write to a player of a ladder who climbs there, and on which board."""
    facts = due.facts
    view = view_for_letter(facts["contest"], timezone.now())
    place, other = facts["places"]
    who, boards = userid_of(facts["who"]), facts["boards"]
    news = (
        _(
            "{player} climbs from place {place} to your place {other} in contest {number}, {name}: "
            "board {board} has started."
        )
        if len(boards) == 1
        else _(
            "{player} climbs from place {place} to your place {other} in contest {number}, {name}: "
            "boards {board} and {second} have started."
        )
    ).format(
        player=who,
        place=place,
        other=other,
        board=boards[0],
        second=boards[-1],
        **_introduced(view),
    )
    stakes = _(
        "If {player} wins, you go down by one place; after a draw {player} stands right below "
        "you. You move first: the board comes in a mail of its own, which you answer with your "
        "move."
    ).format(player=who)
    addresses = "\n".join(f"{settings.SARSEN_URL}/boards/{board}/" for board in boards)
    return _letter(due, view, news, None, f"{stakes}\n\n{addresses}")


def withdrawn(due: DueLetter) -> Letter:
    """Write that somebody is out of a contest, and what becomes of the games."""
    view = view_for_letter(due.facts["contest"], timezone.now(), due.player)
    shown = None if view.is_ladder else view.table
    return _letter(due, view, _out_words(due, view, due.facts), shown, "")


def _out_words(due: DueLetter, view: ContestView, facts: Mapping[str, Any]) -> str:
    """Return that somebody is out of a contest, why, and what becomes of the games.

    Args:
        facts: Of the withdrawal.
    """
    who = userid_of(facts["who"])
    is_reader = due.player is not None and due.player.pk == facts["who"]
    news = (
        _("You are out of contest {number}, {name}.")
        if is_reader
        else _("{player} is out of contest {number}, {name}.")
    ).format(player=who, **_introduced(view))
    why = {
        "losses": _("The reason: losses on time in two absences."),
        "silence": _("The reason: no sign of life for 30 days."),
        "host": _reason_words(facts.get("reason", "")),
        "people": _("The reason: enough people are on it now."),
    }.get(facts["why"], "")
    if view.is_ladder:
        goes_on = _("Games that were running go on as ordinary ones.") if facts["freed"] else ""
        return " ".join(filter(None, (news, why, goes_on)))
    fate = (
        _("Fewer than half of the games were finished, so all are annulled for the table.")
        if facts["annulled"]
        else _("The games that were left count as lost.")
    )
    own = facts.get("boards", {})
    if not is_reader:
        own = {key: boards for key, boards in own.items() if int(key) == _player(due).pk}
    closed = _closed_words(sorted(board for boards in own.values() for board in boards))
    return " ".join(filter(None, (news, why, closed, fate)))


def _closed_words(boards: Sequence[int]) -> str:
    """Return which boards of the reader are closed; "" for none."""
    numbers = ", ".join(map(str, boards))
    closed = _n("Board {boards} is closed.", "Boards {boards} are closed.", len(boards))
    return closed.format(boards=numbers) if boards else ""


def week(due: DueLetter) -> Letter:
    """Write how the contests of a player stand, once a week."""
    begins = date.fromisoformat(due.facts["begins"])
    day = day_words(begins, due.queued_at.date())
    news = _("This is how your contests stand after the week from {day}:").format(day=day)
    weeks = [part for number in due.facts["contests"] for part in _week(due, number)]
    stop = unsubscribe_address(due)
    ending = f"{_('To stop these mails:')} {stop}" if stop else ""
    subject = _("Your contests in the week from {day}").format(day=day)
    parts = [part for part in (news, *weeks, ending) if part]
    return Letter(
        subject,
        "\n\n".join(map(_part_text, parts)),
        html=document(subject, "\n".join(map(_part_page, parts))),
        thread="contests",
        unsubscribe=stop,
    )


def week_text(due: DueLetter, begins: datetime) -> str:
    """Return how the contests of a player stand, for the weekly letter; "" for no news."""
    player = due.player
    if player is None or channel_of(player, Event.CONTEST) is Channel.NONE:
        return ""
    numbers = numbers_of(player, begins)
    return "\n\n".join(_part_text(part) for number in numbers for part in _week(due, number))


def _week(due: DueLetter, number: int) -> list[str | Table]:
    """Return a contest in the week of a player: the table, what decides it, and the own games."""
    key = ("contest week", number, current_language())
    whole = due.boards.get_or_make(key, lambda: week_for_letter(number))
    entrant = whole.held.state.entrant_of(_player(due).pk)
    if entrant is None:
        return []  # somebody else has the seat since
    tier = tier_week(whole, entrant.tier, due.queued_at)
    news = [_("Settled: no open game can change the places that matter.")] * tier.is_settled
    for board in tier.deciding:
        players = _(" v ").join(board.players)
        news.append(
            _("Board {board} may settle the places: {players}.").format(
                board=board.board, players=players
            )
        )
    if whole.days_moved:
        moved = _n(
            "The server was away: the end date moved by {days} day.",
            "The server was away: the end date moved by {days} days.",
            whole.days_moved,
        )
        news.append(moved.format(days=whole.days_moved))
    address = f"{settings.SARSEN_URL}/contests/{number}/"
    return [tier.table, " ".join(news), own_week(whole, entrant), address]


def _part_text(part: str | Table) -> str:
    return table_text(part) if isinstance(part, Table) else wrap(part)


def _part_page(part: str | Table) -> str:
    return table(part) if isinstance(part, Table) else prose(part)


def vacation(due: DueLetter) -> Letter:
    """Write until when a vacation stops the clocks of a contest (E3)."""
    view = view_for_letter(due.facts["contest"], timezone.now())
    until = datetime.fromisoformat(due.facts["until"])
    player = _player(due)
    said = (
        _(
            "Contest {number}, {name}: up to 1 day of vacation stops the clocks there. Yours does "
            "so until {until}; from then on your clocks run there, whether you are back or not."
        )
        if due.facts["days"] == 1
        else _(
            "Contest {number}, {name}: up to {days} days of vacation stop the clocks there. Yours "
            "do so until {until}; from then on your clocks run there, whether you are back or not."
        )
    )
    news = said.format(
        **_facts(view),
        days=translated(figure(due.facts["days"])),
        until=moment(until, player.timezone, due.queued_at),
    )
    return _letter(due, view, news, own_boards(view, player), "")


def reminded(due: DueLetter) -> Letter:
    """Write to an entrant whose first move in a contest is due."""
    view = view_for_letter(due.facts["contest"], timezone.now())
    until = day_words(datetime.fromisoformat(due.facts["until"]).date(), timezone.now().date())
    news = _(
        "Contest {number}, {name}: your first move there is due. If you make none by {day}, the "
        "first player on the waiting list takes your seat. To keep it, just make a move."
    ).format(**_facts(view), day=until)
    return _letter(due, view, news, own_boards(view, _player(due)), "")


def substituted(due: DueLetter) -> Letter:
    """Write that somebody else has the seat of an entrant now."""
    facts = due.facts
    view = view_for_letter(facts["contest"], timezone.now())
    players = {"gone": userid_of(facts["player"]), "player": userid_of(facts["substitute"])}
    reader = _player(due)
    if reader.pk == facts["substitute"]:
        news = _(
            "You play in contest {number}, {name}, from now on, in the place of {gone}. It "
            "ends on {day} at 24:00 UTC."
        ).format(**_introduced(view), **players, day=translated(view.ends))
        return _letter(due, view, news, own_boards(view, reader), _law(view))
    if reader.pk == facts["player"]:
        news = _(
            "You made no first move in contest {number}, {name}, and {player} plays in your place "
            "now. Your boards there are closed, and count for nothing."
        )
        return _letter(due, view, news.format(**_facts(view), **players), None, "")
    news = _(
        "Contest {number}, {name}: {player} has taken the seat of {gone}, who had made no move. "
        "Your game with {gone} is closed, and one with {player} begins."
    )
    return _letter(due, view, news.format(**_facts(view), **players), own_boards(view, reader), "")


def corrected(due: DueLetter) -> Letter:
    """Write to both players that an operator has set the result of their board."""
    facts = due.facts
    view = view_for_letter(facts["contest"], timezone.now(), due.player)
    corrected = (
        _("An operator has set the result of board {board}: it counts for nothing now.")
        if facts["result"] == "void"
        else _("An operator has set the result of board {board}: it is {result} now.")
    ).format(board=facts["board"], result=facts["result"])
    why = _reason_words(facts["reason"])
    return _letter(due, view, f"{corrected} {why}", view.table, "")


def _reason_words(reason: str) -> str:
    """Return the reason that somebody has given; "" for none."""
    return _("The reason: {reason}").format(reason=as_sentence(reason)) if reason else ""


def _facts(view: ContestView) -> dict[str, str | int]:
    """Return what the sentences say of a contest."""
    return {"number": view.number, "name": translated(view.name)}


def _introduced(view: ContestView) -> dict[str, str | int]:
    """Return the same, with what is played behind the name where that does not say it."""
    facts, what = _facts(view), translated(view.what)
    return facts | {"name": f"{facts['name']} ({what})"} if what else facts


def _player(due: DueLetter) -> Player:
    assert due.player is not None  # these letters go to entrants
    return due.player


def _letter(
    due: DueLetter, view: ContestView, news: str, shown: Table | None, below: str
) -> Letter:
    """Write a letter of news, a table, and what stands below it."""
    stop = unsubscribe_address(due)
    ways = "\n".join(
        [
            _("To see the table at any time, reply with `{line}`.").format(
                line=f"contest {view.number}"
            ),
            f"{settings.SARSEN_URL}/contests/{view.number}/",
        ]
    )
    ending = f"{_('To stop these mails:')} {stop}" if stop else ""
    texts = [wrap(news), table_text(shown) if shown else "", *map(wrap, (below, ways, ending))]
    pages = [
        prose(news),
        table(shown) if shown else "",
        *(prose(part) for part in (below, ways, ending) if part),
    ]
    subject = _("Contest {number}, {name}").format(**_facts(view))
    return Letter(
        subject,
        "\n\n".join(filter(None, texts)),
        html=document(subject, "\n".join(filter(None, pages))),
        thread=f"contest.{view.number}",
        unsubscribe=stop,
    )
