"""Background work: the process that runs queued jobs, and the scheduled jobs.

Open `queue` first. Jobs are queued through `django.tasks`.
"""
