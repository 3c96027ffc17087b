"""Pages of contests: lists, tables, and what can be done there."""
