"""Pages of what is solved, and the files to check it."""

from __future__ import annotations

import pytest
from django.test import Client

from sarsen.games import load
from sarsen.learning.solved import Claim, claims

CLAIMS = list(claims().values())


@pytest.mark.django_db
def test_the_list_has_every_claim_and_a_game_has_its_own(client: Client) -> None:
    page = client.get("/solved/").content.decode()
    for claim in CLAIMS:
        assert f'href="/solved/{claim.id}/"' in page
        assert (
            f'href="/solved/{claim.id}/"'
            in client.get(f"/games/{claim.game.name}/").content.decode()
        )
    assert {claim.game.name for claim in CLAIMS} == {"druid", "vasco", "visavis"}


@pytest.mark.django_db
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_has_its_sentences_its_runs_and_all_its_files(client: Client, claim: Claim) -> None:
    page = client.get(f"/solved/{claim.id}/").content.decode()
    for run in claim.runs:
        assert run.command in page
        assert run.last in page
    assert "`" not in page.split("<main")[1]
    for name in claim.files:
        answer = client.get(f"/solved/{claim.id}/{name}")
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        assert answer["Content-Type"].startswith("text/plain")
        assert claim.file(name) == answer.content.decode() != ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "nothing/",
        "visavis-5-to-25/claims.toml",
        "visavis-5-to-25/check_druid.py",
        "nothing/check_druid.py",
    ],
)
def test_there_is_no_other_claim_and_no_other_file(client: Client, path: str) -> None:
    assert client.get(f"/solved/{path}").status_code == 404


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_the_picture_of_a_claim_is_a_position_of_its_game(claim: Claim) -> None:
    assert claim.position().game is load(claim.game.name)
