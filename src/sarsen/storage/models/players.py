"""Players, their mail addresses, and sign-ups that wait for a confirmation."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.expressions import RawSQL

# Written out: an index of a condition serves only a query that has the same, without parameters.
ACCEPTS_SOMETHING = models.Q(RawSQL("accepts <> '[]'", (), models.BooleanField()))


def new_key() -> str:
    """Return a random key of 80 bits, for what must not be guessed."""
    return secrets.token_hex(10)


class PlayerManager(BaseUserManager["Player"]):
    """Find players by userid in any case; never those who have no account here."""

    def get_queryset(self) -> models.QuerySet[Player]:
        return super().get_queryset().filter(is_elsewhere=False)

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(key=(username or "").lower())


class Player(AbstractBaseUser, PermissionsMixin):
    """Somebody who plays. The password is optional: signed addresses speak too."""

    key = models.CharField(max_length=20, unique=True, help_text="the userid in lower case")
    userid = models.CharField(max_length=80, help_text="as its owner writes it")
    joined_at = models.DateTimeField()
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    # Plays programs without an account, by a cookie: unrated, and without any address until
    # joining turns it into an account; see `services.accounts.guests`.
    is_guest = models.BooleanField(default=False)
    # Of the server's own programs; another program that plays here has none.
    level = models.PositiveSmallIntegerField(null=True, blank=True, unique=True)
    speaks_by_password = models.BooleanField(default=True)
    wrong_passwords = models.PositiveSmallIntegerField(default=0)
    paused_until = models.DateTimeField(null=True, blank=True)
    letter_key = models.CharField(max_length=20, default=new_key)
    timezone = models.CharField(max_length=60, default="UTC", help_text="an IANA name")
    colours = models.CharField(max_length=40, blank=True, help_text="of pages; or as his device")
    weekends_are_off = models.BooleanField(default=False)
    wants_coordinates = models.BooleanField(default=True, help_text="around text boards in mails")
    refuses = models.JSONField(default=list, help_text="userids' keys, games, `anyone`")
    accepts = models.JSONField(default=list, help_text="the same, for `autoaccept`")
    most_games = models.PositiveSmallIntegerField(null=True, blank=True)
    # What is sent, how and when; see `services.notices`.
    channels = models.JSONField(default=dict, help_text="event to channel, where not the default")
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True, help_text="local hour")
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True, help_text="local hour")
    digest_hour = models.PositiveSmallIntegerField(default=18, help_text="local hour")
    digest_due_at = models.DateTimeField(null=True, blank=True, help_text="None: nothing waits")
    # Made when first asked for: a default would give all players of an older release one key.
    feed_key = models.CharField(max_length=20, blank=True, db_index=True, help_text="or none yet")
    pushed = models.JSONField(
        null=True, blank=True, help_text="events that devices show; none: the usual ones"
    )
    webhook = models.CharField(max_length=300, blank=True)
    webhook_key = models.CharField(max_length=40, blank=True, help_text="or none yet")
    has_stream = models.BooleanField(default=False, help_text="a program has had a token of his")
    wants_reviews = models.BooleanField(default=False, help_text="of every game that ends")
    wants_puzzle_ratings = models.BooleanField(default=True, help_text="first tries are rated")
    wants_puzzle_days = models.BooleanField(default=True, help_text="a page of days solved")
    # What a player tells of themselves on their page: a line each, plain text.
    place = models.CharField(max_length=60, blank=True)
    about = models.CharField(max_length=400, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    # Anyone who is banned is not active either; see `services.admin`.
    banned_at = models.DateTimeField(null=True, blank=True)
    ban_reason = models.CharField(max_length=300, blank=True, help_text="as he was told")
    language = models.CharField(max_length=10, blank=True, help_text="a code; or as his browser")
    # Whether mail to an address of the player is suspended, which all their pages say.
    is_unreached = models.BooleanField(default=False)
    # A name in games that were imported: no account, and no userid that one can have.
    is_elsewhere = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(
                fields=["digest_due_at"],
                name="digests_due",
                condition=models.Q(digest_due_at__isnull=False),
            ),
            models.Index(fields=["joined_at"], name="guests", condition=models.Q(is_guest=True)),
            models.Index(fields=["id"], name="willing_players", condition=ACCEPTS_SOMETHING),
        ]

    USERNAME_FIELD = "key"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = PlayerManager()
    everyone: ClassVar[models.Manager[Player]] = models.Manager()

    def __str__(self) -> str:
        return self.userid


class Address(models.Model):
    """A mail address whose owner has confirmed it. Never shown to other players."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="addresses")
    address = models.CharField(max_length=254, db_index=True)
    confirmed_at = models.DateTimeField()
    # Letters to it came back; nothing is sent to it unasked until its player says so.
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_why = models.CharField(max_length=200, blank=True, help_text="as the bounce said")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "address"], name="address_once_a_player")
        ]

    def __str__(self) -> str:
        return f"an address of {self.player}"


