"""A push service of this machine, spoken to as Chromium speaks with Google's.

A browser that is started with `flags` registers here when a page subscribes, keeps a connection
open, and decrypts what it is handed, all with its own code. Only what a browser needs is
answered; field numbers are those of Chromium's `checkin.proto` and `mcs.proto`.
"""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from serving import LOOKS

VERSION = 41
LOGGED_IN, MESSAGE = 3, 8  # kinds of messages
HERE = "127.0.0.1"
PATIENCE = 120.0  # seconds


@dataclass
class PushService:
    """What one browser has registered, and the connection it listens at.

    Attributes:
        tokens: One for each endpoint that was given out, with what it was asked for.
    """

    tokens: dict[str, dict[str, str]] = field(default_factory=dict)
    connection: ssl.SSLSocket | None = None
    connected: threading.Event = field(default_factory=threading.Event)
    closing: list[socket.socket] = field(default_factory=list)
    flags: tuple[str, ...] = ()

    def register(self, form: dict[str, str]) -> str:
        """Return an endpoint's token; what a browser asks for itself is nobody's."""
        token = f"token-{len(self.tokens) + 1}"
        if "X-subtype" in form:
            self.tokens[token] = form
        return token

    def deliver(self, endpoint: str, body: bytes) -> None:
        """Hand an encrypted message to the browser."""
        asked = self.tokens[endpoint.rpartition("/")[2]]
        assert self.connected.wait(PATIENCE), "the browser listens to no push service"
        facts = {"subtype": asked["X-subtype"], "content-encoding": "aes128gcm"}
        said = _text(3, asked["sender"]) + _text(4, "device") + _text(5, asked["app"])
        for name, value in facts.items():
            said += _text(7, _text(1, name) + _text(2, value))
        assert self.connection is not None
        self.connection.sendall(_message(MESSAGE, said + _text(9, "message-1") + _text(21, body)))

    def begin(self, folder: Path) -> None:
        """Listen; `folder` takes the certificate."""
        registering = ThreadingHTTPServer((HERE, 0), _handler(self))
        listening = socket.create_server((HERE, 0))
        self.closing = [registering.socket, listening]
        threading.Thread(target=registering.serve_forever, args=(LOOKS,), daemon=True).start()
        threading.Thread(target=self._listen, args=(listening, folder), daemon=True).start()
        address = f"http://{HERE}:{registering.server_port}"
        self.flags = (
            f"--gcm-checkin-url={address}/checkin",
            f"--gcm-registration-url={address}/register",
            f"--gcm-mcs-endpoint=https://{HERE}:{listening.getsockname()[1]}",
            "--ignore-certificate-errors",  # ours is nobody's
        )
        self.end_registering = registering.shutdown

    def end(self) -> None:
        """Close all that listens."""
        self.end_registering()
        for one in (*self.closing, self.connection):
            if one is not None:
                one.close()

    def _listen(self, listening: socket.socket, folder: Path) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_certificate(folder))
        while True:
            try:
                plain, _ = listening.accept()
            except OSError:
                return  # the end
            try:
                connection = context.wrap_socket(plain, server_side=True)
                if not connection.recv(4096):  # who it is
                    continue
                connection.sendall(bytes([VERSION]) + _message(LOGGED_IN, _text(1, "login")))
            except OSError:
                continue  # a browser tries whether there is anybody
            self.connection = connection
            self.connected.set()


def _handler(service: PushService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = b"token=" + service.register(dict(parse_qsl(body.decode("latin-1")))).encode()
            if self.path == "/checkin":
                answer = _number(1, 1) + _fixed(7, 4711) + _fixed(8, 1147) + _text(11, "version")
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


def _message(kind: int, said: bytes) -> bytes:
    return bytes([kind]) + _varint(len(said)) + said


def _varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def _number(at: int, value: int) -> bytes:
    return _varint(at << 3) + _varint(value)


def _fixed(at: int, value: int) -> bytes:
    return _varint(at << 3 | 1) + struct.pack("<Q", value)


def _text(at: int, value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(at << 3 | 2) + _varint(len(data)) + data


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HERE)])
    now = datetime.now(UTC)
    named = x509.SubjectAlternativeName([x509.IPAddress(ip_address(HERE))])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    signed = made.add_extension(named, critical=False).sign(key, hashes.SHA256())
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path = folder / "push-service.pem"
    path.write_bytes(signed.public_bytes(Encoding.PEM) + secret)
    return path
