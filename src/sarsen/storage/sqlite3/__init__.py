"""Django's database backend for SQLite, in which writers take turns.

SQLite itself lets the next writer in by chance: a process that writes without a pause keeps
others out for seconds. `base` is the module where Django looks for a backend.
"""
