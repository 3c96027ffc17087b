"""Notices on devices, against a real server of this machine that stands for a push service."""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid

from sarsen.core.errors import UserError
from sarsen.language.commands import ChangeNotices, Deliveries, PlayMove
from sarsen.language.replies import Table
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.admin.cleanup import LETTERS_KEPT, tidy_up
from sarsen.services.dispatch import perform
from sarsen.services.notices import Event, notify, push, turns
from sarsen.services.notices.outgoing_requests import PostResult
from sarsen.services.notices.push import (
    MAX_FAILURES,
    WAITS,
    PushContent,
    add_device,
    devices_of,
    renew_device,
    sweep_pushes,
)
from sarsen.services.request import Actor
from sarsen.storage.models import Device, Player, Push
from sarsen.workers.notices import words
from serving import serving
from web_world import NOW, World

KEY = "0xJNE9BmrWZ8t9qSEJ9nfhLvBelgIWja1NJK9IgztoE"
OWN = ec.generate_private_key(ec.SECP256R1())
SECRET = b"sixteen bytes it"


def base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


PUBLIC = base64(OWN.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


@dataclass
class Service:
    """A push service that writes down what it is sent, and answers as it is told."""

    url: str = ""
    status: int = 201
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def read(self, at: int = -1) -> dict[str, str]:
        """Read what was sent, as the device would."""
        _, body = self.calls[at]
        plain = http_ece.decrypt(body, private_key=OWN, auth_secret=SECRET, version="aes128gcm")
        return dict(json.loads(plain))


@pytest.fixture
def service(settings: Any) -> Iterator[Service]:
    kept = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.calls.append((dict(self.headers), body))
            self.send_response(kept.status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(server) as url:
        kept.url = f"{url}/wpush/v2/{'a' * 400}"
        settings.SARSEN_WEBHOOK_HOSTS = [f"127.0.0.1:{server.server_port}"]
        settings.SARSEN_PUSH_KEY = KEY
        yield kept


@pytest.fixture
def ann(db: None, service: Service) -> Player:
    player = World().player("ann")
    add_device(player, service.url, PUBLIC, base64(SECRET), "Chrome, Android", NOW)
    return player


def waiting() -> int:
    return Push.objects.filter(state=Push.State.WAITING).count()


def tell(player: Player) -> None:
    facts = {"from": "bob", "to": ["ann"], "text": "My secret plan."}
    notify(player, Event.MESSAGE, "message", facts, NOW)


def test_slow_devices_delay_only_their_own_notices(
    ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow ones respond when the others are through; the sweep waits for none of them before."""
    monkeypatch.setattr(turns, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(turns, "LOOK_SECONDS", 0.01)
    slow, through = 70, threading.Event()
    begun = threading.Barrier(slow + 1)
    sent = []

    def send(notice: Push, content: PushContent) -> PostResult:
        if notice.device.label == "slow":
            begun.wait(120)
            assert through.wait(120), "a notice of others waits for a slow device"
        sent.append((notice.device.label, notice.event))
        if notice.device.label != "slow" and notice.event == "last":
            through.set()
        elif notice.event == "first" and notice.device.label != "slow":
            begun.wait(120)
        return PostResult(201, "")

    monkeypatch.setattr(push, "_send", send)
    devices = [
        Device(
            player=ann,
            endpoint=f"https://x.example/{at}",
            digest=str(at),
            label="slow",
            made_at=NOW,
        )
        for at in range(slow)
    ]
    Device.objects.bulk_create(devices)
    own = Device.objects.exclude(label="slow").get()
    times = {"event": "slow", "queued_at": NOW, "due_at": NOW}
    Push.objects.bulk_create(Push(device=device, **times) for device in devices)
    for event, microseconds in (("first", 1), ("last", 2)):
        due_at = NOW + timedelta(microseconds=microseconds)
        Push.objects.create(device=own, event=event, queued_at=NOW, due_at=due_at)
    assert sweep_pushes(NOW, lambda notice: PushContent("", "", "", "")) == slow + 2
    assert [event for _, event in sent[:2]] == ["first", "last"]


def test_a_move_is_told_to_the_device_alone_encrypted_and_proved(
    ann: Player, service: Service
) -> None:
    world = World()
    board = world.board(options="-size=4", players=("bob", "ann"))
    perform(PlayMove("druid", board, "a1"), Actor(world.player("bob")), "", NOW)
    assert sweep_pushes(NOW, words) == 2
    assert sweep_pushes(NOW, words) == 0
    assert service.read(0)["text"] == "Somebody challenges you."
    assert service.read() == {
        "title": f"Druid {board} against bob",
        "text": "It's your move.",
        "url": f"/boards/{board}/",
        "tag": f"board-{board}",
    }
    headers, body = service.calls[-1]
    assert b"Druid" not in body
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Topic"] == f"board-{board}"
    proof = dict(part.split("=", 1) for part in headers["Authorization"][6:].split(","))
    assert proof["k"] == push.public_key()
    assert Vapid.verify(f"vapid t={proof['t']},k={proof['k']}")
    claims = json.loads(urlsafe_b64decode(proof["t"].split(".")[1] + "=="))
    assert claims["aud"] == service.url.partition("/wpush")[0]
    assert not waiting()


def test_what_somebody_wrote_is_not_on_the_screen_of_a_device(
    ann: Player, service: Service
) -> None:
    tell(ann)
    sweep_pushes(NOW, words)
    assert "secret" not in json.dumps(service.read())


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(ann: Player, service: Service, status: int) -> None:
    service.status = status
    tell(ann)
    tell(ann)
    assert sweep_pushes(NOW, words) == 0
    assert len(service.calls) == 1
    assert devices_of(ann, None) == ()
    assert Push.objects.count() == 0


def test_a_service_in_trouble_is_tried_again_later_and_in_order(
    ann: Player, service: Service
) -> None:
    service.status = 503
    tell(ann)
    notify(ann, Event.CHAT, "chat", {"by": "bob"}, NOW)
    sweep_pushes(NOW, words)
    assert sweep_pushes(NOW + timedelta(seconds=59), words) == 0
    assert len(service.calls) == 1
    service.status = 201
    assert sweep_pushes(NOW + timedelta(seconds=61), words) == 2
    told = [service.read(at)["text"] for at in range(3)]
    assert told[0] == told[1] != told[2]


def test_old_notices_are_given_up_and_a_dead_device_at_last(ann: Player, service: Service) -> None:
    service.status = 500
    now = NOW
    Device.objects.update(failures=MAX_FAILURES - 2)
    for _ in range(2):
        tell(ann)
        for wait in (*WAITS, timedelta()):
            sweep_pushes(now, words)
            now += wait
        assert not waiting()
    assert Device.objects.count() == 0


def test_deliveries_and_the_export_name_devices_and_never_their_keys(
    ann: Player, service: Service
) -> None:
    tell(ann)
    sweep_pushes(NOW, words)
    service.status = 503
    tell(ann)
    sweep_pushes(NOW, words)
    reply = perform(Deliveries(), Actor(ann), "", NOW)
    assert isinstance(reply, Table)
    rows = [row for row in reply.rows if row[3] == "Chrome, Android"]
    assert [row[-1].partition(":")[0] for row in rows] == ["waiting until Fri 20 Nov 12", "sent"]
    assert "it answered 503" in rows[0][-1]
    lines = "\n".join(export_lines(ann))
    assert '"kind": "device", "label": "Chrome, Android"' in lines
    assert service.url not in lines
    assert PUBLIC not in lines
    tidy_up(NOW + LETTERS_KEPT + timedelta(days=1))
    assert [one.state for one in Push.objects.all()] == ["waiting"]


def test_a_browser_that_changes_its_endpoint_proves_by_the_old_secret_that_it_is_the_same(
    ann: Player, service: Service
) -> None:
    device = Device.objects.get()
    later = (f"{service.url}/new", PUBLIC, base64(b"another sixteen."))
    for former, secret in ((service.url, "x" * 22), (service.url + "x", base64(SECRET))):
        with pytest.raises(UserError, match="This device is not known"):
            renew_device(former, secret, *later)
    renew_device(service.url, base64(SECRET), *later)
    moved = Device.objects.get()
    assert (moved.pk, moved.endpoint, moved.secret) == (device.pk, later[0], later[2])
    with pytest.raises(UserError, match="This device is not known"):
        renew_device(service.url, base64(SECRET), *later)


def test_only_the_events_its_player_wants_reach_a_device(ann: Player, service: Service) -> None:
    perform(ChangeNotices("push", "turn reminder"), Actor(ann), "", NOW)
    ann.refresh_from_db()
    tell(ann)
    assert Push.objects.count() == 0
    perform(ChangeNotices("push", "usual"), Actor(ann), "", NOW)
    ann.refresh_from_db()
    perform(ChangeNotices("message", "none"), Actor(ann), "", NOW)  # no mail, but here
    tell(ann)
    assert Push.objects.count() == 1


def test_only_public_addresses_and_real_keys_are_taken(ann: Player) -> None:
    good = ("https://updates.push.example/x", PUBLIC, base64(SECRET))
    bad = [
        ("http://updates.push.example/x", *good[1:]),
        ("https://127.0.0.1/x", *good[1:]),
        ("https://[fe80::1]/x", *good[1:]),
        (good[0], "A" * 87, good[2]),
        (good[0], PUBLIC, "x"),
        ("https://x.example/" + "a" * 1000, *good[1:]),
    ]
    for endpoint, public, secret in bad:
        with pytest.raises(UserError):
            add_device(ann, endpoint, public, secret, "", NOW)
    assert add_device(ann, *good, "", NOW)


def test_without_a_key_of_the_operator_nothing_is_queued(ann: Player, settings: Any) -> None:
    settings.SARSEN_PUSH_KEY = ""
    tell(ann)
    assert Push.objects.count() == 0
    with pytest.raises(UserError):
        add_device(ann, "https://updates.push.example/x", PUBLIC, base64(SECRET), "", NOW)
