"""Planted faults that few games show: with two options, at an edge, after another game."""

from __future__ import annotations

from lab.planted_faults import HEX_STONE, Plant

RARE_PLANTS = {
    "crash with two options at once": Plant(
        *("crash", "hex", HEX_STONE),
        "assert not (self.terms.flag('swap') and self.size == 3 and len(self.moves) > 4); "
        f"{HEX_STONE}",
    ),
    "crash in describe after a swap": Plant(
        *("crash", "hex", ""),
        "    def describe(self, position):\n"
        "        return {True: None}.get('swap' in position.moves, VIEW).describe(position)",
    ),
    "crash in the table of cells": Plant(
        *("crash", "hex", ""),
        "    def cells(self, position):\n"
        "        return {2: None}.get(len(position.moves), VIEW).cells(position)",
    ),
    "text board drops the pieces of a row": Plant(
        *("text-drops", "hex", ""),
        "    def text(self, position, viewer=None):\n"
        "        rows = VIEW.text(position, viewer).split('\\n')\n"
        "        rows[2] = ''.join('.' if one in 'rb' else one for one in rows[2])\n"
        "        return '\\n'.join(rows)",
    ),
    "a swap that is a pass": Plant(
        *("idle-swap", "hex", "    def outcome(self)"),
        "    sides = SEATS\n\n    def outcome(self)",
    ),
    "wrong winner after a swap that no option names": Plant(
        *("swap-winner", "hex", "    def outcome(self)"),
        "    @property\n    def may_swap(self) -> bool:\n        return len(self.moves) == 1\n\n"
        "    def won_by(self, side: int, reason: str) -> Outcome:\n"
        "        return Outcome((1.0 - side, float(side)), reason)\n\n    def outcome(self)",
    ),
    "memory of an earlier game": Plant(
        *("hidden-state", "hex", "winner = self.side if joins("),
        "mine = frozenset(cell for cell in stones if stones[cell] == self.side)\n"
        "        if joins(move, self.side, stones, self.size):\n"
        "            ASKED.append(mine)\n"
        "        winner = self.side if mine in ASKED or joins(",
        seconds=6.0,
    ),
    "a view that remembers an earlier game": Plant(
        *("hidden-state", "hex", ""),
        "    met = {}\n\n"
        "    def text(self, position, viewer=None):\n"
        "        key = position.size, len(position.moves), position.moves[-1:]\n"
        "        return self.met.setdefault(key, VIEW.text(position, viewer))",
    ),
    "a view that remembers the middle of an earlier game": Plant(
        *("hidden-state", "hex", ""),
        "    met = {}\n\n"
        "    def text(self, position, viewer=None):\n"
        "        drawn = VIEW.text(position, viewer)\n"
        "        if position.size < 5 or len(position.moves) not in (7, 8):\n"
        "            return drawn  # no early position, and no last one\n"
        "        return self.met.setdefault(position.moves[-2:], drawn)",
        seconds=6.0,
    ),
    "order of a set": Plant(
        *("hidden-state", "hex", "joined {ENDS[self.winner]}."),
        "joined {next(iter(set(self.stones)))}.",
    ),
    "words of a choice that mean the same": Plant(
        *("idle-option", "hex", "OPTIONS = ("),
        "from sarsen.core.options import Choice\n\nOPTIONS = ("
        'Choice("edge", "which edges are joined", ("own", "any"), "own"), ',
    ),
    "words of a choice that only the reason tells apart": Plant(
        *("idle-option", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        "from dataclasses import replace\n\nfrom sarsen.core.options import Choice\n\n"
        'EDGE = Choice("edge", "which edges are joined", ("own", "any"), "own")\n'
        "INFO = replace(INFO, options=(*OPTIONS, EDGE))\nright = HexPosition.won_by\n"
        "HexPosition.won_by = lambda self, side, reason: right(\n"
        "    self, side, f\"{reason[:-1]} ({self.terms.choice('edge')}).\"\n)\n"
        "GAME: Game = RecordedGame(INFO, HexPosition)",
    ),
    "a capture that changes the old position": Plant(
        *("play-changes", "breakthrough", "        men = {square: side for square"),
        "        if to in self.men and len(self.men) < 4 * self.size - 3:\n"
        "            del self.men[to]\n"
        "        men = {square: side for square",
    ),
    "a game that need not end with an option": Plant(
        *("may-not-end", "breakthrough", "free = [ahead] if ahead not in self.men else []"),
        "back = name(column, 2 * int(man[1:]) - row)\n"
        "        free = [to for to in (ahead, back)[: 1 + (self.size == 4)] if to not in self.men "
        "and 1 <= int(to[1:]) <= self.size]",
    ),
    "wrong winner after swap, with another option": Plant(
        *("swap-winner", "hex", "return self.won_by(self.winner, "),
        "is_turned = self.is_swapped and self.size == 5\n"
        "        return self.won_by(1 - self.winner if is_turned else self.winner, ",
    ),
    "legal_moves leaves out a cell with two options at once": Plant(
        *("unlisted-move", "hex", "if cell not in self.stones)"),
        "if cell not in self.stones and not (\n"
        "            cell == 'e3' and self.terms.flag('swap')))",
        seconds=3.0,
    ),
    "legal_moves leaves out a swap after one first move": Plant(
        *("unlisted-move", "hex", '(*free, "swap") if self.may_swap'),
        "(*free, \"swap\") if self.may_swap and (self.size, self.moves[0]) != (4, 'd3')",
    ),
    "crash in a long game with one option": Plant(
        *("crash", "tryout", "        stones = {**self.stones"),
        "        assert self.size != 5 or len(self.stones) < 21\n        stones = {**self.stones",
        seconds=4.0,
    ),
    "text board drops one side's stone at one cell": Plant(
        *("text-drops", "hex", ""),
        "    def text(self, position, viewer=None):\n"
        "        kept = {c: s for c, s in position.stones.items() if (c, s) != ('b3', 1)}\n"
        "        return VIEW.text(replace(position, stones=kept), viewer)",
        seconds=6.0,
    ),
    "picture draws both sides alike at one cell": Plant(
        *("picture-drops", "hex", ""),
        "    def scene(self, position, viewer=None):\n"
        "        alike = {c: s * (c != 'b3') for c, s in position.stones.items()}\n"
        "        return VIEW.scene(replace(position, stones=alike), viewer)",
        seconds=6.0,
    ),
    "one side that never wins with one option": Plant(
        *("one-side-wins", "hex", "GAME: Game = RecordedGame(INFO, HexPosition)"),
        "from dataclasses import replace\n\nfrom sarsen.core.options import Choice\n\n"
        'EDGE = Choice("edge", "which edges are joined", ("own", "any"), "own")\n'
        "INFO = replace(INFO, options=(*OPTIONS, EDGE))\nright = HexPosition.won_by\n"
        "HexPosition.won_by = lambda self, side, reason: right(\n"
        "    self, side * (self.terms.choice('edge') == 'own'), reason\n)\n"
        "GAME: Game = RecordedGame(INFO, HexPosition)",
        seconds=6.0,
    ),
}
