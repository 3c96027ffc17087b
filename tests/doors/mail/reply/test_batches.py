"""Many mails answered in one transaction: each as if it were alone, whatever happens to others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from doors.mail.conftest import SERVER, PostOffice, text_of
from sarsen.core.referee import judge
from sarsen.doors.mail import jobs
from sarsen.doors.mail.letters import boards as letters_boards
from sarsen.language.commands import Accept, MakeChallenge
from sarsen.services import board_cache, speakers
from sarsen.services.accounts import passwords
from sarsen.services.dispatch import perform
from sarsen.services.mail import incoming, outgoing, reply_addresses, settle
from sarsen.services.mail.incoming import Delivery
from sarsen.services.players import find_player
from sarsen.services.request import Actor
from sarsen.storage import transactions
from sarsen.storage.models import InboundMail, Match, MatchEvent, OutgoingMail

MAILS = 10
ANN = "ann@ann.example"


@dataclass
class Boards:
    """Some boards of ann and bob, and the addresses that speak for the side to move."""

    post: PostOffice
    signed: list[str]

    def bring(self, lines: list[str], to: list[str] | None = None) -> None:
        """Store one mail of ann's for each line, unanswered."""
        addresses = to or self.signed
        found = [
            Delivery(ANN, address, self.post.write(ANN, line, to=address).as_bytes())
            for line, address in zip(lines, addresses, strict=False)
        ]
        incoming.store(found, timezone.now())


@pytest.fixture
def boards(post: PostOffice, monkeypatch: pytest.MonkeyPatch) -> Boards:
    # One group whatever the machine does besides.
    for limit in ("READ_FOR", "HELD_FOR"):
        monkeypatch.setattr(jobs, limit, 1e9)
    for name in ("ann", "bob"):
        post.join(name, f"secret-{name}")
    ann, bob = find_player("ann"), find_player("bob")
    now = timezone.now()
    signed = []
    for _ in range(MAILS):
        challenge = MakeChallenge("druid", "-size=4", (), ("ann", "bob"))
        made: Any = perform(challenge, Actor(ann), "", now)
        begun: Any = perform(Accept(made.number), Actor(bob), "", now)
        address = reply_addresses.board_address(ann, begun.board, 1, event=0)
        assert address is not None
        signed.append(address)
    post.work()
    post.box(ANN)
    return Boards(post, signed)


def states() -> list[str]:
    newest = InboundMail.objects.order_by("-pk").values_list("state", flat=True)[:MAILS]
    return list(newest)[::-1]


def answers_and_news() -> tuple[int, int]:
    """Count the answers and board letters that tell of a first move."""
    queued = OutgoingMail.objects.values_list("kind", "player__userid", "facts")
    answers = [facts for kind, name, facts in queued if (kind, name) == ("answer", "ann")]
    news = [facts for kind, name, facts in queued if (kind, name) == ("board", "bob")]
    return (
        sum(one["answer"]["reply"]["kind"] == "Moved" for one in answers),
        sum(one["ply"] == 1 for one in news),
    )


@dataclass
class Breaking:
    """An answer that breaks at one board, so often as it is told to."""

    queue_for: Callable[..., None]
    board: int
    times: int
    done: int = 0

    def __call__(
        self, player: Any, kind: str, facts: dict[str, Any], *given: Any, **more: Any
    ) -> None:
        if facts.get("board") == self.board and self.done < self.times:
            self.done += 1
            raise ZeroDivisionError("a defect of ours")
        self.queue_for(player, kind, facts, *given, **more)


@pytest.fixture
def third(boards: Boards) -> int:
    return sorted(Match.objects.values_list("pk", flat=True))[2]


def play_ten(boards: Boards) -> None:
    boards.bring(["a1"] * MAILS)
    jobs.answer_mail.call()


def test_defect_in_the_third_of_ten_mails_leaves_the_other_nine_answered_once(
    boards: Boards, third: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "queue_for", Breaking(outgoing.queue_for, third, times=99))
    play_ten(boards)
    assert states() == ["answered"] * 2 + ["new"] + ["answered"] * 7
    assert MatchEvent.objects.count() == MAILS - 1
    assert not MatchEvent.objects.filter(match_id=third).exists()
    assert answers_and_news() == (MAILS - 1, MAILS - 1)
    # It was tried with the others, and once more alone; only that counts.
    assert InboundMail.objects.get(state="new").attempts == 1


def test_mail_that_fails_among_others_only_is_answered_alone_at_once(
    boards: Boards, third: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "queue_for", Breaking(outgoing.queue_for, third, times=1))
    play_ten(boards)
    assert states() == ["answered"] * MAILS
    assert MatchEvent.objects.count() == MAILS
    assert answers_and_news() == (MAILS, MAILS)
    assert not InboundMail.objects.filter(attempts__gt=0).exists()


