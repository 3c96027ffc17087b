"""Draw a scene with the characters of a terminal."""
