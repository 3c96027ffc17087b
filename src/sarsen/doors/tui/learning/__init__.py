"""Lessons, puzzles, days and own mistakes, full screen."""
