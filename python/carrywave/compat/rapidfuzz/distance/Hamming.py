"""`rapidfuzz.distance.Hamming`: positions with different symbols."""

from __future__ import annotations

from typing import Any

from ..._refusals import refuse_others
from .._editops import Editops, Opcodes
from .._scorers import to_call
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

distance, similarity, normalized_distance, normalized_similarity = _functions.padded("Hamming", "hamming")


def editops(s1: Any, s2: Any, *, pad: bool = True, processor: Any = None) -> Editops:
    """Returns the operations that turn `s1` into `s2`, like rapidfuzz.distance.Hamming.editops."""
    return opcodes(s1, s2, pad=pad, processor=processor).as_editops()


def opcodes(s1: Any, s2: Any, *, pad: bool = True, processor: Any = None) -> Opcodes:
    """Returns the operations that turn `s1` into `s2`, in blocks, like
    rapidfuzz.distance.Hamming.opcodes.
    """
    processor = to_call(processor)
    if processor is not None:
        s1, s2 = processor(s1), processor(s2)
    if not pad and len(s1) != len(s2):
        raise ValueError("Sequences are not the same length.")
    return _functions.edit_blocks(s1, s2, "hamming", None)
