"""Pages about players: profiles, tables, charts, boards and feeds of one player."""
