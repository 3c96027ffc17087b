"""The fields of commands, with their limits, and the form of commands and facts as JSON."""
