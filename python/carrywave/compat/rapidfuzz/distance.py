"""Distances and similarities with the names, arguments and results of `rapidfuzz.distance` (3.14).

>>> Levenshtein.distance("lewenstein", "levenshtein")
2
>>> Levenshtein.editops("spam", "park").as_list()
[('delete', 0, 0), ('insert', 3, 2), ('replace', 3, 3)]
>>> LCSseq.similarity("this is a test", "this is a test!")
14
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ... import _carrywave
from ..._carrywave import distance as _distance
from . import _metrics
from ._editops import Editop, Editops, MatchingBlock, Opcode, Opcodes, ScoreAlignment
from ._metrics import Scorer, is_missing, processed, share, whole

__all__ = ["Editop", "Editops", "Indel", "LCSseq", "Levenshtein", "MatchingBlock", "Opcode", "Opcodes", "ScoreAlignment"]


def _levenshtein_function(kind: str) -> Any:
    scorer = Scorer(_metrics.Levenshtein, kind)
    plain = _metrics.Levenshtein()

    def function(
        s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any:
        if scorer.worst is not None and (is_missing(s1) or is_missing(s2)):
            return scorer.worst
        s1, s2 = processed(processor, s1, s2)
        if score_hint is not None:
            share(score_hint, "score_hint") if scorer.is_normalized else whole(score_hint)
        len(s1), len(s2)
        metric = plain if weights is None else _metrics.Levenshtein(weights)
        return scorer.score(metric, s1, s2, scorer.cutoff(score_cutoff))

    if kind != "distance":
        return _named(function, scorer, "Levenshtein")

    def plain_distance(
        s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any:
        # The most frequent call, which takes less time than to look at what was not given.
        if weights is processor is score_cutoff is score_hint is None:
            try:
                return _distance(s1, s2, mixed=True)
            except TypeError:
                pass
        return function(s1, s2, weights=weights, processor=processor, score_cutoff=score_cutoff, score_hint=score_hint)

    return _named(plain_distance, scorer, "Levenshtein")


def _function(make: Any, kind: str) -> Any:
    scorer, metric = Scorer(make, kind), make()

    def function(s1: Any, s2: Any, *, processor: Any = None, score_cutoff: Any = None) -> Any:
        if scorer.worst is not None and (is_missing(s1) or is_missing(s2)):
            return scorer.worst
        s1, s2 = processed(processor, s1, s2)
        len(s1), len(s2)
        return scorer.score(metric, s1, s2, scorer.cutoff(score_cutoff))

    return _named(function, scorer, make.name)


def _named(function: Any, scorer: Scorer, metric: str) -> Any:
    function.scorer = scorer
    function.__name__ = scorer.kind
    function.__qualname__ = f"{metric}.{scorer.kind}"
    function.__doc__ = f"The {scorer.kind.replace('_', ' ')} of two strings, as rapidfuzz.distance.{metric}.{scorer.kind}."
    return function


def _editops(choice: str) -> Any:
    def editops(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Editops:
        """The operations that make `s2` of `s1`, the same as rapidfuzz tells."""
        s1, s2 = processed(processor, s1, s2)
        m, n = len(s1), len(s2)
        operations = []
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

    return editops


def _metric(functions: dict[str, Any], choice: str, with_hint: bool) -> SimpleNamespace:
    traced = _editops(choice)
    if with_hint:

        def editops(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Editops:
            return traced(s1, s2, processor=processor)

        def opcodes(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Opcodes:
            return traced(s1, s2, processor=processor).as_opcodes()
    else:

        def editops(s1: Any, s2: Any, *, processor: Any = None) -> Editops:  # type: ignore[misc]
            return traced(s1, s2, processor=processor)

        def opcodes(s1: Any, s2: Any, *, processor: Any = None) -> Opcodes:  # type: ignore[misc]
            return traced(s1, s2, processor=processor).as_opcodes()

    return SimpleNamespace(**functions, editops=editops, opcodes=opcodes)


Levenshtein = _metric({kind: _levenshtein_function(kind) for kind in _metrics.KINDS}, "rapidfuzz", True)
Indel = _metric({kind: _function(_metrics.Indel, kind) for kind in _metrics.KINDS}, "rapidfuzz-indel", False)
LCSseq = _metric({kind: _function(_metrics.LCSseq, kind) for kind in _metrics.KINDS}, "rapidfuzz-indel", False)
