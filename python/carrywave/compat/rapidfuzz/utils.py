"""The processor of `rapidfuzz.utils` (3.14).

>>> default_process("  Hello, World!")
'hello  world'
"""

from __future__ import annotations

from ... import _carrywave
from .._refusals import refuse_others

__all__ = ["default_process"]

refuse_others(__name__, __all__, "A processor is any function of one string.")


def default_process(sentence: str) -> str:
    """Converts a text to lower case, replaces characters other than letters and digits by spaces,
    and removes spaces at the ends.
    """
    return _carrywave.default_process(sentence)
