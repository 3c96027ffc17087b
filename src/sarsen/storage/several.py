"""Kept queries for several keys at once: one statement for many rows that are wanted together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce
from operator import or_
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

from sarsen.storage.kept import Given, KeptQuery

SIZES = (1, 4, 16, 64)  # keys that one statement asks for; a statement is kept for each number
Row = TypeVar("Row")


class KeptForSeveral(Generic[Row]):
    """A query whose statements are made once, for the rows that have one of some keys.

    Args:
        name: The column of the keys, as `filter` names it.
        make: Gives the query for a condition.
    """

    def __init__(self, name: str, make: Callable[[Q], QuerySet[Any, Row]]) -> None:
        def made(size: int) -> QuerySet[Any, Row]:
            # Not `__in`: that wants the keys themselves. To the database it is the same.
            return make(reduce(or_, (Q(**{name: Given(f"key{at}")}) for at in range(size))))

        self._queries = {size: KeptQuery(partial(made, size)) for size in SIZES}

    def all(self, keys: Iterable[object]) -> list[Row]:
        """Return the rows, in the order of the query as long as the largest statement holds all."""
        wanted = list(dict.fromkeys(keys))
        found: list[Row] = []
        for first in range(0, len(wanted), SIZES[-1]):
            some = wanted[first : first + SIZES[-1]]
            size = next(size for size in SIZES if size >= len(some))
            filled = [*some, *[some[0]] * (size - len(some))]
            given = {f"key{at}": key for at, key in enumerate(filled)}
            found += self._queries[size].all(**given)
        return found
