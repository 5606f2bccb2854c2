"""All functions of Levenshtein (0.27), with its arguments and results.

>>> from carrywave.compat import Levenshtein
>>> Levenshtein.distance("lewenstein", "levenshtein")
2
>>> Levenshtein.ratio("lewenstein", "levenshtein")
0.8571428571428572
>>> Levenshtein.editops("spam", "park")
[('delete', 0, 0), ('insert', 3, 2), ('replace', 3, 3)]
>>> Levenshtein.median(["SpSm", "mpamm", "Spam", "Spa", "Sua", "hSam"])
'Spam'

The five scorers are functions of `carrywave.compat.rapidfuzz.distance`, so its `process` takes them.
"""

from .._refusals import refuse_others
from ..rapidfuzz.distance import Hamming, Indel, Jaro, JaroWinkler
from ..rapidfuzz.distance import Levenshtein as _Levenshtein
from ._edits import apply_edit, editops, inverse, matching_blocks, opcodes, subtract_edit
from ._lists import seqratio, setratio
from ._medians import median, median_improve, quickmedian, setmedian

__all__ = [
    "apply_edit", "distance", "editops", "hamming", "inverse", "jaro", "jaro_winkler", "matching_blocks", "median", "median_improve",
    "opcodes", "quickmedian", "ratio", "seqratio", "setmedian", "setratio", "subtract_edit",
]  # fmt: skip

# The version of Levenshtein whose results these functions give.
__version__ = "0.27.5"
__author__ = "The carrywave developers"
__license__ = "MIT OR Apache-2.0"

distance = _Levenshtein.distance
ratio = Indel.normalized_similarity
hamming = Hamming.distance
jaro = Jaro.similarity
jaro_winkler = JaroWinkler.similarity

refuse_others(__name__, __all__, modules=["StringMatcher"])
