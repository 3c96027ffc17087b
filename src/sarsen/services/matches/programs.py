"""How the server's own programs answer people: what is asked of them, and words to them."""

from __future__ import annotations

from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.language.chat import ANSWER_TO_CHAT, LAST_WORDS
from sarsen.services.matches import offers
from sarsen.services.matches.offers import UNDO, Offer
from sarsen.services.notices import Event, notify, streams
from sarsen.storage.models import ChatLine, Match, MatchSeat, Player


def answered(offer: Offer, match: Match) -> Offer:
    """Return a wish to take back with the yes of the programs at the board.

    They agree at once where nothing is rated. A draw they think about first.

    Raises:
        UserError: The game is rated.
    """
    programs = [seat for seat, level in enumerate(match.bots) if level is not None]
    asked = [seat for seat in programs if seat not in offer.agreed]
    if offer.kind != UNDO or not asked:
        return offer
    if not match.terms.get("unrated"):
        raise UserError(
            "Board {board} is rated: programs take no moves back there. In unrated games they do.",
            code="bot-undo",
            hint=f"{match.game} challenge --unrated me {_programs(match)[0].userid}",
            board=match.pk,
        )
    return offers.agreed_by(offer, asked)


def answer_chat(match: Match, speaker: Player, now: datetime) -> None:
    """Let each program at a board say once a game that it cannot talk."""
    if speaker.level is not None:
        return
    for program in _programs(match):
        if not ChatLine.objects.filter(match=match, player=program).exists():
            _say(match, program, ANSWER_TO_CHAT.format(level=program.level), now)
            facts = {
                "board": match.pk,
                "ply": match.ply,
                "event": match.event_count,
                "by": program.userid,
                "text": ANSWER_TO_CHAT.format(level=program.level),
            }
            notify(speaker, Event.CHAT, "chat", facts, now, match=match)


def say_last_words(match: Match, program: Player, now: datetime) -> None:
    """Let a program that gives a game up say so; the last letter of the game shows it."""
    _say(match, program, LAST_WORDS, now)


def _programs(match: Match) -> list[Player]:
    if not match.bots:
        return []
    seats = MatchSeat.objects.filter(match=match, player__level__isnull=False)
    return list(dict.fromkeys(seat.player for seat in seats.select_related("player")))


def _say(match: Match, program: Player, text: str, now: datetime) -> None:
    ChatLine.objects.create(match=match, player=program, ply=match.ply, text=text, at=now)
    streams.record(match, "chat", {"by": program.userid, "ply": match.ply, "text": text}, now)
