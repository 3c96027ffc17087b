"""The keys, as the help screens list them: no line is longer than 72 columns."""

BOARD = """\
arrows      move the cursor; where nothing is to be pointed at: step
            through the game
Enter       tap the spot below the cursor; once a move is shown, send it
Tab         the next spot that leads on; while a move is shown, the next
            one like it
Esc         take the last tap back; then back to the present, then to
            my boards
letters     type a move, as in a mail; : opens the field with what stood
            in it
, .         step through the game, Home and End to its ends
"           say something at the board
Ctrl+E      explore: try moves for both sides, nothing is sent
/           everything else: draw, undo, resign, plan, notes, rules …
+ -         draw larger or smaller;  PgUp PgDn look further up and down
Ctrl+T      light or dark
Ctrl+Q      leave

Click on a spot to tap it, and on the last spot of a shown move again
to send it. A typed line that begins with / is a command: /chat hello,
/queue c3; if d4 then e5.
"""

HOME = """\
arrows      up and down the list
Enter       open a board, or say yes or no to a challenge
a  d  w     accept, decline, withdraw a challenge
e           boards that have ended, or those that run
:           type any command: druid challenge me bob
r           ask the server again
Ctrl+T      light or dark
q, Ctrl+Q   leave

What waits for you stands first, the least time above. News come by
themselves.
"""
