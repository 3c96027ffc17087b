"""One place on the net holds only so many connections; the newest beyond them are closed."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import pytest
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from sarsen.server import environment
from sarsen.server.web import Connections
from sarsen.services.accounts.attempts import (
    client_address_of,
    is_proxy,
    network_of,
    read_forwarded,
)

PATIENCE = 120  # seconds; a limit, never a wait
MOST = 3
TAKEN = 400_000  # bytes, of some millions that a connection to this machine keeps


@pytest.fixture
def lines() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def bounding(*addresses: str) -> Callable[[str], str]:
    """Return `network_of` for these alone: a server of another test may have connections, too."""
    return lambda address: network_of(address) if address in addresses else ""


def connected(
    lines: ExitStack, host: str, sources: list[str]
) -> tuple[list[socket.socket], Connections]:
    """Connect to a port of this process from some addresses, and accept and bound all of them."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = lines.enter_context(socket.create_server((host, 0), family=family))
    clients = []
    for source in sources:
        address = (source, 0)
        client = socket.create_connection(listening.getsockname()[:2], 30, source_address=address)
        clients.append(lines.enter_context(client))
        lines.enter_context(listening.accept()[0])
    return clients, Connections(MOST, bounding(*sources))


def fill(line: socket.socket) -> None:
    """Send until the system keeps no more for a client that does not read."""
    with suppress(BlockingIOError):
        while True:
            line.send(b"x" * 65536)


def are_open(clients: list[socket.socket]) -> list[bool]:
    return [not select.select([client], [], [], 0)[0] for client in clients]


def test_newest_connections_of_a_place_that_holds_too_many_are_shut_down(lines: ExitStack) -> None:
    crowd = ["127.0.0.2"] * 5
    clients, connections = connected(lines, "127.0.0.1", [*crowd, "127.0.0.3"])
    assert connections.look() == 2
    assert are_open(clients) == [True, True, True, False, False, True]


def test_addresses_of_one_network_of_ipv6_count_together(lines: ExitStack) -> None:
    clients, connections = connected(lines, "::1", ["::1"] * 4)
    assert connections.look() == 1
    assert are_open(clients).count(False) == 1


def test_connections_that_the_process_opened_itself_stay(lines: ExitStack) -> None:
    clients, _ = connected(lines, "127.0.0.4", ["127.0.0.2"] * 5)
    connections = Connections(MOST, bounding("127.0.0.4"))
    assert connections.look() == 0  # their other ends, all of 127.0.0.4, are ours
    assert all(are_open(clients))


def test_place_has_room_again_when_its_connections_end(lines: ExitStack) -> None:
    with ExitStack() as ended:
        _, connections = connected(ended, "127.0.0.1", ["127.0.0.2"] * 3)
        assert connections.look() == 0
    more, _ = connected(lines, "127.0.0.1", ["127.0.0.2"] * 3)
    assert connections.look() == 0
    assert all(are_open(more))


def test_connection_whose_client_reads_nothing_is_shut_down(lines: ExitStack) -> None:
    listening = lines.enter_context(socket.create_server(("127.0.0.4", 0)))
    address = listening.getsockname()
    reading, _ = (lines.enter_context(socket.create_connection(address)) for _ in range(2))
    sending = [lines.enter_context(listening.accept()[0]) for _ in range(2)]
    connections = Connections(MOST, bounding())
    connections.look()
    for line in sending:
        line.setblocking(False)
        fill(line)
    connections.give_up_unread()  # the first time it only notes what they have
    reading.settimeout(PATIENCE)
    # The system reports room again by large steps.
    taken = 0
    while taken < TAKEN:
        taken += len(reading.recv(65536))
    connections.give_up_unread()
    with pytest.raises(BrokenPipeError):
        sending[1].send(b"more")
    fill(sending[0])


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("127.0.0.1", True),
        ("::ffff:10.1.2.3", True),
        ("fd00::1", True),
        ("192.0.2.1", False),
        ("2001:db8::1", False),
        ("", False),
    ],
)
def test_proxy_is_known_by_its_address(settings: Any, address: str, is_one: bool) -> None:
    settings.SARSEN_PROXIES = environment.networks("SARSEN_NONE", environment.NEAR)
    assert is_proxy(address) is is_one
    told = {"REMOTE_ADDR": address, "HTTP_X_FORWARDED_FOR": "forged, 192.0.2.9"}
    assert client_address_of(told) == ("192.0.2.9" if is_one else address)


# Each form in which proxies write an address, with `{}` in its place.
WRITTEN_V4 = ("{}", " {} ", "{}:5678", "[{}]", "[{}]:80", "for={}", 'For="{}:80";proto=https')
WRITTEN_V6 = ("{}", "[{}]", "[{}]:80", "{}%eth0", 'for="[{}]:4711"', 'for="[{}]"', '"[{}]:80"')
NO_ADDRESS = (
    "unknown",
    "_hidden",
    "for=_x",
    "1.2.3",
    "[::1",
    "::1]:80:",
    "x" * 400,
    "",
    "1.2.3.4.5",
)


@given(st.ip_addresses(), st.data())
@settings(max_examples=200, deadline=None)
def test_address_is_read_from_each_form_in_which_proxies_write_it(
    address: IPv4Address | IPv6Address, data: st.DataObject
) -> None:
    forms = WRITTEN_V4 if address.version == 4 else WRITTEN_V6
    before = data.draw(st.sampled_from(("", "forged, ", "for=192.0.2.1;by=x, ")))
    written = data.draw(st.sampled_from(forms)).format(address)
    told = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": before + written}
    with override_settings(SARSEN_PROXIES=environment.networks("SARSEN_NONE", environment.NEAR)):
        assert client_address_of(told) == str(address), written


@given(st.one_of(st.sampled_from(NO_ADDRESS), st.text(max_size=60)))
@settings(max_examples=300, deadline=None)
def test_what_is_no_address_is_the_one_place_of_all_such(entry: str) -> None:
    read = read_forwarded(entry)
    assert read == "" or str(ip_address(read)) == read
    assert read == "" or entry not in NO_ADDRESS


def test_without_a_proxy_nobody_names_another_address() -> None:
    told = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.9"}
    assert client_address_of(told) == "127.0.0.1"
