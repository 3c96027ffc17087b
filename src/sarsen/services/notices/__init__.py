"""Notices to players: events, the preferences for them, and the channels that carry them.

Handlers call `notify`; preferences decide whether that becomes a mail now, a line of the next
digest, a push message, a webhook call, or nothing.
"""

from sarsen.services.notices.channels import Channel, Event, channel_of, gets_mail, is_told
from sarsen.services.notices.notify import notify, notify_all

__all__ = ["Channel", "Event", "channel_of", "gets_mail", "is_told", "notify", "notify_all"]
