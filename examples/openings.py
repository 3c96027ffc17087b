# %% [markdown]
# Which first stone of Druid is the best on a small site, when both play at random from there?
# Open this file as a notebook (VS Code, or jupytext for Jupyter): each `# %%` begins a cell.

# %%
import random

import sarsen
from sarsen.research import ResearchPosition

druid = sarsen.load("druid")
start = druid.start("-size=3")
start  # noqa: B018 (the last line of a cell is shown: the empty site)

# %%
GAMES = 20


def finished(position: ResearchPosition, chance: random.Random) -> ResearchPosition:
    """Play on at random to the end."""
    while position.outcome() is None:
        position = position.play(chance.choice(position.legal_moves()))
    return position


def share(opening: str, games: int = GAMES) -> float:
    """Return how much of the score the first player has after an opening."""
    chance = random.Random(opening)
    ends = [finished(start.play(opening), chance) for _ in range(games)]
    return sum(end.outcome().scores[0] for end in ends) / games


shares = {opening: share(opening) for opening in start.legal_moves()}

# %%
for opening in sorted(shares, key=shares.__getitem__, reverse=True):
    print(f"{opening}  {shares[opening]:.2f}")

# %%
best = max(shares, key=shares.__getitem__)
finished(start.play(best), random.Random(best))  # a picture of one game's end
