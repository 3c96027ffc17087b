"""Claims of wins and draws: of those that are not proven nobody learns more than that.

Some thousand claims over positions that a search knows as won, drawn, lost and open for the seat to
move, none of which is proven, are made, searched and answered by the server's own code. All that
anybody gets to read of them is compared byte by byte, and the moments of their answers. Then claims
that are proven: each is checked by the rules. At last the very processes that search on a server
are timed, some for each kind of position.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from random import Random
from statistics import fmean
from typing import Any

from sarsen.core.answers import NotProvedError, check
from sarsen.core.game import AnyPosition, own_module
from sarsen.doors.api.boards import board_facts
from sarsen.doors.mail.letters import write_letter
from sarsen.games import load
from sarsen.language.commands import Accept, ClaimResult, MakeChallenge, PlayMove
from sarsen.language.replies import ChallengeStands
from sarsen.language.translating import sentence
from sarsen.search.written_proofs import prove_claim
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.boards.view import view_board
from sarsen.services.dispatch import perform
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.matches import claims
from sarsen.services.matches.matches import position_of
from sarsen.services.matches.proofs import NOTHING
from sarsen.services.request import Actor
from sarsen.storage.models import (
    Address,
    AuditEntry,
    Claim,
    Match,
    OutgoingMail,
    Player,
    StreamItem,
)
from sarsen.workers.proving import CLAIM_SECONDS
from sarsen.workers.proving import prove_claim as prove_in_child

VISAVIS, DRUID, VASCO = ("visavis", "-size=7"), ("druid", "-size=4"), ("vasco", "-size=24")
# Where positions of each kind are found soon by random moves.
GAMES = {"won": (VISAVIS, DRUID, VASCO), "drawn": (VASCO,), "lost": (VISAVIS,), "open": (DRUID,)}
KINDS = tuple(GAMES)
KNOWN_NODES, CLAIM_NODES = 50_000, 20_000
PER_KIND = 12  # boards, on each of which many claims are made
MIN_PLIES, MAX_PLIES = 8, 10
BEGIN = datetime(2027, 1, 4, 6, 0, tzinfo=UTC)
# Words that name a board, and how far its game has come.
_MASKED = re.compile(r"(Visavis|Druid|Vasco|visavis|druid|vasco)|(?<![.\d])\d+(?!\.?\d* s$)")
_NAMES = re.compile(r"\b(ann|bob)\b")
NEAR = 0.05  # of the mean, the specification of claims
MIN_TIMED = 5  # processes of each kind


@dataclass(frozen=True)
class Placed:
    """A board, and what is known of the seat to move there."""

    board: int
    kind: str
    position: AnyPosition


def run_claims(
    refused: int, seed: int, progress: Callable[[str], None], *, timed: int
) -> dict[str, Any]:
    """Claim and compare; return `figures` and `faults`, which should be empty.

    Args:
        refused: How many claims are made that are not proven; a tenth as many are proven.
        timed: Of each kind of position, how many processes are timed.
    """
    world = ClaimedWorld(Random(seed))
    placed = world.boards(max(1, min(PER_KIND, refused // (2 * len(KINDS)))))
    progress("refused")
    figures, faults = world.refuse(placed, refused)
    progress("proven")
    for part in (world.prove(refused // 10), world.time(placed, timed)):
        figures |= part[0]
        faults += part[1]
    return {"figures": figures, "faults": faults}


class ClaimedWorld:
    """Two players and their boards, on the server whose settings and database are set up."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.now = BEGIN
        self.players = [self._member(userid) for userid in ("ann", "bob")]

    def _member(self, userid: str) -> Player:
        player = Player.objects.create(
            key=userid, userid=userid, joined_at=self.now, has_stream=True
        )
        Address.objects.create(
            player=player, address=f"{userid}@example.org", confirmed_at=self.now
        )
        return player

    def boards(self, count: int) -> dict[str, list[Placed]]:
        """Begin so many boards of each kind."""
        found: dict[str, list[Placed]] = defaultdict(list)
        for kind in KINDS:
            while len(found[kind]) < count:
                game, options = self._random.choice(GAMES[kind])
                moves, position = self._line(game, options)
                if _kind(position) == kind:
                    found[kind].append(Placed(self._board(game, options, moves), kind, position))
        return dict(found)

    def _line(self, game: str, options: str) -> tuple[list[str], AnyPosition]:
        """Return random moves that end no game, and where they lead."""
        while True:
            plies = self._random.randint(MIN_PLIES, MAX_PLIES)
            position: AnyPosition = load(game).start(options)
            moves: list[str] = []
            while len(moves) < plies and position.outcome() is None:
                move = self._random.choice(position.legal_moves())
                moves.append(position.format(move))
                position = position.play(move)
            if position.outcome() is None:
                return moves, position

    def _board(self, game: str, options: str, moves: list[str]) -> int:
        ann, bob = map(Actor, self.players)
        names, terms = ("ann", "bob"), ("--claims=on",)
        asked = perform(MakeChallenge(game, options, terms, names), ann, "", self.now)
        assert isinstance(asked, ChallengeStands)
        started = perform(Accept(asked.number), bob, "", self.now)
        assert isinstance(started, ChallengeStands)
        assert started.board is not None
        for move in moves:
            seat = Match.objects.get(pk=started.board).seat_to_move
            perform(PlayMove(game, started.board, move), (ann, bob)[seat], "", self.now)
        self._forget()
        return started.board

    def _forget(self) -> None:
        """Let a board be claimed at again, and nobody meet the limits of a day."""
        for rows in (AuditEntry, OutgoingMail, StreamItem, Claim):
            rows.objects.all().delete()

    def claim(self, board: int, *, draw: bool) -> tuple[Claim, str]:
        """Claim, search, and answer at the first possible moment; return what was read.

        Each thing that somebody reads is a line; numbers and names of boards are left out.
        """
        seat = Match.objects.get(pk=board).seat_to_move
        actor = Actor(self.players[seat])
        reply = perform(ClaimResult("", board, draw), actor, "", self.now)
        asked_at = self.now
        while claims.search_next(self.now, _search):
            pass
        # The claimant comes first, and is called so: it may be either player.
        pair = (self.players[seat], self.players[1 - seat])
        waiting = self._read(board, pair)
        while not claims.answer_due(self.now, AFTER_EVENTS):
            self.now += timedelta(milliseconds=500)
        row = Claim.objects.get()
        assert row.answered_at is not None
        seconds = (row.answered_at - asked_at).total_seconds()
        read = "\n".join([sentence(reply), *waiting, *self._read(board, pair), f"{seconds} s"])
        names = {pair[0].userid: "CLAIMANT", pair[1].userid: "OTHER"}
        return row, _NAMES.sub(lambda found: names[found[0]], _MASKED.sub("", read))

    def _read(self, board: int, pair: tuple[Player, Player]) -> list[str]:
        read: list[str] = []
        match = Match.objects.get(pk=board)
        if match.ended_at is None:
            for player in pair:
                facts = board_facts(view_board(board, viewer=player, personal=True), player)
                made = [asdict(one) for one in facts.claims]
                read.append(json.dumps([made, facts.own and facts.own.may_claim]))
        rows = OutgoingMail.objects.filter(kind=claims.ANSWER)
        for row in sorted(rows, key=lambda one: one.player_id != pair[0].pk):
            due = DueLetter(
                *(row.pk, row.kind, row.facts, row.address, row.player, "", self.now, 1),
                event=row.event,
            )
            letter = write_letter(due)
            # The link to stop such mails is the reader's own; the HTML is made of the text.
            read.append(letter.text.partition("\n\nTo stop these mails")[0].rstrip())
        for item in StreamItem.objects.filter(kind="claim").order_by("pk"):
            read.append(json.dumps({**item.facts, "seat": 0}))
        return read

    def refuse(
        self, placed: dict[str, list[Placed]], count: int
    ) -> tuple[dict[str, Any], list[str]]:
        """Make claims that are not proven, and compare all that is read of them."""
        texts: dict[tuple[str, bool], set[str]] = defaultdict(set)
        made: dict[str, int] = defaultdict(int)
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            one = placed[kind][number // len(KINDS) % len(placed[kind])]
            # A true result is not claimed: of a won position a draw, of a drawn one a win.
            draw = kind == "won" or (kind in ("lost", "open") and self._random.random() < 0.5)
            row, text = self.claim(one.board, draw=draw)
            assert row.proof == NOTHING
            texts[kind, draw].add(text)
            made[kind] += 1
            self._forget()
        # A draw is claimed in another word than a win, which is the claimant's own.
        by_word = [
            set().union(*(found for (_, drawn), found in texts.items() if drawn is draw))
            for draw in (False, True)
        ]
        figures: dict[str, Any] = {f"refused, {kind}": made[kind] for kind in KINDS}
        figures["different answers to a win, a draw"] = ", ".join(str(len(one)) for one in by_word)
        figures["bytes read of a claim"] = len(next(iter(by_word[0])).encode())
        faults = [
            "\n".join(unified_diff(*(text.split("\n") for text in sorted(one)[:2]), n=0))
            for one in by_word
            if len(one) != 1
        ]
        return figures, faults

    def prove(self, count: int) -> tuple[dict[str, Any], list[str]]:
        """Make claims that a search proves, and check each proof by the rules."""
        proven = lines = moves = draws = 0
        faults: list[str] = []
        while proven < count:
            game, options = self._random.choice(GAMES["won"])
            texts, position = self._line(game, options)
            kind = _kind(position)
            if kind not in ("won", "drawn") or not _search_position(position, draw=kind == "drawn"):
                continue
            board = self._board(game, options, texts)
            row, _ = self.claim(board, draw=kind == "drawn")
            match = Match.objects.get(pk=board)
            try:
                checked = check(position_of(match), row.proof)
            except NotProvedError as fault:
                faults.append(f"board {board}: {fault}")
            else:
                if checked.scores != match.scores or match.ended_at is None:
                    faults.append(f"board {board}: {match.scores}")
                proven, moves = proven + 1, moves + checked.moves
                draws += kind == "drawn"
                lines += len(row.proof.splitlines())
            self._forget()
        figures = {"proven and confirmed": proven, "of these draws": draws}
        return figures | {"lines of proofs": lines, "moves played to confirm": moves}, faults

    def time(self, placed: dict[str, list[Placed]], count: int) -> tuple[dict[str, Any], list[str]]:
        """Time the processes of claims that are not proven, in turn for each kind."""
        seconds: dict[str, list[float]] = defaultdict(list)
        walls: dict[str, list[float]] = defaultdict(list)
        for number in range(count):
            for kind in KINDS:
                one = placed[kind][number % len(placed[kind])]
                seat = None if kind == "won" else one.position.seat
                before, began = _children(), time.monotonic()
                found = prove_in_child(one.position.game.info.name, one.position.write(), seat)
                if found:  # an open position may be won after all
                    continue
                seconds[kind].append(_children() - before)
                walls[kind].append(time.monotonic() - began)
        figures: dict[str, Any] = {"processes timed": sum(map(len, seconds.values()))}
        if not count:
            return figures, []
        for kind, found_seconds in seconds.items():
            figures[f"processor, {kind}"] = f"{fmean(found_seconds):.2f} s"
            figures[f"by the clock, {kind}"] = f"{fmean(walls[kind]):.2f} s"
        means = [fmean(found_seconds) for found_seconds in seconds.values()]
        spread = max(abs(one - fmean(means)) for one in means) / fmean(means)
        figures["furthest from the mean"] = f"{spread:.1%}"
        # Of fewer the other work of a machine decides.
        is_judged = count >= MIN_TIMED
        faults = [f"processor differs by {spread:.1%}"] if is_judged and spread > NEAR else []
        faults += [f"{one:.2f} s" for one in means if one < CLAIM_SECONDS]
        return figures, faults


def _kind(position: AnyPosition) -> str:
    """Return what a search knows of the seat to move."""
    from sarsen.search.thinking import prove
    from sarsen.search.thought import Budget

    found = prove(_kernel(position), position, Budget(KNOWN_NODES)).score
    return {1.0: "won", 0.5: "drawn", 0.0: "lost", None: "open"}[found]


def _kernel(position: AnyPosition) -> Any:
    import importlib

    name = own_module(position.game, "kernel")
    assert name is not None  # these games bring one
    return importlib.import_module(name)


def _search(game: str, position: str, seat: int | None) -> str:
    return prove_claim(load(game).read(position), seat, CLAIM_NODES)


def _search_position(position: AnyPosition, *, draw: bool) -> bool:
    return bool(prove_claim(position, None if draw else position.seat, CLAIM_NODES))


def _children() -> float:
    """Return the seconds of processor that processes have used which have ended."""
    return sum(os.times()[2:4])
