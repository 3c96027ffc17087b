"""Packages with games, installed the way an installer would, without an installer.

Where Python finds them stands the package, and beside it the few lines of its `.dist-info`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

PYTEST = ("pytest", "-q", "-p", "no:cacheprovider")

NODE = shutil.which("node")
# `.ci/run` installs Node, so that this never skips there; a developer may lack it.
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: apt install nodejs")


def install(source: Path, site: Path, *, is_editable: bool = False) -> None:
    """Install a package into a folder; changes in its source show there if it is editable."""
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = project["name"].replace("-", "_")
    if is_editable:
        (site / package).symlink_to(source / package)
    else:
        shutil.copytree(source / package, site / package)
    info = site / f"{package}-{project['version']}.dist-info"
    info.mkdir()
    named = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(named, encoding="utf-8")
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {module}" for name, module in entries.items())])
        for group, entries in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups) + "\n", encoding="utf-8")


def load_rules(path: Path, name: str) -> ModuleType:
    """Load a file of rules alone, without its package, under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(
    site: Path, *words: str, folder: Path = Path(__file__).parents[1]
) -> subprocess.CompletedProcess[str]:
    """Run a module of Python, or lines of it after `-c`, where the packages are installed."""
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, *(words if words[0] == "-c" else ("-m", *words))],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        cwd=folder,
        capture_output=True,
        text=True,
    )


def passed(result: subprocess.CompletedProcess[str]) -> int:
    """Return how many tests passed; none may fail or be left out."""
    assert result.returncode == 0, result.stdout + result.stderr
    found = re.search(r"^(\d+) passed", result.stdout, re.MULTILINE)
    assert found, result.stdout
    return int(found[1])
