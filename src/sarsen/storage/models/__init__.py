"""The tables, by subject: players, challenges, matches, clocks, ratings, plans, mail …"""

from sarsen.storage.models.challenges import Challenge, ChallengeSeat
from sarsen.storage.models.clocks import Downtime, Heartbeat, Vacation
from sarsen.storage.models.conversations import ChatLine, Note
from sarsen.storage.models.mail import (
    Bounce,
    CaughtMail,
    InboundMail,
    OutgoingMail,
    StrangerHelped,
)
from sarsen.storage.models.matches import Import, Match, MatchEvent, MatchSeat
from sarsen.storage.models.notices import Announcement, DigestItem, Subscription, WebhookCall
from sarsen.storage.models.passkeys import Passkey
from sarsen.storage.models.plans import Plan
from sarsen.storage.models.players import (
    Address,
    Attempt,
    Deed,
    FormerUserid,
    Player,
    Question,
    Signup,
)
from sarsen.storage.models.pushes import Device, Push
from sarsen.storage.models.ratings import Rating, RatingPeriod, RatingStep
from sarsen.storage.models.requests import AnsweredRequest
from sarsen.storage.models.results import Encounter, Result, Standing
from sarsen.storage.models.reviews import Review, ReviewWish
from sarsen.storage.models.sessions import WebSession
from sarsen.storage.models.tokens import StreamItem, Token

__all__ = [
    "Address",
    "Announcement",
    "AnsweredRequest",
    "Attempt",
    "Bounce",
    "CaughtMail",
    "Challenge",
    "ChallengeSeat",
    "ChatLine",
    "Deed",
    "Device",
    "DigestItem",
    "Downtime",
    "Encounter",
    "FormerUserid",
    "Heartbeat",
    "Import",
    "InboundMail",
    "Match",
    "MatchEvent",
    "MatchSeat",
    "Note",
    "OutgoingMail",
    "Passkey",
    "Plan",
    "Player",
    "Push",
    "Question",
    "Rating",
    "RatingPeriod",
    "RatingStep",
    "Result",
    "Review",
    "ReviewWish",
    "Signup",
    "Standing",
    "StrangerHelped",
    "StreamItem",
    "Subscription",
    "Token",
    "Vacation",
    "WebSession",
    "WebhookCall",
]
