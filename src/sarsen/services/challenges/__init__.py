"""Challenges: made, accepted, listed, and the terms they agree on."""
