"""Find the faults of a game: its laws, what one side alone cannot show, its help page."""
