"""The doors: mail, web, API and terminal.

A door proves who speaks, makes a command, and words the reply. It holds no rule
of a game and no query of the database, and it never imports another door.
"""
