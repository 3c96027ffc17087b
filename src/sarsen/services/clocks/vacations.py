"""Vacations: taken or planned within a yearly allowance, and ended early."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.language.clocks import days_missing
from sarsen.language.commands import TakeVacation
from sarsen.language.grammar.dates import read_day
from sarsen.language.grammar.time_zones import zone_called
from sarsen.language.replies import VacationEnded, VacationTaken
from sarsen.services import clocks
from sarsen.services.clocks.turns import midnight
from sarsen.services.limits import daily
from sarsen.services.request import Request
from sarsen.storage.models import Player, Vacation

EXAMPLE = "vacation USERID PASSWORD 2026-12-24 2027-01-02"
DAYS_A_YEAR = 30  # of vacation in a calendar year: opponents wait meanwhile
# A vacation ends so soon: later days cannot be planned, and are a slip.
FARTHEST = timedelta(days=366)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class DayRange:
    """Days from one to another, both included."""

    first: date
    last: date

    def __iter__(self) -> Iterator[date]:
        return (self.first + days * DAY for days in range((self.last - self.first).days + 1))


def take(command: TakeVacation, request: Request) -> VacationTaken | VacationEnded:
    """Take or plan a vacation, or end it."""
    speaker = request.player(EXAMPLE)
    # Locked: two vacations at once must not both find the same days left.
    boards = clocks.lock_boards_of(speaker)
    # After the boards: a move locks in this order, too.
    player = Player.objects.select_for_update(no_key=True).get(pk=speaker.pk)
    daily.check(player, "account", request.now)
    today = request.now.astimezone(zone_called(player.timezone)).date()
    if command.is_off:
        ended = _end(player, today, request.now)
        clocks.recalculate_deadlines(boards, request.now)
        return ended
    days = _read(command, today)
    _check_allowance(player, days)
    _check_stretch(player, days)
    _store(player, days, request.now)
    clocks.recalculate_deadlines(boards, request.now)
    return VacationTaken(
        days.first.isoformat(),
        days.last.isoformat(),
        today.isoformat(),
        _days_left(player, {days.first.year, days.last.year}),
    )


def away_now(players: Iterable[int], now: datetime) -> dict[int, date]:
    """Return the last day of vacation of those players (ids) who are away now. One query."""
    vacations = Vacation.objects.filter(
        player_id__in=list(players), starts_at__lte=now, ends_at__gt=now
    )
    return dict(vacations.order_by("ends_at").values_list("player_id", "last_day"))


def planned(player: Player, now: datetime) -> tuple[DayRange, ...]:
    """Return a player's present and planned vacations."""
    vacations = Vacation.objects.filter(player=player, ends_at__gt=now)
    return tuple(DayRange(*days) for days in vacations.values_list("first_day", "last_day"))


def next_vacation(player: Player, now: datetime) -> tuple[date, date] | None:
    """Return the first and last day of a player's present or next vacation; None without one."""
    vacations = Vacation.objects.filter(player=player, ends_at__gt=now).order_by("starts_at")
    return vacations.values_list("first_day", "last_day").first()


def _read(command: TakeVacation, today: date) -> DayRange:
    if not (command.starts and command.ends):
        raise days_missing(is_known=True)
    first = read_day(command.starts, today)
    last = read_day(command.ends, today, first)
    if first < today:
        raise UserError(
            "A vacation cannot begin in the past; for you it is {today} now.",
            code="vacation-past",
            hint=f"vacation today {max(last, today).isoformat()}",
            today=today.isoformat(),
        )
    if last < first:
        raise UserError(
            "This vacation would end on {last}, before it begins.",
            code="vacation-backwards",
            hint=f"vacation {last.isoformat()} {first.isoformat()}"
            if last >= today
            else f"vacation {first.isoformat()} {first.isoformat()}",
            last=last.isoformat(),
        )
    if last > today + FARTHEST:
        raise UserError(
            "A vacation can be planned at most a year ahead.",
            code="vacation-too-far",
            hint=f"vacation {today + 30 * DAY} {today + 37 * DAY}",
        )
    return DayRange(first, last)


