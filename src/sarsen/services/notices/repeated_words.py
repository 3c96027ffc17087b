"""The same words again, to the same people: a program says so that answers for who is away.

A reply by mail goes out to a person, and a program that answers each letter would write to that
person for ever. Its words are the same each time; those of people are seldom, if they are long.
"""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.language.chat import Chat, SendMessage
from sarsen.language.grammar.kept_text import kept_text
from sarsen.storage.models import ChatLine, DigestItem, OutgoingMail, Player

MIN_CHARACTERS = 30  # people thank each other in the same words again and again
MAX_COMPARED = 50  # letters to the same reader, the newest


def refuse_repeated(command: Chat | SendMessage, player: Player) -> None:
    """Refuse words that a player has already sent to the same board or players.

    Raises:
        UserError: They were sent before.
    """
    text = kept_text(command.text)
    if len(text) >= MIN_CHARACTERS and _was_said(command, text, player):
        raise UserError(
            "You have already sent this text, so it was not sent again.",
            code="said-already",
            hint="Change a word to send it once more.",
        )


def _was_said(command: Chat | SendMessage, text: str, player: Player) -> bool:
    if isinstance(command, Chat):
        lines = ChatLine.objects.filter(match=command.board, player=player, text=text)
        return lines.exists()
    keys = [userid.lower() for userid in command.to]
    letters = OutgoingMail.objects.filter(player__key__in=keys, kind="message")
    waiting = DigestItem.objects.filter(player__key__in=keys, event="message")
    newest = letters.order_by("-pk").values_list("facts", flat=True)[:MAX_COMPARED]
    held = [facts["facts"] for facts in waiting.values_list("facts", flat=True)]
    return any(
        facts.get("from") == player.userid and facts.get("text") == text
        for facts in [*newest, *held]
    )
