"""Run the rules and views of plug-ins in processes of their own.

Open `stand_in` first: it asks a `process`, which runs `rules`, within an `allowance` of time.
"""