def _check_stretch(player: Player, days: DayRange) -> None:
    """Refuse days that would make too long a vacation with those before and after them."""
    most = settings.SARSEN_VACATION_DAYS
    taken = _days_of(player) | set(days)
    first, last = days.first, days.last
    while first - DAY in taken:
        first -= DAY
    while last + DAY in taken:
        last += DAY
    length = (last - first).days + 1
    if length <= most:
        return
    raise UserError(
        "That would be a vacation of {days} days without a break; at most {most} are allowed.",
        code="vacation-too-long",
        hint=_shorter(days, DayRange(first, last), most),
        days=length,
        most=most,
    )


def _shorter(days: DayRange, stretch: DayRange, most: int) -> str:
    """Return the line for as many of the days as may be taken, a day away from those around."""
    first = days.first + (stretch.first < days.first) * DAY
    last = min(days.last - (stretch.last > days.last) * DAY, first + (most - 1) * DAY)
    if last < first:
        first = last = stretch.last + 2 * DAY
    return f"vacation {first.isoformat()} {last.isoformat()}"


def _check_allowance(player: Player, days: DayRange) -> None:
    taken = _days_of(player)
    counts = Counter(day.year for day in taken | set(days))
    for year in {days.first.year, days.last.year}:
        if counts[year] > DAYS_A_YEAR:
            days_taken = sum(1 for day in taken if day.year == year)
            raise UserError(
                "That would make {days} vacation days in {year}; {most} a year are allowed, and "
                "{taken} are taken.",
                code="vacation-allowance",
                hint=_longest_possible(days, taken),
                year=year,
                days=counts[year],
                most=DAYS_A_YEAR,
                taken=days_taken,
            )


def _longest_possible(days: DayRange, taken: set[date]) -> str:
    """Return the longest vacation with the same beginning that the allowance has room for."""
    counts = Counter(day.year for day in taken)
    last = None
    for day in days:
        counts[day.year] += day not in taken
        if counts[day.year] > DAYS_A_YEAR:
            break
        last = day
    return f"vacation {days.first} {last}" if last else "vacation off"


def _store(player: Player, days: DayRange, now: datetime) -> None:
    """Record a vacation, joined with those it overlaps or touches."""
    zone = zone_called(player.timezone)
    vacation = Vacation(
        player=player,
        # Not retroactive: of the first day only what is left of it.
        starts_at=max(midnight(days.first, zone), now),
        ends_at=midnight(days.last + DAY, zone),
        first_day=days.first,
        last_day=days.last,
    )
    adjoining = Vacation.objects.filter(
        player=player, starts_at__lte=vacation.ends_at, ends_at__gte=vacation.starts_at
    )
    for other in adjoining:
        vacation.starts_at = min(vacation.starts_at, other.starts_at)
        vacation.ends_at = max(vacation.ends_at, other.ends_at)
        vacation.first_day = min(vacation.first_day, other.first_day)
        vacation.last_day = max(vacation.last_day, other.last_day)
    adjoining.delete()
    vacation.save()


def _end(player: Player, today: date, now: datetime) -> VacationEnded:
    """End the present vacation now and forget the planned ones; days not used are free again."""
    vacations = list(Vacation.objects.filter(player=player, ends_at__gt=now))
    if not vacations:
        raise UserError(
            "You are not on vacation and have none planned.",
            code="no-vacation",
            hint="vacation tomorrow tomorrow",
        )
    present = [vacation for vacation in vacations if vacation.starts_at <= now]
    years = {day.year for vacation in vacations for day in (vacation.first_day, vacation.last_day)}
    Vacation.objects.filter(player=player, starts_at__gt=now).delete()
    for vacation in present:
        vacation.ends_at = now
        vacation.last_day = max(vacation.first_day, min(vacation.last_day, today))
        vacation.save(update_fields=["ends_at", "last_day"])
    return VacationEnded(bool(present), len(vacations) > len(present), _days_left(player, years))


def _days_of(player: Player) -> set[date]:
    """Return every day of a player's vacations, past and planned."""
    ranges = Vacation.objects.filter(player=player).values_list("first_day", "last_day")
    return {day for days in ranges for day in DayRange(*days)}


def _days_left(player: Player, years: Iterable[int]) -> tuple[tuple[int, int], ...]:
    used = Counter(day.year for day in _days_of(player))
    return tuple((year, max(DAYS_A_YEAR - used[year], 0)) for year in sorted(years))
