"""Contests as lists, tables, pages, letters and programs show them."""
