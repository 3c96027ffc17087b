"""Contests: leagues, ladders, round robins and matches between more than two boards.

`log` is the truth: events that are only added. `state` folds them with the results of the boards;
`formats` say what follows, and know neither clock nor storage; `running` writes it down.
"""
