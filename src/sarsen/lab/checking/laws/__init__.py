"""Laws that one position of a game keeps: each yields what is wrong with it."""
