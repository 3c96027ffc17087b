"""Background work: the process that runs queued jobs, and the jobs of no door.

Open `queue` first. Jobs are queued through the `django.tasks` interface; the
database backend is an existing one, none of ours.
"""
