"""`rapidfuzz.distance.Postfix`: by the longest common suffix."""

from ..._refusals import refuse_others
from . import _functions

__all__ = ["distance", "normalized_distance", "normalized_similarity", "similarity"]

refuse_others(__name__, __all__)

distance, similarity, normalized_distance, normalized_similarity = _functions.plain("Postfix", "postfix")
