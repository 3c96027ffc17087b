"""`sarsen doctor`: what an operator should know of their server before their players tell them.

Each file looks at one matter and gives findings; `command` prints them. Nothing is changed,
but for one mail with `--mail`.
"""
