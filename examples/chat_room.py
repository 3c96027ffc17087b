"""Post what happens at your boards to a chat room: a webhook of sarsen in, one of the room out.

    SARSEN_WEBHOOK_KEY=… CHAT_ROOM_URL=https://chat.example/hooks/… python chat_room.py

Give the server the address at which this program is reached, over https: the command
`notices webhook https://bots.example.org/sarsen` answers with the key. Slack, Mattermost and
Rocket.Chat take a sentence as `text`; for Discord set CHAT_ROOM_FIELD=content. It needs Python
and nothing else; copy it and change `SENTENCES`.
"""

from __future__ import annotations

import hmac
import json
import os
import time
import urllib.request
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer

# Only what all may read: invitations, messages and chat are between players.
SENTENCES = {
    "started": "Board {board} begins: {url}",
    "turn": "{player} is to move at board {board}: {url}",
    "ended": "Board {board} is over: {url}",
}
MAX_BYTES = 64_000  # of a call
FRESH = 600  # seconds that a call may have been on its way
MAX_KNOWN = 1000  # calls remembered, so that none is posted twice


@dataclass
class Room:
    """The chat room, and what it has been told."""

    url: str
    key: str
    word: str = "text"
    told: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_KNOWN))

    def take(self, headers: dict[str, str], body: bytes, now: float) -> int:
        """Take a call; give the status to answer with. Anything but 2xx is tried again later."""
        if not self.is_signed(headers, body, now):
            return 401
        delivery = headers.get("x-sarsen-delivery", "")
        sentence = sentence_of(json.loads(body))
        if sentence and delivery not in self.told:
            try:
                self.say(sentence)
            except OSError as away:
                print(f"the room does not answer: {away}", flush=True)
                return 502
            self.told.append(delivery)
        return 204

    def is_signed(self, headers: dict[str, str], body: bytes, now: float) -> bool:
        """Return whether the server sent this, and lately."""
        timestamp = headers.get("x-sarsen-timestamp", "")
        signed = hmac.digest(self.key.encode(), timestamp.encode() + b"." + body, sha256)
        claimed = headers.get("x-sarsen-signature", "").encode()
        is_right = hmac.compare_digest(claimed, b"sha256=" + signed.hex().encode())
        return is_right and abs(now - int(timestamp)) <= FRESH

    def say(self, sentence: str) -> None:
        """Post a sentence; an answer that is no 2xx raises OSError."""
        body = json.dumps({self.word: sentence}).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "sarsen-chat-room"}
        call = urllib.request.Request(self.url, body, headers)  # noqa: S310 (the room is yours)
        with urllib.request.urlopen(call, timeout=10):  # noqa: S310
            pass


def sentence_of(facts: dict[str, object]) -> str:
    """Word what happened; nothing for what is not for a room."""
    sentence = SENTENCES.get(str(facts.get("event")), "")
    return sentence.format_map(facts) if sentence and "board" in facts else ""


def server(room: Room, port: int) -> HTTPServer:
    """Make the web server that sarsen calls. One call at a time keeps what it says in order."""

    class Hook(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or int(length) > MAX_BYTES:
                self.answer(413)
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.answer(room.take(headers, self.rfile.read(int(length)), time.time()))

        def answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return HTTPServer(("127.0.0.1", port), Hook)


if __name__ == "__main__":
    chat = Room(
        os.environ["CHAT_ROOM_URL"],
        os.environ["SARSEN_WEBHOOK_KEY"],
        os.environ.get("CHAT_ROOM_FIELD", "text"),
    )
    with server(chat, int(os.environ.get("PORT", "8090"))) as web:
        print(f"listening on port {web.server_port}", flush=True)
        web.serve_forever()
