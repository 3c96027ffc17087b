"""Check a certificate that a side of Druid never loses on a site of 3 x 3.

    python check_druid.py druid-3.txt

The claim: whatever V opens with, V can keep H from winning and H can keep V from winning, for
ever, however high the stones are stacked. So with best play nobody wins.

The rules in short. Only the top stone of a square counts. V begins with a sarsen at the edge.
A sarsen goes on bare ground or on a stone of one's own. A lintel covers three squares in a
line: its ends lie on stones of one's own, both at the same height, and its middle is no higher.
With -nogaps the middle is as high as the ends. With -exact exactly two stones of one's own
carry it; the third is an enemy stone as high as they, or a gap in the middle. V wins by joining
bottom and top with squares that share an edge, H by joining left and right.

The certificate. The first line is the game with its options. "V never loses" begins the part in
which V answers H, "H never loses" the other. In the part of V, a line "a1" is V's first stone.
Every other line is a move of the other side and the answer; the lines below it, indented by
one more blank, are what the other side can do then: first sarsens, a1 b1 c1 a2 … c3, then
lintels along the rows, then along the columns, each in the order of their first squares. Moves
that lead to a position met before in this part have no line. An answer that joins the edges ends
with " wins", one after which the other side can never win with " : " and a blockade.

A blockade, "a1 b2>c2 b2>b3 c3", is a set of squares (here a1, b2, c3) of the side that answers;
"b2>c2" says that c2 is a guard for b2. All squares outside are ceded. The other side, to move,
never gets a square of the blockade if

1. the guards are ceded, and lower than the squares they guard;
2. no square is a guard for two squares;
3. over a line with ceded ends and its middle in the blockade, an end is a guard for the middle;
4. in a line of three ceded squares the middle is no guard, and the ends guard one square at most.

For by 3 an end of a lintel over the blockade would be lower than its middle. And a sarsen, or a
lintel on three ceded squares, raises the guards of one square at most; the answering side
then puts a sarsen on this square, or on any of the blockade, and 1 to 4 hold again. So it never
wins if even all ceded squares do not join its edges. With -exact, where an end may be the odd
one, no line may have exactly two ceded squares, and guards do not help.

What is checked: after every first stone, every move of the other side has a legal answer; it
never joins its edges; and each line of play ends with a win or a blockade.
"""

from __future__ import annotations

import sys

SQUARES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]  # numbered from 0 to 8
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
EDGES = {"V": ({0, 1, 2}, {6, 7, 8}), "H": ({0, 3, 6}, {2, 5, 8})}
OTHER = {"V": "H", "H": "V"}

Board = tuple[tuple[str, int], ...]  # of each square whose the top stone is, and the height
Moves = dict[str, tuple[int, ...]]  # the squares that a move covers, by its text
BARE: Board = (("", 0),) * 9


class CertificateError(Exception):
    """The certificate proves nothing."""


def expect(is_true: bool, fault: str) -> None:
    if not is_true:
        raise CertificateError(fault)


def moves(board: Board, side: str, options: list[str]) -> Moves:
    """Return every move of a side, in order."""
    found: Moves = {name: (at,) for at, name in enumerate(SQUARES) if board[at][0] in ("", side)}
    if board == BARE:
        del found["b2"]  # the first stone stands at the edge
    for line in LINES:
        first, middle, last = (board[at] for at in line)
        own, is_gap = (side, first[1]), middle[1] < first[1]
        is_carried = first == last == own
        if "-exact" in options:
            is_carried = [first, middle, last].count(own) == 2
        is_even = 0 < first[1] == last[1] >= middle[1]
        if is_carried and is_even and not (is_gap and "-nogaps" in options):
            found[f"{SQUARES[line[0]]}-{SQUARES[line[2]]}"] = line
    return found


def put(board: Board, covered: tuple[int, ...], side: str) -> Board:
    """Return the board after a stone of a side that covers some squares."""
    stone = side, board[covered[0]][1] + 1
    return tuple(stone if at in covered else board[at] for at in range(9))


def joins(owned: set[int], side: str) -> bool:
    """Return whether some squares join the edges of a side."""
    begin, goal = EDGES[side]
    reached = begin & owned
    for _ in owned:
        near = {(one, at) for one in reached for at in owned}
        reached |= {b for a, b in near if abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1}
    return bool(reached & goal)


def has_won(board: Board, side: str) -> bool:
    return joins({at for at in range(9) if board[at][0] == side}, side)


