"""Columns of strings for the tests of data frames, and the distances of their pairs."""

from __future__ import annotations

import random
from typing import Any

import oracles


def strings(count: int, seed: int, alphabet: str = "abé") -> list[str | None]:
    """Returns random strings, and about one in ten is missing."""
    rng = random.Random(seed)
    return [None if rng.random() < 0.1 else "".join(rng.choices(alphabet, k=rng.randrange(8))) for _ in range(count)]


def expected(a: list[Any], b: list[Any], cutoff: int | None) -> list[int | None]:
    """Returns the distance of each pair; none if a string is missing, or above the cutoff."""
    distances = [None if x is None or y is None else oracles.distance(x, y) for x, y in zip(a, b, strict=True)]
    return [None if distance is None or cutoff is not None and distance > cutoff else distance for distance in distances]
