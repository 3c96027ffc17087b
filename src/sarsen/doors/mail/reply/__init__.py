"""Turn a mail into commands, perform them, and queue the answer."""
