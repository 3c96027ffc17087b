"""Settings, addresses and processes: the only place that knows all parts.

Open `command` first (the `sarsen` command), then `settings` and `processes`.
"""
