"""The formats of contests: what boards there are, and what their results come to.

A format is pure: it knows no clock and no storage, and draws no lots.
"""

from __future__ import annotations

from collections.abc import Mapping

from sarsen.services.contests.formats.format import Format
from sarsen.services.contests.formats.ladder import Ladder
from sarsen.services.contests.formats.league import League
from sarsen.services.contests.formats.match import Match
from sarsen.services.contests.formats.round_robin import RoundRobin

FORMATS: Mapping[str, Format] = {
    one.name: one for one in (RoundRobin(), Match(), League(), Ladder())
}
