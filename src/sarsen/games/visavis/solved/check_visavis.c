/* Check that the first player of Visavis wins on the sizes 5, 7, 9, ... 25.

       cc -O2 -o check_visavis check_visavis.c && ./check_visavis

   checks every size; ./check_visavis 5 9 those from 5 to 9. Claim, rules and the reason why O wins
   are at the head of check_visavis.py. This is the same check written a second time. A place is the
   number 32 * row + column. Crossings are not read off the drawing: by the help page X's D4 blocks
   O's D4 and C5, and so X's bridge at a place blocks what O has there, to the left, and below left.
   Exit status: 0 if all holds, 1 with the line of play or what else is wrong, 2 for other sizes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { O, X, SIDES, WAYS = 3, SLANTING = 2, PLACES = 1024, TABLE = 1 << 20 };
enum { NONE, IDLE, BUSY }; /* an idle bridge lies along an end of its own side */
enum { EVEN, ODD, ALL, BUILT, FIRST = 0, LAST }; /* four webs, and two points of a side */
typedef struct { int kind, way, i, j, ends[2]; } Bridge; /* in cell (i, j); joins two points */

static const int halves[WAYS] = {1, 32, 31}; /* lying, upright, slanting: from middle to peg */
static const int blocked[SIDES][3] = {{0, 1, -31}, {0, -1, 31}}; /* steps to what may be crossed */
static const int middles[SIDES][WAYS] = {{2, 33, 34}, {34, 3, 2}}; /* from column 2i, row 2j */

static Bridge bridges[SIDES][PLACES]; /* by their middles */
static char built[SIDES][PLACES];
static int size, end, crossings, cuts, openings, positions, replies, plies, play[64];
static int above[PLACES]; /* by point another point of its piece; a root is above itself */
static unsigned long long met[TABLE];

static void expect(int is_true, const char *fault) {
    if (is_true) return;
    printf("Size %d:", size);
    for (int n = 0; n < plies; n++)
        printf(play[n] ? " %c%d" : " idle", 'A' - 1 + play[n] % 32, play[n] / 32);
    printf(" %s.\n", fault);
    exit(1);
}

static int colour_of(int i, int j) { return (i + j) % 2; }
static int middle(int side, int i, int j, int way) { return 64 * j + 2 * i + middles[side][way]; }

static int is_peg(int side, int place) {
    int column = place % 32, row = place / 32, is_on = column <= size && row >= 1 && row <= size;
    return is_on && column >= (side == O ? 1 : 3) && column % 2 && row % 2 == (side == X);
}

static int point_of(int side, int peg) {
    int at = side == O ? peg % 32 : peg / 32;
    return at == 1 ? FIRST : at == size ? LAST : peg;
}

static void find_bridges(void) {
    int busy = 0, half = size / 2;
    memset(bridges, 0, sizeof bridges);
    for (int n = 32 * SIDES * WAYS; n < end * SIDES * WAYS; n++) {
        int place = n / (SIDES * WAYS), side = n / WAYS % SIDES, way = n % WAYS;
        if (!is_peg(side, place - halves[way]) || !is_peg(side, place + halves[way])) continue;
        int first = point_of(side, place - halves[way]), last = point_of(side, place + halves[way]);
        bridges[side][place] = (Bridge){first == last ? IDLE : BUSY, way, 0, 0, {first, last}};
        busy += first != last;
    }
    for (int n = 0; n < half * half * SIDES * WAYS; n++) {
        int way = n % WAYS, side = n / WAYS % SIDES, cell = n / (SIDES * WAYS);
        Bridge *bridge = &bridges[side][middle(side, cell % half, cell / half + 1, way)];
        if (bridge->kind != BUSY || bridge->way != way || bridge->j) continue;
        bridge->i = cell % half, bridge->j = cell / half + 1;
        busy--;
    }
    expect(!busy, "a bridge is not in one cell");
}

/* (1) Bridges cross if they lie in one cell and run different ways, and never else. */
static void check_crossings(void) {
    for (int n = 0; n < end * end; n++) {
        const Bridge *o = &bridges[O][n / end], *x = &bridges[X][n % end];
        int step = n % end - n / end, is_met = step == 0 || step == 1 || step == -31;
        int is_near = o->kind == BUSY && x->kind == BUSY && o->i == x->i && o->j == x->j;
        if (o->kind == NONE || x->kind == NONE) continue;
        expect(is_met == (is_near && o->way != x->way), "a wrong crossing");
        crossings += is_met;
    }
}

static int is_crossed(int side, int place) {
    const char *other = built[1 - side] + place;
    return other[blocked[side][0]] || other[blocked[side][1]] || other[blocked[side][2]];
}

static int is_open(int side, int place) {
    return bridges[side][place].kind == BUSY && !built[side][place] && !is_crossed(side, place);
}

static int root(int point) { return above[point] == point ? point : root(above[point]); }

