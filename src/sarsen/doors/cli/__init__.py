"""The commands of `sarsen` that play, read and send lines; some need no server."""
