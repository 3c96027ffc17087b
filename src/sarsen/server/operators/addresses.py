"""The operators' site with all its tables; `server.urls` puts it where the settings say."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry

from sarsen.server.operators.boards import ShownBoards
from sarsen.server.operators.log import ShownLog
from sarsen.server.operators.players import ShownPlayers
from sarsen.server.operators.post import ShownLetters, ShownMails
from sarsen.server.operators.site import OperatorSite
from sarsen.storage.models import InboundMail, Match, OutgoingMail, Player

site = OperatorSite(name="admin")
site.register(Player, ShownPlayers)
site.register(Match, ShownBoards)
site.register(OutgoingMail, ShownLetters)
site.register(InboundMail, ShownMails)
site.register(LogEntry, ShownLog)