/* Join a side's bridges of a web, in one cell if j > 0; return how often pieces became one. */
static int weave(int side, int web, int i, int j) {
    int joins = 0;
    for (int point = 0; point < PLACES; point++) above[point] = point;
    for (int place = 32; place < end; place++) {
        const Bridge *bridge = &bridges[side][place];
        int is_in_web = web == ALL || web == colour_of(bridge->i, bridge->j);
        if (!built[side][place] && !(is_in_web && is_open(side, place))) continue;
        if (j && (bridge->i != i || bridge->j != j)) continue;
        joins += root(bridge->ends[0]) != root(bridge->ends[1]);
        above[root(bridge->ends[0])] = root(bridge->ends[1]);
    }
    return joins;
}

/* (2) A bridge of X parts what O can join in its cell into one piece more at most. */
static void check_cuts(int i, int j) {
    for (int n = 0; n < 64 * WAYS; n++) { /* six bits: what stands in the cell */
        int x = middle(X, i, j, n / 64), is_possible = 1;
        for (int k = SIDES * WAYS - 1; k >= 0; k--) { /* X's bridges, then O's */
            int side = k / WAYS, place = middle(side, i, j, k % WAYS);
            int is_fit = bridges[side][place].kind == BUSY && (side == X || !is_crossed(O, place));
            built[side][place] = n >> k & 1;
            is_possible &= is_fit || !built[side][place];
        }
        if (!is_possible || !is_open(X, x)) continue;
        int before = weave(O, ALL, i, j);
        built[X][x] = 1;
        expect(weave(O, ALL, i, j) >= before - 1, "a bridge of X cuts twice");
        cuts++;
    }
    memset(built, 0, sizeof built);
}

/* O's answer by the rule, the first of several; 0 if there is none. */
static int answer(int whole) {
    int torn = EVEN; /* the colour of the web that is in pieces */
    while (torn <= ODD && weave(O, torn, 0, 0) == whole) torn++;
    if (torn > ODD) weave(O, BUILT, 0, 0);
    for (int place = 32; place < end; place++) {
        const Bridge *bridge = &bridges[O][place];
        if (!is_open(O, place) || colour_of(bridge->i, bridge->j) == torn) continue;
        if (root(bridge->ends[0]) != root(bridge->ends[1])) return place;
    }
    return 0;
}

static int has_joined(int side) { return weave(side, BUILT, 0, 0) && root(FIRST) == root(LAST); }

static int is_new(void) { /* notes the position */
    unsigned long long key = 0, at;
    for (int n = 64; n < 2 * end; n++)
        if (bridges[n % 2][n / 2].kind == BUSY) key = key << 1 | (built[n % 2][n / 2] != 0);
    for (at = key % 1000003; met[at]; at = (at + 1) % TABLE)
        if (met[at] == key) return 0;
    met[at] = key;
    return ++positions;
}

/* O wins after every reply of X. Idle bridges change nothing; place 0 stands for all of them. */
static void try_replies(int whole) {
    if (has_joined(O) || !is_new()) return;
    for (int x = 0; x < end; x++) {
        if (x && !is_open(X, x)) continue;
        built[X][x] = x > 0;
        play[plies++] = x, replies++;
        expect(!has_joined(X), "and X has won");
        int o = answer(whole);
        expect(o, "and O has no answer");
        play[plies++] = o;
        built[O][o] = 1;
        try_replies(whole);
        plies -= 2;
        built[O][o] = built[X][x] = 0;
    }
}

/* All that is checked on a size; and (3), after each opening both webs join all points. */
static void check(void) {
    memset(met, 0, sizeof met);
    end = 32 * (size + 1), crossings = cuts = openings = positions = replies = 0;
    find_bridges();
    check_crossings();
    for (int n = 0, half = size / 2; n < half * half; n++) check_cuts(n % half, n / half + 1);
    for (int place = 32, whole = weave(O, ALL, 0, 0); place < end; place++) {
        const Bridge *b = &bridges[O][place];
        if (b->kind != BUSY || b->i + b->j != size / 2 || b->way == SLANTING) continue;
        built[O][place] = 1;
        play[plies++] = place;
        expect(weave(O, EVEN, 0, 0) == whole && weave(O, ODD, 0, 0) == whole, "leaves pieces");
        if (size <= 7) try_replies(whole);
        plies = built[O][place] = 0;
        openings++;
    }
    printf("Size %d: %d crossings, %d cuts, ", size, crossings, cuts);
    printf("%d openings, %d positions, %d replies.\n", openings, positions, replies);
}

int main(int argc, char **argv) {
    int first = argc > 1 ? atoi(argv[1]) : 5, last = argc > 1 ? atoi(argv[argc - 1]) : 25;
    if (first < 5 || first % 2 == 0 || last > 25) return 2;
    for (size = first; size <= last; size += 2) check();
    printf("The first player wins on");
    for (size = first; size <= last; size += 2) printf(size > first ? ", %d" : " %d", size);
    puts(".");
}
