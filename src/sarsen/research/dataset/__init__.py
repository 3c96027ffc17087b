"""Finished games as a data set: a row a game, JSON Lines and Parquet, and its README."""
