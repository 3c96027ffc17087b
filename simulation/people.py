"""The people of the month, and their habits."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe")


@dataclass
class Person:
    """Somebody who plays for a month.

    Attributes:
        door: `mail` or `web`: through which door the moves come.
        moves_a_day: On each board that waits.
        channel: What they want of `turn` notices: `mail`, `digest` or `none`.
        quits_on: The day from which nothing is heard any more, or None.
        away_on: The first day of a vacation, or None.
        away_for: Its days.
        plans: How likely a move is followed by a plan for the answer.
        reply_to: Where a board's newest letter is answered, by board.
        vacation: The first and last day, once it is announced.
    """

    userid: str
    address: str
    door: str
    moves_a_day: float
    channel: str
    zone: str
    quits_on: int | None
    away_on: int | None
    away_for: int
    plans: float
    reply_to: dict[int, str] = field(default_factory=dict)
    vacation: tuple[date, date] | None = None

    def is_there(self, day: int) -> bool:
        """Return whether they look at their mail that day."""
        if self.quits_on is not None and day >= self.quits_on:
            return False
        return self.away_on is None or not self.away_on <= day < self.away_on + self.away_for


def people(count: int, random: Random) -> list[Person]:
    """Make so many people; one in 25 loses the mailbox, one in 12 stops playing."""
    made = []
    for number in range(count):
        userid = f"p{number:04d}"
        has_vacation = random.random() < 0.2
        is_dead = random.random() < 0.04
        made.append(
            Person(
                userid=userid,
                address=f"{userid}@{'gone' if is_dead else 'home'}.example",
                door="web" if is_dead or random.random() < 0.3 else "mail",
                moves_a_day=random.choice((0.5, 1.0, 1.0, 2.0, 4.0)),
                channel=random.choice(("mail", "mail", "mail", "digest", "none")),
                zone=random.choice(ZONES),
                quits_on=random.randrange(2, 20) if random.random() < 0.08 else None,
                away_on=random.randrange(3, 20) if has_vacation else None,
                away_for=random.randrange(2, 9),
                plans=0.3 if random.random() < 0.5 else 0.0,
            )
        )
    return made


HOUR = timedelta(hours=1)
