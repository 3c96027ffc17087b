"""Keep what is stored: check all of it, copy it, put a copy back, give it out, forget a person.

Open `verifying` first: it replays every board and counts everything again. `backups` and
`restoring` are a pair; so are what `publishing` gives out and what `forgetting` takes away.
"""
