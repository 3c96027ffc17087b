"""What every page shares: home, errors, middleware, the command box, and caught mail."""