def check_blockade(board: Board, keeper: str, words: list[str], options: list[str]) -> None:
    """Check that a blockade keeps the other side, to move, from ever joining its edges."""
    ceded, guards = set(range(9)), dict[int, int]()
    for word in words:
        names = word.split(">")
        expect(len(names) <= 2 and set(names) <= set(SQUARES), f"{word} is no part of a blockade")
        square, guard = SQUARES.index(names[0]), SQUARES.index(names[-1])
        expect(board[square][0] == keeper, f"{names[0]} is not a square of {keeper}")
        ceded.discard(square)
        if len(names) == 2:
            expect(board[guard][1] < board[square][1], f"not higher: {word}")
            expect(guards.setdefault(guard, square) == square, f"{names[1]} guards two squares")
    expect(not joins(ceded, OTHER[keeper]), f"{OTHER[keeper]} can pass the blockade")
    expect(ceded >= guards.keys(), "a guard is in the blockade")
    for line in LINES:
        first, middle, last = line
        kept = {guards[end] for end in (first, last) if end in guards}
        text = f"a lintel {SQUARES[first]}-{SQUARES[last]}"
        if "-exact" in options:
            expect(len(ceded & set(line)) != 2, f"{text} can break the blockade")
        elif ceded >= set(line):
            expect(middle not in guards and len(kept) < 2, f"{text} raises too many guards")
        elif ceded >= {first, last}:
            expect(middle in kept, f"no guard keeps {text} off")


class Checker:
    """Read a certificate from its first line to its last."""

    def __init__(self, text: str) -> None:
        self.lines = [*map(str.split, text.splitlines()), []]
        self.read, self.play = 0, list[str]()  # lines read; moves to the position in question

    def check(self) -> str:
        """Check all parts; return what the certificate proves."""
        game, self.options, proven = self.lines[0][:2], self.lines[0][2:], list[str]()
        is_known = game == ["druid", "-size=3"] and {*self.options} <= {"-exact", "-nogaps"}
        expect(is_known, "this is another game")
        self.read = 1
        while self.lines[self.read][1:] == ["never", "loses"]:
            side = self.lines[self.read][0]
            expect(side in EDGES and side not in proven, "one part for V, one for H")
            self.read, self.replies, self.met = self.read + 1, 0, set[Board]()
            self.check_part(side)
            print(f"{side} answers {self.replies} moves, which lead to {len(self.met)} positions.")
            proven.append(side)
        expect(bool(proven) and self.read == len(self.lines) - 1, "this line answers nothing")
        result = "a draw" if len(proven) == 2 else f"{proven[0]} never loses"
        return f"{' '.join(['Druid on 3 x 3', *self.options])}: {result}, whatever V opens with."

    def check_part(self, side: str) -> None:
        """Check that a side never loses, whatever V opens with."""
        if side == "H":
            return self.check_all(BARE, side, [])
        for first, covered in moves(BARE, side, self.options).items():
            expect(self.lines[self.read] == [first], f"nothing follows a first stone {first}")
            self.read += 1
            self.check_all(put(BARE, covered, "V"), side, [first])

    def check_all(self, board: Board, side: str, play: list[str]) -> None:
        """Check that a side has an answer to each move of the other, and all that follows."""
        for text, covered in moves(board, OTHER[side], self.options).items():
            self.replies += 1
            self.play = [*play, text]
            after = put(board, covered, OTHER[side])
            expect(not has_won(after, OTHER[side]), f"{OTHER[side]} has won")
            if after in self.met:
                continue
            self.met.add(after)
            words, legal = self.lines[self.read], moves(after, side, self.options)
            answer, ending = " ".join(words[1:2]), words[2:]
            expect(words[:1] == [text] and answer in legal, "no legal answer to this move")
            self.play.append(answer)
            expect(len(self.play) < 90, "a game is a draw after 90 moves")
            answered = put(after, legal[answer], side)
            if ending == ["wins"]:
                expect(has_won(answered, side), f"{side} has not won")
            elif ending:
                expect(ending[0] == ":", "neither a win nor a blockade")
                check_blockade(answered, side, ending[1:], self.options)
            self.read += 1
            if not ending:
                self.check_all(answered, side, self.play)


def main() -> int:
    # Without the name of a file the certificate is read from the standard input.
    with open(sys.argv[1] if sys.argv[1:] else 0, encoding="utf-8", errors="replace") as file:
        checker = Checker(file.read())
    try:
        print(checker.check())
    except CertificateError as fault:
        print(f"Line {checker.read + 1}, after {' '.join(checker.play) or 'nothing'}: {fault}.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
