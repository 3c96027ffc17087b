"""Django's PostgreSQL, with calls to the processes of all hosts."""
