"""`sarsen doctor`: check the configuration, the storage, mail and workers, and say what to mend.

Nothing is changed; with `--mail` one mail is sent.
"""
