"""What a command says of itself is so: each property beside something that does not follow it."""

from __future__ import annotations

from sarsen.language.commands import COMMANDS


def _with(name: str) -> set[str]:
    return {one.__name__ for one in COMMANDS if getattr(one, name)}


def test_guests_neither_write_to_people_nor_change_what_needs_an_address() -> None:
    # Spelled out, since a guest is known by nothing but the cookie of a browser.
    writing = "Broadcast Chat SendMessage"
    answering = "Accept Decline"  # guests play programs, which neither ask nor wait
    of_accounts = (
        "Account AutoAccept ChangeAbout ChangeAddress ChangeNotices ChangePassword ChangePlace "
        "ChangeWeekends Deliveries Limit Refuse Revoke SetReviews Subscribe TakeVacation "
        "Unsubscribe"
    )
    of_lines = "Multiple"  # its lines are performed one by one
    others = {one.__name__ for one in COMMANDS} - _with("for_guests")
    assert others == set(f"{writing} {answering} {of_accounts} {of_lines}".split())
