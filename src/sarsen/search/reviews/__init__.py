"""Reviews: what a search says of a finished game, position by position, from the end back.

Pure: positions and a function that thinks go in, frozen findings come out, and a review
that was left anywhere goes on there. Open `study` first; `looks` judges one position,
`turns` says which moves mattered and from where the result was proved, `proof` gives the
winner's answers to step through, `keeping` writes all that as JSON. No NumPy, no Numba:
code that shows a review imports this part freely.
"""
