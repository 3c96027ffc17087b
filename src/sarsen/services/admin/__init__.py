"""Administration: verify, back up, restore, copy and publish; bar and forget players.

`verify` replays every board and counts everything again.
"""
