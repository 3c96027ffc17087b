"""The time at which tests begin, on whatever day they run."""

from __future__ import annotations

from datetime import datetime

NOW = datetime.fromisoformat("2026-11-20T12:00:00+00:00")
