"""Joining, logging in, and everything a player can set for the own account."""