class Signup(models.Model):
    """A sign-up, one row an address; no account exists until one is confirmed."""

    userid = models.CharField(max_length=20)
    key = models.CharField(max_length=20, db_index=True)
    password = models.CharField(max_length=128, help_text="a hash, or an unusable one")
    address = models.CharField(max_length=254)
    code = models.CharField(max_length=20, unique=True, default=new_key)
    group = models.CharField(max_length=20, help_text="the same for all addresses of one sign-up")
    asked_at = models.DateTimeField()
    player = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, help_text="whose address changes, or None"
    )
    # Of a sign-up on a page: what its letter says to type there, and what the page knew.
    digits = models.CharField(max_length=64, blank=True, help_text="a digest, or none")
    wrong = models.PositiveSmallIntegerField(default=0)
    timezone = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=10, blank=True, help_text="of the page; or English")
    guest = models.ForeignKey(
        Player,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="the guest that becomes the account, or None",
    )

    def __str__(self) -> str:
        return f"sign-up of {self.userid}"


class Question(models.Model):
    """Something the server asked a player and does only after a yes: signing off, a broadcast."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="questions")
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="question_once")]

    def __str__(self) -> str:
        return f"{self.kind} asked of {self.player}"


class AuditEntry(models.Model):
    """One action of a kind that is limited by the day: a challenge, a message, a broadcast."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["player", "kind", "at"], name="deeds_of_a_player")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.player}"


class Attempt(models.Model):
    """One attempt from somewhere to get in, by a kind that is bounded. Tidied away."""

    kind = models.CharField(max_length=20)
    source = models.CharField(max_length=64, help_text="a digest under the server's key")
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "source", "at"], name="attempts_of_a_source")]

    def __str__(self) -> str:
        return self.kind


class LoginLetterRequest(models.Model):
    """A mail to log in with that somebody asked for: looked up only when it is written."""

    name = models.CharField(max_length=254, help_text="a userid or an address, as it was typed")
    path = models.CharField(max_length=2000, blank=True, help_text="where to go afterwards")
    place = models.CharField(max_length=64, blank=True, help_text="where on the net it was asked")
    known = models.JSONField(default=list, help_text="ids of players that the browser has been")
    language = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"request {self.pk} for a login letter"


class FormerUserid(models.Model):
    """A userid whose owner asked to be forgotten: nobody else gets it. Not the userid itself."""

    digest = models.CharField(max_length=64, unique=True, help_text="under the server's key")

    def __str__(self) -> str:
        return self.digest


class Passkey(models.Model):
    """The public key of a passkey that a device made for one player."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="passkeys")
    # Names the player to their devices, and says nothing of them; the same in all rows of one.
    handle = models.CharField(max_length=64, help_text="hexadecimal")
    digest = models.CharField(max_length=64, unique=True, help_text="of the credential's id")
    credential = models.BinaryField(help_text="attested credential data, as the device sent it")
    uses = models.BigIntegerField(default=0, help_text="as the device counts them; 0: it does not")
    label = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"passkey of {self.player}"


class Token(models.Model):
    """A token by which a program speaks for a player. Only its digest is kept."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=60)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True, help_text="to some minutes")
    ends_at = models.DateTimeField(null=True, blank=True, help_text="None: when it is revoked")

    def __str__(self) -> str:
        return f"token of {self.player}"


class WebSession(AbstractBaseSession):
    """One browser's session; without a player it keeps what was typed before log-in."""

    player = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="web_sessions"
    )
    began_at = models.DateTimeField(null=True, help_text="the log-in")

    def __str__(self) -> str:
        return f"session of {self.player}"
