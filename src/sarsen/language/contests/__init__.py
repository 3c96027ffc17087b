"""Contests in words: their law, the commands, and what these are answered with."""
