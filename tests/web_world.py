"""Do what players do, without mail; for tests of pages."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage

from django.utils import timezone

from clock import NOW
from sarsen.games import load
from sarsen.language.commands import Accept, MakeChallenge, PlayMove
from sarsen.language.replies import ChallengeStands
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Address, CaughtMail, MailInvitation, News, OutgoingMail, Player


class World:
    """Do what players do, without mail.

    Attributes:
        now: When they do so. A page in a browser, whose clock is the machine's, needs a world of
            today.
    """

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def player(self, userid: str) -> Player:
        player, is_new = Player.objects.get_or_create(
            key=userid.lower(), defaults={"userid": userid, "joined_at": self.now}
        )
        if is_new:
            Address.objects.create(
                player=player, address=f"{userid.lower()}@example.org", confirmed_at=self.now
            )
        return player

    def challenge(
        self,
        game: str,
        *userids: str,
        options: str = "",
        terms: tuple[str, ...] = (),
        by: str = "",
    ) -> ChallengeStands:
        """Challenge in the name of `by`, or of the first who is named."""
        for userid in userids:
            if userid != "anyone":
                self.player(userid)
        maker = by or next(userid for userid in userids if userid != "anyone")
        command = MakeChallenge(game, options, terms, userids)
        reply = perform(command, Actor(self.player(maker)), "", self.now)
        assert isinstance(reply, ChallengeStands)
        return reply

    def mail_invitation(self, maker: str, address: str, options: str = "") -> str:
        """Mail an invitation to Gyges to an address; return its code."""
        link = self.challenge("gyges", maker, "anyone", options=options, terms=("--link",)).number
        invitation = MailInvitation.objects.create(
            address=address, challenge_id=link, sent_at=self.now
        )
        return invitation.code

    def board(
        self,
        game: str = "druid",
        moves: str = "",
        *,
        options: str = "",
        terms: tuple[str, ...] = (),
        players: tuple[str, str] = ("ann", "bob"),
    ) -> int:
        """Begin a board between two players and play these moves; give its number."""
        asked = self.challenge(game, *players, options=options, terms=terms)
        started = perform(Accept(asked.number), Actor(self.player(players[1])), "", self.now)
        assert isinstance(started, ChallengeStands)
        assert started.board is not None
        position = load(game).start(options)
        for text in moves.split():
            actor = Actor(self.player(players[position.seat]))
            perform(PlayMove(game, started.board, text), actor, "", self.now)
            position = position.play(position.parse(text))
        return started.board

    def news(self, userid: str, text: str, *, thread: int | None = None) -> int:
        """Publish a broadcast of a player; give its number."""
        author, kind = self.player(userid), News.Kind.BROADCAST
        news = News.objects.create(author=author, kind=kind, text=text, at=self.now, thread=thread)
        return news.pk

    def caught(
        self,
        address: str = "ann@example.org",
        subject: str = "Druid Board 1",
        text: str = "Your move.\n",
        *,
        html: str = "",
        picture: bytes = b"",
    ) -> int:
        """Catch a mail of the server; give its number."""
        message = EmailMessage()
        message["From"] = "sarsen <sarsen@sarsen.test>"
        message["Reply-To"] = "board-1-0-1-abcdefghijklmnop@sarsen.test"
        message["To"] = address
        message["Subject"] = subject
        message["Message-ID"] = "<one@sarsen.test>"
        message["References"] = "<board-1@sarsen.test>"
        message.set_content(text)
        if html:
            message.add_alternative(html, subtype="html")
        if picture:
            related = message.get_payload()[-1]
            related.add_related(picture, "image", "png", cid="<board@sarsen.test>")
        letter = OutgoingMail.objects.create(
            kind="board", address=address, queued_at=self.now, due_at=self.now, state="sent"
        )
        caught = CaughtMail.objects.create(
            letter=letter,
            address=address,
            subject=subject[:300],
            raw=message.as_bytes(),
            caught_at=timezone.now(),
        )
        return int(caught.pk)
