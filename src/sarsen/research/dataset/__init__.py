"""Finished games as a set of data: a row a game, a file a game type, and a card that says so.

`rows` says what a row holds and who is named in it; `files` writes rows as JSON lines and as
Parquet; `card` words the README of the folder. `services.published` gives the games.
"""
