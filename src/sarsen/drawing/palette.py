"""The roles of shapes and their colours: three palettes, each light and dark.

A scene names roles only; pictures for mail take the light colours as they are, the web
takes all through a style sheet. The usual palette tells the two sides apart by hue. The
safe one, and that of high contrast, do so by lightness as well, so that they differ for
every eye; `tests/drawing/test_palette.py` looks at them through such eyes.
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
    "second-stripe": "#1a4365",  # stripes on them, for anyone who wants more than colour
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
    "second-stripe": "#a9d2f5",
    "both": "#b384c1",
    "both-shade": "#7b5088",
    "neutral": "#6b6150",
    "neutral-shade": "#a3967c",
    "neutral-ink": "#f4ecdc",
    "mark": "#f0b73f",
    "spot": "#a3c566",
}

SAFE_LIGHT = {
    "paper": "#fbfbf9",
    "ground": "#f4f3ee",
    "ground-alt": "#e6e5de",
    "grid": "#a3a195",
    "shadow": "#cfcdc2",
    "ink": "#24262b",
    "ink-soft": "#5c5e63",
    "first": "#d4600a",
    "first-shade": "#8a3a00",
    "first-side": "#b14d03",
    "first-ink": "#120500",
    "second": "#0c2f73",
    "second-shade": "#061a45",
    "second-side": "#09265e",
    "second-ink": "#f4f7ff",
    "second-stripe": "#3f62a8",
    "both": "#5d5954",
    "both-shade": "#33302d",
    "neutral": "#d5d3c8",
    "neutral-shade": "#75736a",
    "neutral-ink": "#24262b",
    "mark": "#2fb5d0",
    "spot": "#0a7a55",
}

SAFE_DARK = {
    "paper": "#131518",
    "ground": "#22242a",
    "ground-alt": "#2b2e35",
    "grid": "#6a6e78",
    "shadow": "#0f1013",
    "ink": "#eceef2",
    "ink-soft": "#a4a8b1",
    "first": "#ffb13d",
    "first-shade": "#b06f10",
    "first-side": "#d98f22",
    "first-ink": "#1d0f00",
    "second": "#3a73cb",
    "second-shade": "#1d4787",
    "second-side": "#2c5fae",
    "second-ink": "#ffffff",
    "second-stripe": "#1d4787",
    "both": "#a19b93",
    "both-shade": "#5f5a54",
    "neutral": "#6a6d75",
    "neutral-shade": "#a4a8b1",
    "neutral-ink": "#ffffff",
    "mark": "#f2f7ff",
    "spot": "#4fc48e",
}

CONTRAST_LIGHT = {
    "paper": "#ffffff",
    "ground": "#ffffff",
    "ground-alt": "#ededed",
    "grid": "#6b6b6b",
    "shadow": "#d0d0d0",
    "ink": "#000000",
    "ink-soft": "#333333",
    "first": "#b34700",
    "first-shade": "#6b2900",
    "first-side": "#8f3900",
    "first-ink": "#ffffff",
    "second": "#001f66",
    "second-shade": "#000f38",
    "second-side": "#00184f",
    "second-ink": "#ffffff",
    "second-stripe": "#3a5fb0",
    "both": "#4a4743",
    "both-shade": "#1f1d1b",
    "neutral": "#e2e2e2",
    "neutral-shade": "#000000",
    "neutral-ink": "#000000",
    "mark": "#0099b8",
    "spot": "#00694a",
}

CONTRAST_DARK = {
    "paper": "#000000",
    "ground": "#000000",
    "ground-alt": "#1c1c1c",
    "grid": "#9a9a9a",
    "shadow": "#1c1c1c",
    "ink": "#ffffff",
    "ink-soft": "#d6d6d6",
    "first": "#ffb000",
    "first-shade": "#b37a00",
    "first-side": "#d99500",
    "first-ink": "#000000",
    "second": "#2b75d8",
    "second-shade": "#174a8f",
    "second-side": "#2362b8",
    "second-ink": "#000000",
    "second-stripe": "#7fb2ff",
    "both": "#9c9c9c",
    "both-shade": "#5a5a5a",
    "neutral": "#4d4d4d",
    "neutral-shade": "#ffffff",
    "neutral-ink": "#ffffff",
    "mark": "#ffffff",
    "spot": "#50d890",
}
