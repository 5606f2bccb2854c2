"""Distances and similarities with the names, arguments and results of `rapidfuzz.distance` (3.14).

>>> Levenshtein.distance("lewenstein", "levenshtein")
2
>>> Levenshtein.editops("spam", "park").as_list()
[('delete', 0, 0), ('insert', 3, 2), ('replace', 3, 3)]
>>> LCSseq.similarity("this is a test", "this is a test!")
14
"""

from ..._refusals import refuse_others
from .._editops import Editop, Editops, MatchingBlock, Opcode, Opcodes, ScoreAlignment
from . import Indel, LCSseq, Levenshtein

__all__ = ["Editop", "Editops", "Indel", "LCSseq", "Levenshtein", "MatchingBlock", "Opcode", "Opcodes", "ScoreAlignment"]

refuse_others(__name__, __all__)
