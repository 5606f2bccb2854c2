"""Scores of strings: a distance, and scores derived from it and from the strings' lengths."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ... import _carrywave

KINDS = ("distance", "similarity", "normalized_distance", "normalized_similarity")


def is_missing(string: Any) -> bool:
    """Returns true for None, NaN, and the NA of pandas."""
    return string is None or (isinstance(string, float) and string != string) or type(string).__name__ == "NAType"


def whole(number: Any) -> int:
    """Returns a cutoff as a whole number, converted as in C."""
    if not hasattr(number, "__int__"):
        raise TypeError(f"a cutoff is a number, not {type(number).__name__}")
    number = int(number)
    if number < 0:
        raise OverflowError("can't convert negative value to size_t")
    if number >= 1 << 64:
        raise OverflowError("Python int too large to convert to C size_t")
    return number


def share(number: Any, name: str = "score_cutoff") -> float:
    """Returns a cutoff between 0 and 1, rounded to 32 bits as in rapidfuzz."""
    number = float(number)
    if not 0 <= number <= 1:
        raise TypeError(f"{name} has to be in the range of 0.0 - 1.0")
    return struct.unpack("f", struct.pack("f", number))[0]


class Metric:
    """A distance, and its maximum for strings of two lengths."""

    name: str
    choice: str
    is_symmetric = True

    def distance(self, a: Any, b: Any, most: int | None) -> int:
        raise NotImplementedError

    def maximum(self, m: int, n: int) -> int:
        raise NotImplementedError

    def batch(self) -> tuple[str, Callable[[Any, Any, Any], Any]] | None:
        """Returns the scorer of `carrywave.cdist`, and the conversion of its distances to those of
        this metric; None if there is no such scorer.
        """
        return None


class Levenshtein(Metric):
    name, choice = "Levenshtein", "rapidfuzz"

    def __init__(self, weights: Any = None) -> None:
        self.weights: tuple[int, ...] = (1, 1, 1) if weights is None else tuple(int(weight) for weight in weights)
        if len(self.weights) != 3:
            raise ValueError(f"weights are three: of an insertion, a deletion and a replacement, not {len(self.weights)}")
        if min(self.weights) < 0:
            raise OverflowError("can't convert negative value to size_t")
        self.is_symmetric = self.weights[0] == self.weights[1]

    def distance(self, a: Any, b: Any, most: int | None) -> int:
        insert, delete, replace = self.weights
        if insert == delete == replace == 1:
            return _carrywave.distance(a, b, score_cutoff=most, mixed=True)
        if insert == delete == replace:
            return insert * _carrywave.distance(a, b, mixed=True)
        if insert == delete and replace >= 2 * insert:
            return insert * (len(a) + len(b) - 2 * _carrywave.lcs_length(a, b, mixed=True))
        return _weighted(a, b, self.weights)

    def maximum(self, m: int, n: int) -> int:
        insert, delete, replace = self.weights
        rest = (m - n) * delete if m >= n else (n - m) * insert
        return min(m * delete + n * insert, min(m, n) * replace + rest)

    def batch(self) -> tuple[str, Callable[[Any, Any, Any], Any]] | None:
        insert, delete, replace = self.weights
        if insert == delete == replace:
            return "levenshtein", lambda distances, m, n: distances * insert
        if insert == delete and replace >= 2 * insert:
            return "indel", lambda distances, m, n: distances * insert
        return None


class Indel(Metric):
    name, choice = "Indel", "rapidfuzz-indel"

    def distance(self, a: Any, b: Any, most: int | None) -> int:
        return len(a) + len(b) - 2 * _carrywave.lcs_length(a, b, mixed=True)

    def maximum(self, m: int, n: int) -> int:
        return m + n

    def batch(self) -> tuple[str, Callable[[Any, Any, Any], Any]] | None:
        return "indel", lambda distances, m, n: distances


class LCSseq(Metric):
    name, choice = "LCSseq", "rapidfuzz-indel"

    def distance(self, a: Any, b: Any, most: int | None) -> int:
        return max(len(a), len(b)) - _carrywave.lcs_length(a, b, mixed=True)

    def maximum(self, m: int, n: int) -> int:
        return max(m, n)

    def batch(self) -> tuple[str, Callable[[Any, Any, Any], Any]] | None:
        import numpy as np

        return "indel", lambda distances, m, n: np.maximum(m, n) - (m + n - distances) // 2


def _codes(a: Any, b: Any) -> tuple[list[int], list[int]]:
    numbers: dict[Any, int] = {}
    return tuple([numbers.setdefault(ord(x) if isinstance(x, str) and len(x) == 1 else x, len(numbers)) for x in s] for s in (a, b))  # type: ignore[return-value]


def _weighted(a: Any, b: Any, weights: tuple[int, ...]) -> int:
    """Computes the distance with a cost per operation, by a table, one row at a time."""
    import numpy as np

    insert, delete, replace = weights
    x, y = _codes(a, b)
    target = np.array(y, dtype=np.int64)
    offsets = np.arange(len(y) + 1, dtype=np.int64) * insert
    row = offsets.copy()
    for symbol in x:
        new = row + delete
        np.minimum(new[1:], row[:-1] + np.where(target == symbol, 0, replace), out=new[1:])
        row = np.minimum.accumulate(new - offsets) + offsets
    return int(row[-1])


class Scorer:
    """A type of score: a metric, one of the four kinds, and whether in per cent."""

    __slots__ = ("kind", "make", "percent")

    def __init__(self, make: type[Metric], kind: str, percent: bool = False) -> None:
        self.make, self.kind, self.percent = make, kind, percent

    def made(self, kwargs: dict[str, Any]) -> Metric:
        """Returns the metric with the scorer's own arguments."""
        if self.make is Levenshtein:
            others = kwargs.keys() - {"weights"}
            if not others:
                weights = kwargs.get("weights", (1, 1, 1))
                if weights is None:
                    raise TypeError("cannot unpack non-iterable NoneType object")
                return Levenshtein(weights)
            raise TypeError(f"Levenshtein has no arguments of its own but weights: {', '.join(sorted(others))}")
        if kwargs:
            raise TypeError(f"{self.make.name} has no arguments of its own: {', '.join(kwargs)}")
        return self.make()

    @property
    def is_normalized(self) -> bool:
        return self.kind.startswith("normalized")

    @property
    def higher_is_better(self) -> bool:
        return self.kind.endswith("similarity")

    @property
    def best(self) -> float | None:
        """The best possible score; None for a similarity that grows with the strings."""
        return {"distance": 0, "normalized_distance": 0.0, "normalized_similarity": 100.0 if self.percent else 1.0}.get(self.kind)

    @property
    def worst(self) -> float | None:
        """The score of a missing string."""
        return {"normalized_distance": 1.0, "normalized_similarity": 0.0}.get(self.kind)

    def cutoff(self, value: Any) -> Any:
        if value is None:
            return None
        if not self.is_normalized:
            return whole(value)
        if self.percent:
            if not 0 <= float(value) <= 100:
                raise TypeError("score_cutoff has to be in the range of 0.0 - 100.0")
            return float(value)
        return share(value)

    def score(self, metric: Metric, a: Any, b: Any, cutoff: Any) -> Any:
        """Returns the score of two strings, with a cutoff made by `cutoff`."""
        if self.kind == "distance":
            distance = metric.distance(a, b, cutoff)
            return distance if cutoff is None or distance <= cutoff else cutoff + 1
        distance, most = metric.distance(a, b, None), metric.maximum(len(a), len(b))
        if self.kind == "similarity":
            return most - distance if cutoff is None or most - distance >= cutoff else 0
        normalized = distance / most if most else 0.0
        if self.kind == "normalized_distance":
            return normalized if cutoff is None or normalized <= cutoff else 1.0
        score = 1.0 - normalized
        if self.percent:
            return score * 100 if cutoff is None or score >= cutoff / 100 else 0.0
        return score if cutoff is None or score >= cutoff else 0.0


def to_call(processor: Any) -> Callable[[Any], Any] | None:
    """Returns the function that preprocesses strings, or None."""
    if callable(processor):
        return processor
    if processor:
        raise TypeError(f"'{type(processor).__name__}' object is not callable: processor is a function of one string, or None")
    return None


def processed(processor: Any, a: Any, b: Any) -> tuple[Any, Any]:
    if processor is None or to_call(processor) is None:
        return a, b
    return processor(a), processor(b)
