"""Accounts: signing up, logging in, preferences, leaving."""
