"""Kernels: the rules of each game on arrays of integers, for search only, never the referee."""
