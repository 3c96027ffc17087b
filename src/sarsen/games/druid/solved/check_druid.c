/* Check a certificate that a side of Druid never loses on a site of 3 x 3.

       cc -O2 -o check_druid check_druid.c && ./check_druid druid-3.txt

   The claim, the rules, the certificate and the reason why a blockade is enough are written at
   the head of check_druid.py. This is the same check, written again: squares are bits (a1 is 1,
   b1 is 2, c1 is 4, a2 is 8 ... c3 is 256), and a stack of boards takes the place of recursion.

   Exit status: 0 if all holds, 1 with the line of play at fault, 2 if the file cannot be read. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { V, H, SIDES, SQUARES = 9, ALL = 511, MAX_LINE = 200, MAX_PLIES = 90, TABLE = 1 << 20 };

typedef struct {
    int tops[SIDES];               /* the squares whose top stone is V's, and H's */
    unsigned char height[SQUARES]; /* at most MAX_PLIES */
} Board;

static const int lines[6][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}};
static const int begins[SIDES] = {1 | 2 | 4, 1 | 8 | 64}, goals[SIDES] = {64 | 128 | 256, 4 | 32 | 256};
