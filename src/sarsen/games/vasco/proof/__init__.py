"""What is known of Vasco beyond its kernel.

`forced_loop` wins for X from 47 tiles on, `walking` proves that it does, and `turning` makes
one first tile of six. `pools` finds the value of a small pool.
"""
