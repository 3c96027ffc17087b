"""The `sarsen` commands that need the server's own database or keys."""
