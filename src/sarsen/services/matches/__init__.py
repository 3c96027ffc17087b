"""Matches: moves, offers, chat and spectators."""
