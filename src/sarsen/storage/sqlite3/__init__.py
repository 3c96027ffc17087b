"""Django's engine for SQLite, with one thing more: each writer waits for its turn.

SQLite lets the next writer in by luck. Who finds it locked sleeps, up to a tenth of a second,
and looks again; a process that writes without a pause takes the lock back long before. Open
`turns` first; `base` is where Django looks for an engine.
"""
