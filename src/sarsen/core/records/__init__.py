"""Records: a played game as one open text format, and as JSON; docs/records.md specifies both.

`record` says what a record holds and proves it by replay. `text` and `as_json` are
pairs of `read` and `write` for the two forms; every value comes through either unchanged.
`collection` parts a file into its records, and `as_sgf` writes one for programs that read SGF.
"""

from sarsen.core.records.record import Ending, Proof, Record, RecordedMove, prove

__all__ = ["Ending", "Proof", "Record", "RecordedMove", "prove"]
