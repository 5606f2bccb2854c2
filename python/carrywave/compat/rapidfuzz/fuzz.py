"""Ratios from 0 to 100 with the names, arguments and results of `rapidfuzz.fuzz` (3.14).

>>> round(ratio("this is a test", "this is a test!"), 2)
96.55
>>> token_sort_ratio("carry wave", "wave carry")
100.0
>>> partial_ratio_alignment("a certain string", "cetain")
ScoreAlignment(score=83.33333333333334, src_start=2, src_end=8, dest_start=0, dest_end=6)
"""

from __future__ import annotations

from typing import Any

from ... import _carrywave
from .._refusals import refuse_others
from ._editops import ScoreAlignment
from ._scorers import Registered, register, scoring_function

__all__ = [
    "QRatio", "WRatio", "partial_ratio", "partial_ratio_alignment", "partial_token_ratio", "partial_token_set_ratio",
    "partial_token_sort_ratio", "ratio", "token_ratio", "token_set_ratio", "token_sort_ratio",
]  # fmt: skip

refuse_others(__name__, __all__)


def _function(name: str, scorer: str, doc: str) -> Any:
    made = _carrywave.Scorer(scorer, "similarity")
    doc = f"Returns {doc}, in per cent, as rapidfuzz.fuzz.{name}."
    function = scoring_function(made.plain, __name__, name, doc)
    register(function, Registered(made, "similarity", f"fuzz.{name}", 100, None))
    return function


ratio = _function("ratio", "ratio", "the similarity of two strings by insertions and deletions")
QRatio = _function("QRatio", "quick-ratio", "`ratio`, but 0 if one of the strings is empty")
partial_ratio = _function("partial_ratio", "partial-ratio", "the best `ratio` of the shorter string with a part of the longer one")
token_sort_ratio = _function("token_sort_ratio", "token-sort-ratio", "the `ratio` of the sorted words")
token_set_ratio = _function("token_set_ratio", "token-set-ratio", "the `ratio` of the words as sets")
token_ratio = _function("token_ratio", "token-ratio", "the better of `token_sort_ratio` and `token_set_ratio`")
partial_token_sort_ratio = _function("partial_token_sort_ratio", "partial-token-sort-ratio", "the `partial_ratio` of the sorted words")
partial_token_set_ratio = _function("partial_token_set_ratio", "partial-token-set-ratio", "the `partial_ratio` of the words that differ")
partial_token_ratio = _function("partial_token_ratio", "partial-token-ratio", "the better of both partial ratios of words")
WRatio = _function("WRatio", "weighted-ratio", "the best of the ratios, with weights by the lengths")


def partial_ratio_alignment(s1: Any, s2: Any, *, processor: Any = None, score_cutoff: float | None = None) -> ScoreAlignment | None:
    """Returns the part of the longer string that is most similar to the shorter one, and the
    `ratio` of both; None if it is below `score_cutoff`.
    """
    found = _carrywave.partial_ratio_alignment(s1, s2, processor, score_cutoff)
    return None if found is None else ScoreAlignment(*found)
