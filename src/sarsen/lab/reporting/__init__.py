"""`sarsen report`: what a game is like to play, measured by games between searches."""
