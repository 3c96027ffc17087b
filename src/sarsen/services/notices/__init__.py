"""What players are told, and by which channel: the one way a letter to a player begins.

Handlers call `notify`; what the player has chosen decides whether that becomes
a letter now, a line of the next digest, or nothing. Open `telling` first;
`events` says what there is, `hours` when it may come, `digests` and `webhooks`
carry it out, `choosing` changes what a player wants.
"""

from sarsen.services.notices.events import Channel, Event, channel_of
from sarsen.services.notices.notify import notify, notify_all

__all__ = ["Channel", "Event", "channel_of", "notify", "notify_all"]
