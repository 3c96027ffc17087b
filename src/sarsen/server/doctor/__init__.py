"""`sarsen doctor`: what an operator should know of his server before his players tell him.

Each file looks at one matter and gives findings; `command` prints them. Nothing is changed,
but for one mail with `--mail`.
"""
