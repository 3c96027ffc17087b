"""The terminal door. Open `games` for what needs no server."""
