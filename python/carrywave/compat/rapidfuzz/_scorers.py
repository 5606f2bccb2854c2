"""The functions that are scorers: carrywave's, rapidfuzz's, and functions of users.

A scorer is recognized by identity. `functools.wraps` copies attributes, so by attributes a
decorated function would pass for the function that it decorates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ._metrics import Metric, Scorer

# rapidfuzz's flags for the type of a score, and for a score that stays the same when the strings
# are exchanged.
_RESULT_F64, _RESULT_I64, _RESULT_SIZE_T, _SYMMETRIC = 1 << 5, 1 << 6, 1 << 7, 1 << 11
_LARGEST = 2**63 - 1


class _Registered:
    """A function of carrywave that is a scorer, with its type of score."""

    __slots__ = ("function", "name", "scorer")

    def __init__(self, function: Callable[..., Any], scorer: Scorer, name: str) -> None:
        self.function, self.scorer, self.name = function, scorer, name


# By the identity of the function. The functions belong to modules, so they are never freed.
_REGISTERED: dict[int, _Registered] = {}


def register(function: Callable[..., Any], scorer: Scorer, name: str) -> None:
    """Registers a function as a scorer for `process`, here and in rapidfuzz. rapidfuzz reads from
    its attributes whether a higher score is better.
    """
    _REGISTERED[id(function)] = _Registered(function, scorer, name)

    def get_scorer_flags(**kwargs: Any) -> dict[str, Any]:
        ends = {
            "distance": (0, _LARGEST),
            "similarity": (_LARGEST, 0),
            "normalized_distance": (0, 1),
            "normalized_similarity": (100 if scorer.percent else 1, 0),
        }
        optimal, worst = ends[scorer.kind]
        flags = _RESULT_F64 if scorer.is_normalized else _RESULT_SIZE_T
        if scorer.made(kwargs).is_symmetric:
            flags |= _SYMMETRIC
        return {"optimal_score": optimal, "worst_score": worst, "flags": flags}

    marked: Any = function
    marked._RF_ScorerPy = {"get_scorer_flags": get_scorer_flags}
    marked._RF_OriginalScorer = function


def names() -> str:
    """Returns the names of carrywave's scorers, as a list for messages."""
    return ", ".join(sorted(one.name for one in _REGISTERED.values()))


class NoDefault:
    """The default scorer of functions whose default in rapidfuzz is `fuzz.WRatio`."""

    def __repr__(self) -> str:
        return "<rapidfuzz.fuzz.WRatio, which carrywave does not have>"


NO_DEFAULT = NoDefault()


class Own:
    """A scorer of carrywave with its own arguments."""

    def __init__(self, scorer: Scorer, kwargs: dict[str, Any]) -> None:
        self.scorer = scorer
        self.metric: Metric = scorer.made(kwargs)
        # Takes a query, a choice and a cutoff.
        self.score = partial(scorer.score, self.metric)
        self.higher_is_better = scorer.higher_is_better
        self.optimal = scorer.best
        self.gives_whole_numbers = not scorer.is_normalized
        self.type_of_scores = "uint32" if self.gives_whole_numbers else "float32"

    def cutoff(self, value: Any) -> Any:
        return self.scorer.cutoff(value)


class Called:
    """Any other function of two strings and `score_cutoff`. It is called for each pair, as
    rapidfuzz calls a user's function.

    An attribute of rapidfuzz's scorers says whether a higher score is better. A function without it
    is a similarity from 0 to 100.
    """

    def __init__(self, function: Callable[..., Any], kwargs: dict[str, Any]) -> None:
        self.function, self.kwargs = function, kwargs
        marks = getattr(function, "_RF_ScorerPy", None)
        flags = marks["get_scorer_flags"](**kwargs) if isinstance(marks, dict) and "get_scorer_flags" in marks else {}
        self.worst, self.optimal = flags.get("worst_score", 0), flags.get("optimal_score", 100)
        self.higher_is_better = self.optimal > self.worst
        result = flags.get("flags", _RESULT_F64)
        self.type_of_scores = "int32" if result & _RESULT_I64 else "uint32" if result & _RESULT_SIZE_T else "float32"
        is_original = getattr(function, "_RF_OriginalScorer", None) is function
        self.gives_whole_numbers = is_original and bool(result & _RESULT_SIZE_T)

    def cutoff(self, value: Any) -> Any:
        return self.worst if value is None else value

    def score(self, query: Any, choice: Any, cutoff: Any) -> Any:
        return self.function(query, choice, score_cutoff=cutoff, **self.kwargs)


def scoring(function: Any, kwargs: dict[str, Any] | None) -> Own | Called:
    """Returns the scorer of a function, with its own arguments `kwargs`."""
    kwargs = dict(kwargs or {})
    registered = _REGISTERED.get(id(function))
    if registered is not None:
        return Own(registered.scorer, kwargs)
    if isinstance(function, NoDefault):
        raise NotImplementedError(
            "rapidfuzz's default scorer, fuzz.WRatio, is not in carrywave.compat.rapidfuzz. Give scorer=, any function of two strings and "
            f"score_cutoff. carrywave's own scorers: {names()}."
        )
    if not callable(function):
        raise TypeError(f"a scorer is a function, not {type(function).__name__}. carrywave's own scorers: {names()}.")
    return Called(function, kwargs)
