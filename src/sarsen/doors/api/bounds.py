"""Bounds of the fields of commands, for the document: those by which services refuse a value.

The models of bodies let longer values through, up to the length of a line, so that the refusal
is that of the service, with its code and a line that would have worked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarsen.core.referee import MAX_MOVE
from sarsen.language.commands import (
    Broadcast,
    ChangeAbout,
    ChangeAddress,
    ChangePassword,
    ChangePlace,
    Chat,
    Command,
    Decline,
    Games,
    History,
    PlayMove,
    Preview,
    QueueMoves,
    Ratings,
    SendMessage,
    Show,
    SignUp,
    Standings,
    Submit,
    Subscribe,
    Unsubscribe,
    WriteNote,
)
from sarsen.services.accounts.account_forms import MAX_ADDRESSES, MAX_PASSWORD, SHORTEST_PASSWORD
from sarsen.services.accounts.preferences import MAX_ABOUT, MAX_PLACE
from sarsen.services.boards import queries
from sarsen.services.challenges.challenges import MAX_REASON
from sarsen.services.matches import chat, spectators
from sarsen.services.notices import messages
from sarsen.services.plans import queueing
from sarsen.services.players import MAX_COMPARED
from sarsen.services.ratings.tables import MAX_NAMED
from sarsen.services.userids import USERID_FORM

Place = tuple[type[Command], str]  # a command, and the name of one of its fields

# Of a text, or of each text of a list.
TEXTS: Mapping[Place, Mapping[str, Any]] = {
    (SignUp, "userid"): {"pattern": f"^{USERID_FORM.pattern}$", "minLength": 2, "maxLength": 16},
    (SignUp, "password"): {
        "pattern": rf"^(\S{{{SHORTEST_PASSWORD},}})?$",
        "maxLength": MAX_PASSWORD,
    },
    (ChangePassword, "new"): {"minLength": SHORTEST_PASSWORD, "maxLength": MAX_PASSWORD},
    (ChangePlace, "text"): {"minLength": 1, "maxLength": MAX_PLACE},
    (ChangeAbout, "text"): {"minLength": 1, "maxLength": MAX_ABOUT},
    (SendMessage, "text"): {"minLength": 1, "maxLength": messages.MAX_TEXT_LENGTH},
    (Broadcast, "text"): {"minLength": 1, "maxLength": messages.MAX_TEXT_LENGTH},
    (Chat, "text"): {"minLength": 1, "maxLength": chat.LONGEST["chat"]},
    (WriteNote, "text"): {"minLength": 1, "maxLength": chat.LONGEST["note"]},
    (Decline, "reason"): {"maxLength": MAX_REASON},
    (PlayMove, "text"): {"maxLength": MAX_MOVE},
    (Submit, "text"): {"maxLength": MAX_MOVE},
    (Preview, "moves"): {"maxLength": MAX_MOVE},
    (QueueMoves, "text"): {"maxLength": queueing.MAX_TEXT_LENGTH},
}
# Of the elements of a list.
LISTS: Mapping[Place, int] = {
    (SignUp, "addresses"): MAX_ADDRESSES,
    (ChangeAddress, "addresses"): MAX_ADDRESSES,
    (SendMessage, "to"): messages.MAX_RECEIVERS,
    (Show, "userids"): queries.MAX_NAMES,
    (Games, "userids"): queries.MAX_NAMES,
    (Subscribe, "names"): spectators.MAX_NAMES,
    (Unsubscribe, "names"): spectators.MAX_NAMES,
    (Ratings, "userids"): MAX_NAMED,
    (Standings, "userids"): MAX_COMPARED,
    (History, "userids"): MAX_COMPARED,
}
