"""A month of a whole server in a few minutes, and books that must balance.

`make simulate` runs it; open `month` first. The people of it write real mails to the
mail door's own jobs, their letters go to a real SMTP relay, and only the clock is made up.
What must be true afterwards is computed in `audit` from what the people did and from the
letters that the relay took, never from the code under test.
"""
