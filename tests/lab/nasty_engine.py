"""An engine that plays by the protocol until it does what its first argument says.

It knows the rules from sarsen and plays the first legal move: `nasty_engine.py KIND GAME`.
`kills-once` has a third argument, a file that it writes before it kills the process that it
plays in; where there is one already, it plays on.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

from sarsen.games import load

KIND, GAME = sys.argv[1], sys.argv[2]
KNOWN = ["list_commands", "set_options", "clear_board", "play", "genmove", "quit"]


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def hang() -> NoReturn:
    while True:
        time.sleep(60)


def misbehave() -> str:
    """Return what is said instead of a move, or do worse."""
    match KIND:
        case "hangs":
            hang()
        case "crashes":
            sys.exit("engine: out of ideas")
        case "lies":
            return "= z99\n\n"
        case "garbage":
            return "\x00\xff I think, therefore I move\n\n"
        case "flood":
            while True:
                say("= " + "x" * 4096)
        case "talks":
            while True:
                say("= a1\n")
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "no-end":
            say("= a1\n")
            hang()
        case "chatters":
            return "= " + first_move() + "\n\n= and another thing\n\n"
        case "silent-end":
            os.close(1)
            hang()
        case "kills-once" if len(path) > 4:
            kill_once(Path(sys.argv[3]))
        case "resigns":
            return "= RESIGN\n\n"
        case "gives-up":
            return "? no idea\n\n"
        case "empty":
            return "=\n\n"
    return "= " + first_move() + "\n\n"


def kill_once(mark: Path) -> None:
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit()


def first_move() -> str:
    move = path[-1].legal_moves()[0]
    path.append(path[-1].play(move))
    return path[-2].format(move)


path = [load(GAME).start()]
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "list_commands":
        say("=\n" if KIND == "wordy" else "")
        say(("" if KIND == "wordy" else "= ") + "\n".join(KNOWN) + "\n\n")
    elif command == "set_options":
        path = [load(GAME).start(rest)]
        say("=\n\n")
    elif command == "clear_board":
        path = [load(GAME).start(path[-1].options)]
        say("=\r\n\r\n" if KIND == "wordy" else "=\n\n")
    elif command == "play":
        if KIND == "deaf":
            say("? illegal move\n\n")
            continue
        path.append(path[-1].play(path[-1].parse(rest.partition(" ")[2])))
        say("= \n\n")
    elif command == "genmove":
        say(misbehave())
    elif command == "quit":
        say("=\n\n")
        if KIND == "stays":
            hang()
        break
