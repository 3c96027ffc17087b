"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class MailPasswordHasher(Argon2PasswordHasher):
    """Use argon2id with the smallest parameters that OWASP recommends.

    A mail command of the old style costs one verification. With Django's own
    parameters a core checks about 6 a second, with these about 50; guessing is
    held back by the pause in `passwords`, not by the price alone.
    """

    memory_cost = 19456  # KiB
    time_cost = 2
    parallelism = 1
