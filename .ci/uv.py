"""Run the uv of .venv with the package index that pip is set to use.

uv does not read pip's settings, so a machine whose index is set for pip alone would not
be set up. Whatever is set for uv itself goes before. Nothing of it is shown: the address
of an index may hold a password.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

UV = Path(__file__).resolve().parent.parent / ".venv" / "bin" / "uv"
# Where pip takes a setting from, the strongest last.
SECTIONS = ("global", "install", ":env:")
# pip's name for a setting, uv's variables for it, and what parts several values in them.
SAME = (
    ("index-url", ("UV_DEFAULT_INDEX", "UV_INDEX_URL"), " "),
    ("extra-index-url", ("UV_INDEX", "UV_EXTRA_INDEX_URL"), " "),
    ("find-links", ("UV_FIND_LINKS",), ","),
    ("trusted-host", ("UV_INSECURE_HOST",), " "),
    ("cert", ("SSL_CERT_FILE",), " "),
)


def main() -> None:
    """Become uv, with the arguments this was given."""
    environment = dict(os.environ)
    if not _has_own_index(environment):
        environment |= as_uv_says(_pip_settings(), environment)
    program = os.environ.get("UV_PROGRAM") or str(UV)
    os.execve(program, [program, *sys.argv[1:]], environment)  # noqa: S606 (no shell is meant)


def as_uv_says(pip: dict[str, str], environment: dict[str, str]) -> dict[str, str]:
    """Give the variables for uv that say what pip's settings say."""
    said = {}
    for name, variables, parted_by in SAME:
        found = [pip[f"{section}.{name}"] for section in SECTIONS if f"{section}.{name}" in pip]
        if found and not any(variable in environment for variable in variables):
            said[variables[0]] = parted_by.join(found[-1].split())
    if "UV_INDEX" in said:
        # pip takes the best of all indexes; what is installed is pinned by its hash.
        said["UV_INDEX_STRATEGY"] = environment.get("UV_INDEX_STRATEGY", "unsafe-best-match")
    return said


def _pip_settings() -> dict[str, str]:
    words = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout  # noqa: S603 (our own words)
    pairs = (line.partition("=") for line in listed.splitlines() if "=" in line)
    return {name: str(ast.literal_eval(value)) for name, _, value in pairs}


def _has_own_index(environment: dict[str, str]) -> bool:
    """Tell whether a settings file of uv speaks of an index."""
    home = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    places = [home / "uv" / "uv.toml", Path("/etc/uv/uv.toml")]
    places += [Path(environment[name]) for name in ("UV_CONFIG_FILE",) if name in environment]
    return any("index" in place.read_text("utf-8") for place in places if place.is_file())


if __name__ == "__main__":
    main()
