"""Chat of players and programs at a board, and a player's private notes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from sarsen.core.errors import UserError
from sarsen.language.chat import ANSWER_TO_CHAT, LAST_WORDS, MAX_CHAT, MAX_NOTE
from sarsen.language.commands import Chat, WriteNote
from sarsen.language.grammar.kept_text import kept_text
from sarsen.language.replies import ChatSaid, NoteKept, NoteLine, NotesShown
from sarsen.services.limits import daily
from sarsen.services.matches import matches
from sarsen.services.matches.moves import lock_as_participant
from sarsen.services.notices import Event, notify, streams
from sarsen.services.request import Request
from sarsen.storage.models import ChatLine, Match, MatchSeat, Note, Player

MAX_NOTES = 100  # shown at once, the newest; a mail carries all of them


def chat(command: Chat, request: Request) -> ChatSaid:
    """Send a chat line to everyone at a board, also when it is finished."""
    participant = lock_as_participant(
        command.board, command.game, request, "chat|Hello!", running=False
    )
    match = participant.match
    text = cleaned(command.text, "chat", f"{match.game} chat {match.pk} Hello!")
    daily.check(participant.player, "chat", request.now)
    others = participant.others()
    _say(match, participant.player, text, request.now, others)
    _answer_chat(match, participant.player, request.now)
    return ChatSaid(match.pk, tuple(player.userid for player in others), text)


def write_note(command: WriteNote, request: Request) -> NoteKept | NotesShown:
    """Store a private note at a board the speaker can see; without text, show the notes."""
    example = f"{command.game} notes {command.board} USERID PASSWORD A plan"
    player = request.player(example.strip())
    match = matches.find(command.board, command.game, viewer=player)
    if not command.text.strip():
        return NotesShown(match.pk, notes_of(match, player), _notes(match, player).count())
    text = cleaned(command.text, "note", f"{match.game} notes {match.pk} A plan")
    daily.check(player, "note", request.now)
    Note.objects.create(match=match, player=player, ply=match.ply, text=text, at=request.now)
    return NoteKept(match.pk, _notes(match, player).count())


def notes_of(match: Match, player: Player, most: int = MAX_NOTES) -> tuple[NoteLine, ...]:
    """Return a player's own newest notes of a board, oldest first."""
    newest = list(_notes(match, player).order_by("-pk")[:most])
    return tuple(
        NoteLine(note.ply, f"{note.at:%d %b %Y}".lstrip("0"), note.text)
        for note in reversed(newest)
    )


def cleaned(text: str, kind: str, example: str) -> str:
    """Return a chat line or note as it is stored: as written, not too long.

    Raises:
        UserError: Nothing is left, or it is too long; the hint is the example.
    """
    most = {"chat": MAX_CHAT, "note": MAX_NOTE}[kind]
    if len(text) > most:
        raise UserError(
            "A message has at most {most} characters; this one has {count}."
            if kind == "chat"
            else "A note has at most {most} characters; this one has {count}.",
            code=f"{kind}-too-long",
            hint="Send it in several parts.",
            most=most,
            count=len(text),
        )
    kept = kept_text(text)
    if not kept:
        raise UserError(
            "This message is empty." if kind == "chat" else "This note is empty.",
            code=f"{kind}-empty",
            hint=example,
        )
    return kept


def _notes(match: Match, player: Player) -> QuerySet[Note]:
    return Note.objects.filter(match=match, player=player)


def _answer_chat(match: Match, speaker: Player, now: datetime) -> None:
    """Answer once a game for each program at a board: it cannot talk."""
    if speaker.level is not None:
        return
    for program in programs_of(match):
        if not ChatLine.objects.filter(match=match, player=program).exists():
            _say(match, program, ANSWER_TO_CHAT.format(level=program.level), now, [speaker])


def programs_of(match: Match) -> list[Player]:
    """Return the server's own programs at a board."""
    if not match.bots:
        return []
    seats = MatchSeat.objects.filter(match=match, player__level__isnull=False)
    return list(dict.fromkeys(seat.player for seat in seats.select_related("player")))


def say_last_words(match: Match, program: Player, now: datetime) -> None:
    """Write a chat line for a program that resigns; the last letter of the game shows it."""
    _say(match, program, LAST_WORDS, now)


def _say(
    match: Match, speaker: Player, text: str, now: datetime, receivers: Iterable[Player] = ()
) -> None:
    """Store a chat line of a player or a program, and notify the receivers."""
    facts = {"by": speaker.userid, "text": text}
    ChatLine.objects.create(match=match, player=speaker, ply=match.ply, text=text, at=now)
    streams.record(match, "chat", {**facts, "ply": match.ply}, now)
    # It stands at the board for all; nobody gets a letter from somebody they refuse.
    for player in (player for player in receivers if speaker.key not in player.refuses):
        notify(player, Event.CHAT, "chat", {**match.facts, **facts}, now, match=match)
