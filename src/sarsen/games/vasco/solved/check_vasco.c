/* Check a certificate of Vasco: that a side wins, or does not lose, whatever the other does.
 * C11, standard library only: cc -O2 -o check check_vasco.c && ./check vasco-34.txt
 *
 * The first line of a certificate is its claim: `vasco -size=34: X wins`, or `... O does not lose`.
 * The lines after it are answers of that side: `b13` lays rotation b at position 13; positions are
 * the cells with a legal rotation, in reading order. All moves of the other side are gone through,
 * depth-first, in that order. Where the side can end the game at once as claimed, any such move
 * does; else the next line is its answer, and the game goes on. A position met before is left out.
 *
 * - A tile shows o, x and * on its edges, once each, in six ways a to f: left, right, base. Cells
 *   with an even sum of row and column point up. O lays the first tile, on the origin.
 * - A tile is laid next to a tile, by an edge or a corner. Edges that meet are alike, and no empty
 *   cell may see a colour twice. A cell beside a tile that takes one rotation only is filled at
 *   once from the pool, the first in reading order first, until there is none or the pool is empty.
 * - Then all tiles hang together by their edges, and each empty cell beside them takes a rotation.
 * - O owns the paths from o to *, X those from x to *. A closed loop wins; of two the longer loses.
 *   When the pool is empty or no move is left, the longest path loses. Equal lengths are a draw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 60, WIDTH = 128, ORIGIN = 64 * WIDTH + 64, MOVES = 6 * (12 + 2 * MAX) };
enum { O = 1, X = 2, STAR = 4, DRAW = O | X, GOES_ON, ILLEGAL, BUCKETS = 1 << 18 };
struct move { int cell, rotation, result, by_pool; char name[16]; };
static const int colour[7][3] = {       /* left, right, base: no tile, or rotation 1 to 6: a to f */
    {0, 0, 0}, {O, X, STAR}, {O, STAR, X}, {X, O, STAR}, {X, STAR, O}, {STAR, O, X}, {STAR, X, O}};
static int tile[WIDTH * WIDTH];         /* the rotation on each cell, or 0 */
static int laid[MAX], count, size;      /* the cells with tiles, in order; the whole pool */
static int side, must_win;              /* the claim */
static int pool_asked, positions, replies; /* whether the end of the pool mattered; counters */
static char moves[16 * MAX];            /* those that led to this position, as text */
static FILE *file;

static _Noreturn void fail(const char *why)
{
    printf("Not proven: %s%s, %s.\n", *moves ? "after" : "at the start", moves, why);
    exit(1);
}

static int beside(int cell, int edge)   /* the cell across an edge */
{
    return cell + (edge == 0 ? -1 : edge == 1 ? 1 : (cell / WIDTH + cell) % 2 ? -WIDTH : WIDTH);
}

static int shown(int cell, int edge)    /* the colour shown there by the tile beside it, or 0 */
{
    return colour[tile[beside(cell, edge)]][edge == 2 ? 2 : 1 - edge];
}
static int seen(int cell) { return shown(cell, 0) | shown(cell, 1) | shown(cell, 2); }

static int possible(int cell)           /* bits 1 to 6: the rotations that an empty cell takes */
{
    int bits = 0, no[3];                /* the colours that an edge may not have */
    for (int e = 0; e < 3; e++) no[e] = shown(cell, e) ? ~shown(cell, e) : seen(beside(cell, e));
    for (int r = 1; r <= 6; r++)
        if (!(no[0] & colour[r][0] || no[1] & colour[r][1] || no[2] & colour[r][2])) bits |= 1 << r;
    return bits;
}

/* The first forced cell, or 0; *dead: some cell takes nothing. Neither is there before a move, and
   a tile changes the cells within two steps only: look round the tiles from number `from` on. */
static int forced(int from, int *dead)
{
    int first = *dead = 0;
    for (int k = 12 * from; k < 12 * count; k++) {
        int cell = beside(laid[k / 12], k % 3), way = k / 3 % 4;
        if (way < 3) cell = beside(cell, way);
        if (tile[cell] || !seen(cell)) continue;
        int bits = possible(cell);
        if (!bits) *dead = 1;
        else if (!(bits & (bits - 1)) && (!first || cell < first)) first = cell;
    }
    return first;
}

static int hanging(int cell, int start) /* how many tiles hang together with that on a cell */
{
    static unsigned mark[WIDTH * WIDTH], run;
    run += start;
    if (!tile[cell] || mark[cell] == run) return 0;
    mark[cell] = run;
    return 1 + hanging(cell - 1, 0) + hanging(cell + 1, 0) + hanging(beside(cell, 2), 0);
}

static int longest(int owner, int from, int loop) /* loop or path, from tiles number `from` on */
{
    int most = 0;
    for (int k = 2 * from; k < 2 * count; k++) {
        int cell = laid[k / 2], leave = k % 2 ? owner : STAR, n = 0, e;
        do {
            for (e = 0; colour[tile[cell]][e] != leave; e++) {}
            cell = beside(cell, e), leave = owner + STAR - leave, n++;
        } while (tile[cell] && cell != laid[k / 2]);
        if (!!tile[cell] == loop && n > most) most = n;
    }
    return most;
}

