"""What is said of lessons and puzzles: commands and answers, a file a subject."""
