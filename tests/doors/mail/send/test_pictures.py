"""The pictures of letters, as the library writes them."""

from __future__ import annotations

from email.mime.image import MIMEImage
from email.policy import SMTP

import pytest

from sarsen.doors.mail.send.composing import _picture


@pytest.mark.parametrize("size", [0, 1, 57, 58, 12_345])
def test_a_picture_is_written_as_the_library_writes_it(size: int) -> None:
    drawn = bytes(at * 7 % 256 for at in range(size))
    picture = MIMEImage(drawn, "png")
    picture["Content-ID"] = "<board-2>"
    picture.add_header("Content-Disposition", "inline", filename="board-2.png")
    assert _picture("board-2", drawn) == picture.as_bytes(policy=SMTP)
