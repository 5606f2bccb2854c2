"""`rapidfuzz.distance.LCSseq`: by the longest common subsequence."""

from ..._refusals import refuse_others
from .. import _metrics
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

distance = _functions.score(_metrics.LCSseq, "distance")
similarity = _functions.score(_metrics.LCSseq, "similarity")
normalized_distance = _functions.score(_metrics.LCSseq, "normalized_distance")
normalized_similarity = _functions.score(_metrics.LCSseq, "normalized_similarity")
editops = _functions.editops(_metrics.LCSseq)
opcodes = _functions.opcodes(_metrics.LCSseq)
