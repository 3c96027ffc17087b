"""What is solved of the games: `claims.toml` in the folder `solved` of a game.

Beside it lie checkers, which share no code with this server, and the certificates that they read.
docs/adding-a-game.md explains the fields.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from sarsen.core.game import AnyPosition, GameInfo
from sarsen.core.referee import replay
from sarsen.games import load, names, text_file

FILE = "solved/claims.toml"


@dataclass(frozen=True)
class Run:
    """One run of the checkers on a certificate.

    Attributes:
        certificate: A file beside the checkers; "" where the rule is the whole certificate.
        command: As typed in the folder of the files.
        last: The last line that it prints.
        seconds_c, seconds: Processor time of the checkers in C and in Python; None: not run.
    """

    command: str
    last: str
    seconds_c: float
    seconds: float | None = None
    certificate: str = ""


@dataclass(frozen=True)
class Claim:
    """What is solved of a game; texts are translated by the game's catalogue.

    Attributes:
        title, says: For lists: what is solved, and how it ends.
        proven, found, checked, open: What is proven, by which program, what was checked and by
            whom, and what is not known.
        picture: Options and moves of a board that shows it.
    """

    game: GameInfo
    id: str
    title: str
    says: str
    proven: str
    found: str
    checked: str
    open: str
    picture: str
    runs: tuple[Run, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is translated of it."""
        return self.title, self.says, self.proven, self.found, self.checked, self.open

    @property
    def checkers(self) -> tuple[str, ...]:
        """The programs that check it."""
        return tuple(f"check_{self.game.name}.{language}" for language in ("py", "c"))

    @property
    def files(self) -> tuple[str, ...]:
        """All files that somebody needs to check it."""
        certificates = dict.fromkeys(run.certificate for run in self.runs if run.certificate)
        return *self.checkers, *certificates

    def position(self) -> AnyPosition:
        """Return the position of the picture."""
        words = self.picture.split()[1:]
        options = " ".join(word for word in words if word.startswith("-"))
        position: AnyPosition = load(self.game.name).start(options)
        for ruling in replay(position, [word for word in words if not word.startswith("-")]):
            position = ruling.position
        return position

    def file(self, name: str) -> str:
        """Return a file of it, or "" when it is none of them."""
        return text_file(self.game.name, f"solved/{name}") if name in self.files else ""


@cache
def claims() -> dict[str, Claim]:
    """Return what is solved of all games, by id."""
    return {claim.id: claim for name in names() for claim in claims_of(name)}


@cache
def claims_of(game: str) -> tuple[Claim, ...]:
    """Return what is solved of a game, in the order of its file."""
    info, page = load(game).info, tomllib.loads(text_file(game, FILE))
    return tuple(
        Claim(game=info, runs=tuple(Run(**run) for run in fields.pop("run", ())), **fields)
        for fields in page.get("claim", ())
    )
