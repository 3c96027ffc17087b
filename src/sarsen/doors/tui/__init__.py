"""The full-screen terminal, `sarsen tui`: boards to play on by keys and by mouse.

It speaks to a server through `sarsen.client` alone, and replays positions by the games'
own rules. Open `app.py` for the screens, `mosaic.py` for how a scene becomes characters,
`taps.py` for how pointing becomes a move. Only `command.py` may be imported by others:
Textual is loaded when the command runs.
"""
