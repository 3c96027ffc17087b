"""One version, which stands in `sarsen/__init__.py`, is told everywhere."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.utils import timezone

import sarsen
from sarsen.doors.api.urls import api
from sarsen.doors.web.site import monitoring
from sarsen.server.command import main
from sarsen.services.admin import public_data

ROOT = Path(__file__).parents[1]


def test_the_version_is_that_of_the_changelog_and_ends_with_dev0_until_it_is_released() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(r"^## (\S+?)(, not released yet)?$", changelog, re.MULTILINE)
    assert heading
    assert sarsen.__version__ == heading[1] + (".dev0" if heading[2] else "")


def test_no_other_file_names_the_version_and_the_wheel_takes_it_from_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"] == {"path": "src/sarsen/__init__.py"}
    named = re.compile(rf"\b{re.escape(sarsen.__version__)}\b")
    files = [path for path in (ROOT / "src/sarsen").rglob("*.py") if path.is_file()]
    found = [path for path in files if named.search(path.read_text(encoding="utf-8"))]
    assert found == [ROOT / "src/sarsen/__init__.py"]


@pytest.mark.django_db
def test_every_door_tells_the_same_version() -> None:
    facts = json.loads(next(public_data.public_lines(timezone.now())))
    told = {
        "command": CliRunner().invoke(main, ["--version"]).output.split()[-1],
        "API": api.version,
        "public data": facts["version"],
        "metrics": next(iter(monitoring._Stored().collect())).documentation.split(" ")[1][:-1],
    }
    assert set(told.values()) == {sarsen.__version__}, told
