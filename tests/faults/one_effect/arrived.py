"""What must be true of mail in the end: each answered once, each letter at its own address."""

from __future__ import annotations

from collections import Counter

from faults.one_effect.relay import Relay
from faults.one_effect.server import PLAYERS
from faults.one_effect.snapshot import Snapshot


def check_all_is_sent(seen: Snapshot, relay: Relay) -> None:
    """Nothing waits any more, and what is marked sent has arrived."""
    states = Counter(state for state, _ in seen.mails.values())
    assert set(states) <= {"answered", "ignored"}, f"mails: {dict(states)}"
    waiting = [one for one in seen.letters if one.state != "sent"]
    assert not waiting, f"letters that wait: {waiting}"
    assert {one.number for one in seen.letters} <= set(relay.taken), "marked sent, and not taken"


def check_answers(seen: Snapshot, ids: dict[int, str]) -> None:
    """Each mail that was acknowledged has one answer.

    Args:
        ids: The Message-ID of each stored mail, but for those of forgotten players.
    """
    answered = (pk for pk, (state, _) in seen.mails.items() if state == "answered" and pk in ids)
    wanted = Counter(ids[pk] for pk in answered)
    known = set(ids.values())
    answers = (one for one in seen.letters if one.kind == "answer" and one.in_reply_to in known)
    found = Counter(one.in_reply_to for one in answers)
    assert found == wanted, f"answers: {found}, and not {wanted}"


def check_letters(seen: Snapshot, relay: Relay) -> None:
    """What arrived is what was written, at its address, under one id, and names no other's."""
    rows = {one.number: one for one in seen.letters}
    is_anyone_forgotten = not seen.players.issuperset(PLAYERS)
    ids: dict[int, set[str]] = {}
    for letter in relay.letters:
        if is_anyone_forgotten and letter.number not in rows:
            continue  # it was theirs, and was sent before
        assert rows[letter.number].address == letter.address, f"{letter.subject} went astray"
        ids.setdefault(letter.number, set()).add(letter.message_id)
        for other in PLAYERS:
            address = f"{other}@{other}.example"
            assert address == letter.address or address.encode() not in letter.raw, (
                f"{letter.subject} names {address}"
            )
    assert all(len(one) == 1 for one in ids.values()), "a letter came under two ids"
