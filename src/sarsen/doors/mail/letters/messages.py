"""Letters from one player to others: challenges, messages and broadcasts."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.letter import Letter, Written
from sarsen.games import load
from sarsen.language.terms import TERMS
from sarsen.language.translating import _
from sarsen.services.challenges.invitations import Invitation, view_invitation
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.notices.announced_games import challenge_lines
from sarsen.services.notices.news import title_of


def invitation(due: DueLetter) -> Letter:
    assert due.player is not None  # invitations go to players
    invitation = view_invitation(due.facts["challenge"])
    by = invitation.challenger or _("Somebody")
    subject = title(invitation)
    rematch = _(", a rematch of board {board}").format(board=invitation.rematch_of)
    proposed = _(
        "{player} would like to play {game}: {players}. The first player named moves first."
    )
    facts = {
        "player": by,
        "game": game_words(invitation) + (rematch if invitation.rematch_of else ""),
        "players": _(" v ").join(invitation.names),
    }
    text = (
        f"{proposed.format(**facts)}\n\n"
        f"{terms_explained(invitation.terms)}"
        f"{_('Reply with one of these lines:')}\n\n"
        "    accept\n"
        "    decline\n"
        f"    decline {_('I have too many games right now')}\n\n"
        f"{_('The rules:')} {settings.SARSEN_URL}/games/{invitation.game}/"
    )
    reply_to = reply_addresses.invitation_address(due.player, invitation.number)
    return Letter(subject, text, reply_to=reply_to, thread=f"challenge.{invitation.number}")


def challenge_asked(due: DueLetter) -> Letter:
    """Ask a player whether a mail from this address was theirs; a yes sends its challenge."""
    assert due.player is not None  # only players are asked
    invitation = view_invitation(due.facts["challenge"])
    subject = title(invitation)
    question = _(
        "A mail from this address asks for a game of {game}: {players}. Sender addresses can be "
        "faked, so nothing has been sent yet."
    )
    text = (
        f"{question.format(game=game_words(invitation), players=' v '.join(invitation.names))}\n\n"
        f"{_('If this was you, reply with this line to send the challenge:')}\n\n"
        "    yes\n\n"
        f"{_('If not, ignore this mail.')} "
        + _("Replies to this server's mails are carried out at once: it knows they are from you.")
    )
    reply_to = reply_addresses.invitation_address(due.player, invitation.number)
    thread = f"challenge.{invitation.number}"
    return Letter(subject, text, reply_to=reply_to, thread=thread, is_answer=True)


def challenge_ended(due: DueLetter) -> Letter:
    facts = due.facts
    invitation = view_invitation(facts["challenge"])
    sentence = (
        _("{player} has accepted challenge {number}")
        if facts["how"] == "accepted"
        else _("{player} has declined challenge {number}")
        if facts["how"] == "declined"
        else _("{player} has withdrawn challenge {number}")
    ).format(player=facts["by"], number=invitation.number)
    reason = _(" and says:") + f"\n\n    {facts['reason']}" if facts["reason"] else "."
    text = f"{sentence}{reason}"
    subject = title(invitation)
    return Letter(subject, text, thread=f"challenge.{invitation.number}")


def message(due: DueLetter) -> Letter:
    assert due.player is not None  # messages go to players
    sender, to = due.facts["from"], due.facts["to"]
    others = [name for name in to if name != due.player.userid]
    heading = (
        _("{sender} writes to you (also to {others}):") if others else _("{sender} writes to you:")
    ).format(sender=sender, others=", ".join(others))
    how = _(
        "Just reply to write back to {sender}. Nobody sees your address. To block this player: "
        "refuse {sender}"
    ).format(sender=sender)
    return Letter(
        _("A message from {sender}").format(sender=sender),
        "",
        parts=(heading, Written(due.facts["text"]), f"{how}\n{_how_to_report(sender)}"),
        reply_to=_talk_address(due),
        thread=_talk_thread(due),
    )


def broadcast(due: DueLetter) -> Letter:
    sender = due.facts["from"]
    heading = (
        _("{sender}, who operates this server, writes to everyone here:")
        if due.facts.get("is_operator")
        else _("{sender} writes to everyone here:")
    ).format(sender=sender)
    reply = _("Just reply to write to {sender} alone.").format(sender=sender)
    closing = f"{_game_lines(due)}{reply}"
    subject = f"[sarsen] {sender}: {title_of(due.facts['text'])}"
    number, page, thread = due.facts.get("news"), "", _talk_thread(due)
    if number is not None:  # earlier releases kept no archive
        page, thread = f"{settings.SARSEN_URL}/news/{number}/", f"news.{due.facts['thread']}"
        closing += "\n" + _("In the public news: {address}").format(address=page)
        closing += f"\n{_how_to_report(number)}"
    return Letter(
        subject,
        "",
        parts=(heading, Written(due.facts["text"]), closing),
        reply_to=_talk_address(due),
        thread=thread,
        archive=page,
    )


def _how_to_report(about: str | int) -> str:
    return _("To report abuse: report {about} and what is wrong").format(about=about)


def _talk_address(due: DueLetter) -> str | None:
    """Return the address by which the reader answers the author; None in older letters."""
    author = due.facts.get("number")
    if due.player is None or author is None:
        return None
    return reply_addresses.talk_address(due.player, author)


def _talk_thread(due: DueLetter) -> str:
    """Return the word of all letters between two players, which is the same for both."""
    author = due.facts.get("number")
    if due.player is None or author is None:
        return ""
    return "talk.{}-{}".format(*sorted((author, due.player.pk)))


def _game_lines(due: DueLetter) -> str:
    """Return how to begin the game that a broadcast announces; "" if it announces none."""
    facts = due.facts
    if "game" not in facts or due.player is None:
        return ""
    ways = _("To play it with {sender}, reply with one of these lines:").format(
        sender=facts["from"]
    )
    lines = challenge_lines(facts["game"], facts["options"], due.player.userid, facts["from"])
    return f"{ways}\n\n    play\n    {lines[0]}\n    {lines[1]}\n\n"


def title(invitation: Invitation) -> str:
    """Return the subject of letters about a challenge."""
    return _("{game} Challenge {number}").format(
        game=load(invitation.game).info.title, number=invitation.number
    )


def terms_explained(terms: str) -> str:
    """Return the meaning of each of the server's options in a challenge."""
    summaries = {term.name: term.summary for term in TERMS}
    lines = (
        f"    {word}: {summaries[word.lstrip('-').partition('=')[0]]}\n" for word in terms.split()
    )
    explained = "".join(lines)
    return f"{explained}\n" if explained else ""


def game_words(invitation: Invitation) -> str:
    """Return the game of a challenge with its options."""
    title = load(invitation.game).info.title
    return " ".join(filter(None, (title, invitation.options, invitation.terms)))
