"""In which language a player is written to."""

from __future__ import annotations

from sarsen.language.commands import ChangeLanguage
from sarsen.language.replies import LanguageChanged
from sarsen.language.translating import read_language
from sarsen.services import limits
from sarsen.services.call import Call
from sarsen.storage.models import Player


def change_language(command: ChangeLanguage, call: Call) -> LanguageChanged:
    """Record the speaker's language; letters that wait are written in it."""
    player = call.player("change language USERID PASSWORD de")
    language = read_language(command.language)
    limits.check(player, "account", call.now, what="changes of your account")
    Player.objects.filter(pk=player.pk).update(language=language)
    player.language = language  # the page that answers this speaks it already
    return LanguageChanged(language)
