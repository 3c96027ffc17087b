"""The roles of shapes and their colours: five palettes, each light and dark.

A scene names roles only; pictures for mail take the light colours as they are, the web
takes all through a style sheet. The usual palette and that of wood tell the two sides
apart by hue; ebony has white and black pieces on wood. The safe palette, and that of high
contrast, tell them apart by lightness as well, so that they differ for every eye;
`tests/drawing/test_palette.py` looks at them through such eyes.
"""

# For games whose pieces are white and black in every palette; their outlines show on any ground.
_WHITE_AND_BLACK = {
    "white": "#fbf7ee",
    "white-shade": "#6f6658",
    "white-ink": "#1c1710",
    "black": "#1d1b1a",
    "black-shade": "#8a8278",
    "black-ink": "#fbf7ee",
}

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
    **_WHITE_AND_BLACK,
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
    **_WHITE_AND_BLACK,
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
    **_WHITE_AND_BLACK,
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
    **_WHITE_AND_BLACK,
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
    **_WHITE_AND_BLACK,
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
    **_WHITE_AND_BLACK,
}

WOOD_LIGHT = {
    "paper": "#e3caa0",
    "ground": "#cd9c5c",
    "ground-alt": "#bf8d4d",
    "grid": "#7d5428",
    "shadow": "#9d7038",
    "ink": "#241505",
    "ink-soft": "#4a3114",
    "first": "#9f2413",
    "first-shade": "#6a150a",
    "first-side": "#841c0e",
    "first-ink": "#fff4ea",
    "second": "#24568c",
    "second-shade": "#12304f",
    "second-side": "#1b4470",
    "second-ink": "#f0f6ff",
    "second-stripe": "#0c2642",
    "both": "#6b2f78",
    "both-shade": "#3f1a48",
    "neutral": "#f3e6cc",
    "neutral-shade": "#7d5c33",
    "neutral-ink": "#2e1d0c",
    "mark": "#ffdf45",
    "spot": "#33560c",
    **_WHITE_AND_BLACK,
}

WOOD_DARK = {
    "paper": "#1b130c",
    "ground": "#4a3220",
    "ground-alt": "#593d27",
    "grid": "#8a6640",
    "shadow": "#2b1c10",
    "ink": "#f3e4cd",
    "ink-soft": "#bfa37c",
    "first": "#f0805f",
    "first-shade": "#9c3a22",
    "first-side": "#c55a3e",
    "first-ink": "#1d0a06",
    "second": "#86bdf0",
    "second-shade": "#2f628f",
    "second-side": "#5590c6",
    "second-ink": "#04121d",
    "second-stripe": "#5089bd",
    "both": "#cda0dc",
    "both-shade": "#7b5088",
    "neutral": "#8a6d48",
    "neutral-shade": "#d0ad7c",
    "neutral-ink": "#ffffff",
    "mark": "#ffd23c",
    "spot": "#b5d66c",
    **_WHITE_AND_BLACK,
}

EBONY_LIGHT = {
    "paper": "#dcbf92",
    "ground": "#b9854c",
    "ground-alt": "#aa763d",
    "grid": "#6d4820",
    "shadow": "#8a602f",
    "ink": "#160c03",
    "ink-soft": "#402a10",
    "first": "#fbf7ee",
    "first-shade": "#6f6658",
    "first-side": "#d3ccbd",
    "first-ink": "#1c1710",
    "second": "#1d1b1a",
    "second-shade": "#4a443f",
    "second-side": "#34302c",
    "second-ink": "#fbf7ee",
    "second-stripe": "#5a5550",
    "both": "#5f6b78",
    "both-shade": "#2c343c",
    "neutral": "#e9d8b6",
    "neutral-shade": "#5d4524",
    "neutral-ink": "#1c1208",
    "mark": "#ffd23c",
    "spot": "#2c5a10",
    **_WHITE_AND_BLACK,
}

EBONY_DARK = {
    "paper": "#3d2d1e",
    "ground": "#7a5833",
    "ground-alt": "#6f4f2c",
    "grid": "#a98457",
    "shadow": "#46311b",
    "ink": "#fff9ee",
    "ink-soft": "#d9bf98",
    "first": "#f4efe4",
    "first-shade": "#6f6658",
    "first-side": "#c9c1b1",
    "first-ink": "#1c1710",
    "second": "#0b0a0a",
    "second-shade": "#403a35",
    "second-side": "#2a2623",
    "second-ink": "#fbf7ee",
    "second-stripe": "#4a4642",
    "both": "#92a6b8",
    "both-shade": "#4c5a66",
    "neutral": "#8f6b40",
    "neutral-shade": "#dcbd8d",
    "neutral-ink": "#ffffff",
    "mark": "#ffc62e",
    "spot": "#b9e06a",
    **_WHITE_AND_BLACK,
}
