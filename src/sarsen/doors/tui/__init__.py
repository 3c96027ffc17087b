"""The full-screen terminal, `sarsen tui`: boards to play on by keys and by mouse.

It speaks to a server through `sarsen.client` alone, and replays positions by the games'
own rules. Textual is loaded when the command runs: other parts import `command` only.
"""
