"""Notices on a device, from the switch in a page to the tap on a notice, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from push_service import PushService
from sarsen.language.commands import PlayMove
from sarsen.services.dispatch import perform
from sarsen.services.notices import push
from sarsen.services.notices.outgoing_requests import PostResult
from sarsen.services.notices.push import sweep_pushes
from sarsen.services.request import Actor
from sarsen.storage.models import Device
from sarsen.workers.notices import words
from web_world import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.ci,
    pytest.mark.skipif(
        not Path("/usr/bin/chromium").exists(), reason="/usr/bin/chromium is not installed"
    ),
]
KEY = "0xJNE9BmrWZ8t9qSEJ9nfhLvBelgIWja1NJK9IgztoE"
SOON = 120_000  # milliseconds; a limit, never a wait
SHOWN = """
() => navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications())
  .then((notices) => notices.map(({ title, body }) => `${title}: ${body}`))
"""
# Chromium deletes a notice that is listed before it is on the screen: the worker says when it is.
WATCH = """
() => {
  const { showNotification } = ServiceWorkerRegistration.prototype;
  globalThis.shown = new Promise((resolve) => {
    registration.showNotification = (...words) => {
      const done = showNotification.apply(registration, words);
      done.then(() => resolve(true));
      return done;
    };
  });
}
"""
IS_SHOWN = "(limit) => Promise.race([shown, new Promise((end) => setTimeout(end, limit, false))])"
CLEAR = """
() => navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications())
  .then((notices) => notices.forEach((one) => one.close()))
"""
# A tap and a change of endpoint cannot be made from outside: the real worker is handed the
# events themselves, which wait for nothing else than its own answer.
TAP = """
async () => {
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  let answer;
  event.waitUntil = (promise) => (answer = promise.catch(String));
  dispatchEvent(event);
  return answer;
}
"""
CHANGE = """
async () => {
  const oldSubscription = await registration.pushManager.getSubscription();
  await oldSubscription.unsubscribe();
  const event = new PushSubscriptionChangeEvent("pushsubscriptionchange", { KNOWN });
  let answer;
  event.waitUntil = (promise) => (answer = promise);
  dispatchEvent(event);
  await answer;
  return (await registration.pushManager.getSubscription()).endpoint;
}
"""


@pytest.fixture
def service(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PushService]:
    settings.SARSEN_PUSH_KEY = KEY
    made = PushService()
    made.begin(tmp_path)

    def post(url: str, body: bytes, headers: Mapping[str, str], *, longest: int) -> PostResult:
        made.deliver(url, body)
        return PostResult(201, "")

    # The network ends here: what would go to the address that Chromium gave goes to the
    # service that Chromium listens to.
    monkeypatch.setattr(push, "post", post)
    yield made
    made.end()


@pytest.fixture
def ann(
    chromium: Browser,
    flags: list[str],
    service: PushService,
    live_server: Any,
    world: World,
    tmp_path: Path,
) -> Iterator[Page]:
    """Ann's own browser: one that keeps nothing takes no notices."""
    own: BrowserContext = chromium.browser_type.launch_persistent_context(
        str(tmp_path / "profile"),
        executable_path="/usr/bin/chromium",
        args=[*flags, *service.flags],
    )
    own.grant_permissions(["notifications"], origin=live_server.url)
    client = Client()
    client.force_login(world.player("ann"))
    key = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    cookie = {"name": django_settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}
    own.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict
    yield own.new_page()
    own.close()


@pytest.mark.slow
def test_notices_are_switched_on_shown_tapped_and_follow_the_browser(
    ann: Page, live_server: Any, world: World
) -> None:
    board = world.board(players=("bob", "ann"))
    ann.goto(f"{live_server.url}/account/devices/")
    ann.get_by_role("button", name="Show notifications on this device").click()
    expect(ann.locator(".done")).to_contain_text("This device now shows notifications.")
    device = Device.objects.get()
    (worker,) = ann.context.service_workers

    def move(userid: str, text: str) -> None:
        perform(PlayMove("druid", board, text), Actor(world.player(userid)), "", world.now)

    def notice_appears() -> None:
        worker.evaluate(WATCH)
        assert sweep_pushes(world.now, words) == 1
        assert worker.evaluate(IS_SHOWN, SOON)
        assert f"Druid {board} against bob: It's your move." in ann.evaluate(SHOWN)

    move("bob", "b8")
    notice_appears()
    assert worker.evaluate(TAP) in (None, "InvalidAccessError: Not allowed to focus a window.")
    ann.wait_for_url(f"{live_server.url}/boards/{board}/", timeout=SOON)
    # The browser changes its endpoint, and says so or not: notices follow it.
    for known, own, other in (("oldSubscription", "h1", "a1"), ("", "h2", "a2")):
        endpoint = worker.evaluate(CHANGE.replace("KNOWN", known))
        renewed = Device.objects.get()
        assert (renewed.pk, renewed.endpoint) == (device.pk, endpoint)
        assert renewed.secret != device.secret
        device = renewed
        ann.evaluate(CLEAR)
        move("ann", own)
        move("bob", other)
        notice_appears()
    ann.goto(f"{live_server.url}/account/devices/")
    ann.get_by_role("button", name="Turn off").click()
    expect(ann.locator(".done")).to_contain_text("That device no longer shows notifications.")
    assert not Device.objects.exists()
    subscribed = "registration.pushManager.getSubscription().then(Boolean)"
    assert not worker.evaluate(subscribed)