static int judge(int from, int over)    /* by loops through new tiles, or at the end by paths */
{
    int o = longest(O, from, 1), x = longest(X, from, 1);
    if (!o && !x && over) o = longest(O, 0, 0), x = longest(X, 0, 0);
    return !o && !x ? GOES_ON : !x || (o && o < x) ? O : !o || x < o ? X : DRAW;
}

static int claimed(int result) { return result == side || (result == DRAW && !must_win); }
static void take_back(int to) { while (count > to) tile[laid[--count]] = 0; }

/* Lays a tile and those it forces. by_pool: the empty pool stopped it, or decided the game. */
static void play(struct move *m)
{
    int from = count, joined = !count || seen(m->cell), next, dead, r;
    tile[laid[count++] = m->cell] = m->rotation;
    while ((next = forced(from, &dead)) && count < size) {
        for (r = 1; possible(next) != 1 << r; r++) {}
        tile[laid[count++] = next] = r;
    }
    int legal = !dead && (joined || hanging(laid[0], 1) == count), over = count == size;
    m->result = legal ? judge(from, over) : ILLEGAL;
    m->by_pool = next || (legal && over && judge(from, 0) == GOES_ON);
}

static int met(int ours)                /* was this position met before? It is from now on */
{
    static struct met { struct met *next; int tiles[1 + MAX]; } *table[BUCKETS], *p;
    struct met new = {NULL, {ours}};
    unsigned hash = ours, n = 1;
    for (int cell = 0; cell < WIDTH * WIDTH; cell++)
        if (tile[cell]) hash = 1000003 * hash + (new.tiles[n++] = 8 * cell + tile[cell]);
    for (p = new.next = table[hash % BUCKETS]; p; p = p->next)
        if (!memcmp(p->tiles, new.tiles, sizeof new.tiles)) return 1;
    if (!(p = malloc(sizeof new))) fail("out of memory");
    table[hash % BUCKETS] = memcpy(p, &new, sizeof new);
    return 0;
}

static struct move *answer(struct move *list, struct move *end) /* the next, one of these */
{
    char text[16] = "";
    if (fgets(text, sizeof text, file)) text[strcspn(text, "\n")] = 0;
    while (list < end && strcmp(text, list->name)) list++;
    if (list == end) fail("the answer is missing, unreadable or illegal");
    return list;
}

static void position(int ours)          /* ours: the side is to move */
{
    struct move list[MOVES], *m = list, *old = list;
    char near[WIDTH * WIDTH] = {[ORIGIN] = 1}, *end = moves + strlen(moves);
    int number = 1, from = count, ends = 0;
    if (met(ours)) return;
    for (int i = 0; i < count; i++)
        for (int k = -2, at = laid[i], base = beside(at, 2) - at; k <= 2; k++)
            near[at + k] = near[at + base + k] = near[at - base + k / 2] = 1;
    for (int cell = 0; cell < WIDTH * WIDTH; cell++, number += m > old, old = m) {
        int bits = near[cell] && !tile[cell] ? possible(cell) : 0;
        for (int r = 1; bits >> r; r++) {
            if (!(bits >> r & 1)) continue;
            *m = (struct move){cell, r, 0, 0, ""};
            sprintf(m->name, "%c%d", 'a' - 1 + r, number);
            sprintf(end, " %s", m->name);
            play(m);
            if (!ours && m->by_pool) pool_asked = 1;
            if (!ours && m->result == GOES_ON) position(1);
            take_back(from);
            if (m->result == ILLEGAL) continue;
            if (ours && claimed(m->result) && !(ends = m->by_pool)) return;
            if (!ours && m->result != GOES_ON && !claimed(m->result)) fail("the claim fails");
            m++;
        }
    }
    *end = 0;
    if (!ours) positions++, replies += m - list;
    if (m == list && !claimed(judge(0, 1))) fail("no move is left, and the claim fails");
    if (m == list || ends) pool_asked = 1;
    if (m == list || ends || !ours) return;
    m = answer(list, m);
    sprintf(end, " %s", m->name);
    play(m);
    if (m->result != GOES_ON) fail("the answer ends the game");
    position(0);
    take_back(from);
}

int main(int argc, char **argv)
{
    char how[20] = "", who = 0;
    if (argc != 2 || !(file = fopen(argv[1], "r"))) fail("there is no such file");
    int got = fscanf(file, "vasco -size=%2d: %c %19[a-z ]", &size, &who, how), next = getc(file);
    must_win = !strcmp(how, "wins");
    if (got != 3 || (next != '\n' && next != EOF) || size < 6 || size > MAX || !strchr("OX", who)
        || (!must_win && strcmp(how, "does not lose")))
        fail("the first line is no claim for a pool of 6 to 60 tiles");
    side = who == 'O' ? O : X;
    position(side == O);
    if (getc(file) != EOF) fail("there are more answers than needed");
    printf("%d positions, %d replies. vasco -size=%d: %c %s: proven.%s\n", positions, replies, size,
           who, how, pool_asked ? "" : " The same holds with more tiles.");
    return 0;
}
