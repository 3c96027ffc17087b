"""Findings as JSON, with a version: what is kept after every step of a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sarsen.search.reviews.looks import Look
from sarsen.search.reviews.proof import Answer
from sarsen.search.reviews.study import Findings

# Counts up whenever older findings could be misread; such a review is made anew.
VERSION = 1


def write(findings: Findings) -> dict[str, Any]:
    """Write findings as JSON can hold them. The pair of `read`."""
    return {"version": VERSION, **asdict(findings)}


def is_current(kept: Mapping[str, Any]) -> bool:
    """Return whether findings can be read, or are those of another version."""
    return kept.get("version") == VERSION


def read(kept: Mapping[str, Any]) -> Findings:
    """Read findings; those of another version count for nothing."""
    if not is_current(kept):
        return Findings()
    looks = (Look(**{**look, "line": tuple(look["line"])}) for look in kept["looks"])
    answers = (Answer(**{**one, "path": tuple(one["path"])}) for one in kept["answers"])
    return Findings(tuple(looks), tuple(answers), bool(kept["is_done"]))
