"""One grammar for all doors: a typed line becomes a command, and a command a line."""
