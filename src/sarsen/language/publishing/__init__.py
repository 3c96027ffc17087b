"""Texts to everybody: announcements of games, the news that broadcasts become, and reports
of abuse."""
