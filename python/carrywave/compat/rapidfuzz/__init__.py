"""All functions of rapidfuzz (3.14), with its arguments and results.

>>> from carrywave.compat.rapidfuzz import fuzz, process
>>> round(fuzz.ratio("this is a test", "this is a test!"), 2)
96.55
>>> process.extractOne("cowboys", ["New York Jets", "Dallas Cowboys"], processor=str.lower)
('Dallas Cowboys', 90.0, 1)
"""

from .._refusals import refuse_others
from . import distance, fuzz, process, utils

__all__ = ["distance", "fuzz", "process", "utils"]

refuse_others(__name__, __all__)
