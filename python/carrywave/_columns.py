"""Results that are several arrays side by side: equal where all their arrays are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def equal(one: Iterable[Any], other: Iterable[Any]) -> bool:
    """Whether two results have the same numbers and arrays."""
    import numpy as np

    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def hashed(columns: Iterable[Any]) -> int:
    """A hash that equal results have in common."""
    return hash(tuple(column if isinstance(column, int) else (column.shape, column.tobytes()) for column in columns))
