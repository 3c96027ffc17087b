"""What the server does: one module a subject, one handler a command.

Open `dispatch` first: every door calls `perform`. Services load, ask the pure
parts to decide, and save; they word nothing and know no door.
"""
