"""The tables, by subject: players, challenges, matches, mail, requests."""

from sarsen.storage.models.challenges import Challenge, ChallengeSeat
from sarsen.storage.models.mail import CaughtMail, InboundMail, OutgoingMail, StrangerHelped
from sarsen.storage.models.matches import Match, MatchEvent, MatchSeat
from sarsen.storage.models.players import Address, Player, Signup
from sarsen.storage.models.requests import AnsweredRequest

__all__ = [
    "Address",
    "AnsweredRequest",
    "CaughtMail",
    "Challenge",
    "ChallengeSeat",
    "InboundMail",
    "Match",
    "MatchEvent",
    "MatchSeat",
    "OutgoingMail",
    "Player",
    "Signup",
    "StrangerHelped",
]
