"""Texts to everybody: announcements of games, the news that broadcasts become, wishes for
games, and reports of abuse."""
