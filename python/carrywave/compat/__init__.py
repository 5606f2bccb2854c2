"""Drop-ins for other packages: functions with the same names, arguments and results, computed by
carrywave.

`Levenshtein`, `edlib` and `rapidfuzz` have all functions of these packages. For an unknown name, the
error message lists the functions that exist.

>>> from carrywave.compat import edlib
>>> edlib.align("ACTG", "CACTRT", mode="HW", task="path")["cigar"]
'3=1I'
>>> from carrywave.compat.rapidfuzz.distance import Levenshtein
>>> Levenshtein.normalized_similarity("lewenstein", "levenshtein")
0.8181818181818181
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._refusals import refuse_others

if TYPE_CHECKING:
    from . import Levenshtein as Levenshtein, edlib as edlib, rapidfuzz as rapidfuzz

__all__ = ["Levenshtein", "edlib", "rapidfuzz"]

refuse_others(__name__, __all__, modules=__all__)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
