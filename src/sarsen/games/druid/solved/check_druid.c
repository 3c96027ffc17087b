/* Check a certificate that a side of Druid never loses on a site of 3 x 3.

       cc -O2 -o check_druid check_druid.c && ./check_druid druid-3.txt

   Claim, rules, format of the certificate, and why a blockade is enough: see the head of
   check_druid.py. This is the same check written a second time. Squares a1 b1 c1 a2 ... c3 are
   numbered from 0 to 8, a set of squares is a number of 9 bits. A board holds for each square
   the height, with a minus sign if the top stone is H's; so the sides are V = 1 and H = -1. The
   moves are numbered, too: 0 to 8 are the sarsens, 9 to 14 the lintels on the six lines.

   Exit status: 0 if all holds, 1 with the line of play at fault, 2 without a file. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { V = 1, H = -1, SQUARES = 9, LINES = 6, MOVES = SQUARES + LINES, MAX_PLIES = 90 };
enum { MAX_TEXT = 400, MAX_WORDS = 40, MAX_MET = 100000 };

typedef struct { signed char stone[SQUARES]; } Board;

static const Board bare;
static const int lines[LINES][3] = {{0,1,2}, {3,4,5}, {6,7,8}, {0,3,6}, {1,4,7}, {2,5,8}};
static const char *const names[MOVES] = {
    "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3",
    "a1-c1", "a2-c2", "a3-c3", "a1-a3", "b1-b3", "c1-c3",
};

static FILE *file;
static char text[MAX_TEXT], *words[MAX_WORDS]; /* of the line to be dealt with next */
static const char *play[MAX_PLIES + 2];        /* the moves to the position in question */
static Board met[MAX_MET];                     /* the positions of this part so far */
static int line_number, word_count, plies, met_count, replies, is_nogaps, is_exact;

static void expect(int is_true, const char *fault) {
    if (is_true) return;
    printf("Line %d, after", line_number);
    for (int i = 0; i < plies; i++) printf(" %s", play[i]);
    printf("%s: %s.\n", plies ? "" : " nothing", fault);
    exit(1);
}

