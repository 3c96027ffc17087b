"""The roles of shapes and their colours, in one light and one dark theme.

A scene names roles only; pictures for mail take the light colours as they are,
the web takes both through a style sheet. First and second are told apart by
lightness as well as hue, so that they differ for every eye.
"""

LIGHT = {
    "paper": "#faf7f0",  # behind everything
    "ground": "#efe7d6",  # the playing area
    "ground-alt": "#e4d9c2",  # every other field of it
    "grid": "#b9a98a",  # lines between fields
    "shadow": "#d9cbad",  # what stones throw on the ground
    "ink": "#3b342a",  # letters and numbers
    "ink-soft": "#6e644d",  # coordinates
    "first": "#c2452d",  # stones of the first seat's side, its light face
    "first-shade": "#8f2f1d",  # their faces in shadow, their outlines
    "first-side": "#a93a26",  # their faces in half light
    "first-ink": "#fff6ee",  # writing on them
    "second": "#2f6fa3",
    "second-shade": "#1d4a70",
    "second-side": "#265d8a",
    "second-ink": "#f2f8ff",
    "both": "#7a4a86",  # what belongs to both
    "both-shade": "#4f2c59",
    "neutral": "#d8cbb0",  # pieces of nobody
    "neutral-shade": "#8b7a58",
    "neutral-ink": "#3b342a",
    "mark": "#d99a1c",  # the last move, and what it caused
    "spot": "#6f8f3c",  # a place where a move is possible
}

DARK = {
    "paper": "#191714",
    "ground": "#2a2621",
    "ground-alt": "#332e27",
    "grid": "#5d5342",
    "shadow": "#1c1916",
    "ink": "#ece4d4",
    "ink-soft": "#a3967c",
    "first": "#e0664c",
    "first-shade": "#9c3a26",
    "first-side": "#bd4d36",
    "first-ink": "#1d0a06",
    "second": "#5fa3dc",
    "second-shade": "#2c628f",
    "second-side": "#4382b5",
    "second-ink": "#04121d",
    "both": "#b384c1",
    "both-shade": "#7b5088",
    "neutral": "#6b6150",
    "neutral-shade": "#a3967c",
    "neutral-ink": "#f4ecdc",
    "mark": "#f0b73f",
    "spot": "#a3c566",
}
