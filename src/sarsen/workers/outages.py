"""Log the loss of the database when it begins, and when it ends."""

from __future__ import annotations

import structlog

from sarsen.services.store_failures import store_failure

log = structlog.get_logger()


class Outage:
    """A failure that is met again and again until it is over.

    Args:
        event: What is logged.
    """

    def __init__(self, event: str) -> None:
        self._event = event
        self._reason = ""

    def note(self, error: BaseException) -> None:
        """Log a failure with its reason, unless the last one had the same.

        An error that does not come from the database is a bug, and logged with its traceback.
        """
        reason = store_failure(error)
        if not reason:
            log.error(self._event, exc_info=error)
        elif reason != self._reason:
            log.warning(self._event, reason=reason)
        self._reason = reason

    def end(self) -> None:
        """Log that it is over, if it was logged that it began."""
        if self._reason:
            log.info("the database is back", after=self._event)
            self._reason = ""
