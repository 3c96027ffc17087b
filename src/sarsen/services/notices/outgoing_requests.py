"""Post to addresses that strangers named, without letting them reach what only we can reach.

An address is resolved once, every answer of the resolver has to be public, and the
connection goes to the very address that was judged: a name that changes its mind
between the two gains nothing. Redirects are not followed, proxies not asked.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase

CONNECT = 5.0  # seconds for each step of a connection: what hangs so long is away
# Seconds for all of a call, however slowly its answer drips: one thread waits for it.
WHOLE = 10.0
LONGEST = 300  # characters of an address that somebody gives
CERTIFICATES_LAST = 3600  # seconds until those of authorities are read from their file again


@dataclass(frozen=True)
class PostResult:
    """How a call went: the status the other side gave, or 0 and what went wrong in words."""

    status: int
    error: str

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


def check_address(url: str, longest: int = LONGEST) -> SplitResult:
    """Read an address that may be called; return its parts.

    Raises:
        UserError: Not an address, or one of a kind that is never called.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refusal(Phrase("That is not a web address.")) from None
    host = parts.hostname or ""
    is_plain = url.isascii() and url.isprintable() and " " not in url and "\\" not in url
    if len(url) > longest or not is_plain or not host or parts.fragment or port == 0:
        raise _refusal(
            Phrase("That is not a web address of at most {most} plain characters.", most=longest)
        )
    if parts.username or parts.password:
        raise _refusal(Phrase("A web address must not contain a name and password."))
    if _is_trusted(parts):
        return parts
    if parts.scheme != "https":
        raise _refusal(Phrase("Only addresses that begin with https:// are called."))
    if _is_number(host) and not _is_public(host):
        raise _refusal(Phrase("Addresses inside a private network are not called."))
    return parts


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, longest: int = LONGEST
) -> PostResult:
    """Post once, within bounds; whatever goes wrong is said in words, not raised."""
    try:
        parts = check_address(url, longest)
        sock = _open(parts)
        # Closed when all is over, or when it takes too long: a read then ends at once.
        is_late = threading.Event()
        alarm = threading.Timer(WHOLE, _close, [sock, is_late])
        alarm.daemon = True
        alarm.start()
        try:
            answer = _post(sock, parts, body, headers)
        finally:
            alarm.cancel()
            _close(sock)
            if is_late.is_set():
                # What had come by then may look like a whole answer, or like a broken one.
                raise TimeoutError
        return answer
    except UserError as refusal:
        return PostResult(0, refusal.text)
    except TimeoutError:
        return PostResult(0, "no answer in time")
    except ssl.SSLError:
        return PostResult(0, "no secure connection: the certificate does not hold")
    except (OSError, http.client.HTTPException, ValueError) as error:
        return PostResult(0, f"no connection ({type(error).__name__})")


def _post(
    sock: socket.socket, parts: SplitResult, body: bytes, headers: Mapping[str, str]
) -> PostResult:
    if isinstance(sock, ssl.SSLSocket):
        sock.do_handshake()
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    connection.sock = sock
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection.request("POST", target, body, dict(headers))
    # Its status says all; what else it says is not read.
    return _answered(connection.getresponse().status)


def _answered(status: int) -> PostResult:
    if 200 <= status < 300:
        return PostResult(status, "")
    if 300 <= status < 400:
        return PostResult(status, f"it answered {status}: redirects are not followed")
    return PostResult(status, f"it answered {status}")


def _open(parts: SplitResult) -> socket.socket:
    """Connect to a host whose every address is public."""
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(info[4][0]) for info in infos))
    if not _is_trusted(parts) and not all(map(_is_public, addresses)):
        raise _refusal(
            Phrase(
                "{host} is an address inside a private network; these are not called.", host=host
            )
        )
    last_error: OSError | None = None
    for address in addresses[:2]:
        try:
            return _secured(socket.create_connection((address, port), CONNECT), parts)
        except OSError as error:
            last_error = error
    raise last_error or OSError("no address")


def _secured(sock: socket.socket, parts: SplitResult) -> socket.socket:
    if parts.scheme != "https":
        return sock
    secure = _secure_context(int(time.monotonic() // CERTIFICATES_LAST))
    # The handshake comes later, within the time of the whole call.
    return secure.wrap_socket(sock, server_hostname=parts.hostname, do_handshake_on_connect=False)


@lru_cache(maxsize=1)
def _secure_context(_period: int) -> ssl.SSLContext:
    """Load the certificates of authorities, which takes 27 ms and 0.8 MB, once for many calls."""
    return ssl.create_default_context()


def _close(sock: socket.socket, is_late: threading.Event | None = None) -> None:
    if is_late is not None:
        is_late.set()
    with contextlib.suppress(OSError):  # the other side was faster
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


def _is_trusted(parts: SplitResult) -> bool:
    """Return whether the operator has named this host; for tests, and local hooks."""
    default = 443 if parts.scheme == "https" else 80
    host_and_port = f"{parts.hostname}:{parts.port or default}"
    return parts.scheme in ("http", "https") and host_and_port in settings.SARSEN_WEBHOOK_HOSTS


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


# Networks that are not reached from everywhere, by IANA's registries of special-purpose addresses
# (iana-ipv4-special-registry, iana-ipv6-special-registry) as of October 2025, with those of whole
# protocols (2001::/23, 6to4 and its relays), and an address at which a cloud (Azure) serves its
# machines; the one of the others, 169.254.169.254, is link-local. What Python knows of them depends
# on its release.
_SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32"),
        *("169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"),
        *("192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)
_UNICAST = ipaddress.ip_network("2000::/3")  # all that is public of IPv6


def _is_public(address: str) -> bool:
    number = ipaddress.ip_address(address.partition("%")[0])
    if any(number in network for network in _SPECIAL):
        return False
    if isinstance(number, ipaddress.IPv6Address):
        if number.ipv4_mapped is None and number not in _UNICAST:
            return False
        if number.ipv4_mapped is not None:
            return _is_public(str(number.ipv4_mapped))
    return number.is_global and not number.is_multicast and not number.is_reserved


def _refusal(text: Phrase) -> UserError:
    return UserError(
        text, code="webhook-address", hint="notices webhook https://example.org/sarsen"
    )
