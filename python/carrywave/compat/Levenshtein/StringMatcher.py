"""`Levenshtein.StringMatcher`: a class with the methods of `difflib.SequenceMatcher`."""

from __future__ import annotations

import warnings

from .._refusals import refuse_others
from . import distance, editops, matching_blocks, opcodes, ratio
from ..rapidfuzz.distance import MatchingBlock
from ._edits import Blocks, Operations

__all__ = ["StringMatcher"]

refuse_others(__name__, __all__)


class StringMatcher:
    """Compares two strings, like `difflib.SequenceMatcher`, by Levenshtein's edit operations.

    >>> matcher = StringMatcher(seq1="spam", seq2="park")
    >>> matcher.distance(), matcher.ratio()
    (3, 0.5)
    >>> matcher.set_seq2("spam")
    >>> matcher.get_opcodes()
    [('equal', 0, 4, 0, 4)]
    """

    def __init__(self, isjunk: object = None, seq1: str = "", seq2: str = "", autojunk: bool = False) -> None:
        for name, value in (("isjunk", isjunk), ("autojunk", autojunk)):
            if value:
                warnings.warn(f"{name} NOT implemented, it will be ignored", stacklevel=2)
        self._seq1, self._seq2 = seq1, seq2

    def set_seqs(self, seq1: str, seq2: str) -> None:
        """Sets both strings."""
        self._seq1, self._seq2 = seq1, seq2

    def set_seq1(self, seq1: str) -> None:
        """Sets the first string."""
        self._seq1 = seq1

    def set_seq2(self, seq2: str) -> None:
        """Sets the second string."""
        self._seq2 = seq2

    def get_opcodes(self) -> Blocks:
        """Returns the blocks that turn the first string into the second."""
        return opcodes(self._seq1, self._seq2)

    def get_editops(self) -> Operations:
        """Returns the single operations that turn the first string into the second."""
        return editops(self._seq1, self._seq2)

    def get_matching_blocks(self) -> list[MatchingBlock]:
        """Returns the equal parts of both strings, and an empty block at both ends."""
        return matching_blocks(self.get_opcodes(), self._seq1, self._seq2)

    def ratio(self) -> float:
        """Returns the similarity, from 0 to 1."""
        share: float = ratio(self._seq1, self._seq2)
        return share

    def quick_ratio(self) -> float:
        """Returns the same as `ratio`."""
        return self.ratio()

    def real_quick_ratio(self) -> float:
        """Returns an upper bound of the similarity, from the lengths alone."""
        lengths = (len(self._seq1), len(self._seq2))
        return 2.0 * min(lengths) / sum(lengths)

    def distance(self) -> int:
        """Returns the edit distance."""
        edits: int = distance(self._seq1, self._seq2)
        return edits
