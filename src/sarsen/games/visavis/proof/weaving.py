"""Weaving: colour the open cells of a side so that each colour joins as much as it can.

What a side still has on the board is a web: its vertices (pegs, with those that are
bridged already as one) and one strand for each cell in which it can still build, tying
together two or three of them. A search by small changes gives every strand one of two
colours and looks for a set of vertices that both colours tie together: a clump.
"""

from __future__ import annotations

import numpy as np

from sarsen.search.chance import draw
from sarsen.search.compiling import compiled

STEPS = 0  # of the purse: what is left to spend
_TENURE, _SPREAD = 4, 8  # steps for which a changed strand rests, at least, and at most more
_PATIENCE = 10  # steps without gain after which clumps are looked for again

WEB = "int64[:,::1], int64[::1], int64[::1]"  # ends of strands; first strand of vertices; strands
SPENDING = "int64[::1], int64[::1]"  # purse and chance


@compiled("int64(int64[::1], int64)")
def root(above, vertex):  # type: ignore[no-untyped-def]
    """Find the one that stands for a vertex's group, halving the way to it."""
    while above[vertex] != vertex:
        above[vertex] = above[above[vertex]]
        vertex = above[vertex]
    return vertex


@compiled("void(int64[::1], int64, int64)")
def join(above, first, second):  # type: ignore[no-untyped-def]
    """Make two groups one; the lesser number stands for it."""
    first, second = root(above, first), root(above, second)
    if first < second:
        above[second] = first
    else:
        above[first] = second


@compiled(f"int64(int64, int64, {WEB}, int64[::1], int64, int64[::1], int64[::1], int64[:,::1])")
def _trace(vertices, strands, ends, first, at, colour, target, piece, loss, notes):  # type: ignore[no-untyped-def]
    """Walk the strands of one colour depth first.

    Fills `piece`, the number of each vertex's piece, and `loss`, into how many more
    pieces its own would fall without each strand (lowest reachable discoveries, as for
    articulation points). Gives how many pieces there are, bare vertices left out.
    """
    discovered, low, turn, parent, stack = notes[0], notes[1], notes[2], notes[3], notes[4]
    discovered[: vertices + strands] = -1
    clock = pieces = 0
    for start in range(vertices):
        if discovered[start] >= 0 or first[start] == first[start + 1]:
            continue
        discovered[start] = low[start] = clock
        clock += 1
        turn[start], parent[start], piece[start] = first[start], -1, pieces
        stack[0], height = start, 1
        while height:
            node = stack[height - 1]
            next_node = -1
            if node < vertices:
                if turn[node] < first[node + 1]:
                    strand = at[turn[node]]
                    turn[node] += 1
                    if colour[strand] != target or parent[node] == vertices + strand:
                        continue
                    next_node = vertices + strand
            elif turn[node] < 3:
                next_node = ends[node - vertices, turn[node]]
                turn[node] += 1
                if next_node < 0 or next_node == parent[node]:
                    continue
            if next_node < 0:
                height -= 1
                before = parent[node]
                if before >= 0:
                    low[before] = min(low[before], low[node])
                    if before >= vertices and low[node] >= discovered[before]:
                        loss[before - vertices] += 1
            elif discovered[next_node] >= 0:
                low[node] = min(low[node], discovered[next_node])
            else:
                discovered[next_node] = low[next_node] = clock
                clock += 1
                parent[next_node] = node
                if next_node < vertices:
                    turn[next_node], piece[next_node] = first[next_node], pieces
                else:
                    turn[next_node], loss[next_node - vertices] = 0, 0
                stack[height] = next_node
                height += 1
        pieces += 1
    return pieces


