"""Incoming and outgoing mail as it is stored, and signed reply addresses."""
