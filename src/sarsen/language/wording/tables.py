"""Tables as text."""

from __future__ import annotations

from sarsen.language.replies import Table


def table_text(table: Table) -> str:
    """Write a table in columns as wide as they need."""
    if not table.rows:
        return f"{table.title}\n\n  none"
    rows = [table.columns, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([table.title, "", *("  " + line for line in lines)])
