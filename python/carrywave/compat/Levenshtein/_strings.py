"""Arguments that are lists of strings, and their weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def as_text(string: Any) -> str:
    """Returns a string as `str`; each byte of bytes becomes the character of the same number."""
    if isinstance(string, bytes):
        return string.decode("latin-1")
    if isinstance(string, str):
        return string
    raise TypeError(f"Expected string or bytes, not {type(string).__name__}")


def texts(strings: Iterable[Any]) -> list[str]:
    """Returns a list of strings as `str`."""
    return [as_text(string) for string in strings]


def weighted(strings: Iterable[Any], weights: Iterable[float] | None) -> tuple[list[str], list[float]]:
    """Returns strings and their weights, which are 1 by default."""
    texts_of = texts(strings)
    if weights is None:
        return texts_of, [1.0] * len(texts_of)
    checked = []
    for weight in weights:
        if isinstance(weight, str | bytes) or not hasattr(weight, "__float__") and not hasattr(weight, "__index__"):
            raise TypeError(f"must be real number, not {type(weight).__name__}")
        if weight < 0:
            raise ValueError(f"weight {float(weight)} is negative")
        checked.append(float(weight))
    if len(checked) != len(texts_of):
        raise ValueError("strlist has a different length than wlist")
    return texts_of, checked
