"""Turn a mail into a command, perform it, and word the reply."""
