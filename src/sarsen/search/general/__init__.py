"""Searches for games that bring no kernel: in pure Python, by the rules of the game alone.

`trees` plays games of chance, `minimax` asks `evaluate`; `functions` finds what a game brings.
"""
