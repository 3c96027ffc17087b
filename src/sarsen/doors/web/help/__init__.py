"""Rules and help pages, with boards to step through."""
