"""Webhooks against a real server of this machine, and addresses that must not be called."""

from __future__ import annotations

import hmac
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import ChangeNotices, PlayMove
from sarsen.services.dispatch import perform
from sarsen.services.notices import Event, notify, outgoing_requests, turns, webhooks
from sarsen.services.notices.outgoing_requests import check_address, post
from sarsen.services.notices.webhooks import WAITS, sweep_webhooks
from sarsen.services.request import Actor
from sarsen.storage.models import OutgoingMail, Player, WebhookCall
from serving import serving
from web_world import NOW, World

pytestmark = pytest.mark.postgres


@dataclass
class Hook:
    """A web server that writes down what it is called with, and answers as it is told."""

    url: str = ""
    status: int = 204
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def hook(settings: Any) -> Iterator[Hook]:
    kept = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.calls.append((dict(self.headers), body))
            self.send_response(kept.status)
            self.send_header("Location", kept.url + "elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(server) as url:
        kept.url = f"{url}/hook?of=ann"
        settings.SARSEN_WEBHOOK_HOSTS = [f"127.0.0.1:{server.server_port}"]
        yield kept


@pytest.fixture
def ann(db: None, hook: Hook) -> Player:
    world = World()
    perform(ChangeNotices("webhook", hook.url), Actor(world.player("ann")), "", NOW)
    return world.player("ann")


def tell(player: Player, text: str = "Hello!") -> None:
    notify(player, Event.MESSAGE, "message", {"from": "bob", "to": ["ann"], "text": text}, NOW)


def states() -> list[str]:
    return [str(call.state) for call in WebhookCall.objects.order_by("pk")]


def test_a_call_holds_the_facts_and_is_signed(ann: Player, hook: Hook) -> None:
    tell(ann)
    assert sweep_webhooks(NOW) == 1
    assert sweep_webhooks(NOW) == 0
    ((headers, body),) = hook.calls
    facts = json.loads(body)
    assert (facts["event"], facts["from"], facts["text"]) == ("message", "bob", "Hello!")
    assert facts["player"] == "ann"
    signed = headers["X-Sarsen-Timestamp"].encode() + b"." + body
    expected = hmac.new(ann.webhook_key.encode(), signed, sha256).hexdigest()
    assert headers["X-Sarsen-Signature"] == f"sha256={expected}"
    assert headers["X-Sarsen-Delivery"] == str(WebhookCall.objects.get().pk)
    assert states() == ["sent"]


def test_a_move_reaches_the_webhook_and_what_is_not_wanted_does_not(
    ann: Player, hook: Hook
) -> None:
    world = World()
    board = world.board(options="-size=4", players=("bob", "ann"))
    perform(PlayMove("druid", board, "a1"), Actor(world.player("bob")), "", NOW)
    perform(ChangeNotices("turn", "none"), Actor(ann), "", NOW)
    perform(PlayMove("druid", board, "b1"), Actor(world.player("ann")), "", NOW)
    perform(PlayMove("druid", board, "a2"), Actor(world.player("bob")), "", NOW)
    notify(world.player("ann"), Event.ACCOUNT, "account-changed", {"what": "password"}, NOW)
    sweep_webhooks(NOW)
    events = [json.loads(body)["event"] for _, body in hook.calls]
    assert events == ["invitation", "turn"]
    assert json.loads(hook.calls[-1][1])["url"].endswith(f"/boards/{board}/")


@pytest.mark.parametrize("status", [301, 302, 404, 500])
def test_a_refused_call_is_tried_again_later_and_in_order(
    ann: Player, hook: Hook, status: int
) -> None:
    hook.status = status
    tell(ann, "one")
    tell(ann, "two")
    assert sweep_webhooks(NOW) == 0
    assert len(hook.calls) == 1  # nothing was asked of `Location`, and the second waits behind
    assert sweep_webhooks(NOW + timedelta(seconds=59)) == 0
    assert len(hook.calls) == 1
    hook.status = 200
    assert sweep_webhooks(NOW + timedelta(seconds=61)) == 2
    texts = [json.loads(body)["text"] for _, body in hook.calls]
    assert texts == ["one", "one", "two"]
    first, again = hook.calls[0][0], hook.calls[1][0]
    assert first["X-Sarsen-Delivery"] == again["X-Sarsen-Delivery"]


def test_after_days_it_is_given_up_and_its_player_told_once_by_mail(
    ann: Player, hook: Hook
) -> None:
    hook.status = 500
    tell(ann, "one")
    tell(ann, "two")
    now = NOW
    for wait in (*WAITS, timedelta()):
        sweep_webhooks(now)
        now += wait
    assert now - NOW > timedelta(days=2)
    assert states() == ["failed", "failed"]
    assert Player.objects.get(pk=ann.pk).webhook == ""
    (letter,) = OutgoingMail.objects.filter(kind="webhook-off")
    assert letter.facts == {"address": hook.url, "error": "it answered 500"}
    assert len(hook.calls) == len(WAITS) + 1
    tell(Player.objects.get(pk=ann.pk))
    assert len(states()) == 2


def test_gone_is_given_up_at_once(ann: Player, hook: Hook) -> None:
    hook.status = 410
    tell(ann)
    sweep_webhooks(NOW)
    assert states() == ["failed"]
    assert OutgoingMail.objects.filter(kind="webhook-off").count() == 1


def test_one_dead_address_does_not_hold_up_another(ann: Player, hook: Hook) -> None:
    hook.status = 500
    bob = World().player("bob")
    bob.webhook, bob.webhook_key = "https://nowhere.invalid/", "k"
    bob.save()
    tell(bob)
    tell(ann)
    sweep_webhooks(NOW)
    hook.status = 200
    assert sweep_webhooks(NOW + timedelta(minutes=2)) == 1


@pytest.mark.parametrize("slow", [8, 70])
def test_slow_addresses_delay_only_their_own_calls(
    ann: Player, monkeypatch: pytest.MonkeyPatch, slow: int
) -> None:
    """Slow ones respond when the others are through; the sweep waits for none of them before."""
    monkeypatch.setattr(turns, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(turns, "LOOK_SECONDS", 0.01)
    begun, through = threading.Barrier(slow + 1), threading.Event()
    made: list[str] = []

    def respond(url: str, body: bytes, headers: object) -> outgoing_requests.PostResult:
        text = json.loads(body)["text"]
        if url != ann.webhook and text == "0":
            begun.wait(120)
            assert through.wait(120), "the calls of others wait for a slow address"
        if url == ann.webhook and text == "0":
            begun.wait(120)  # every slow call is under way, and none of them ends
        made.append(f"{'ann' if url == ann.webhook else 'slow'} {text}")
        if url == ann.webhook and text == "due meanwhile":
            through.set()
        return outgoing_requests.PostResult(204, "")

    monkeypatch.setattr(webhooks, "post", respond)
    for number in range(slow):
        other = World().player(f"slow{number}")
        other.webhook = "https://slow.example/"
        other.save()
        for text in "01":
            tell(other, text)
    for number in range(webhooks.MAX_OF_ONE):
        tell(ann, str(number))
    tell(ann, "of the next turn")
    tell(ann, "due meanwhile")
    WebhookCall.objects.filter(facts__text="due meanwhile").update(
        due_at=NOW + timedelta(microseconds=1)
    )
    assert sweep_webhooks(NOW) == 2 * slow + webhooks.MAX_OF_ONE + 2
    of_ann = [str(number) for number in range(webhooks.MAX_OF_ONE)]
    of_ann += ["of the next turn", "due meanwhile"]
    assert made[: len(of_ann)] == [f"ann {text}" for text in of_ann]
    assert set(states()) == {"sent"}


def test_turn_that_lasts_long_ends_early_and_the_next_one_continues_in_order(
    ann: Player, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "TURN_SECONDS", -1)
    for text in "123":
        tell(ann, text)
    (claimed,) = webhooks._claim(NOW)
    assert len(webhooks._call_in_order(claimed, NOW)) == 1
    WebhookCall.objects.update(due_at=NOW)
    assert sweep_webhooks(NOW) == 3
    assert [json.loads(body)["text"] for _, body in hook.calls] == ["1", "1", "2", "3"]


PRIVATE = (
    "127.0.0.1",
    "10.0.0.1",
    "172.16.0.9",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "fe80::1",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "::127.0.0.1",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_not_called_however_it_is_named(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(UserError):
        check_address(f"https://{literal}/")
    # A name whose resolver says so, beside an address that is public.
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    found = [(family, 1, 6, "", (one, 443)) for one in ("93.184.216.34", address)]
    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", lambda *args, **kinds: found)
    monkeypatch.setattr(outgoing_requests.socket, "create_connection", _never)
    answered = post("https://example.org/", b"{}", {})
    assert answered.status == 0
    assert "private network" in answered.error


def _never(*args: object, **kinds: object) -> None:
    raise AssertionError("a connection was opened")


def test_odd_forms_of_a_loopback_address_are_not_called() -> None:
    for host in (
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "localhost",
        "127.0.0.1.nip.invalid",
    ):
        answered = post(f"https://{host}/", b"{}", {})
        assert answered.status == 0, host
        assert answered.error


def test_http_and_loopback_are_only_for_hosts_the_operator_named(hook: Hook, settings: Any) -> None:
    assert post(hook.url, b"{}", {}).is_taken
    settings.SARSEN_WEBHOOK_HOSTS = ["127.0.0.1:1"]
    assert not post(hook.url, b"{}", {}).is_taken
    assert len(hook.calls) == 1


@pytest.mark.parametrize("begun", [b"HTTP/1.1 ", b"HTTP/1.1 200"])
def test_an_answer_that_never_ends_is_cut_off_and_is_no_answer(
    settings: Any, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(outgoing_requests, "WHOLE", 0.3)
    slow = socket.create_server(("127.0.0.1", 0))
    port = slow.getsockname()[1]
    settings.SARSEN_WEBHOOK_HOSTS = [f"127.0.0.1:{port}"]

    def begin() -> None:
        with slow.accept()[0] as other:
            other.sendall(begun)
            while other.recv(1000):
                """Until the caller hangs up."""

    thread = threading.Thread(target=begin, daemon=True)
    thread.start()
    answered = post(f"http://127.0.0.1:{port}/", b"{}", {})
    thread.join()
    slow.close()
    assert answered == outgoing_requests.PostResult(0, "no answer in time")


def test_newer_call_does_not_overtake_one_that_waits_to_be_tried_again(
    ann: Player, hook: Hook
) -> None:
    hook.status = 500
    tell(ann, "first")
    sweep_webhooks(NOW)
    hook.status = 204
    tell(ann, "second")
    assert sweep_webhooks(NOW) == 0
    assert sweep_webhooks(NOW + 2 * WAITS[0]) == 2
    texts = [json.loads(body)["text"] for _, body in hook.calls]
    assert texts == ["first", "first", "second"]


def test_second_sweep_takes_nothing_of_a_player_whose_calls_are_being_made(
    ann: Player, hook: Hook
) -> None:
    tell(ann, "first")
    (claimed,) = webhooks._claim(NOW)
    tell(ann, "second")
    assert webhooks._claim(NOW) == []
    webhooks._record(claimed, [outgoing_requests.PostResult(204, "")], NOW)
    ((second,),) = webhooks._claim(NOW)
    assert second.facts["text"] == "second"


def test_addresses_of_special_networks_are_not_called() -> None:
    """By IANA's registries, whatever this release of Python knows, and those of clouds."""
    special = "0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 168.63.129.16 169.254.169.254"
    special += " 172.31.0.1 192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.19.0.1"
    special += " 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 64:ff9b::1"
    special += " 64:ff9b:1::1 100::1 2001::1 2001:20::1 2001:db8::1 2002::1 3fff::1 3fff:fff::1"
    special += " 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 ::ffff:10.0.0.1 4000::1"
    public = "1.1.1.1 8.8.8.8 168.63.129.17 192.0.1.1 2001:4860:4860::8888 2606:4700::1 2a00::1"
    assert [one for one in special.split() if outgoing_requests._is_public(one)] == []
    assert [one for one in public.split() if not outgoing_requests._is_public(one)] == []
