"""The functions that are scorers: carrywave's, rapidfuzz's, and functions of users.

A scorer is recognized by identity. `functools.wraps` copies attributes, so by attributes a
decorated function would pass for the function that it decorates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..._carrywave import Scorer

KINDS = ("distance", "similarity", "normalized_distance", "normalized_similarity")

# rapidfuzz's flags for the type of a score, and for a score that stays the same when the strings
# are exchanged.
_RESULT_F64, _RESULT_I64, _RESULT_SIZE_T, _SYMMETRIC = 1 << 5, 1 << 6, 1 << 7, 1 << 11
LARGEST = 2**63 - 1


def is_missing(string: Any) -> bool:
    """Returns true for None, NaN, and the NA of pandas."""
    return string is None or (isinstance(string, float) and string != string) or type(string).__name__ == "NAType"


def to_call(processor: Any) -> Callable[[Any], Any] | None:
    """Returns the function that preprocesses strings, or None."""
    if callable(processor):
        function: Callable[[Any], Any] = processor
        return function
    if processor:
        raise TypeError(f"'{type(processor).__name__}' object is not callable: processor is a function of one string, or None")
    return None


class Registered:
    """A function of carrywave that is a scorer, with its type of score.

    `parameter` is the name of the scorer's own argument, or None.
    """

    __slots__ = ("function", "higher_is_better", "is_whole", "name", "parameter", "range", "scorer")
    function: Callable[..., Any]

    def __init__(self, scorer: Scorer, kind: str, name: str, largest: int, parameter: str | None) -> None:
        self.scorer, self.name, self.parameter = scorer, name, parameter
        self.is_whole = largest == LARGEST
        self.higher_is_better = kind.endswith("similarity")
        self.range = (largest, 0) if self.higher_is_better else (0, largest)

    def argument(self, kwargs: dict[str, Any]) -> Any:
        """Returns the value of the scorer's own argument, from its keyword arguments."""
        others = kwargs.keys() - {self.parameter}
        if others:
            known = f" but {self.parameter}" if self.parameter else ""
            raise TypeError(f"{self.name} has no arguments of its own{known}: {', '.join(sorted(others))}")
        if self.parameter not in kwargs:
            return None
        value = kwargs[self.parameter]
        if self.parameter == "weights" and value is None:
            raise TypeError("cannot unpack non-iterable NoneType object")
        return bool(value) if self.parameter == "pad" else value

    def flags(self, **kwargs: Any) -> dict[str, Any]:
        """Returns the range of scores and rapidfuzz's flags."""
        weights = self.argument(kwargs) if self.parameter == "weights" else None
        is_symmetric = weights is None or weights[0] == weights[1]
        flags = (_RESULT_SIZE_T if self.is_whole else _RESULT_F64) | (_SYMMETRIC if is_symmetric else 0)
        return {"optimal_score": self.range[0], "worst_score": self.range[1], "flags": flags}


def named(function: Any, module: str, name: str, doc: str) -> Any:
    """Names a function as a member of a module, where pickle finds it."""
    function.__module__ = module
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def scoring_function(method: Callable[..., Any], module: str, name: str, doc: str) -> Any:
    """Returns a function that calls a method of `Scorer`.

    A `partial` can have attributes, which rapidfuzz reads, and takes less time than a function in
    Python.
    """
    function: Any = partial(method)
    # pickle then stores the name.
    function.__reduce_ex__ = lambda protocol: name
    return named(function, module, name, doc)


# By the identity of the function. The functions belong to modules, so they are never freed.
_REGISTERED: dict[int, Registered] = {}


def register(function: Callable[..., Any], registered: Registered) -> None:
    """Registers a function as a scorer for `process`, here and in rapidfuzz. rapidfuzz reads from
    its attributes whether a higher score is better.
    """
    registered.function = function
    _REGISTERED[id(function)] = registered
    marked: Any = function
    marked._RF_ScorerPy = {"get_scorer_flags": registered.flags}
    marked._RF_OriginalScorer = function


def names() -> str:
    """Returns the names of carrywave's scorers, as a list for messages."""
    return ", ".join(sorted(one.name for one in _REGISTERED.values()))


class Own:
    """A scorer of carrywave with its own argument."""

    def __init__(self, registered: Registered, kwargs: dict[str, Any]) -> None:
        self.scorer = registered.scorer
        self.argument = registered.argument(kwargs)
        self.higher_is_better = registered.higher_is_better
        self.gives_whole_numbers = registered.is_whole
        self.type_of_scores = "uint32" if registered.is_whole else "float32"

    def cutoff(self, value: Any) -> Any:
        return self.scorer.cutoff(value)

    def score(self, query: Any, choice: Any, cutoff: Any) -> Any:
        return self.scorer.with_argument(query, choice, cutoff, self.argument)


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
        return Own(registered, kwargs)
    if not callable(function):
        raise TypeError(f"a scorer is a function, not {type(function).__name__}. carrywave's own scorers: {names()}.")
    return Called(function, kwargs)
