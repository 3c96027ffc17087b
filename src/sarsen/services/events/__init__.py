"""What happened at boards: streams, live updates, feeds and statistics."""
