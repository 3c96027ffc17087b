"""Words about messages and broadcasts."""

from __future__ import annotations

from sarsen.language.replies.messages import BroadcastAsked, BroadcastSent, MessageSent
from sarsen.language.wording.said import sentence


@sentence.register
def _message_sent(reply: MessageSent) -> str:
    return f"Your message is delivered to {', '.join(reply.to)}. Nobody sees an address."


@sentence.register
def _broadcast_asked(reply: BroadcastAsked) -> str:
    cut = "Quoted words and a signature were cut. " if reply.left_out else ""
    shown = "\n".join(f"    {line}".rstrip() for line in reply.text.split("\n"))
    return (
        f"This is what everybody who wants broadcasts would get:\n\n{shown}\n\n"
        f"{cut}Shall it go out? Answer `yes`, or: confirm broadcast. With `no` it is forgotten."
    )


@sentence.register
def _broadcast_sent(reply: BroadcastSent) -> str:
    return "Your broadcast is on its way to everybody who wants broadcasts."
