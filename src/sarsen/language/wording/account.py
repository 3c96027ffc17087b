"""Words about accounts."""

from __future__ import annotations

from sarsen.language.replies import AddressConfirmed, SignupAsked
from sarsen.language.wording.said import sentence


@sentence.register
def _signup_asked(reply: SignupAsked) -> str:
    return (
        f"Welcome, {reply.userid}. A mail is on its way to {', '.join(reply.addresses)}; "
        "answer it, and the account is yours."
    )


@sentence.register
def _address_confirmed(reply: AddressConfirmed) -> str:
    return f"The address is confirmed for {reply.userid}."
