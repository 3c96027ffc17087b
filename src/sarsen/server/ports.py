"""The ports of the server: free before it starts, and answered by it and nobody else."""

from __future__ import annotations

import errno
import shlex
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType

from sarsen.core.errors import UserError

FREED_WITHIN = 5.0  # seconds; a server whose supervisor was killed takes them to end
MAX_ANSWER = 16 * 1024  # bytes of an answer that are read: its head says the name
EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 (operators may ask for it)
NOTHING: Mapping[str, str] = MappingProxyType({})
OTHERS_TRIED = 50  # ports behind a taken one that a hint may name


@dataclass(frozen=True)
class Port:
    """One address the server listens at.

    Attributes:
        option: The option of `sarsen serve` that sets it.
        question: What to send so that it says which run of the server it is; a mail
            port says so by itself.
    """

    option: str
    host: str
    number: int
    question: bytes = b""

    def __str__(self) -> str:
        return spelled(self.host, self.number)


def spelled(host: str, number: int) -> str:
    """Return HOST:PORT, with brackets around an IPv6 address."""
    return f"[{host}]:{number}" if ":" in host else f"{host}:{number}"


def require_free(ports: list[Port], typed: Mapping[str, str] = NOTHING) -> None:
    """Make sure that all ports can be listened at.

    Args:
        typed: The options of this `sarsen serve` with their values; "" for a flag.

    Raises:
        UserError: One cannot be, or is another program's and stays so.
    """
    limit = time.monotonic() + FREED_WITHIN
    while True:
        with ExitStack() as held:
            taken = next((port for port in ports if not _bind(port, held)), None)
        if taken is None:
            return
        if time.monotonic() > limit or len(_twins(taken, ports)) > 1:
            raise _taken(taken, ports, typed)
        time.sleep(0.1)  # nobody tells when the system frees a port


def is_answered_by(port: Port, run: str) -> bool:
    """Return whether a port answers, and with the name of this run of the server."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(port.host, port.host)  # noqa: S104
    answer = b""
    try:
        with socket.create_connection((host, port.number), timeout=1) as line:  # asked again soon
            line.sendall(port.question)
            while run.encode() not in answer and len(answer) < MAX_ANSWER:
                piece = line.recv(4096)
                if not piece:
                    return False
                answer += piece
    except OSError:
        return False
    return run.encode() in answer


def _bind(port: Port, held: ExitStack) -> bool:
    """Bind a port for as long as the stack is open; return False when another program has it."""
    try:
        addresses = socket.getaddrinfo(
            port.host, port.number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, kind, protocol, _, address in dict.fromkeys(addresses):
            line = held.enter_context(socket.socket(family, kind, protocol))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            line.bind(address)
            # Only a socket that listens keeps others with SO_REUSEADDR from binding.
            line.listen(1)
    except OSError as refused:
        if refused.errno == errno.EADDRINUSE:
            return False
        raise _cannot_bind(port, refused) from None
    return True


def _taken(port: Port, ports: list[Port], typed: Mapping[str, str]) -> UserError:
    twins = _twins(port, ports)
    # The others stay as they are: another folder, say, would be another server.
    options = {**typed, **free_instead(ports, wrong=port)}
    words = [word for option in options.items() for word in option if word]
    command = f"lsof -i :{port.number}"
    return UserError(
        f"{' and '.join(twins)} use the same port, {port.number}."
        if len(twins) > 1
        else f"Another program is already listening on {port} (find it with `{command}`, as root).",
        code="port-taken",
        hint=shlex.join(["sarsen", "serve", *words]),
    )


def free_instead(ports: Sequence[Port], wrong: Port | None = None) -> dict[str, str]:
    """Return options with ports that work, for all that another program has.

    Args:
        wrong: One that is to be another, whether it is free or not.
    """
    asked_for, options = list(ports), {}
    for port in ports:
        with ExitStack() as held:
            is_free = _bind(port, held)
        if not is_free or port is wrong:
            other = Port(port.option, port.host, _free_after(port, asked_for))
            asked_for.append(other)
            options[port.option] = spelled(other.host, other.number)
    return options


def _twins(port: Port, ports: list[Port]) -> list[str]:
    """Return the options that name this port, its own included."""
    others = [other for other in ports if other.number == port.number]
    hosts = {port.host, *EVERYWHERE}
    return [twin.option for twin in others if twin.host in hosts or port.host in EVERYWHERE]


def _free_after(port: Port, ports: list[Port]) -> int:
    """Return the next port that would have worked."""
    last = min(port.number + OTHERS_TRIED, 65535)
    for number in range(port.number + 1, last):
        with ExitStack() as held:
            is_asked_for = number in {other.number for other in ports}
            if not is_asked_for and _bind(Port(port.option, port.host, number), held):
                return number
    return last


def _cannot_bind(port: Port, refused: OSError) -> UserError:
    if refused.errno in (errno.EACCES, errno.EPERM):
        return UserError(
            f"Only root may listen on {port}: use a higher port behind a proxy or mail server.",
            code="port-forbidden",
            hint=f"sarsen serve {port.option} {spelled(port.host, 8000 + port.number % 1000)}",
        )
    return UserError(
        f"{port.host} is not an address of this machine: {refused.strerror}.",
        code="port-elsewhere",
        hint=f"sarsen serve {port.option} 127.0.0.1:{port.number}",
    )
