"""The page of a board: position, choices, live updates, variations, reviews and records."""
