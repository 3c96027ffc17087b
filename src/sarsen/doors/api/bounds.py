"""Bounds of the fields of commands, for the document: those by which services refuse a value.

The models of bodies let longer values through, up to the length of a line, so that the refusal
is that of the service, with its code and a line that would have worked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarsen.core.referee import LONGEST_MOVE
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
from sarsen.services.accounts.changes import LONGEST_PASSWORD, MOST_ADDRESSES, SHORTEST_PASSWORD
from sarsen.services.accounts.preferences import LONGEST_ABOUT, LONGEST_PLACE
from sarsen.services.boards import queries
from sarsen.services.challenges.challenges import LONGEST_REASON
from sarsen.services.matches import chat, spectators
from sarsen.services.notices import messages
from sarsen.services.plans import queueing
from sarsen.services.players import MAX_COMPARED, USERID_FORM
from sarsen.services.ratings.tables import MOST_NAMED

Place = tuple[type[Command], str]  # a command, and the name of one of its fields

# Of a text, or of each text of a list.
TEXTS: Mapping[Place, Mapping[str, Any]] = {
    (SignUp, "userid"): {"pattern": f"^{USERID_FORM.pattern}$", "minLength": 2, "maxLength": 16},
    (SignUp, "password"): {
        "pattern": rf"^(\S{{{SHORTEST_PASSWORD},}})?$",
        "maxLength": LONGEST_PASSWORD,
    },
    (ChangePassword, "new"): {"minLength": SHORTEST_PASSWORD, "maxLength": LONGEST_PASSWORD},
    (ChangePlace, "text"): {"minLength": 1, "maxLength": LONGEST_PLACE},
    (ChangeAbout, "text"): {"minLength": 1, "maxLength": LONGEST_ABOUT},
    (SendMessage, "text"): {"minLength": 1, "maxLength": messages.LONGEST_TEXT},
    (Broadcast, "text"): {"minLength": 1, "maxLength": messages.LONGEST_TEXT},
    (Chat, "text"): {"minLength": 1, "maxLength": chat.LONGEST["chat"]},
    (WriteNote, "text"): {"minLength": 1, "maxLength": chat.LONGEST["note"]},
    (Decline, "reason"): {"maxLength": LONGEST_REASON},
    (PlayMove, "text"): {"maxLength": LONGEST_MOVE},
    (Submit, "text"): {"maxLength": LONGEST_MOVE},
    (Preview, "moves"): {"maxLength": LONGEST_MOVE},
    (QueueMoves, "text"): {"maxLength": queueing.LONGEST_TEXT},
}
# Of the elements of a list.
LISTS: Mapping[Place, int] = {
    (SignUp, "addresses"): MOST_ADDRESSES,
    (ChangeAddress, "addresses"): MOST_ADDRESSES,
    (SendMessage, "to"): messages.MOST_RECEIVERS,
    (Show, "userids"): queries.MOST_NAMES,
    (Games, "userids"): queries.MOST_NAMES,
    (Subscribe, "names"): spectators.MOST_NAMES,
    (Unsubscribe, "names"): spectators.MOST_NAMES,
    (Ratings, "userids"): MOST_NAMED,
    (Standings, "userids"): MAX_COMPARED,
    (History, "userids"): MAX_COMPARED,
}
