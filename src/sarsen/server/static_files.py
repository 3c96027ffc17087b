"""Static files: collected, minified and compressed once for each version of them."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import call_command
from whitenoise.storage import CompressedStaticFilesStorage

_MINIFIERS = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


class MinifiedStaticFilesStorage(CompressedStaticFilesStorage):  # type: ignore[misc]
    """Store our own scripts and style sheets minified and compressed.

    They are then a quarter smaller on the wire. Files of packages stay as they are.
    """

    def _save(self, name: str, content: Any) -> str:
        minify = _MINIFIERS.get(Path(name).suffix)
        if minify and Path(name).parts[0] == "web":
            content = ContentFile(minify(content.read().decode()).encode())
        return str(super()._save(name, content))


def gather_static_files() -> None:
    """Collect the static files, once for each version of them.

    Those of the version before stay: its processes may run on for a while, and its pages are open.
    """
    root: Path = settings.STATIC_ROOT
    settings.DATA.mkdir(parents=True, exist_ok=True)
    with (settings.DATA / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may do the same
        if is_gathered(root):
            return
        for folder in (*earlier_versions(root)[:-1], root):
            shutil.rmtree(folder, ignore_errors=True)
        # The API's reference pages bring megabytes that take half a minute to compress; they
        # are served from their package as they are (WHITENOISE_USE_FINDERS).
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["ninja"])
        os.sync()  # a power cut leaves no file that is said to be complete and is empty
        _complete(root).touch()


def earlier_versions(root: Path) -> list[Path]:
    """Return the folders of other versions of the static files, the latest complete one last."""
    others = [folder for folder in root.parent.glob("*") if folder != root]
    return sorted(others, key=lambda folder: (is_gathered(folder), folder.stat().st_mtime))


def is_gathered(root: Path) -> bool:
    """Return whether all static files of a version are in its folder."""
    return _complete(root).exists()


def _complete(root: Path) -> Path:
    """Return the file that says that all static files are in a folder."""
    return root / "complete"
