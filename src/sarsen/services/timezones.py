"""Where players live, and whether their weekends count."""

from __future__ import annotations

from sarsen.language.commands import ChangeTimezone, ChangeWeekends
from sarsen.language.replies import TimezoneChanged, WeekendsChanged
from sarsen.language.zones import read_zone
from sarsen.services import clocks, limits
from sarsen.services.call import Call
from sarsen.storage.models import Player


def change_timezone(command: ChangeTimezone, call: Call) -> TimezoneChanged:
    """Record the speaker's zone; running clocks whose weekends do not count follow it."""
    player = call.player("change timezone USERID PASSWORD Europe/Berlin")
    zone = read_zone(command.zone)
    limits.check(player, "account", call.now, what="changes of your account")
    boards = clocks.hold_boards_of(player)
    Player.objects.filter(pk=player.pk).update(timezone=zone)
    clocks.work_out_again(boards, call.now)
    return TimezoneChanged(zone, call.now.isoformat())


def change_weekends(command: ChangeWeekends, call: Call) -> WeekendsChanged:
    """Record whether weekends count in the speaker's games to come."""
    player = call.player("change weekends USERID PASSWORD off")
    limits.check(player, "account", call.now, what="changes of your account")
    Player.objects.filter(pk=player.pk).update(weekends_are_off=command.are_off)
    return WeekendsChanged(command.are_off)
