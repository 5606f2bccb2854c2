"""`rapidfuzz.distance.LCSseq`: by the longest common subsequence."""

from ..._refusals import refuse_others
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

distance, similarity, normalized_distance, normalized_similarity = _functions.plain("LCSseq", "lcs")
editops, opcodes = _functions.operations("LCSseq", "rapidfuzz-indel")