@compiled(f"void(int64, int64, {WEB}, int64[::1], int64[::1], int64[::1])", counts_references=True)
def part(vertices, strands, ends, first, at, colour, group, clump):  # type: ignore[no-untyped-def]
    """Part the vertices into the largest clumps of a colouring, each named by a vertex.

    A clump is tied together by each colour alone, by strands between its own vertices.
    Begins with all as one, and parts what one colour or the other leaves apart.
    """
    above = np.empty(vertices, np.int64)
    clump[:vertices] = 0
    quiet = 0
    target = 0
    while quiet < 2:
        for vertex in range(vertices):
            above[vertex] = vertex
        for strand in range(strands):
            if colour[strand] == target:
                for i in range(3):
                    for j in range(i):
                        a, b = ends[strand, i], ends[strand, j]
                        if a >= 0 and clump[a] == clump[b]:
                            join(above, a, b)
        quiet += 1
        for vertex in range(vertices):
            if group[vertex] == vertex:
                name = root(above, vertex)
                if name != clump[vertex]:
                    clump[vertex] = name
                    quiet = 0
        target ^= 1


@compiled("boolean(int64, int64[:,::1], int64[::1])")
def ties_a_clump(strands, ends, clump):  # type: ignore[no-untyped-def]
    """Return whether some clump has two vertices; then a strand ties two of them."""
    for strand in range(strands):
        a, b, c = ends[strand]
        if clump[a] == clump[b]:
            return True
        if c >= 0 and (clump[c] == clump[a] or clump[c] == clump[b]):
            return True
    return False


@compiled("int64(int64, int64[:,::1], int64[::1], int64[:,::1], int64[::1])")
def _gain(strand, ends, colour, piece, loss):  # type: ignore[no-untyped-def]
    """Return how many pieces fewer there are, both colours counted, when a strand changes."""
    other = 1 - colour[strand]
    a, b = piece[other, ends[strand, 0]], piece[other, ends[strand, 1]]
    gain = np.int64(a != b)
    if ends[strand, 2] >= 0:
        c = piece[other, ends[strand, 2]]
        gain += np.int64(c != a and c != b)
    return gain - loss[strand]


@compiled(
    f"boolean(int64, int64, {WEB}, int64[::1], int64[::1], int64[::1], int64, {SPENDING})",
    counts_references=True,
)
def find_clump(vertices, strands, ends, first, at, colour, group, clump, steps, purse, chance):  # type: ignore[no-untyped-def]
    """Change colours one by one until there is a clump of two vertices or more.

    Each step changes the strand that gains most, at random among equals; it rests for a
    while, unless its change would beat all before. Fills `clump`; False when `steps` or
    the purse ran out, and then `colour` is the first of the best colourings seen.
    """
    best_colour = colour[:strands].copy()
    piece = np.zeros((2, vertices), np.int64)
    loss = np.zeros(strands, np.int64)
    rests_until = np.zeros(strands, np.int64)
    notes = np.empty((5, vertices + strands), np.int64)
    fewest, patience = 3 * vertices, 0
    for step in range(min(steps, purse[STEPS])):
        purse[STEPS] -= 1
        pieces = 0
        for target in range(2):
            pieces += _trace(
                vertices, strands, ends, first, at, colour, target, piece[target], loss, notes
            )
        patience -= 1
        if pieces < fewest or (pieces == fewest and patience <= 0):
            if pieces < fewest:
                best_colour[:] = colour[:strands]
            fewest, patience = pieces, _PATIENCE
            part(vertices, strands, ends, first, at, colour, group, clump)
            if ties_a_clump(strands, ends, clump):
                return True
        best, equals, pick = -9, 0, -1
        for strand in range(strands):
            gain = _gain(strand, ends, colour, piece, loss)
            if rests_until[strand] > step and pieces - gain >= fewest:
                continue
            if gain > best:
                best, equals, pick = gain, 1, strand
            elif gain == best:
                equals += 1
                if draw(chance, equals) == 0:
                    pick = strand
        if pick >= 0:
            colour[pick] ^= 1
            rests_until[pick] = step + _TENURE + draw(chance, _SPREAD)
    colour[:strands] = best_colour
    return False
