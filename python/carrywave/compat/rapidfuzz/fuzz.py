"""`rapidfuzz.fuzz.ratio`."""

from __future__ import annotations

from typing import Any

from .._refusals import refuse_others
from ._metrics import Indel, Scorer, is_missing, processed
from ._scorers import register

__all__ = ["ratio"]

refuse_others(__name__, __all__)

_SCORER = Scorer(Indel, "normalized_similarity", percent=True)
_METRIC = Indel()


def ratio(s1: Any, s2: Any, *, processor: Any = None, score_cutoff: float | None = None) -> float:
    """Returns the similarity of two strings by insertions and deletions, in per cent.

    >>> round(ratio("this is a test", "this is a test!"), 2)
    96.55
    """
    if is_missing(s1) or is_missing(s2):
        return 0
    s1, s2 = processed(processor, s1, s2)
    return _SCORER.score(_METRIC, s1, s2, score_cutoff)


register(ratio, _SCORER, "fuzz.ratio")
