"""What a deed looks like at each door: a mail, a page's form, a call, a typed line."""

from __future__ import annotations

import re

from faults.one_effect import deeds
from faults.one_effect.book import position_of
from faults.one_effect.deeds import Deed, Parcel
from faults.one_effect.relay import Letter
from faults.one_effect.server import Server
from faults.one_effect.snapshot import Snapshot
from visitor import Visitor

BOARD = re.compile(r"board-(\d+)-(\d+)-(\d+)-(\d+)-(\d+)-[a-z2-7]{20}@.*")
_BUTTONS = {
    "move": "Play",
    "draw": "Draw",
    "undo": "Take back",
    "resign": "Resign",
    "chat": "Send",
    "yes": "Agree",
    "no": "Decline",
}
_VERBS = {"yes": "confirm", "no": "reject"}
_WITH_TEXT = ("move", "submit", "chat", "queue")
_GUARDED = ("move", "submit")


class Hands:
    """What players write, given what they see."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def text(self, seen: Snapshot, number: int, what: str, pick: int) -> str:
        """Return the words of a deed: a move that is mostly legal, or words said once only."""
        if what == "chat":
            return f"words {next(self.server.numbers)}"
        position = position_of(seen.boards[number])
        if position.outcome() is not None or pick % 10 == 7:
            return "a1"
        moves = position.legal_moves()
        move = moves[pick % len(moves)]
        then = position.play(move) if what == "queue" else None
        if then is not None and then.outcome() is None:
            answers = then.legal_moves()
            answer = then.format(answers[pick % len(answers)])
            return f"if {position.format(move)} then {answer}"
        return position.format(move)

    def deed(
        self,
        what: str,
        by: str,
        board: int,
        text: str,
        ply: int | None = None,
        event: int | None = None,
    ) -> Deed:
        """Write a deed at a board, as a line too."""
        guard = "" if ply is None else f"#{ply}" if event is None else f"#{ply}.{event}"
        at = f"{board}{guard if what in _GUARDED else ''}"
        text = text if what in _WITH_TEXT else ""
        line = f"{_VERBS.get(what, what)} {at} {text}".strip()
        return Deed(what, by, board, text, ply, event, line=line)

    def at_board(
        self, seen: Snapshot, door: str, what: str, by: str, number: int, pick: int, n: int
    ) -> Parcel | None:
        """Write a deed at a door, meant for the position as it stands, or for the one before."""
        if door == "mail":
            return self.mail(seen, by, what, number, pick, n)
        board = seen.boards[number]
        ply, event = board.cached[1] + 1 - (n % 7 == 0), board.cached[0]
        guard = ((None, None), (ply, None), (ply, event))[n % 3]
        deed = self.deed(what, by, number, self.text(seen, number, what, pick), *guard)
        return self.page(seen, deed) if door == "web" else self.said(door, deed, n)

    def said(self, door: str, deed: Deed, n: int) -> Parcel:
        """Type a line, or call the API; mostly with a key."""
        if door == "do":
            return deeds.typed(deed)
        key = f"key{next(self.server.numbers)}" if n % 5 else ""
        if deed.what != "move":
            return deeds.call(deed, "line", {"line": deed.line}, key)
        asked = {"board": deed.board, "text": deed.text, "ply": deed.ply, "event": deed.event}
        given = {name: value for name, value in asked.items() if value is not None}
        return deeds.call(deed, "commands/move", given, key)

    def page(self, seen: Snapshot, deed: Deed) -> Parcel:
        """Open a page, and fill in its form; where it has none for this, the command box."""
        visitor = self.server.visitors[deed.by]
        button = _BUTTONS.get(deed.what, "")
        with self.server.clock():
            if deed.board and button:
                visitor.go(f"/boards/{deed.board}/")
            if not (deed.board and button and _has(visitor, button)):
                visitor.go("/do/")
                form, _ = visitor._form_of("Run")
                filled = visitor._fields(form, {"line": deed.line, "body": ""})
                return deeds.form(deed, "/do/", filled)
        form, pressed = visitor._form_of(button)
        typed = {"move": {"move": deed.text}, "chat": {"say": deed.text}}.get(deed.what, {})
        fields = visitor._fields(form, typed)
        if pressed.get("name"):
            fields.append((pressed.get("name"), pressed.get("value", "")))
        if deed.what == "move":
            board = seen.boards[deed.board]
            shown = (board.cached[1] + 1, board.cached[0])
            deed = self.deed("move", deed.by, deed.board, deed.text, *shown)
        return deeds.form(deed, form.get("action") or visitor.path, fields)

    def mail(
        self, seen: Snapshot, by: str, what: str, board: int, pick: int, n: int
    ) -> Parcel | None:
        """Answer the newest letter of a board, or an old one; None where there is none."""
        box = self.server.relay.box(f"{by}@{by}.example")
        box = [one for one in box if one.reply_to.startswith(f"board-{board}-")]
        if not box:
            return None
        letter: Letter = box[n % len(box) if n % 4 == 0 else 0]
        found = BOARD.fullmatch(letter.reply_to)
        assert found is not None
        number, _, ply, event, _ = map(int, found.groups())
        text = self.text(seen, number, what, pick)
        body = text if what == "move" else f"{what} {text}" if what in _WITH_TEXT else what
        if what == "move" and pick % 5 == 1:
            body = f"{text}#{ply}"
        deed = self.deed(what, by, number, text, ply, event)
        mail_id = f"mail{next(self.server.numbers)}@{by}.example"
        return deeds.mail(deed, f"{by}@{by}.example", letter.reply_to, body, mail_id)

    def again(self, old: Parcel, how: str) -> Parcel | None:
        """Write the same under a new name, or something else under the same; None: it cannot be.

        Args:
            how: `new id`, `other text`, or `bounce`.
        """
        number = next(self.server.numbers)
        words = f"other words {number}"
        other = self.deed("chat", old.deed.by, old.deed.board or 1, words)
        if old.door == "mail":
            return self._mail_again(old, other, how, number)
        if old.door == "api" and how == "other text":
            return deeds.call(other, "line", {"line": other.line}, old.facts["key"])
        if old.door == "api":
            return deeds.call(old.deed, old.facts["path"], old.facts["asked"], f"key{number}")
        if old.door == "web" and old.deed.what == "chat":
            # Back to the old page: its form once more, with other words.
            fields = [
                (name, words if (name, value) == ("body", old.deed.text) else value)
                for name, value in old.facts["fields"]
            ]
            is_form = fields != old.facts["fields"]
            return deeds.form(other, old.facts["path"], fields) if is_form else None
        return None

    def _mail_again(self, old: Parcel, other: Deed, how: str, number: int) -> Parcel | None:
        sender, to = str(old.facts["sender"]), str(old.facts["to"])
        if how == "other text":
            name = old.identity.split()[0]
            return deeds.mail(other, sender, to, f"chat {other.text}", name)
        name, is_bounce = f"copy{number}@x.example", how == "bounce"
        return deeds.mail(old.deed, sender, to, old.content, name, is_bounce=is_bounce)


def _has(visitor: Visitor, button: str) -> bool:
    try:
        visitor._form_of(button)
    except AssertionError:
        return False
    return True
