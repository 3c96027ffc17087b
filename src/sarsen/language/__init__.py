"""Commands, their one grammar, and the words of replies, the same at every door.

Open `commands` first: every command there is. Standard library only; knows no game and no
door.
"""
