"""The functions of rapidfuzz (3.14) for Levenshtein's distance, insertions and deletions, and the
LCS, with its arguments and results.

>>> from carrywave.compat.rapidfuzz import fuzz, process
>>> round(fuzz.ratio("this is a test", "this is a test!"), 2)
96.55
>>> process.extractOne("cowboys", ["New York Jets", "Dallas Cowboys"], scorer=fuzz.ratio, processor=str.lower)
('Dallas Cowboys', 66.66666666666667, 1)

For any other function of rapidfuzz, the error message lists these:

>>> fuzz.WRatio
Traceback (most recent call last):
...
AttributeError: carrywave.compat.rapidfuzz.fuzz has no 'WRatio'. It has: ratio.
"""

from .._refusals import refuse_others
from . import distance, fuzz, process, utils  # noqa: F401, the last has only messages

__all__ = ["distance", "fuzz", "process"]

refuse_others(__name__, __all__)
