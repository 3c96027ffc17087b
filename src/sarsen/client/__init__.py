"""A client of the API in Python, typed: for bots, the terminal, and scripts.

Open `client.py`: `Client(url, token)` has a method for whatever one wants to do. It needs
nothing beside the standard library, and imports only `core` and `language`.
"""

from sarsen.client.client import Answer, Client
from sarsen.client.transport import Refused, Unreachable

__all__ = ["Answer", "Client", "Refused", "Unreachable"]
