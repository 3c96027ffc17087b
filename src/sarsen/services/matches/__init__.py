"""Matches: moves, offers, chat, spectators, and the views of a board."""
