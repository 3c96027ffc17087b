"""Letters about an account: how it begins, logins, changes, and what an operator did."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.send.composing import Letter
from sarsen.games import find
from sarsen.language.grammar.typography import wrap
from sarsen.language.translating import _
from sarsen.services.admin.roles import OPERATOR_PATH
from sarsen.services.bots.accounts import list_programs
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


def signup(due: DueLetter) -> Letter:
    """Ask whether an address wants to join."""
    userid, code = due.facts["userid"], due.facts["code"]
    digits = due.facts.get("digits")  # of a sign-up on a page
    typed = f"Or type these digits where you were asked for them: {digits}\n\n" if digits else ""
    text = (
        f"Somebody, we hope you, wants to play here as {userid} with this address.\n\n"
        "If it was you, answer this mail; any words will do. Or open\n\n"
        f"    {settings.SARSEN_URL}/welcome/{code}/\n\n"
        f"{typed}"
        "If it was not, do nothing: no account is made, and no more mail comes."
    )
    reply_to = reply_addresses.welcome_address(code)
    return Letter(f"Is this your address, {userid}?", text, reply_to=reply_to)


def address_asked(due: DueLetter) -> Letter:
    """Ask whether an address belongs to a player who wants to use it."""
    userid, code = due.facts["userid"], due.facts["code"]
    text = (
        f"{userid} wants to use this address for playing here.\n\n"
        "If that is you, answer this mail; any words will do. Or open\n\n"
        f"    {settings.SARSEN_URL}/welcome/{code}/\n\n"
        "If it is not, do nothing: no more mail comes."
    )
    reply_to = reply_addresses.welcome_address(code)
    return Letter(f"Is this your address, {userid}?", text, reply_to=reply_to)


def welcome(due: DueLetter) -> Letter:
    """Confirm to an address that it belongs to an account."""
    assert due.player is not None  # an account exists from here on
    player = due.player
    begun = (
        f"Your account {player.userid} is ready."
        if due.facts["is_new"]
        else f"This address now belongs to your account {player.userid}."
    )
    programs = list_programs()
    at_once = about = ""
    if programs:
        weakest, strongest = programs[0], programs[-1]
        at_once = f"    druid challenge me {weakest.userid}\n"
        about = (
            f"The first of these lines begins a game at once, with a program: {weakest.userid} is "
            f"a {weakest.words}, {strongest.userid} the {strongest.words}.\n\n"
        )
    text = (
        f"{begun}\n\n"
        "Answer this mail to play: what comes to its reply address is known to be from you, so "
        "keep that address to yourself. One line is one command:\n\n"
        f"{at_once}"
        f"    druid challenge {player.userid} anyone\n"
        "    list\n"
        "    help tutorial\n\n"
        f"{about}"
        f"The games and how to play them: {settings.SARSEN_URL}/"
    )
    return Letter(f"Welcome, {player.userid}", text, is_answer=True)


def introduction(due: DueLetter) -> Letter:
    """Introduce the server to a sender who wrote no command and is not known here."""
    titles = [game.info.title for game in find().values()]
    programs = list_programs()
    what = _(
        "Hello! This is sarsen, a server for board games by mail. You play {games} or {last} "
        "at your own pace: a move is one line in a mail, and the answer is the board."
    ).format(games=", ".join(titles[:-1]), last=titles[-1])
    joining = _("1. Answer this mail with one line, with a name of your choice in place of ann:")
    confirming = _(
        "A mail comes that asks whether this address is yours. Answer it with any words, and you "
        "have an account."
    )
    playing = (
        _("2. Answer the mail that comes then. This line starts a game with an easy program:")
        if programs
        else _("2. Answer the mail that comes then. This line looks for somebody to play with:")
    )
    opponent = programs[0].userid if programs else "anyone"
    friend = _("To play with a friend, write the name of your friend in place of {opponent}.")
    more = _("The rules of the games, and more help: answer this mail with `help`, or open")
    paragraphs = (
        wrap(what),
        f"{wrap(joining)}\n\n    signup ann",
        wrap(confirming),
        f"{wrap(playing)}\n\n    druid challenge me {opponent}",
        wrap(friend.format(opponent=opponent)),
        f"{wrap(more)}\n{settings.SARSEN_URL}/",
        wrap(_("This answer came by itself, because your mail held no command.")),
    )
    return Letter(_("How to play here"), "\n\n".join(paragraphs), is_answer=True)


def login(due: DueLetter) -> Letter:
    """Return the link and the code that log in once."""
    userid, token, code = due.facts["userid"], due.facts["token"], due.facts["code"]
    text = "\n\n".join(
        [
            _("Somebody, we hope you, wants to log in as {userid}. Open"),
            "    {link}",
            _("or type this code where you were asked for it: {code}"),
            _(
                "Both hold for half an hour, and once. If it was not you, do nothing; but show "
                "this\nmail to nobody."
            ),
        ]
    )
    link = f"{settings.SARSEN_URL}/login/{token}/"
    subject = _("Log in as {userid}").format(userid=userid)
    text = text.format(userid=userid, link=link, code=code)
    return Letter(subject, text, reply_to="", is_answer=True)


def account_changed(due: DueLetter) -> Letter:
    """Warn an address that something of its account changes, in case somebody else did it."""
    changed = {
        "password": "The password of your account was changed.",
        "address": "Other mail addresses were asked for your account. The old ones go when a "
        "new one has answered.",
        "passkey": "A passkey was added to your account: the device that holds it can log in as "
        "you.\nIt is removed at\n\n"
        f"    {settings.SARSEN_URL}/account/security/#passkeys",
        "passkey-gone": "A passkey of your account was removed.",
        "resumed": "Mail to an address of your account came back, and you asked to send it there "
        "again.",
        "suspended": "Mail to an address of your account has come back several times, and is "
        f"sent there no more: {due.facts.get('address', '')}\n\nYour clocks run on. To send it "
        "there again, or to use another one:\n\n"
        f"    {settings.SARSEN_URL}/account/#addresses",
        "revoked": "The reply addresses of all mails you have had so far hold no more. That of "
        "this mail does.",
        "token": "A token was made by which a program speaks for you. It is revoked at\n\n"
        f"    {settings.SARSEN_URL}/account/tokens/",
    }[due.facts["what"]]
    text = (
        f"{changed}\n\n"
        "If that was you, all is well. If it was not, somebody else speaks for you: answer "
        "this mail at once with a line such as\n\n"
        "    change password off\n"
        f"    change address {due.address}\n\n"
        "and write to the people who run this server."
    )
    return Letter("Your account was changed", text)


def paused(due: DueLetter) -> Letter:
    """Write that no password of a player is taken for a while."""
    text = (
        "Somebody gave a wrong password for your account several times.\n\n"
        f"For {due.facts['minutes']} minutes no password is taken for it. You can go on playing: "
        "answering a mail of the server needs no password. If it was you, wait and try again."
    )
    return Letter("Wrong passwords for your account", text)


def webhook_off(due: DueLetter) -> Letter:
    text = (
        f"Your webhook\n\n    {due.facts['address']}\n\n"
        f"did not take what it was called with: {due.facts['error']}. It was tried again and "
        "again; now it is switched off. When it works again:\n\n"
        f"    notices webhook {due.facts['address']}"
    )
    return Letter("Your webhook is switched off", text)


def warnings_off(due: DueLetter) -> Letter:
    event = due.facts["event"]
    what = {"reminder": "Reminders that your time is running out", "ended": "The ends of games"}
    text = (
        f"{what[event]} are not mailed to you any more: somebody, we hope you, used the address "
        "for that in one of your mails.\n\n"
        "You may now lose games without a mail. To get these mails again, answer with\n\n"
        f"    notices {event} mail"
    )
    return Letter("You may lose games without a mail", text)


def operator(due: DueLetter) -> Letter:
    """Write that a player operates the server now, or not any more."""
    address = f"{settings.SARSEN_URL}/{OPERATOR_PATH}"
    text = (
        f"You are an operator of this server now. Log in, then open\n\n    {address}"
        if due.facts["is_one"]
        else "You are not an operator of this server any more. You are logged out everywhere."
    )
    subject = "You operate this server" if due.facts["is_one"] else "You operate it no more"
    return Letter(subject, text)


def access_ended(due: DueLetter) -> Letter:
    """Write that a player was logged out everywhere."""
    text = (
        "An operator of this server has logged you out everywhere, and revoked the tokens by "
        f"which programs spoke for you. The reason:\n\n    {due.facts['reason']}\n\n"
        f"Your games go on as they were. To log in again: {settings.SARSEN_URL}/login/"
    )
    return Letter("You were logged out everywhere", text)


def barred(due: DueLetter) -> Letter:
    """Write that a player is barred, why, and what becomes of the player's boards."""
    facts = due.facts
    boards = [
        f"Resigned in your name: {_boards(facts['resigned'])}." if facts["resigned"] else "",
        f"Your clock runs on, and you cannot move: {_boards(facts['running'])}."
        if facts["running"]
        else "",
    ]
    text = (
        f"An operator of this server has closed it to your account {facts['userid']}. "
        f"The reason:\n\n    {facts['reason']}\n\n"
        "You cannot log in, speak by mail, or be challenged; what you queued is not played. "
        "Your finished games stay on record.\n\n" + "\n".join(filter(None, boards))
    )
    return Letter("This server is closed to you", text.rstrip(), reply_to="")


def let_in(due: DueLetter) -> Letter:
    """Write that a player may play again."""
    text = (
        f"Your account {due.facts['userid']} is open again. The reason:\n\n"
        f"    {due.facts['reason']}\n\n"
        "Answer this mail to play, for example with `list`. Programs need new tokens."
    )
    return Letter("You may play again", text)


def goodbye(due: DueLetter) -> Letter:
    """Confirm to a player who has left that the account is closed."""
    text = (
        f"The account {due.facts['userid']} is closed, its games are resigned, and its addresses "
        "are deleted. Thank you for playing."
    )
    return Letter("Goodbye", text)


def sorry(due: DueLetter) -> Letter:
    """Apologise for a defect."""
    text = (
        "A mail of yours could not be answered. That is a fault of this server, not of your "
        "mail; it is recorded for the people who run it. Nothing was changed. Please send it "
        "again, perhaps in another form: help commands"
    )
    return Letter("We are sorry", text, is_answer=True)


def _boards(numbers: list[int]) -> str:
    return ", ".join(f"board {number}" for number in numbers)