def test_rules_that_break_at_one_move_hold_up_no_other_mail(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(position: Any, text: str) -> Any:
        if text == "b1":
            raise ZeroDivisionError("a defect of the rules")
        return judge(position, text)

    monkeypatch.setattr(board_cache, "judge", broken)
    board_cache.forget_rules()
    boards.bring(["a1", "a1", "b1", *["a1"] * 7])
    jobs.answer_mail.call()
    assert states() == ["answered"] * 2 + ["new"] + ["answered"] * 7
    assert MatchEvent.objects.count() == MAILS - 1
    assert InboundMail.objects.get(state="new").attempts == 1


def test_refused_mails_take_nothing_of_the_others_with_them(boards: Boards) -> None:
    boards.bring(["a1", "z99", "a1", "not a move at all"], boards.signed)
    jobs.answer_mail.call()
    assert states()[-4:] == ["answered"] * 4
    played = sorted(Match.objects.filter(ply=1).values_list("pk", flat=True))
    numbers = sorted(Match.objects.values_list("pk", flat=True))
    assert played == [numbers[0], numbers[2]]


class Killed(BaseException):
    """The process ends here."""


def test_kill_at_the_commit_leaves_all_ten_unanswered_and_the_repeat_answers_each_once(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle_now = settle._settle_now

    def die(*given: Any) -> settle.BatchResult:
        settle_now(*given)
        raise Killed

    boards.bring(["a1"] * MAILS)
    with monkeypatch.context() as patched:
        patched.setattr(settle, "_settle_now", die)
        with pytest.raises(Killed):
            jobs.answer_mail.call()
    assert states() == ["new"] * MAILS
    assert not MatchEvent.objects.exists()
    assert answers_and_news() == (0, 0)
    assert all(mail.raw for mail in InboundMail.objects.filter(state="new"))
    for _ in range(2):
        jobs.answer_mail.call()
    assert states() == ["answered"] * MAILS
    assert MatchEvent.objects.count() == MAILS
    assert answers_and_news() == (MAILS, MAILS)


def test_mails_to_one_board_are_answered_in_the_order_they_came(boards: Boards) -> None:
    board = min(Match.objects.values_list("pk", flat=True))
    to = [SERVER] * 4
    lines = [
        f"druid move {board} {name} secret-{name} {cell}"
        for name, cell in (("ann", "a1"), ("bob", "b2"), ("ann", "c3"), ("bob", "d4"))
    ]
    boards.bring(lines, to)
    jobs.answer_mail.call()
    texts = MatchEvent.objects.filter(match_id=board).order_by("number")
    assert [event.text for event in texts] == ["a1", "b2", "c3", "d4"]


def test_question_behind_a_move_is_answered_with_the_move(boards: Boards) -> None:
    boards.bring(["a1", "games ann next"], [boards.signed[0], SERVER])
    boards.post.work()
    rows = [line.split() for line in text_of(boards.post.last(ANN)).splitlines()]
    waiting = {int(row[0]) for row in rows if row and row[0].isdigit()}
    numbers = sorted(Match.objects.values_list("pk", flat=True))
    assert waiting == set(numbers[1:])


def test_mail_that_changes_an_account_is_done_before_the_next_one_is_read(boards: Boards) -> None:
    board = min(Match.objects.values_list("pk", flat=True))
    lines = [
        "change password ann secret-ann another-secret",
        f"druid move {board} ann another-secret a1",
    ]
    boards.bring(lines, [SERVER, SERVER])
    jobs.answer_mail.call()
    assert Match.objects.get(pk=board).ply == 1


@pytest.fixture
def unheld(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note what takes long, and refuse it inside of a transaction of a group."""
    outermost = len(connection.savepoint_ids)
    board_cache.forget_rules()
    seen: list[str] = []

    def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def look(*given: Any, **more: Any) -> Any:
            seen.append(name)
            assert len(connection.savepoint_ids) == outermost, f"{name} while the store is held"
            return work(*given, **more)

        return look

    for module, name in (
        (board_cache, "judge"),
        (passwords, "check_password"),
        (letters_boards, "png"),
    ):
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    return seen


def test_store_is_not_held_while_rules_passwords_and_pictures_take_their_time(
    boards: Boards, unheld: list[str]
) -> None:
    board = max(Match.objects.values_list("pk", flat=True))
    cells = ["a1", "b1", "c1", "d1", "a2", "d2", "a3", "d3", "a4"]
    lines = [*cells, f"druid move {board} ann secret-ann d4"]
    boards.bring(lines, [*boards.signed[:9], SERVER])
    boards.post.work()
    assert Match.objects.filter(ply=1).count() == MAILS
    assert unheld.count("judge") == MAILS
    assert "check_password" in unheld
    assert "png" in unheld


def test_mail_that_forgets_its_sender_behind_others_waits_before_all_of_them(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two transactions that hold a lock shared and want it alone wait for each other."""
    wait = transactions.await_turn
    taken: list[bool] = []

    def note(*names: str, is_shared: bool = False) -> None:
        if transactions.EVERYBODY in names:
            taken.append(is_shared)
        wait(*names, is_shared=is_shared)

    for module in (transactions, speakers):
        monkeypatch.setattr(module, "await_turn", note)
    boards.bring(["a1", "signoff ann secret-ann forget"], [boards.signed[0], SERVER])
    boards.post.work()
    assert "confirm forget" in text_of(boards.post.last(ANN))
    # The first that waits alone does so before anything of its transaction is shared.
    assert taken[0] is False
