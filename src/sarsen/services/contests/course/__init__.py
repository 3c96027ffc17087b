"""The course of a contest: what the law wants of it, and when."""
