"""Lessons of players: how far they are, and the answers to their tries."""
