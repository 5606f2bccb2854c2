"""Compares results that consist of several arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def equal(one: Iterable[Any], other: Iterable[Any]) -> bool:
    """Returns true if two results have the same numbers and arrays."""
    import numpy as np

    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def hashed(columns: Iterable[Any]) -> int:
    """Returns a hash; equal results have equal hashes."""
    return hash(tuple(column if isinstance(column, int) else (column.shape, column.tobytes()) for column in columns))
