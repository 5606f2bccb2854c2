"""The parts of rapidfuzz that compare by Levenshtein's distance, by insertions and deletions, and by the LCS, with its arguments and results.

>>> from carrywave.compat.rapidfuzz import fuzz, process
>>> round(fuzz.ratio("this is a test", "this is a test!"), 2)
96.55
>>> process.extractOne("cowboys", ["New York Jets", "Dallas Cowboys"], scorer=fuzz.ratio, processor=str.lower)
('Dallas Cowboys', 66.66666666666667, 1)
"""

from . import distance, fuzz, process

__all__ = ["distance", "fuzz", "process"]
