"""The state machine: doors, repeats, crashes and clocks in any order, against the book."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from faults.one_effect import snapshot
from faults.one_effect.arrived import check_all_is_sent, check_answers, check_letters
from faults.one_effect.book import DONE, REFUSED, UNKNOWN, Audit, Told, check_whole, ruled
from faults.one_effect.deeds import Deed, Parcel
from faults.one_effect.killing import NEVER, Life, Moment, living_until
from faults.one_effect.relay import Relay
from faults.one_effect.saying import Hands
from faults.one_effect.server import BEGAN, GAMES, PLAYERS, Server
from sarsen.storage.models import InboundMail

DEEDS = ("move", "submit", "draw", "undo", "resign", "yes", "yes", "no", "chat", "chat", "queue")
TERMS = ("--forfeittime=2", "--totaltime=2")

# What was done in all examples of this process, for the report.
FIGURES: Counter[str] = Counter()

users = st.sampled_from(PLAYERS)
doors = st.sampled_from(["mail", "web", "api", "do"])
ways = st.sampled_from(["", "answered", "answered", "twice", "late"])
picks = st.integers(0, 9999)
kills = st.one_of(
    st.just(NEVER),
    st.builds(Moment, st.integers(1, 30), st.just("statement")),
    st.builds(Moment, st.integers(1, 2), st.just("commit")),
    st.builds(Moment, st.integers(1, 2), st.just("committed")),
)


class OneEffect(RuleBasedStateMachine):
    """Whatever comes twice, late, or in two doors at once has one effect."""

    relay: Relay  # set by the test, which puts it in place of the network

    def __init__(self) -> None:
        super().__init__()
        FIGURES["examples"] += 1
        self.relay.__init__()  # type: ignore[misc]
        self.server = Server(self.relay)
        self.hands = Hands(self.server)
        self.parcels: list[Parcel] = []
        self.stored: dict[str, set[str]] = {}
        self.rows: dict[int, Parcel] = {}
        self.came: dict[int, datetime] = {}
        self.done: dict[str, tuple[str, object]] = {}
        self.forgotten: set[str] = set()
        self.checked = self.seen = snapshot.take()

    @initialize(games=st.lists(st.sampled_from(sorted(GAMES)), min_size=2, max_size=2))
    def begin(self, games: list[str]) -> None:
        """Two boards: one of ann and bob, one of bob and cy."""
        pairs = (("ann", "bob"), ("bob", "cy"))
        with self.server.clock():
            for game, pair, terms in zip(games, pairs, TERMS, strict=True):
                self.server.begin(game, (terms,), *pair)
            self.server.look_after_clocks()
            self.server.send_mail()
        self.seen = snapshot.take()

    # What players do: a parcel is made, and is on its way.

    @rule(door=doors, pick=picks, n=picks, moment=kills, goes=ways)
    def move(self, door: str, pick: int, n: int, moment: Moment, goes: str) -> None:
        """The player to move at a board moves."""
        boards = [one for one in self.seen.boards.values() if not one.cached[4]]
        if not boards:
            return
        board = boards[n % len(boards)]
        mover = board.players[board.cached[3]]
        self._do(door, mover, "move", board.number, pick, n, moment, goes)

    @rule(door=doors, pick=picks, n=picks, moment=kills, goes=ways)
    def move_on(self, door: str, pick: int, n: int, moment: Moment, goes: str) -> None:
        """The same; most of what happens on a server is moves."""
        self.move(door, pick, n, moment, goes)

    @rule(
        door=doors,
        by=users,
        what=st.sampled_from(DEEDS),
        pick=picks,
        n=picks,
        moment=kills,
        goes=ways,
    )
    def do_something(
        self, door: str, by: str, what: str, pick: int, n: int, moment: Moment, goes: str
    ) -> None:
        """Somebody means to do something at a board, in turn or not."""
        boards = [one for one in self.seen.boards if by in self.seen.boards[one].players]
        if n % 20 == 0 or not boards:
            boards = list(self.seen.boards)
        self._do(door, by, what, boards[n % len(boards)], pick, n, moment, goes)

    @rule(by=users, other=users, pick=picks, door=st.sampled_from(["do", "api", "web"]))
    def challenge(self, by: str, other: str, pick: int, door: str) -> None:
        """Somebody challenges somebody, or answers a challenge."""
        open_ones = [pk for pk, how in self.seen.challenges.items() if "'open'" in how]
        if open_ones and pick % 3:
            what = "accept" if pick % 3 == 1 else "decline"
            number = open_ones[pick % len(open_ones)]
            deed = Deed(what, by, number=number, line=f"{what} {number}")
        elif by in self.forgotten:
            return
        elif other != by and len(self.seen.challenges) < 4:
            game = sorted(GAMES)[pick % len(GAMES)]
            line = f"{game} challenge {GAMES[game]} {by} {other}"
            deed = Deed("challenge", by, line=" ".join(line.split()))
        else:
            days = [(self.server.now + timedelta(days=one)).date() for one in (1, 2)]
            deed = Deed("vacation", by, line=f"vacation {days[0]} {days[1]}")
        hands = self.hands
        is_page = door == "web"
        self._send(hands.page(self.seen, deed) if is_page else hands.said(door, deed, pick))

    @precondition(lambda self: not self.forgotten)
    @rule(by=st.sampled_from(["ann", "cy"]), n=picks, moment=kills)
    def forget(self, by: str, n: int, moment: Moment) -> None:
        """A player asks to be forgotten: rarely, since their boards end."""
        if n % 4:
            return
        life = self._run(lambda: self.server.forget(by), moment)
        after = snapshot.take()
        if by not in after.players:
            FIGURES["players forgotten"] += 1
            self.forgotten.add(by)
        assert life.is_over or self.forgotten
        self._explain(after, [Told(Deed("forget", by), DONE if self.forgotten else UNKNOWN)])

    @precondition(lambda self: self.parcels)
    @rule(n=picks, how=st.sampled_from(["new id", "other text", "bounce"]), moment=kills, goes=ways)
    def copy(self, n: int, how: str, moment: Moment, goes: str) -> None:
        """The same text under a new name, or another text under the same name."""
        new = self.hands.again(self.parcels[n % len(self.parcels)], how)
        if new is None:
            return
        FIGURES[f"copies: {how}"] += 1
        self._send(new, moment, goes)

    # What the world does with it.

    @precondition(lambda self: self.parcels)
    @rule(n=picks, moment=kills)
    def deliver_any(self, n: int, moment: Moment) -> None:
        """Any of them arrives, again perhaps, or very late."""
        self._deliver(self.parcels[n % len(self.parcels)], moment)

    @rule(moment=kills, two=st.booleans())
    def answer_mail(self, moment: Moment, two: bool) -> None:
        """A worker, or two of them, answer the mail that waits."""
        waiting = [pk for pk, (state, _) in self.seen.mails.items() if state == "new"]
        work = self.server.answer_with_two_workers if two else self.server.answer_mail
        self._run(work, moment)
        after = snapshot.take()
        told = []
        for pk in waiting:
            state, note = after.mails[pk]
            assert state != "failed", f"{self.rows[pk]} was set aside"
            if state == "answered":
                is_refused = note or self.rows[pk].deed.by in self.forgotten
                verdict = REFUSED if is_refused else DONE
                told.append(Told(self.rows[pk].deed, verdict, "mail", note))
        assert not InboundMail.objects.filter(attempts__gt=0).exists(), "an answer was a defect"
        self._explain(after, told)

    @rule(
        moment=kills,
        away=st.sampled_from([False, False, False, True]),
        dies=st.sampled_from([0, 0, 1, 2]),
    )
    def send_mail(self, moment: Moment, away: bool, dies: int) -> None:
        """Letters are sent; the relay may be away, or the sender die after some of them."""
        self.relay.is_away, self.relay.dies_after = away, dies
        self._run(self.server.send_mail, moment)
        self.relay.is_away, self.relay.dies_after = False, 0
        self._explain(snapshot.take(), [])

    @rule(moment=kills)
    def look_after_clocks(self, moment: Moment) -> None:
        """The clocks are looked after."""
        deadlines = self.server.deadlines()
        waiting = [
            self.rows[pk].deed
            for pk, (state, _) in self.seen.mails.items()
            if state == "new"
            and self.came[pk] <= deadlines.get(self.rows[pk].deed.board or 0, BEGAN)
        ]
        self._run(self.server.look_after_clocks, moment)
        after = snapshot.take()
        for number, board in self.seen.boards.items():
            new = after.boards[number].events[len(board.events) :]
            heard = [deed for deed in waiting if deed.board == number and ruled(board, deed)]
            if new and new[0].kind == "forfeit":
                FIGURES["games lost on time"] += 1
                assert not heard, f"board {number} is lost on time, and {heard[0]} had come before"
        self._explain(after, [Told(Deed("clocks", ""), DONE)])

    @rule(
        hours=st.sampled_from([20, 20, 20, 1, 30, -1, -24]),
        seconds=st.sampled_from([-1, 0, 1]),
        is_awake=st.booleans(),
    )
    def time_passes(self, hours: int, seconds: int, is_awake: bool) -> None:
        """The machine's clock goes on, or is set back; a near deadline comes to the second."""
        due = self.server.next_deadline()
        FIGURES["clock steps back"] += hours < 0
        if hours == 1 and due and abs(due - self.server.now) < timedelta(hours=23):
            self.server.pass_time(due + timedelta(seconds=seconds) - self.server.now)
        else:
            self.server.pass_time(timedelta(hours=hours))
        if is_awake:
            self.look_after_clocks(NEVER)

    @invariant()
    def book_is_true(self) -> None:
        """All that must be true at any moment."""
        if self.checked is not self.seen:
            check_whole(self.seen)
            self.checked = self.seen

    def teardown(self) -> None:
        """In the end all that was acknowledged is answered, and every letter has arrived."""
        if sys.exc_info()[1] is not None:
            return  # something is wrong already, and that is what has to be told
        try:
            self._drain()
        finally:
            FIGURES["moves"] += sum(len(one.events) for one in self.seen.boards.values())

    def _drain(self) -> None:
        # The machine's clock is right again, whatever it said in between.
        self.server.now = max(self.server.now, self.server.latest)
        for _ in range(3):
            self.server.pass_time(timedelta(minutes=2))
            self.answer_mail(NEVER, False)
            self.send_mail(NEVER, False, 0)
        check_whole(self.seen)
        check_all_is_sent(self.seen, self.relay)
        mails = {pk: one for pk, one in self.rows.items() if one.deed.by not in self.forgotten}
        check_answers(self.seen, {pk: one.facts["id"] for pk, one in mails.items()})
        check_letters(self.seen, self.relay)
        FIGURES["letters sent twice"] += sum(count > 1 for count in self.relay.taken.values())

    # How it is done.

    def _do(
        self,
        door: str,
        by: str,
        what: str,
        board: int,
        pick: int,
        n: int,
        moment: Moment,
        goes: str,
    ) -> None:
        unread = [one for one in self.seen.letters if (one.player, one.state) == (by, "waiting")]
        if door == "mail" and unread:
            self.send_mail(NEVER, False, 0)
        if by in self.forgotten and door != "do":
            return  # no page and no letter is theirs any more; what they sent before may come yet
        parcel = self.hands.at_board(self.seen, door, what, by, board, pick, n)
        if parcel is not None:
            self._send(parcel, moment, goes)

    def _send(self, parcel: Parcel, moment: Moment = NEVER, goes: str = "") -> None:
        """Send something: it arrives now, twice, or whenever it is delivered."""
        self.parcels.append(parcel)
        if goes == "late":
            return
        is_mail = parcel.door == "mail"
        self._deliver(parcel, NEVER if is_mail and goes == "answered" else moment)
        if goes == "twice":
            self._deliver(parcel, NEVER)
        if is_mail and goes == "answered":
            self.answer_mail(moment, False)

    def _run(self, work: Any, moment: Moment) -> Life:
        with self.server.clock(), living_until(moment) as life:
            work()
        FIGURES["steps that ran"] += 1
        if life.is_over:
            FIGURES["crashes"] += 1
            FIGURES[f"crashes at {moment.at}"] += 1
        return life

    def _explain(self, after: snapshot.Snapshot, told: list[Told]) -> None:
        Audit(self.seen, after, self.server.now).explain(told)
        self.seen = after

    def _deliver(self, parcel: Parcel, moment: Moment) -> None:
        FIGURES["deliveries"] += 1
        FIGURES[f"deliveries: {parcel.door}"] += 1
        FIGURES["repeats"] += parcel.deliveries > 0
        parcel.deliveries += 1
        if parcel.door == "mail":
            self._deliver_mail(parcel, moment)
        else:
            self._deliver_request(parcel, moment)

    def _deliver_mail(self, parcel: Parcel, moment: Moment) -> None:
        life = self._run(lambda: self.server.store(parcel), moment)
        after = snapshot.take()
        new = sorted(set(after.mails) - set(self.seen.mails))
        known = self.stored.setdefault(parcel.identity, set())
        if parcel.content in known:
            assert not new, f"{parcel} came again, and was stored again"
        else:
            assert len(new) == 1 or (life.is_over and not new), f"{parcel} is lost"
        for pk in new:
            known.add(parcel.content)
            self.rows[pk] = parcel
            self.came[pk] = self.server.now
        assert after.letters == self.seen.letters
        self._explain(after, [])

    def _deliver_request(self, parcel: Parcel, moment: Moment) -> None:
        send = {"web": self.server.post, "api": self.server.call, "do": self.server.type}[
            parcel.door
        ]
        answers: list[tuple[int, str, str]] = []
        self._run(lambda: answers.append(send(parcel)), moment)
        after = snapshot.take()
        answer = answers[0] if answers else None
        assert answer is None or answer[0] < 500, f"{parcel}: status {answer[0]}"
        if parcel.deed.by in self.forgotten:
            assert after.effects() == self.seen.effects(), f"{parcel} of nobody has an effect"
            assert after.letters == self.seen.letters, f"{parcel} of nobody has letters"
        elif parcel.identity in self.done:
            self._check_repeat(parcel, answer, after)
        else:
            is_changed = after.effects() != self.seen.effects()
            verdict = UNKNOWN if answer is None else REFUSED if answer[0] >= 400 else DONE
            code = answer[2] if answer else ""
            if verdict == DONE or (verdict == UNKNOWN and is_changed):
                FIGURES["deeds done"] += 1
                FIGURES["done, and not acknowledged"] += verdict == UNKNOWN
                if parcel.identity:
                    self.done[parcel.identity] = (parcel.content, answer)
            if verdict == REFUSED:
                assert not is_changed, f"{parcel} was refused, and changed something"
                assert after.letters == self.seen.letters
            self._explain(after, [Told(parcel.deed, verdict, parcel.door, code)])
        self.seen = after

    def _check_repeat(
        self, parcel: Parcel, answer: tuple[int, str, str] | None, after: snapshot.Snapshot
    ) -> None:
        content, first = self.done[parcel.identity]
        assert after.effects() == self.seen.effects(), f"{parcel} came again, with an effect"
        assert after.letters == self.seen.letters, f"{parcel} came again, with letters"
        if answer is None:
            return
        if content != parcel.content:
            assert (answer[0], answer[2]) == (422, "request-reused"), f"{parcel}: {answer}"
            return
        assert answer[0] < 400, f"{parcel} was done, and is refused when it comes again: {answer}"
        assert first is None or answer == first, f"{parcel}: {answer}, and not {first} as before"
        self.done[parcel.identity] = (content, answer)
