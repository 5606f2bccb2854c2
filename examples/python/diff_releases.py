"""Compares two releases (files or folders): prints a summary, and with --unified a unified diff.

    python examples/python/diff_releases.py                      # two folders of this project
    python examples/python/diff_releases.py old/ new/ --unified
    python examples/python/diff_releases.py old.txt new.txt --unit word

A file only in the old release and a file only in the new one are reported as moved if they are
similar: the longest common subsequence of their lines has at least half as many lines as the longer
file. Among several, the most similar file is chosen.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import carrywave

REPOSITORY = Path(__file__).parents[2]


def files(root: Path) -> dict[str, Path]:
    """Returns the files of a release by their relative names; a release may be one file."""
    if root.is_file():
        return {"": root}
    return {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}


def moved(old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, str]:
    """Maps old names to new names, for files that are only in one of the releases."""
    pairs = {}
    left = dict(new)
    for name, text in old.items():
        lines = text.splitlines()

        def alike(other: str, lines: list[bytes] = lines) -> float:
            others = left[other].splitlines()
            return carrywave.lcs_length(lines, others) / max(len(lines), len(others), 1)

        best = max(left, key=alike, default=None)
        if best is not None and alike(best) >= 0.5:
            pairs[name] = best
            del left[best]
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", type=Path, default=REPOSITORY / "host/search/cpu")
    parser.add_argument("new", nargs="?", type=Path, default=REPOSITORY / "host/search/gpu")
    parser.add_argument("--unit", choices=["line", "word", "character"], default="line")
    parser.add_argument("--unified", action="store_true", help="print the differences too")
    options = parser.parse_args()
    if options.old.is_file() != options.new.is_file():
        parser.error("one release is a file, the other a folder")
    old = {name: path.read_bytes() for name, path in files(options.old).items()}
    new = {name: path.read_bytes() for name, path in files(options.new).items()}

    names = {name: name for name in old if name in new}
    renamed = moved({name: old[name] for name in old if name not in new}, {name: new[name] for name in new if name not in old})
    names |= renamed
    same = 0
    for a, b in sorted(names.items()):
        difference = carrywave.diff(old[a], new[b], unit=options.unit)
        same += len(difference) == 0 and a == b
        if len(difference) > 0 or a != b:
            title = a if a == b else f"{a} -> {b}"
            print(f"{title or options.new.name}: {len(difference)} changes, {difference.deleted} {options.unit}s less, {difference.inserted} more")
        if options.unified and len(difference) > 0:
            print(carrywave.diff(old[a], new[b]).unified(f"old/{a}", f"new/{b}").decode(errors="replace"), end="")
    for name in sorted(set(old) - set(names)):
        print(f"{name}: removed")
    for name in sorted(set(new) - set(names.values())):
        print(f"{name}: new")
    print(f"{same} files are the same, {len(names) - same} differ or have moved")


if __name__ == "__main__":
    main()
