"""Filters of the web door's templates."""
