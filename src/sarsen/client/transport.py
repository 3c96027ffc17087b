"""Requests over one kept connection; what was refused comes as `Refused`."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.schema import json_form

Facts = TypeVar("Facts")
PATIENCE = 60.0  # seconds without a byte; a held stream says something more often
MAX_READ = 64_000_000  # bytes of one answer; a server that is none must not fill the memory
PORTS = {"http": 80, "https": 443}
# Answers to the first one have boards as text, an eighth of what a move costs.
USER_AGENT = "sarsen-client/2"
_FAILED = (http.client.HTTPException, OSError)


class Refused(UserError):
    """The server refused a request, in the words of every door.

    Attributes:
        status: The HTTP status.
        wait: Seconds after which the same may be tried again; None when it says nothing.
        language: The code of the language of its words; "" when it says nothing.
    """

    def __init__(
        self,
        text: str,
        *,
        code: str,
        hint: str,
        status: int,
        wait: int | None,
        language: str = "",
    ) -> None:
        super().__init__(text, code=code, hint=hint)
        self.status = status
        self.wait = wait
        self.language = language


class Unreachable(UserError):
    """The server cannot be reached, or something else answers.

    Attributes:
        is_passing: Whether it may come back: the connection broke, or a proxy answers for it.
    """

    is_passing: bool = False


def is_passing(failed: UserError) -> bool:
    """Return whether the same request may succeed soon: the server or its database is away."""
    if isinstance(failed, Refused):
        return failed.status >= http.client.INTERNAL_SERVER_ERROR
    return isinstance(failed, Unreachable) and failed.is_passing


@dataclass
class Transport:
    """Talk to one server.

    Attributes:
        url: Where people find its pages: `https://play.example.org`.
        language: The code of the language of the last answer; "" when it says nothing.
    """

    url: str
    token: str = field(default="", repr=False)
    patience: float = PATIENCE
    language: str = ""
    _kept: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, content: object = None, key: str = "") -> Any:
        """Send a request and give the JSON, or the text, that answers it.

        Args:
            key: Makes it safe to send the same again when no answer came.

        Raises:
            Refused: By the server, in words.
            Unreachable: There is no server.
        """
        body = None if content is None else json.dumps(content).encode()
        headers = {"Idempotency-Key": key} if key else {}
        may_repeat = bool(key) or method == "GET"
        try:
            return self._read(self._send(method, path, body, headers))
        except _FAILED as failed:
            # A kept connection may have been closed at the other end meanwhile.
            self.close()
            if not may_repeat:
                raise self._away(failed) from None
        try:
            return self._read(self._send(method, path, body, headers))
        except _FAILED as failed:
            self.close()
            raise self._away(failed) from None

    def read(self, kind: type[Facts], answer: Any) -> Facts:
        """Read an answer as facts.

        Raises:
            Unreachable: It is something else.
        """
        try:
            return json_form.read(kind, answer)
        except ValueError as wrong:
            raise self.unreachable(wrong) from None

    def lines(self, path: str, accept: str) -> Iterator[str]:
        """Yield the lines of a stream until it ends, over a connection of its own.

        Raises:
            Refused: By the server, in words.
            OSError, HTTPException: It broke off.
        """
        connection = self._connect()
        try:
            connection.request("GET", self._path(path), headers=self._headers({"Accept": accept}))
            response = connection.getresponse()
            if response.status >= http.client.BAD_REQUEST:
                self._read(response)
            for line in response:
                yield cleaned(line.decode(errors="replace").rstrip("\r\n"))
        finally:
            connection.close()

    def close(self) -> None:
        """Close the kept connection; the next request opens another."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def unreachable(self, why: object) -> Unreachable:
        """Return the refusal of a server that is none, or away."""
        return Unreachable(
            "The server at {url} cannot be used: {why}.",
            url=self.url,
            why=_words(why),
            code="server-away",
            hint="Try again later, or check the address.",
        )

    def _away(self, failed: Exception) -> Unreachable:
        away = self.unreachable(failed)
        away.is_passing = True
        return away

    def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        if self._kept is None:
            self._kept = self._connect()
        if body is not None:
            headers = {"Content-Type": "application/json", **headers}
        self._kept.request(method, self._path(path), body, self._headers(headers))
        return self._kept.getresponse()

    def _connect(self) -> http.client.HTTPConnection:
        parts, port = urlsplit(self.url), 0
        with contextlib.suppress(ValueError):
            port = parts.port or PORTS.get(parts.scheme, 0)
        if not port or not parts.hostname:
            raise Unreachable(
                "{typed} is not a valid server address.",
                typed=quoted(self.url, 100),
                code="server-address",
                hint="https://play.example.org",
            )
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        return kind(parts.hostname, port, timeout=self.patience)

    def _path(self, path: str) -> str:
        return f"{urlsplit(self.url).path.rstrip('/')}/api/v1/{path}"

    def _headers(self, extra: Mapping[str, str]) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": USER_AGENT, **extra}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def _read(self, response: http.client.HTTPResponse) -> Any:
        body = response.read(MAX_READ)
        missing = int(response.headers.get("Content-Length") or 0) - len(body)
        if missing > 0 and len(body) < MAX_READ:  # `read` with a limit does not tell
            raise http.client.IncompleteRead(body, missing)
        kind = response.headers.get_content_type()
        self.language = cleaned(response.headers.get("Content-Language", ""))
        if response.status >= http.client.BAD_REQUEST:
            raise self._refused(response, kind, body)
        if response.status >= http.client.MULTIPLE_CHOICES:
            # A token is shown to nobody else than the server it is for.
            elsewhere = response.headers.get("Location", "nowhere")
            raise self.unreachable(
                Phrase("it redirects to {address}", address=quoted(elsewhere, 200))
            )
        text = body.decode(errors="replace")
        if kind != "application/json":
            return cleaned(text)
        try:
            return read_json(text)
        except (ValueError, RecursionError):
            raise self.unreachable(Phrase("its response is incomplete")) from None

    def _refused(self, response: http.client.HTTPResponse, kind: str, body: bytes) -> UserError:
        if kind != "application/problem+json":
            other = self.unreachable(
                Phrase("it responds with status {status}", status=response.status)
            )
            other.is_passing = response.status >= http.client.INTERNAL_SERVER_ERROR
            return other
        try:
            problem = read_json(body.decode(errors="replace"))
            text, code, hint = str(problem["detail"]), str(problem["code"]), str(problem["hint"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return self.unreachable(
                Phrase(
                    "it responds with status {status} and an invalid body", status=response.status
                )
            )
        wait = response.headers.get("Retry-After", "")
        return Refused(
            text,
            code=code,
            hint=hint,
            status=response.status,
            wait=int(wait) if wait.isdecimal() else None,
            language=self.language,
        )


def cleaned(text: str) -> str:
    """Return a text of a server without characters that command a terminal or turn its lines.

    Lines and tabs stay. All that a server says passes here once, before anything shows it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(one for one in text if one in "\n\t" or not _COMMANDS.match(one))


# Control characters, half characters, and marks that change the direction of a line or end it.
_COMMANDS = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


def read_json(text: str) -> Any:
    """Read JSON of a server; texts are cleaned behind their escapes, names among them.

    Raises:
        ValueError, RecursionError: It is none, or nested too deeply.
    """
    return _cleaned_value(json.loads(text))


def _cleaned_value(value: Any) -> Any:
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, list):
        return [_cleaned_value(item) for item in value]
    if isinstance(value, dict):
        return {cleaned(name): _cleaned_value(item) for name, item in value.items()}
    return value


def _words(failure: object) -> str:
    """Return a network failure in words, without the error numbers of an operating system."""
    if isinstance(failure, Phrase):
        return failure
    if isinstance(failure, TimeoutError):
        return Phrase("it does not respond")
    message = failure.strerror if isinstance(failure, OSError) and failure.strerror else failure
    # A failure may quote what the server said in place of HTTP.
    return cleaned(str(message)).strip().rstrip(".") or Phrase("it closed the connection")


@dataclass(frozen=True)
class ServerReply:
    """The answer of a server.

    Attributes:
        text: In words, with the boards it shows.
        facts: The reply as `language.replies.encode` made it.
    """

    text: str
    facts: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The name of the reply's class."""
        return str(self.facts.get("kind", ""))


def speak(
    transport: Transport, line: str, body: str = "", *, board: int | None = None, matter: str = ""
) -> ServerReply:
    """Send a line; done once, also when it has to be sent twice.

    Args:
        body: The lines below it.
        board, matter: What it answers, when it is a bare `yes` or a bare move.

    Raises:
        Refused, Unreachable: As `Transport.ask`.
    """
    content = {"line": line, "body": body, "board": board, "matter": matter}
    return read_reply(transport, transport.ask("POST", "line", content, new_key()))


def read_reply(transport: Transport, answer: Any) -> ServerReply:
    """Read the answer to a command.

    Raises:
        Unreachable: It is something else.
    """
    try:
        return ServerReply(str(answer["text"]), dict(answer["reply"]))
    except (TypeError, KeyError, ValueError):
        raise transport.unreachable(Phrase("it is not a sarsen server")) from None


def new_key() -> str:
    """Return a key under which a request is done once."""
    return uuid4().hex
