"""Comparisons of games with each other: with other options, sides and places."""
