"""What the server keeps: Django models and migrations, and nothing that decides.

Open `models/__init__` first. Only `services` reads and writes these tables.
"""
