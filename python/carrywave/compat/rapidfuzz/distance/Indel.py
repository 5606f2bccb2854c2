"""`rapidfuzz.distance.Indel`: by insertions and deletions."""

from ..._refusals import refuse_others
from .. import _metrics
from . import _functions

__all__ = ["distance", "editops", "normalized_distance", "normalized_similarity", "opcodes", "similarity"]

refuse_others(__name__, __all__)

distance = _functions.score(_metrics.Indel, "distance")
similarity = _functions.score(_metrics.Indel, "similarity")
normalized_distance = _functions.score(_metrics.Indel, "normalized_distance")
normalized_similarity = _functions.score(_metrics.Indel, "normalized_similarity")
editops = _functions.editops(_metrics.Indel)
opcodes = _functions.opcodes(_metrics.Indel)