static void next_line(void) {
    word_count = 0;
    line_number++;
    if (!fgets(text, MAX_TEXT, file)) return;
    expect(strlen(text) < MAX_TEXT - 1, "the line is too long");
    for (char *word = strtok(text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        expect(word_count < MAX_WORDS, "the line has too many words");
        words[word_count++] = word;
    }
}

static int is_word(int at, const char *wanted) {
    return at < word_count && !strcmp(words[at], wanted);
}

static int owned(const Board *board, int side) {
    int set = 0;
    for (int s = 0; s < SQUARES; s++) set |= (board->stone[s] * side > 0) << s;
    return set;
}

static int joins(int set, int side) {
    const int left = 1 | 8 | 64, right = left << 2, bottom = 1 | 2 | 4, top = bottom << 6;
    int reached = set & (side == V ? bottom : left);
    for (int i = 0; i < SQUARES; i++) {
        int beside = reached << 3 | reached >> 3 | (reached & ~right) << 1 | (reached & ~left) >> 1;
        reached |= beside & set;
    }
    return (reached & (side == V ? top : right)) != 0;
}

static int is_legal(const Board *board, int side, int move) {
    const signed char *stone = board->stone;
    if (move == 4 && !memcmp(board, &bare, sizeof bare)) return 0; /* b2 is not at the edge */
    if (move < SQUARES) return stone[move] * side >= 0;
    const int *line = lines[move - SQUARES];
    int first = stone[line[0]], middle = stone[line[1]], last = stone[line[2]];
    int height = abs(first), own = side * height;
    if (!height || abs(last) != height || abs(middle) > height) return 0;
    if (is_nogaps && abs(middle) < height) return 0;
    if (is_exact) return (first == own) + (middle == own) + (last == own) == 2;
    return first == own && last == own;
}

static Board put(Board board, int move, int side) {
    const int *line = move < SQUARES ? (int[]){move, move, move} : lines[move - SQUARES];
    int height = abs(board.stone[line[0]]) + 1;
    for (int i = 0; i < 3; i++) board.stone[line[i]] = (signed char)(side * height);
    return board;
}

/* Note a board as met; return whether it is new. */
static int is_new(const Board *board) {
    for (int i = 0; i < met_count; i++)
        if (!memcmp(&met[i], board, sizeof *board)) return 0;
    expect(met_count < MAX_MET, "there are too many positions");
    met[met_count++] = *board;
    return 1;
}

/* Read one word of a blockade, b2 or b2>c2. */
static void read_word(const char *word, int *square, int *guard) {
    *square = *guard = -1;
    for (int s = 0; s < SQUARES; s++) {
        if (!strncmp(word, names[s], 2)) *square = s;
        if (strlen(word) == 5 && word[2] == '>' && !strcmp(word + 3, names[s])) *guard = s;
    }
    expect(*square >= 0 && (*guard >= 0 || strlen(word) == 2), "this is no part of a blockade");
}

/* Check that the blockade in the words from the fourth on keeps the other side off for ever. */
static void check_blockade(const Board *board, int keeper) {
    int blockade = 0, guarded[SQUARES]; /* by guard the square for which it stands, or -1 */
    for (int s = 0; s < SQUARES; s++) guarded[s] = -1;
    for (int i = 3, square, guard; i < word_count; i++) {
        read_word(words[i], &square, &guard);
        expect(board->stone[square] * keeper > 0, "this is not a square of the side");
        blockade |= 1 << square;
        if (guard < 0) continue;
        expect(abs(board->stone[guard]) < abs(board->stone[square]), "not higher than a guard");
        expect(guarded[guard] < 0 || guarded[guard] == square, "a guard guards two squares");
        guarded[guard] = square;
    }
    expect(!joins(511 & ~blockade, -keeper), "the other side can pass the blockade");
    for (int s = 0; s < SQUARES; s++)
        if (blockade >> s & 1) expect(guarded[s] < 0, "a guard is in the blockade");
    for (int i = 0; i < LINES; i++) {
        int first = lines[i][0], middle = lines[i][1], last = lines[i][2];
        int a = blockade >> first & 1, b = blockade >> middle & 1, c = blockade >> last & 1;
        int one = guarded[first], two = guarded[last];
        if (is_exact) expect(a + b + c != 1, "a lintel can break the blockade");
        else if (a || c) continue;
        else if (b) expect(one == middle || two == middle, "no guard keeps a lintel off");
        else expect(guarded[middle] < 0 && (one < 0 || two < 0 || one == two), "raises too many guards");
    }
}

/* Check that a side has an answer to each move of the other, and all that follows. */
static void check_all(Board board, int side) {
    for (int move = 0, at = plies; move < MOVES; move++, plies = at) {
        if (!is_legal(&board, -side, move)) continue;
        Board after = put(board, move, -side);
        int answer = 0;
        replies++;
        play[plies++] = names[move];
        expect(!joins(owned(&after, -side), -side), "the other side has won");
        if (!is_new(&after)) continue;
        while (answer < MOVES && !is_word(1, names[answer])) answer++;
        int is_answered = is_word(0, names[move]) && answer < MOVES;
        expect(is_answered && is_legal(&after, side, answer), "no legal answer to this move");
        play[plies++] = names[answer];
        expect(plies < MAX_PLIES, "a game is a draw after 90 moves");
        after = put(after, answer, side);
        int is_win = is_word(2, "wins") && word_count == 3, is_kept = is_word(2, ":");
        expect(is_win || is_kept || word_count == 2, "neither a win nor a blockade");
        if (is_win) expect(joins(owned(&after, side), side), "the side has not won");
        if (is_kept) check_blockade(&after, side);
        next_line();
        if (!is_win && !is_kept) check_all(after, side);
    }
}

int main(int argc, char **argv) {
    int proven = 0;
    file = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (!file) return 2;
    next_line();
    expect(is_word(0, "druid") && is_word(1, "-size=3"), "this is another game");
    for (int i = 2; i < word_count; i++) {
        expect(is_word(i, "-nogaps") || is_word(i, "-exact"), "this is another game");
        is_exact |= is_word(i, "-exact");
        is_nogaps |= is_word(i, "-nogaps");
    }
    next_line();
    while (word_count == 3 && is_word(1, "never") && is_word(2, "loses")) {
        int side = is_word(0, "V") ? V : H, part = side == V ? 1 : 2;
        expect((side == V || is_word(0, "H")) && !(proven & part), "one part for V, one for H");
        proven |= part;
        met_count = replies = plies = 0;
        next_line();
        if (side == H) check_all(bare, H);
        for (int first = 0; side == V && first < SQUARES; first++) {
            if (!is_legal(&bare, V, first)) continue;
            expect(word_count == 1 && is_word(0, names[first]), "nothing follows a first stone");
            play[0] = names[first];
            plies = 1;
            next_line();
            check_all(put(bare, first, V), V);
        }
        printf("%s answers %d moves, which lead to %d positions.\n", side == V ? "V" : "H", replies,
               met_count);
    }
    expect(proven && word_count == 0 && feof(file), "this line answers nothing");
    printf("Druid on 3 x 3%s%s: %s, whatever V opens with.\n", is_exact ? " -exact" : "",
           is_nogaps ? " -nogaps" : "",
           proven == 3 ? "a draw" : proven == 1 ? "V never loses" : "H never loses");
    return 0;
}
