"""The licences of what the server needs, as its packages name them."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"
# What a package's own words leave open; read in the licence file that it brings.
READ = {
    "dkimpy": "Zlib",
    "fido2": "BSD-2-Clause, Apache-2.0, MPL-2.0",
    "psycopg-binary": "LGPL-3.0-only, with libpq (PostgreSQL) and OpenSSL (Apache-2.0)",
    "resvg-py": "MIT, with resvg (Apache-2.0 OR MIT)",
}
HEADER = """\
<!-- Generated from requirements.txt by `make docs`. -->

# Licences

sarsen is under the MIT licence. These are the licences of the packages that it needs, as the
packages name them. None of them asks anything of those who run a server unchanged; the LGPL and the
MPL ask those who pass on a changed copy of *that package* to pass on its source, too.

| package | licence |
|---|---|
"""


def required() -> list[str]:
    """Return the names of all packages in requirements.txt."""
    lines = REQUIREMENTS.read_text("utf-8").splitlines()
    found = [re.match(r"([A-Za-z0-9._-]+)==", line) for line in lines]
    return sorted({match[1].lower() for match in found if match})


def licence_of(package: str) -> str:
    """Return the licence of an installed package: its expression, its field, or its classifiers."""
    if package in READ:
        return READ[package]
    told = metadata(package)
    classifiers = [
        line.rpartition("::")[2].strip()
        for line in told.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    field = (told.get("License") or "").strip().partition("\n")[0]
    return str(told.get("License-Expression") or field or ", ".join(classifiers))


def page() -> str:
    """Return the text of docs/licences.md."""
    rows = [f"| {package} | {licence_of(package)} |" for package in required()]
    return HEADER + "\n".join(rows) + "\n"
