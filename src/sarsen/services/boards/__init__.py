"""Boards as letters, pages and programs show them: views, lists, and the queries about them."""
