"""What the fields of a command say of themselves, and its form as JSON."""
