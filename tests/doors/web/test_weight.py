"""The largest page of a board, and all that a browser fetches for it, on a slow line."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.slow  # a game of sixty moves has to be found and played first
def test_the_largest_board_weighs_at_most_sixty_kilobytes_on_the_wire(db: None) -> None:
    # They load the searches: not while tests are collected.
    from bench.page_boards import boards_of, player
    from bench.pages import GAMES, LIMIT, weigh

    board = boards_of({"visavis": GAMES["visavis"]})["visavis"]
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(player())
    files = weigh(client, f"/boards/{board}/")
    assert {"moves.json", "cells.json", "at-board.js", "live.js", "page.css"} <= {
        one.path.rpartition("/")[2] for one in files
    }
    assert sum(one.travelling for one in files) <= LIMIT == 60_000
