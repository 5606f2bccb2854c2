"""`rapidfuzz.distance.Levenshtein`: by insertions, deletions and replacements, each with a weight."""

from __future__ import annotations

from typing import Any

from ..._refusals import refuse_others
from .._editops import Editops, Opcodes
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

distance, similarity, normalized_distance, normalized_similarity = _functions.weighted("Levenshtein", "levenshtein")


def editops(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Editops:
    """Returns the operations that turn `s1` into `s2`, like rapidfuzz.distance.Levenshtein.editops.
    """
    return _functions.edit_blocks(s1, s2, "rapidfuzz", processor).as_editops()


def opcodes(s1: Any, s2: Any, *, processor: Any = None, score_hint: Any = None) -> Opcodes:
    """Returns the operations that turn `s1` into `s2`, in blocks, like
    rapidfuzz.distance.Levenshtein.opcodes.
    """
    return _functions.edit_blocks(s1, s2, "rapidfuzz", processor)
