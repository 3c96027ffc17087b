"""Letters about an account: how it begins, logins, changes, and what an operator did."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.letter import Letter
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
    typed = (
        _("Or enter these digits where you were asked for them: {digits}\n\n").format(digits=digits)
        if digits
        else ""
    )
    text = _(
        "Please confirm that you want to play here as {userid}, with this "
        "address.\n\n"
        "Just reply to this mail with anything you like. Or open\n\n    "
        "{server}/welcome/{code}/\n\n"
        "{typed}If this wasn't you, ignore this mail: no account will be "
        "created, and you will get no more mail."
    ).format(userid=userid, server=settings.SARSEN_URL, code=code, typed=typed)
    reply_to = reply_addresses.welcome_address(code)
    return Letter(
        _("Is this your address, {userid}?").format(userid=userid), text, reply_to=reply_to
    )


def address_asked(due: DueLetter) -> Letter:
    """Ask whether an address belongs to a player who wants to use it."""
    userid, code = due.facts["userid"], due.facts["code"]
    text = _(
        "{userid} wants to use this address for playing here.\n\n"
        "If that is you, reply to this mail with anything you like. Or "
        "open\n\n    {server}/welcome/{code}/\n\n"
        "If it isn't you, ignore this mail: you will get no more."
    ).format(userid=userid, server=settings.SARSEN_URL, code=code)
    reply_to = reply_addresses.welcome_address(code)
    return Letter(
        _("Is this your address, {userid}?").format(userid=userid), text, reply_to=reply_to
    )


def welcome(due: DueLetter) -> Letter:
    """Confirm to an address that it belongs to an account."""
    assert due.player is not None  # an account exists from here on
    player = due.player
    begun = (
        _("Your account {userid} is ready.")
        if due.facts["is_new"]
        else _("This address now belongs to your account {userid}.")
    ).format(userid=player.userid)
    programs = list_programs()
    at_once = about = ""
    if programs:
        weakest, strongest = programs[0], programs[-1]
        at_once = f"    druid challenge me {weakest.userid}\n"
        about = (
            _(
                "The first line starts a game against a program at once: {weakest} is a {words}, "
                "{strongest} the {best}."
            ).format(
                weakest=weakest.userid,
                words=weakest.words,
                strongest=strongest.userid,
                best=strongest.words,
            )
            + "\n\n"
        )
    how = _(
        "To play, reply to this mail with one of these lines. The server knows that replies to it "
        "are from you, so keep its reply address to yourself."
    )
    games = _("The games and how to play them: {address}").format(address=f"{settings.SARSEN_URL}/")
    text = (
        f"{begun}\n\n{how}\n\n"
        f"{at_once}"
        f"    druid challenge {player.userid} anyone\n"
        "    list\n"
        "    help tutorial\n\n"
        f"{about}{games}"
    )
    return Letter(_("Welcome, {userid}").format(userid=player.userid), text, is_answer=True)


def introduction(due: DueLetter) -> Letter:
    """Introduce the server to a sender who wrote no command and is not known here."""
    titles = [game.info.title for game in find().values()]
    programs = list_programs()
    what = _(
        "Hello! This is sarsen, a server for board games by mail. Play {games} or {last} at your "
        "own pace: you send a move as one line, and get the board back."
    ).format(games=", ".join(titles[:-1]), last=titles[-1])
    joining = _("1. Reply to this mail with this line, with a name you like instead of ann:")
    confirming = _(
        "You get a mail to check that the address is yours. Reply with anything, and you have an "
        "account."
    )
    playing = (
        _("2. Reply to your welcome mail. This line starts a game against an easy program:")
        if programs
        else _("2. Reply to your welcome mail. This line looks for an opponent:")
    )
    opponent = programs[0].userid if programs else "anyone"
    friend = _("To play a friend, write their name instead of {opponent}.")
    more = _("For the rules and more help, reply with `help`, or open")
    paragraphs = (
        wrap(what),
        f"{wrap(joining)}\n\n    signup ann",
        wrap(confirming),
        f"{wrap(playing)}\n\n    druid challenge me {opponent}",
        wrap(friend.format(opponent=opponent)),
        f"{wrap(more)}\n{settings.SARSEN_URL}/",
        wrap(_("This is an automatic reply, because there was no command in your mail.")),
    )
    return Letter(_("How to play here"), "\n\n".join(paragraphs), is_answer=True)


def login(due: DueLetter) -> Letter:
    """Return the link and the code that log in once."""
    userid, token, code = due.facts["userid"], due.facts["token"], due.facts["code"]
    text = "\n\n".join(
        [
            _("To log in as {userid}, open"),
            "    {link}",
            _("or enter this code where you were asked for it: {code}"),
            _(
                "The link and the code are valid for half an hour and work only once. If you did "
                "not ask for them, ignore this mail, and do not share it."
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
        "password": _("The password of your account was changed."),
        "address": _(
            "New mail addresses were requested for your account. They replace the old ones as "
            "soon as one of them is confirmed."
        ),
        "passkey": _(
            "A passkey was added to your account: the device that holds it can log in as you.\n"
            "You can remove it at\n\n"
            "    {server}/account/security/#passkeys"
        ).format(server=settings.SARSEN_URL),
        "passkey-gone": _("A passkey was removed from your account."),
        "resumed": _(
            "Mail to an address of your account came back, and you asked to send it there again."
        ),
        "suspended": _(
            "Mail to an address of your account has come back several times, and "
            "is no longer sent there: {address}\n\n"
            "Your clocks run on. To send it there again, or to use another "
            "address:\n\n    {server}/account/#addresses"
        ).format(address=due.facts.get("address", ""), server=settings.SARSEN_URL),
        "revoked": _(
            "The reply addresses of all earlier mails are no longer valid. Only that of this "
            "mail is."
        ),
        "token": _(
            "A token was made with which a program can act for you. You can "
            "revoke it at\n\n    {server}/account/tokens/"
        ).format(server=settings.SARSEN_URL),
    }[due.facts["what"]]
    text = _(
        "{changed}\n\n"
        "If that was you, all is well. If not, somebody else is using your "
        "account: reply to this mail at once with a line such as\n\n    "
        "change password off\n    change address {address}\n\n"
        "and write to the people who run this server."
    ).format(changed=changed, address=due.address)
    return Letter(_("Your account was changed"), text)


def paused(due: DueLetter) -> Letter:
    """Write that no password of a player is taken for a while."""
    text = _(
        "Somebody entered a wrong password for your account several times.\n\n"
        "No password is accepted for {minutes} minutes. You can go on "
        "playing: replying to a mail from the server needs no password. If "
        "it was you, try again later."
    ).format(minutes=due.facts["minutes"])
    return Letter(_("Wrong passwords for your account"), text)


def webhook_off(due: DueLetter) -> Letter:
    text = _(
        "Your webhook\n\n    {address}\n\n"
        "kept failing: {error}. It was tried again and again, and is now "
        "switched off. When it works again:\n\n    notices webhook {address}"
    ).format(address=due.facts["address"], error=due.facts["error"])
    return Letter(_("Your webhook is switched off"), text)


def warnings_off(due: DueLetter) -> Letter:
    event = due.facts["event"]
    what = {
        "reminder": _("Reminders that your time is running out"),
        "ended": _("The results of your games"),
    }
    text = _(
        "{what} are no longer mailed to you: somebody used the link for that in one of your "
        "mails.\n\n"
        "You could now lose games without being warned. To get these mails again, reply with\n\n"
        "    notices {event} mail"
    ).format(what=what[event], event=event)
    return Letter(_("You could lose games without being warned"), text)


def operator(due: DueLetter) -> Letter:
    """Write that a player operates the server now, or not any more."""
    address = f"{settings.SARSEN_URL}/{OPERATOR_PATH}"
    text = (
        f"You are an operator of this server now. Log in, then open\n\n    {address}"
        if due.facts["is_one"]
        else "You are no longer an operator of this server. You are logged out everywhere."
    )
    subject = "You are an operator now" if due.facts["is_one"] else "You are no longer an operator"
    return Letter(subject, text)


def access_ended(due: DueLetter) -> Letter:
    """Write that a player was logged out everywhere."""
    text = _(
        "An operator of this server has logged you out everywhere, and "
        "revoked the tokens with which programs acted for you. The "
        "reason:\n\n    {reason}\n\n"
        "Your games go on as they were. To log in again: {server}/login/"
    ).format(reason=due.facts["reason"], server=settings.SARSEN_URL)
    return Letter(_("You were logged out everywhere"), text)


def ban_notice(due: DueLetter) -> Letter:
    """Write that a player is barred, why, and what becomes of the player's boards."""
    facts = due.facts
    boards = [
        _("Resigned in your name: {boards}.").format(boards=_boards(facts["resigned"]))
        if facts["resigned"]
        else "",
        _("Your clock runs on, and you cannot move: {boards}.").format(
            boards=_boards(facts["running"])
        )
        if facts["running"]
        else "",
    ]
    text = _(
        "An operator of this server has suspended your account {userid}. The reason:\n\n"
        "    {reason}\n\n"
        "You cannot log in, play by mail, or be challenged; planned moves are not played. Your "
        "finished games stay on record.\n\n"
    ).format(userid=facts["userid"], reason=facts["reason"]) + "\n".join(filter(None, boards))
    return Letter(_("Your account is suspended"), text.rstrip(), reply_to="")


def unban_notice(due: DueLetter) -> Letter:
    """Write that a player may play again."""
    text = _(
        "Your account {userid} is open again. The reason:\n\n    {reason}\n\n"
        "To play, reply to this mail, for example with `list`. Programs need "
        "new tokens."
    ).format(userid=due.facts["userid"], reason=due.facts["reason"])
    return Letter(_("You may play again"), text)


def goodbye(due: DueLetter) -> Letter:
    """Confirm to a player who has left that the account is closed."""
    text = _(
        "The account {userid} is closed, its games are resigned, and its "
        "addresses are deleted. Thank you for playing."
    ).format(userid=due.facts["userid"])
    return Letter(_("Goodbye"), text)


def apology(due: DueLetter) -> Letter:
    """Apologise for a defect."""
    text = _(
        "Something went wrong while answering your mail. That is our fault, not yours, and the "
        "people who run this server have been told. Nothing was changed. Please send it again, "
        "perhaps in another form: help commands"
    )
    return Letter(_("Something went wrong"), text, is_answer=True)


def _boards(numbers: list[int]) -> str:
    return ", ".join(_("board {board}").format(board=number) for number in numbers)
