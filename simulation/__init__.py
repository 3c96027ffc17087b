"""A month of a whole server in a few minutes, and books that must balance.

`make simulate` runs it; open `month` first. The people of it write real mails to the
mail door's own jobs, their letters go to a real SMTP relay, and only the clock is made up.
What must be true afterwards is computed in `audit` from what the people did and from the
letters that the relay took, never from the code under test.

`season` is a season of a league, and `puzzles` a year of ratings of puzzles, without a server:
`python -m simulation --season`, `python -m simulation --puzzles`.
"""
