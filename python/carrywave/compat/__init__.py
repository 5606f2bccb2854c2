"""Drop-ins for other packages: their functions, with their names, arguments and results, computed by carrywave.

>>> from carrywave.compat import edlib
>>> edlib.align("ACTG", "CACTRT", mode="HW", task="path")["cigar"]
'3=1I'
>>> from carrywave.compat.rapidfuzz.distance import Levenshtein
>>> Levenshtein.normalized_similarity("lewenstein", "levenshtein")
0.8181818181818181
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import edlib as edlib, rapidfuzz as rapidfuzz

_MODULES = ("edlib", "rapidfuzz")

if not TYPE_CHECKING:
    # A checker would take any name for one of the package.
    def __getattr__(name: str) -> Any:
        """Imports a drop-in when it is first used."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return importlib.import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
