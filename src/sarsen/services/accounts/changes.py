"""Changing an account: its password, its addresses; and how it stands."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, Typed, joined
from sarsen.language.accounts import AddressConfirmed
from sarsen.language.commands import Account, ChangeAddress, ChangePassword
from sarsen.language.preferences import AddressesAsked, PasswordChanged
from sarsen.language.replies import Table
from sarsen.language.schema.fields import MAX_ADDRESSES
from sarsen.language.translating import LANGUAGES
from sarsen.services.accounts import bounces, tokens
from sarsen.services.accounts.account_forms import (
    check_flood,
    check_password_form,
    clean_address,
)
from sarsen.services.accounts.login_methods import check_another_way
from sarsen.services.limits import daily
from sarsen.services.mail import outgoing
from sarsen.services.notices import Event, notify
from sarsen.services.request import Request
from sarsen.storage.models import Address, Player, Question, Signup
from sarsen.storage.models.players import new_key

_OFF = "off"
_DROPPING = "address"  # the question that remembers which addresses go


def change_password(command: ChangePassword, request: Request) -> PasswordChanged:
    """Set the speaker's password, or take none any more; all addresses are told."""
    player = request.player("change password USERID OLD NEW")
    is_off = command.new.lower() == _OFF
    if not is_off:
        check_password_form(command.new, player.userid, "change password USERID OLD NEW")
    if is_off:
        check_another_way(player, without_password=True)
    daily.check(player, "account", request.now)
    player.set_password(None if is_off else command.new)
    player.wrong_passwords, player.paused_until = 0, None
    player.save(update_fields=["password", "wrong_passwords", "paused_until"])
    notify(player, Event.ACCOUNT, "account-changed", {"what": "password"}, request.now)
    return PasswordChanged(player.userid, is_off)


def change_address(command: ChangeAddress, request: Request) -> AddressesAsked:
    """Use these addresses: new ones must answer first, and the old ones are told."""
    player = request.player("change address USERID PASSWORD ann@example.org")
    example = f"change address {player.userid} PASSWORD ann@example.org"
    addresses = tuple(
        dict.fromkeys(clean_address(address, hint=example) for address in command.addresses)
    )
    if not addresses:
        raise UserError(
            "Which address would you like to use?",
            code="address-missing",
            hint="change address USERID PASSWORD ann@example.org",
        )
    if len(command.addresses) > MAX_ADDRESSES:  # as they are sent, as the API's document counts
        raise UserError(
            "An account has at most {most} addresses.",
            code="too-many-addresses",
            hint=Typed(f"change address {addresses[0]}"),
            most=MAX_ADDRESSES,
        )
    daily.check(player, "account", request.now)
    current = list(player.addresses.values_list("address", flat=True))
    new = [address for address in addresses if address not in current]
    dropped = [address for address in current if address not in addresses]
    # A player who names an address to which letters came back wants them sent there again.
    resumed = bounces.resume(player, addresses)
    for address in current:
        is_all = bool(resumed) and not new and not dropped
        facts = {"what": "resumed" if is_all else "address"}
        outgoing.queue(
            outgoing.NewLetter(address, "account-changed", facts, player=player), request.now
        )
    if not new:
        _remove_addresses(player, dropped)
        return AddressesAsked((), tuple(dropped), resumed)
    group = new_key()
    for address in new:
        _send_confirmation(player, address, group, request)
    # "wish" is the name of the group in questions that earlier releases stored.
    Question.objects.update_or_create(
        player=player,
        kind=_DROPPING,
        defaults={"facts": {"wish": group, "dropped": dropped}, "asked_at": request.now},
    )
    return AddressesAsked(tuple(new), tuple(dropped), resumed)


def confirm_address(signup: Signup, request: Request) -> AddressConfirmed:
    """Add an address that has answered; the first one of a change lets the old ones go."""
    player = signup.player
    assert player is not None  # such a sign-up belongs to an account
    Address.objects.get_or_create(
        player=player, address=signup.address, defaults={"confirmed_at": request.now}
    )
    dropping = Question.objects.filter(player=player, kind=_DROPPING).first()
    if dropping is not None and dropping.facts["wish"] == signup.group:
        _remove_addresses(player, dropping.facts["dropped"])
        dropping.delete()
        tokens.write_anew(player, request.now)
    Signup.objects.filter(pk=signup.pk).delete()
    outgoing.queue(
        outgoing.NewLetter(signup.address, "welcome", {"is_new": False}, player=player), request.now
    )
    return AddressConfirmed(player.userid, is_new=False)


def account(command: Account, request: Request) -> Table:
    """Show how the speaker's account is set, with the commands that change it."""
    player = request.player("account USERID PASSWORD")
    addresses = joined(list(map(_address_words, player.addresses.order_by("pk"))), ", ")
    weekends = Phrase("count")
    if player.weekends_are_off:
        weekends = Phrase("do not count where both want that")
    coordinates = Phrase("left out")
    if player.wants_coordinates:
        coordinates = Phrase("around text boards in mails")
    language = LANGUAGES.get(player.language) or Phrase("as your browser")
    rows = (
        ("userid", player.userid, ""),
        ("addresses", addresses, "change address ADDRESS …"),
        (
            "password",
            Phrase("set") if player.has_usable_password() else Phrase("not set"),
            "change password NEW",
        ),
        ("time zone", player.timezone, "change timezone Europe/Berlin"),
        ("language", language, "change language de"),
        ("place", player.place or Phrase("not given"), "change place PLACE"),
        ("about", player.about or Phrase("not given"), "change about TEXT"),
        ("weekends", weekends, "change weekends off"),
        ("coordinates", coordinates, "change coordinates on|off"),
        ("refused", ", ".join(player.refuses) or Phrase("nobody"), "refuse USERID|GAME|anyone"),
        (
            "start at once",
            ", ".join(player.accepts) or Phrase("none"),
            "autoaccept USERID|GAME|anyone",
        ),
        (
            "most games",
            str(player.most_games) if player.most_games else Phrase("any number"),
            "limit N",
        ),
        ("reviews", _reviews_words(player), "reviews on|off"),
        ("notices", Phrase("see: notices"), "notices EVENT mail|digest|none"),
    )
    return Table(
        Phrase("Account {player}", player=player.userid), ("what", "is", "to change it"), rows
    )


def _address_words(address: Address) -> str:
    if address.suspended_at is None:
        return address.address
    return Phrase("{address} (mail came back)", address=address.address)


def _reviews_words(player: Player) -> str:
    if player.wants_reviews:
        return Phrase("of every game that ends")
    return Phrase("when you ask: review BOARD")


def _send_confirmation(player: Player, address: str, group: str, request: Request) -> None:
    check_flood(address, request.now)
    signup = Signup.objects.create(
        userid=player.userid,
        key=player.key,
        password="",
        address=address,
        group=group,
        asked_at=request.now,
        player=player,
    )
    facts = {"userid": player.userid, "code": signup.code}
    outgoing.queue(outgoing.NewLetter(address, "address-asked", facts), request.now)


def _remove_addresses(player: Player, addresses: list[str]) -> None:
    """Remove addresses; what was mailed to them proves nothing any more."""
    if not addresses:
        return
    player.addresses.filter(address__in=addresses).delete()
    bounces.note_unreached(player)
    tokens.change_keys(player)
