"""Records of games as one text format, as JSON and as SGF; docs/records.md specifies them.

Open `record` first: what a record holds, and how replay proves it.
"""

from sarsen.core.records.record import Ending, Proof, Record, RecordedMove, prove

__all__ = ["Ending", "Proof", "Record", "RecordedMove", "prove"]
