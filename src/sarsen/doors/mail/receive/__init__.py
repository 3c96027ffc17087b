"""Receive mail over SMTP, LMTP or a pipe, and store it before it is acknowledged."""
