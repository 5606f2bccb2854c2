"""Creates the functions of a metric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from ...._carrywave import Scorer, traced
from .._editops import Editops, Opcodes
from .._scorers import KINDS, LARGEST, Registered, register, to_call


_Made = TypeVar("_Made")
_Lists = TypeVar("_Lists", Editops, Opcodes, covariant=True)


class Score(Protocol):
    """A function that computes a score."""

    def __call__(self, s1: Any, s2: Any, *, processor: Any = None, score_cutoff: Any = None) -> Any: ...


class WeightedScore(Protocol):
    """A function that computes a score with weights."""

    def __call__(
        self, s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any: ...


class PaddedScore(Protocol):
    """A function that computes a score of strings that may have two lengths."""

    def __call__(self, s1: Any, s2: Any, *, pad: bool = True, processor: Any = None, score_cutoff: Any = None) -> Any: ...


class PrefixScore(Protocol):
    """A function that computes a score with a weight for a common prefix."""

    def __call__(self, s1: Any, s2: Any, *, prefix_weight: float = 0.1, processor: Any = None, score_cutoff: Any = None) -> Any: ...


class Operations(Protocol[_Lists]):
    """A function that returns the operations that turn one string into another."""

    def __call__(self, s1: Any, s2: Any, *, processor: Any = None) -> _Lists: ...


def named(function: Callable[..., Any], metric: str, name: str, doc: str) -> Any:
    """Names the function as a member of a metric's module, where pickle finds it."""
    function.__module__ = f"{__package__}.{metric}"
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def plain(score: Callable[..., Any]) -> Score:
    """Creates a function without arguments of its own."""

    def function(s1: Any, s2: Any, *, processor: Any = None, score_cutoff: Any = None) -> Any:
        return score(s1, s2, processor, score_cutoff)

    return function


def weighted(score: Callable[..., Any]) -> WeightedScore:
    """Creates a function with weights."""

    def function(
        s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any:
        return score(s1, s2, processor, score_cutoff, weights, score_hint)

    return function


def padded(score: Callable[..., Any]) -> PaddedScore:
    """Creates a function with `pad`."""

    def function(s1: Any, s2: Any, *, pad: bool = True, processor: Any = None, score_cutoff: Any = None) -> Any:
        return score(s1, s2, processor, score_cutoff, None if pad is True else bool(pad))

    return function


_PREFIX_WEIGHT = 0.1


def with_prefix(score: Callable[..., Any]) -> PrefixScore:
    """Creates a function with a weight of the prefix."""

    def function(
        s1: Any, s2: Any, *, prefix_weight: float = _PREFIX_WEIGHT, processor: Any = None, score_cutoff: Any = None
    ) -> Any:
        return score(s1, s2, processor, score_cutoff, None if prefix_weight is _PREFIX_WEIGHT else prefix_weight)

    return function


def edit_operations(s1: Any, s2: Any, choice: str, processor: Any) -> Editops:
    """Returns the operations that turn `s1` into `s2`, the same as rapidfuzz's."""
    processor = to_call(processor)
    if processor is not None:
        s1, s2 = processor(s1), processor(s2)
    m, n = len(s1), len(s2)
    operations: list[tuple[str, int, int]] = []
    i = j = 0
    for letter, count in traced(s1, s2, choice):
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


def operations(metric: str, choice: str) -> tuple[Operations[Editops], Operations[Opcodes]]:
    """Returns the functions `editops` and `opcodes` of a metric, with the `choice` among scripts."""

    def editops(s1: Any, s2: Any, *, processor: Any = None) -> Editops:
        return edit_operations(s1, s2, choice, processor)

    def opcodes(s1: Any, s2: Any, *, processor: Any = None) -> Opcodes:
        return editops(s1, s2, processor=processor).as_opcodes()

    for function in (editops, opcodes):
        name = function.__name__
        named(function, metric, name, f"The operations that make `s2` of `s1`, as rapidfuzz.distance.{metric}.{name}.")
    return editops, opcodes


def metric(name: str, scorer: str, make: Callable[[Callable[..., Any]], _Made], parameter: str | None = None) -> tuple[_Made, _Made, _Made, _Made]:
    """Returns the functions of a metric, one for each kind of score.

    `scorer` is the scorer's name in the library. `make` creates a function from one that takes all
    arguments by position. `parameter` is the name of the scorer's own argument.
    """
    functions = []
    for kind in KINDS:
        made = Scorer(scorer, kind)
        is_share = kind.startswith("normalized") or scorer.startswith("jaro")
        doc = f"The {kind.replace('_', ' ')} of two strings, as rapidfuzz.distance.{name}.{kind}."
        # rapidfuzz's `process` computes this score without the detour by the distance, which rounds.
        of_many = Scorer(scorer, "similarity") if kind == "normalized_similarity" and scorer.startswith("jaro") else made
        function = named(make(made.score), name, kind, doc)
        register(function, Registered(of_many, kind, f"distance.{name}.{kind}", 1 if is_share else LARGEST, parameter))
        functions.append(function)
    distance, similarity, normalized_distance, normalized_similarity = functions
    return distance, similarity, normalized_distance, normalized_similarity
