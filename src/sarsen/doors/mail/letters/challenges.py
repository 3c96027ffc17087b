"""Letters about challenges."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.composing import Letter
from sarsen.games import load
from sarsen.language.terms import TERMS
from sarsen.services import signing
from sarsen.services.invitations import Invitation, view_challenge
from sarsen.services.outbox import DueLetter


def invitation(due: DueLetter) -> Letter:
    assert due.player is not None  # invitations go to players
    invitation = view_challenge(due.facts["challenge"])
    by = invitation.challenger or "Somebody who did not say who they are"
    title = f"{load(invitation.game).info.title} Challenge {invitation.number}"
    again = f", board {invitation.rematch_of} again" if invitation.rematch_of else ""
    text = (
        f"{by} proposes a game of {_game_words(invitation)}{again}: "
        f"{' v '.join(invitation.names)}; the first named moves first.\n\n"
        f"{_terms_explained(invitation.terms)}"
        "Answer this mail with one of these lines:\n\n"
        "    accept\n"
        "    decline\n"
        "    decline I have too many games just now\n\n"
        f"The rules: {settings.SARSEN_URL}/games/{invitation.game}/"
    )
    reply_to = signing.invitation_address(due.player, invitation.number)
    return Letter(title, text, reply_to=reply_to, thread=f"challenge.{invitation.number}")


def challenge_ended(due: DueLetter) -> Letter:
    facts = due.facts
    invitation = view_challenge(facts["challenge"])
    reason = f" and says:\n\n    {facts['reason']}" if facts["reason"] else "."
    text = f"{facts['by']} has {facts['how']} challenge {invitation.number}{reason}"
    title = f"{load(invitation.game).info.title} Challenge {invitation.number}"
    reply_to = signing.player_address(due.player) if due.player else ""
    return Letter(title, text, reply_to=reply_to, thread=f"challenge.{invitation.number}")


def _terms_explained(terms: str) -> str:
    """Say what each of the server's options in a challenge means."""
    summaries = {term.name: term.summary for term in TERMS}
    lines = (
        f"    {word}: {summaries[word.lstrip('-').partition('=')[0]]}\n" for word in terms.split()
    )
    explained = "".join(lines)
    return f"{explained}\n" if explained else ""


def _game_words(invitation: Invitation) -> str:
    title = load(invitation.game).info.title
    return " ".join(filter(None, (title, invitation.options, invitation.terms)))
