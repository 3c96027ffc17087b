"""Letters to log in with: a link and a code, asked for at a page or by a program.

What is asked for is noted, and answered, before anybody looks whether there is such an account.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import randbelow, token_hex
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, transaction

from sarsen.core.errors import UserError
from sarsen.language.translating import current_language
from sarsen.services import task_queue
from sarsen.services.accounts import attempts
from sarsen.services.limits import daily
from sarsen.services.mail import outgoing
from sarsen.storage import statements
from sarsen.storage.models import Address, AuditEntry, LoginLetterRequest, Player, Question

# A letter lets anybody in who reads it: it holds as long as mail takes, with some delay.
LASTS = timedelta(minutes=30)
MAX_WRONG_CODES = 5  # typed by the client that asked for the letter
MAX_WRONG_ELSEWHERE = 30  # typed by all others; a letter's link holds all the same
# That share one address: each gets a letter, which anybody can ask for.
MAX_PLAYERS = 5
KEPT_FOR_KNOWN = 0.1  # of the day's letters, for addresses and browsers that the player has used
# Letters that nobody has used, from which on each waits twice as long as the one before.
MAX_UNUSED = 5
# An hour at most: a player whose letters somebody else asks for still gets some.
FIRST_WAIT, MAX_WAIT = timedelta(minutes=1), timedelta(hours=1)
MAX_PATH = 2000  # characters: it is stored for anybody who asks for a letter
MAX_REQUESTS = 200  # looked up in one run: letters that are due are sent in between
_KIND = "login"
_TOKEN = re.compile(r"([0-9]{1,9})-([0-9a-f]{32})")
log = structlog.get_logger()


@dataclass(frozen=True)
class LoggedIn:
    """The player that logs in, and the local path they were going to; "" for none."""

    player: Player
    path: str


def read_name(typed: str) -> str:
    """Return the userid or mail address that was typed to log in.

    Raises:
        UserError: It is not one word.
    """
    name = typed.strip()
    if len(name.split()) != 1:
        raise UserError(
            "A name or a mail address is one word.", code="login-name", hint="ann@example.org"
        )
    return name


def ask(
    name: str, path: str, client_address: str, now: datetime, known: Collection[int] = frozenset()
) -> None:
    """Note that somebody wants a letter to log in with; `send_asked` looks whom it is for.

    The answer comes before the player is looked up: no time tells whether there is such an account.

    Args:
        path: Where to go afterwards, on this server; "" for nowhere in particular.
        client_address: Of the net, where it is asked; see `attempts`.
        known: Ids of players that this browser has been logged in as.
    """
    request = LoginLetterRequest(
        name=name.strip()[:254],
        path=path if len(path) <= MAX_PATH else "",
        place=client_address[:64],
        known=sorted(known),
        language=current_language(),
        at=now,
    )
    with transaction.atomic():
        statements.insert([request])
        task_queue.wake(task_queue.SEND_MAIL)


def send_asked() -> None:
    """Queue the letters to log in with that were asked for."""
    requests = list(
        LoginLetterRequest.objects.order_by("pk").values_list("pk", flat=True)[:MAX_REQUESTS]
    )
    for pk in requests:
        with transaction.atomic():
            request = (
                # Another worker may be at the same request: each is granted once.
                LoginLetterRequest.objects.select_for_update(skip_locked=True).filter(pk=pk).first()
            )
            if request is not None:
                _grant_or_drop(request)
                request.delete()
    if len(requests) == MAX_REQUESTS:
        task_queue.wake(task_queue.SEND_MAIL)  # for the others, after letters that are due


def _grant_or_drop(request: LoginLetterRequest) -> None:
    """Grant a request; one that fails by a defect of ours is logged and dropped."""
    try:
        with transaction.atomic():
            _grant(request)
    except DatabaseError:
        raise  # the database is away or busy, which is no fault of this one
    except Exception:
        # All mail is sent after these: none of them may stop the others, or the job.
        log.exception("a letter to log in with cannot be written", request=request.pk)


def _grant(request: LoginLetterRequest) -> None:
    """Send the players of a userid or an address a letter to log in with.

    A second letter makes the first one from the same client void, and no other.
    """
    now = request.at
    for player in _players_called(request.name):
        try:
            _check_may_ask(player, request, now)
        except UserError:
            continue  # told to nobody: it would tell that there is such an account
        secret, code = token_hex(16), f"{randbelow(10**8):08d}"
        _store_letter(player, request.place, _letter(secret, code, request.path, now), now)
        facts = {
            "userid": player.userid,
            "token": f"{player.pk}-{secret}",
            "code": code,
            "language": request.language,
        }
        addresses = player.addresses.order_by("pk")
        if "@" in request.name:
            addresses = addresses.filter(address__iexact=request.name)
        for address in addresses:
            outgoing.queue(
                outgoing.NewLetter(
                    address.address, _KIND, facts, player=player, event="account", priority=0
                ),
                now,
            )


def _check_may_ask(player: Player, request: LoginLetterRequest, now: datetime) -> None:
    """Refuse a letter when there were too many.

    Places and browsers from which the player has logged in before are counted apart from all
    others, and some letters of the day are kept for them: nobody else can use these up.

    Raises:
        UserError: There were too many of this client, of the player's, or that nobody used.
    """
    is_known = player.pk in request.known or attempts.is_known(player.pk, request.place, now)
    about = f"{player.pk} known" if is_known else str(player.pk)
    # The first of a day of a client is never too soon: the player may have a new one.
    is_first = not attempts.has_tried("letter", request.place, now, about=about)
    attempts.count("letter", request.place, now, about=about)
    if not (is_known or is_first):
        _check_unused(player, now)
    daily.check(player, _KIND, now, kept=0.0 if is_known else KEPT_FOR_KNOWN)


def _check_unused(player: Player, now: datetime) -> None:
    """Refuse a letter that comes too soon after others by which nobody has logged in.

    Raises:
        UserError: The wait doubles with each of them, up to an hour.
    """
    question = _login_question(player.pk)
    used_at = datetime.fromtimestamp(question.facts.get("used", 0) if question else 0, UTC)
    since = max(used_at, now - daily.DAY)
    sent = AuditEntry.objects.filter(player=player, kind=_KIND, at__gt=since).order_by("-at")
    times = list(sent.values_list("at", flat=True)[: MAX_UNUSED + 7])
    if len(times) < MAX_UNUSED:
        return
    wait = min(FIRST_WAIT * 2 ** (len(times) - MAX_UNUSED), MAX_WAIT)
    if now < times[0] + wait:
        raise UserError(
            "You have asked for several login mails without using them.", code="login-unused"
        )


@transaction.atomic
def player_of_link(token: str, now: datetime) -> Player:
    """Return the player a link would log in; the link still holds afterwards.

    Raises:
        UserError: It is used, too old, or nobody's.
    """
    question, _ = _by_token(token, now)
    return question.player


@transaction.atomic
def use_link(token: str, now: datetime) -> LoggedIn:
    """Log in by a link, once.

    Raises:
        UserError: It is used, too old, or nobody's.
    """
    return _use(*_by_token(token, now))


def use_code(name: str, code: str, client_address: str, now: datetime) -> LoggedIn:
    """Log in by the code of a letter; some wrong ones make codes void, and never links.

    Raises:
        UserError: Wrong, used, or too old: in the same words as for an unknown name.
    """
    code = _digest(re.sub(r"[\s-]", "", code))
    is_counted = False
    with transaction.atomic():
        for player in _players_called(name.strip()):
            question = _login_question(player.pk)
            if question is None:
                continue
            if key := _source_of_code(question, code, _source(client_address), now):
                return _use(question, key)
            question.save(update_fields=["facts"])
            is_counted = True
        if not is_counted:
            attempts.write_for_nobody(datetime.now(UTC))
    raise UserError(
        "This code is wrong, already used, or expired.",
        code="login-code",
        hint="Enter the eight digits from the newest mail, or ask for a new one.",
    )


def _source_of_code(question: Question, code: str, asking: str, now: datetime) -> str:
    """Return the source of the letter that has a code; "" for none, which is counted.

    Wrong codes typed by one client do not void what another has asked for and types.
    """
    letters = _valid_letters(question, now)
    own_letter = letters.pop(asking, None)
    if own_letter and own_letter["wrong"] < MAX_WRONG_CODES:
        if hmac.compare_digest(own_letter["code"], code):
            return asking
        own_letter["wrong"] += 1
    wrong = question.facts.get("elsewhere", 0)
    if letters and wrong < MAX_WRONG_ELSEWHERE:
        for source, letter in letters.items():
            if hmac.compare_digest(letter["code"], code):
                return source
        question.facts["elsewhere"] = wrong + 1
    return ""


def _letter(secret: str, code: str, path: str, now: datetime) -> dict[str, Any]:
    digests = {"secret": _digest(secret), "code": _digest(code), "path": path}
    return {**digests, "wrong": 0, "at": now.timestamp()}


def _store_letter(
    player: Player, client_address: str, letter: dict[str, Any], now: datetime
) -> None:
    """Store what a letter says beside what the letters of other clients say."""
    Question.objects.get_or_create(player=player, kind=_KIND, defaults={"asked_at": now})
    question = _login_question(player.pk)
    assert question is not None  # just made, in this transaction
    fresh = _valid_letters(question, now)
    wrong = question.facts.get("elsewhere", 0) if fresh else 0
    letters = {**fresh, _source(client_address): letter}
    question.facts = {**question.facts, "letters": letters, "elsewhere": wrong}
    question.asked_at = now
    question.save(update_fields=["facts", "asked_at"])


def _players_called(name: str) -> list[Player]:
    if "@" in name:
        addresses = Address.objects.filter(address__iexact=name, player__is_active=True)
        return [
            address.player
            for address in addresses.select_related("player").order_by("pk")[:MAX_PLAYERS]
        ]
    return list(Player.objects.filter(key=name.lower(), is_active=True))


def _by_token(token: str, now: datetime) -> tuple[Question, str]:
    """Return the question of a link, and the source that asked for its letter."""
    token_match = _TOKEN.fullmatch(token)
    question = _login_question(int(token_match[1])) if token_match else None
    if token_match and question:
        secret = _digest(token_match[2])
        for source, letter in _valid_letters(question, now).items():
            if hmac.compare_digest(letter["secret"], secret):
                return question, source
    raise UserError(
        "This link has been used, has expired, or was replaced by a newer one.",
        code="login-link",
        hint="Ask for a new login mail.",
    )


def _login_question(player: int) -> Question | None:
    questions = Question.objects.select_related("player").filter(
        player_id=player, player__is_active=True, kind=_KIND
    )
    # Locked: a code is used once, and two wrong ones at once are both counted.
    return questions.select_for_update(of=("self",)).first()


def _valid_letters(question: Question, now: datetime) -> dict[str, dict[str, Any]]:
    """Return the letters that still hold, by the source that asked for each."""
    since = (now - LASTS).timestamp()
    letters: dict[str, dict[str, Any]] = question.facts.get("letters", {})
    return {source: letter for source, letter in letters.items() if letter["at"] > since}


def _use(question: Question, source: str) -> LoggedIn:
    letter = question.facts["letters"].pop(source)
    question.facts["used"] = datetime.now(UTC).timestamp()
    question.save(update_fields=["facts"])
    return LoggedIn(question.player, str(letter["path"]))


def _source(client_address: str) -> str:
    return attempts.digest_of(client_address)[:16]


def _digest(secret: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"login:{secret}".encode(), sha256).hexdigest()
