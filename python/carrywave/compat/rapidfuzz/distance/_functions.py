"""Creates the functions of a metric."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from ...._carrywave import Scorer, traced
from .._editops import Editops, Opcodes
from .._scorers import KINDS, LARGEST, Registered, named, register, scoring_function, to_call


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


_TAGS = {"=": "equal", "X": "replace", "I": "delete", "D": "insert"}
"""rapidfuzz's tag of each letter of a CIGAR. The letter I is for a symbol of `s1` alone."""


def edit_blocks(s1: Any, s2: Any, choice: str, processor: Any) -> Opcodes:
    """Returns the operations that turn `s1` into `s2`, in blocks, the same as rapidfuzz's."""
    processor = to_call(processor)
    if processor is not None:
        s1, s2 = processor(s1), processor(s2)
    m, n = len(s1), len(s2)
    blocks: list[tuple[str, int, int, int, int]] = []
    i = j = 0
    for letter, count in traced(s1, s2, choice):
        i_end = i if letter == "D" else i + count
        j_end = j if letter == "I" else j + count
        blocks.append((_TAGS[letter], i, i_end, j, j_end))
        i, j = i_end, j_end
    return Opcodes._of(blocks, m, n)


def operations(metric: str, choice: str) -> tuple[Operations[Editops], Operations[Opcodes]]:
    """Returns the functions `editops` and `opcodes` of a metric, with the `choice` among scripts."""

    def editops(s1: Any, s2: Any, *, processor: Any = None) -> Editops:
        return edit_blocks(s1, s2, choice, processor).as_editops()

    def opcodes(s1: Any, s2: Any, *, processor: Any = None) -> Opcodes:
        return edit_blocks(s1, s2, choice, processor)

    for function in (editops, opcodes):
        name = function.__name__
        named(function, f"{__package__}.{metric}", name, f"The operations that make `s2` of `s1`, as rapidfuzz.distance.{metric}.{name}.")
    return editops, opcodes


def _metric(name: str, scorer: str, method: str, parameter: str | None = None) -> tuple[Any, Any, Any, Any]:
    """Returns the functions of a metric, one for each kind of score.

    `scorer` is the scorer's name in the library, `method` the method of `Scorer` with the arguments
    of the functions, `parameter` the name of the scorer's own argument.
    """
    functions = []
    for kind in KINDS:
        made = Scorer(scorer, kind)
        is_share = kind.startswith("normalized") or scorer.startswith("jaro")
        # rapidfuzz's `process` computes this score without the detour by the distance, which rounds.
        of_many = Scorer(scorer, "similarity") if kind == "normalized_similarity" and scorer.startswith("jaro") else made
        doc = f"The {kind.replace('_', ' ')} of two strings, as rapidfuzz.distance.{name}.{kind}."
        function = scoring_function(getattr(made, method), f"{__package__}.{name}", kind, doc)
        register(function, Registered(of_many, kind, f"distance.{name}.{kind}", 1 if is_share else LARGEST, parameter))
        functions.append(function)
    distance, similarity, normalized_distance, normalized_similarity = functions
    return distance, similarity, normalized_distance, normalized_similarity


def plain(name: str, scorer: str) -> tuple[Score, Score, Score, Score]:
    """Returns the functions of a metric without arguments of its own."""
    return _metric(name, scorer, "plain")


def weighted(name: str, scorer: str) -> tuple[WeightedScore, WeightedScore, WeightedScore, WeightedScore]:
    """Returns the functions of a metric with `weights`."""
    return _metric(name, scorer, "weighted", "weights")


def padded(name: str, scorer: str) -> tuple[PaddedScore, PaddedScore, PaddedScore, PaddedScore]:
    """Returns the functions of a metric with `pad`."""
    return _metric(name, scorer, "padded", "pad")


def with_prefix(name: str, scorer: str) -> tuple[PrefixScore, PrefixScore, PrefixScore, PrefixScore]:
    """Returns the functions of a metric with `prefix_weight`."""
    return _metric(name, scorer, "with_prefix", "prefix_weight")
