"""The tables, by subject: players, challenges, matches, clocks, ratings, plans, mail …"""

from sarsen.storage.models.challenges import Challenge, ChallengeSeat
from sarsen.storage.models.clocks import Downtime, Heartbeat, Vacation
from sarsen.storage.models.conversations import ChatLine, Note
from sarsen.storage.models.mail import CaughtMail, InboundMail, OutgoingMail, StrangerHelped
from sarsen.storage.models.matches import Match, MatchEvent, MatchSeat
from sarsen.storage.models.notices import DigestItem, Subscription, WebhookCall
from sarsen.storage.models.plans import Plan
from sarsen.storage.models.players import Address, Deed, Player, Question, Signup
from sarsen.storage.models.ratings import RatedResult, Rating, RatingPeriod, RatingStep
from sarsen.storage.models.requests import AnsweredRequest

__all__ = [
    "Address",
    "AnsweredRequest",
    "CaughtMail",
    "Challenge",
    "ChallengeSeat",
    "ChatLine",
    "Deed",
    "DigestItem",
    "Downtime",
    "Heartbeat",
    "InboundMail",
    "Match",
    "MatchEvent",
    "MatchSeat",
    "Note",
    "OutgoingMail",
    "Plan",
    "Player",
    "Question",
    "RatedResult",
    "Rating",
    "RatingPeriod",
    "RatingStep",
    "Signup",
    "StrangerHelped",
    "Subscription",
    "Vacation",
    "WebhookCall",
]
