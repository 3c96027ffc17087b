"""Limits of players, of answered mail, of a site, of rates and of processor time."""
