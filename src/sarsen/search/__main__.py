"""Say what a thinking process loads and how long it takes: `python -m sarsen.search`."""

from sarsen.search.warming import warm


def main() -> None:
    """Load everything, a line each."""
    total = 0.0
    for part in warm():
        total += part.seconds
        note = f"  {part.compiled} compiled" if part.compiled else ""
        print(f"{part.name:32} {part.seconds:8.3f} s{note}")
    print(f"{'together':32} {total:8.3f} s")


if __name__ == "__main__":
    main()
