"""Creates the functions of a metric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from .... import _carrywave
from .._editops import Editops, Opcodes
from .._metrics import KINDS, Metric, Scorer, is_missing, processed
from .._scorers import register

_Made = TypeVar("_Made", Editops, Opcodes, covariant=True)


class Score(Protocol):
    """A function that computes a score."""

    def __call__(self, s1: Any, s2: Any, *, processor: Any = None, score_cutoff: Any = None) -> Any: ...


class WeightedScore(Protocol):
    """A function that computes a score with weights."""

    def __call__(
        self, s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any: ...


class Operations(Protocol[_Made]):
    """A function that returns the operations that turn one string into another."""

    def __call__(self, s1: Any, s2: Any, *, processor: Any = None) -> _Made: ...


def named(function: Callable[..., Any], metric: str, name: str, doc: str) -> Any:
    """Names the function as a member of a metric's module, where pickle finds it."""
    function.__module__ = f"{__package__}.{metric}"
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def scoring_function(function: Callable[..., Any], metric: str, scorer: Scorer) -> Any:
    """Returns a function that computes a score, registered as a scorer."""
    doc = f"The {scorer.kind.replace('_', ' ')} of two strings, as rapidfuzz.distance.{metric}.{scorer.kind}."
    register(function, scorer, f"distance.{metric}.{scorer.kind}")
    return named(function, metric, scorer.kind, doc)


def score(make: type[Metric], kind: str) -> Score:
    """Creates a function that computes a score by a metric without weights."""
    scorer, metric = Scorer(make, kind), make()

    def function(s1: Any, s2: Any, *, processor: Any = None, score_cutoff: Any = None) -> Any:
        if scorer.worst is not None and (is_missing(s1) or is_missing(s2)):
            return scorer.worst
        s1, s2 = processed(processor, s1, s2)
        _ = len(s1), len(s2)  # raises the error for objects without a length
        return scorer.score(metric, s1, s2, scorer.cutoff(score_cutoff))

    return scoring_function(function, make.name, scorer)


def edit_operations(s1: Any, s2: Any, choice: str, processor: Any) -> Editops:
    """Returns the operations that turn `s1` into `s2`, the same as rapidfuzz's."""
    s1, s2 = processed(processor, s1, s2)
    m, n = len(s1), len(s2)
    operations: list[tuple[str, int, int]] = []
    i = j = 0
    for letter, count in _carrywave.traced(s1, s2, choice):
        if letter == "=":
            i, j = i + count, j + count
        elif letter == "X":
            operations.extend(("replace", i + at, j + at) for at in range(count))
            i, j = i + count, j + count
        elif letter == "I":
            operations.extend(("delete", i + at, j) for at in range(count))
            i += count
        else:
            operations.extend(("insert", i, j + at) for at in range(count))
            j += count
    return Editops._of(operations, m, n)


def plain(
    make: type[Metric],
) -> tuple[Score, Score, Score, Score, Operations[Editops], Operations[Opcodes]]:
    """Creates the functions of a metric without weights: one score for each of the kinds, `editops`
    and `opcodes`.
    """

    def editops(s1: Any, s2: Any, *, processor: Any = None) -> Editops:
        return edit_operations(s1, s2, make.choice, processor)

    def opcodes(s1: Any, s2: Any, *, processor: Any = None) -> Opcodes:
        return editops(s1, s2, processor=processor).as_opcodes()

    for function in (editops, opcodes):
        name = function.__name__
        named(function, make.name, name, f"The operations that make `s2` of `s1`, as rapidfuzz.distance.{make.name}.{name}.")
    distance, similarity, normalized_distance, normalized_similarity = (score(make, kind) for kind in KINDS)
    return distance, similarity, normalized_distance, normalized_similarity, editops, opcodes
