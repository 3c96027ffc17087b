"""Texts to everybody: announcements of games, and the news that broadcasts become."""
