"""`rapidfuzz.distance.Indel`: by insertions and deletions."""

from ..._refusals import refuse_others
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

distance, similarity, normalized_distance, normalized_similarity = _functions.plain("Indel", "indel")
editops, opcodes = _functions.operations("Indel", "rapidfuzz-indel")
