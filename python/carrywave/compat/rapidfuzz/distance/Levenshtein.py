"""`rapidfuzz.distance.Levenshtein`: by insertions, deletions and replacements, each with a weight."""

from __future__ import annotations

from typing import Any

from ...._carrywave import distance as _distance
from ..._refusals import refuse_others
from .. import _metrics
from .._editops import Editops, Opcodes
from .._metrics import Scorer, is_missing, processed, share, whole
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

_PLAIN = _metrics.Levenshtein()


def _score(kind: str) -> _functions.WeightedScore:
    scorer = Scorer(_metrics.Levenshtein, kind)

    def function(
        s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any:
        if scorer.worst is not None and (is_missing(s1) or is_missing(s2)):
            return scorer.worst
        s1, s2 = processed(processor, s1, s2)
        if score_hint is not None:
            share(score_hint, "score_hint") if scorer.is_normalized else whole(score_hint)
        _ = len(s1), len(s2)  # raises the error for objects without a length
        metric = _PLAIN if weights is None else _metrics.Levenshtein(weights)
        return scorer.score(metric, s1, s2, scorer.cutoff(score_cutoff))

    if kind != "distance":
        return _functions.scoring_function(function, "Levenshtein", scorer)

    def plain_distance(
        s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any:
        # This is the most frequent call. It takes less time than checking the other arguments.
        if weights is processor is score_cutoff is score_hint is None:
            try:
                return _distance(s1, s2, mixed=True)
            except TypeError:
                pass
        return function(s1, s2, weights=weights, processor=processor, score_cutoff=score_cutoff, score_hint=score_hint)

    return _functions.scoring_function(plain_distance, "Levenshtein", scorer)


distance = _score("distance")
similarity = _score("similarity")
normalized_distance = _score("normalized_distance")
normalized_similarity = _score("normalized_similarity")


def editops(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Editops:
    """Returns the operations that turn `s1` into `s2`, like rapidfuzz.distance.Levenshtein.editops.
    """
    return _functions.edit_operations(s1, s2, _metrics.Levenshtein.choice, processor)


def opcodes(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Opcodes:
    """Returns the operations that turn `s1` into `s2`, in blocks, like
    rapidfuzz.distance.Levenshtein.opcodes.
    """
    return editops(s1, s2, processor=processor).as_opcodes()
