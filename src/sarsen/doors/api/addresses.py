"""Parts of addresses: what a number, a userid, a game can be at all."""

from __future__ import annotations

from typing import Annotated

from ninja import Path, Query
from pydantic import Field

MOST = 999_999_999  # every database can hold it

Number = Annotated[int, Path(ge=0, le=MOST)]
Ply = Annotated[int, Path(ge=0, le=999_999)]
Userid = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
GameName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]

NamedUser = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,40}$")]
NamedGame = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,40}$")]
Before = Annotated[int | None, Query(ge=0, le=MOST)]
PageSize = Annotated[int, Query(ge=1, le=100)]
Text = Annotated[str, Field(max_length=300)]
