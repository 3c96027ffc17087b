"""A passkey in a real browser, with a device that the browser plays; and chosen colours."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}

# The virtual device is touched either always or never. So what the button asks waits here until
# what the field offered is withdrawn, and the device has been set to be touched.
ASK_LATER = """
const get = navigator.credentials.get.bind(navigator.credentials);
const touched = new Promise((resolve) => { window.touch = resolve; });
window.asked = new Promise((resolve) => { window.ask = resolve; });
let offered = Promise.resolve();
navigator.credentials.get = async (asked) => {
  if (asked.mediation === "conditional") return (offered = get(asked));
  await offered.catch(() => {});
  window.ask();
  await touched;
  return get(asked);
};
"""


@pytest.fixture
def url(live_server: Any, settings: Any) -> str:
    """Return the server's address by name: browsers take no passkey for a number."""
    settings.SARSEN_URL = str(live_server.url).replace("127.0.0.1", "localhost")
    return settings.SARSEN_URL  # type: ignore[no-any-return]


def open_page(browser: BrowserContext) -> tuple[Page, Any, str]:
    """Open a page, and plug a device into its browser."""
    page = browser.new_page()
    devices = browser.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    plugged = devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return page, devices, str(plugged["authenticatorId"])


def fields_of(request: Request) -> dict[str, str]:
    """Return what a form held."""
    return {name: values[0] for name, values in parse_qs(request.post_data or "").items()}


def test_a_passkey_is_added_logs_in_once_an_answer_and_is_removed(
    chromium: Browser, world: World, url: str
) -> None:
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    with chromium.new_context(timezone_id="Asia/Tokyo") as browser:
        page, devices, device = open_page(browser)
        page.goto(f"{url}/login/?next=/account/")
        page.get_by_label("Name").fill("ann")
        page.get_by_label("Password").fill("open-sesame")
        page.get_by_role("button", name="Log in", exact=True).click()
        page.get_by_role("button", name="Use this time zone").click()
        expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
        page.get_by_role("link", name="Password, passkeys").click()
        page.get_by_label("Name, for example of the device").fill("My laptop")
        page.get_by_role("button", name="Add a passkey").click()
        expect(page.get_by_role("row", name="My laptop")).to_contain_text("never")
        page.locator(".who summary").click()
        page.get_by_role("button", name="Log out", exact=True).click()

        # Nobody touches the device: what the field offers is not chosen, the button asks again.
        still = {"authenticatorId": device, "enabled": False}
        devices.send("WebAuthn.setAutomaticPresenceSimulation", still)
        page.add_init_script(ASK_LATER)
        page.goto(f"{url}/login/?next=/account/security/")
        expect(page.get_by_label("Name")).to_have_attribute("autocomplete", "username webauthn")
        with page.expect_request("**/login/passkey/") as sent:
            page.get_by_role("button", name="Log in with a passkey").click()
            page.evaluate("window.asked")
            devices.send("WebAuthn.setAutomaticPresenceSimulation", {**still, "enabled": True})
            page.evaluate("window.touch()")
        expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
        expect(page.get_by_role("row", name="My laptop")).not_to_contain_text("never")

        said = fields_of(sent.value)
        again = page.request.post(
            f"{url}/login/passkey/",
            form={
                "challenge": said["challenge"],
                "answer": said["answer"],
                "csrfmiddlewaretoken": page.locator(
                    "[name=csrfmiddlewaretoken]"
                ).first.input_value(),
            },
        )
        assert again.status == 422
        assert "was already used" in again.text()
        page.get_by_role("button", name="Remove My laptop").click()
        expect(page.get_by_text("The passkey is removed.")).to_be_visible()
        assert not player.passkeys.exists()


def test_colours_are_there_at_once_and_stripes_are_painted_without_script(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board("gyges")
    media: list[tuple[str, dict[str, Any]]] = [
        ("usual", {}),
        ("safe", {}),
        ("usual.striped", {}),
        ("contrast", {}),
        ("usual", {"contrast": "more"}),
        ("usual", {"forced_colors": "active"}),
    ]
    seen = []
    with chromium.new_context(java_script_enabled=False) as browser:
        page = browser.new_page()
        for cookie, asked in media:
            browser.add_cookies([{"name": "colours", "value": cookie, "url": live_server.url}])
            page.emulate_media(**{"contrast": "no-preference", "forced_colors": "none", **asked})
            page.goto(f"{live_server.url}/boards/{board}/")
            seen.append(page.locator("svg.board").first.screenshot())
    # High contrast looks the same, whether somebody chose it or the device asks for it.
    assert seen[3] == seen[4]
    assert len(set(seen)) == len(seen) - 1
