from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.mail import outgoing
from sarsen.services.mail.incoming import Delivery, store
from sarsen.storage.models import Heartbeat, InboundMail, OutgoingMail

pytestmark = pytest.mark.usefixtures("world")
TOKEN = "only-the-monitor-knows"


def scraped(client: Client) -> dict[str, float]:
    answer = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {sample.name: sample.value for one in families for sample in one.samples}


def test_figures_of_a_monitor_follow_what_happens(client: Client, settings: Any) -> None:
    settings.SARSEN_METRICS_TOKEN = TOKEN
    now = timezone.now()
    before = scraped(client)
    store([Delivery("ann@example.org", "sarsen@sarsen.localhost", b"Subject: help\n\n")], now)
    outgoing.queue(outgoing.NewLetter("ann@example.org", "answer", {}), now - timedelta(minutes=2))
    after = scraped(client)
    assert before["sarsen_mails_waiting"] == 0
    assert after["sarsen_mails_waiting"] == 1
    assert after["sarsen_mails_total"] == before["sarsen_mails_total"] + 1
    assert after["sarsen_letters_waiting"] == 1
    assert 119 < after["sarsen_oldest_letter"] < 300
    assert after["sarsen_clocks_age"] == -1


def test_mails_set_aside_are_a_figure(client: Client, settings: Any) -> None:
    settings.SARSEN_METRICS_TOKEN = TOKEN
    now = timezone.now()
    for at in (now, now - timedelta(days=3)):
        store([Delivery("ann@example.org", "sarsen@sarsen.localhost", f"{at}".encode())], at)
    assert scraped(client)["sarsen_mails_set_aside"] == 0
    InboundMail.objects.update(state=InboundMail.State.FAILED)
    assert scraped(client)["sarsen_mails_set_aside"] == 1


def test_pages_are_timed_by_name_and_no_address_is_told(client: Client, settings: Any) -> None:
    settings.SARSEN_METRICS_TOKEN = TOKEN
    client.get("/unsubscribe/player-this-is-a-secret/")
    client.get("/health/")
    answer = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    told = answer.content.decode()
    assert 'sarsen_page_seconds_count{page="health",status="2xx"}' in told
    assert "this-is-a-secret" not in told


@pytest.mark.parametrize("shown", ["", "Bearer ", f"Bearer {TOKEN}x", f"Bearer x{TOKEN}"])
def test_without_the_token_there_is_no_page_of_figures(
    client: Client, settings: Any, shown: str
) -> None:
    settings.SARSEN_METRICS_TOKEN = TOKEN
    assert client.get("/metrics/", headers={"Authorization": shown}).status_code == 404


def test_a_server_without_a_token_shows_no_figures(client: Client) -> None:
    for shown in ("", "Bearer", "Bearer "):
        assert client.get("/metrics/", headers={"Authorization": shown}).status_code == 404


def test_health_of_work_names_what_lies(client: Client) -> None:
    now = timezone.now()
    Heartbeat.objects.create(name=CLOCKS, at=now)
    well = client.get("/health/due/")
    assert (well.status_code, well.content) == (200, b"ok\n")
    outgoing.queue(outgoing.NewLetter("ann@example.org", "answer", {}), now - timedelta(hours=1))
    Heartbeat.objects.update(at=now - timedelta(hours=1))
    ill = client.get("/health/due/")
    assert (ill.status_code, ill.content) == (503, b"clocks\nmail-out\n")
    # A letter that its receiver's server refuses for now says nothing of ours.
    OutgoingMail.objects.update(attempts=1)
    assert client.get("/health/due/").content == b"clocks\n"
