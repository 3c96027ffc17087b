"""Records of games: written, signed, collected and imported."""
