"""Lessons on pages: steps on live boards, how far a visitor is, and where they are offered."""
