"""Pages to make, accept and decline challenges."""
