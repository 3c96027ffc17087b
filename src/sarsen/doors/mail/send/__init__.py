"""Compose, sign and hand letters to the relay."""
