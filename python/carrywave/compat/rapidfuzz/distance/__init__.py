"""Distances and similarities with the names, arguments and results of `rapidfuzz.distance` (3.14).

>>> Levenshtein.distance("lewenstein", "levenshtein")
2
>>> Levenshtein.editops("spam", "park").as_list()
[('delete', 0, 0), ('insert', 3, 2), ('replace', 3, 3)]
>>> LCSseq.similarity("this is a test", "this is a test!")
14
>>> OSA.distance("wave", "wvae")
1
>>> JaroWinkler.normalized_similarity("wave", "waves")
0.96
"""

from ..._refusals import refuse_others
from .._editops import Editop, Editops, MatchingBlock, Opcode, Opcodes, ScoreAlignment
from . import DamerauLevenshtein, Hamming, Indel, Jaro, JaroWinkler, LCSseq, Levenshtein, OSA, Postfix, Prefix

__all__ = [
    "DamerauLevenshtein", "Editop", "Editops", "Hamming", "Indel", "Jaro", "JaroWinkler", "LCSseq", "Levenshtein", "MatchingBlock",
    "OSA", "Opcode", "Opcodes", "Postfix", "Prefix", "ScoreAlignment",
]  # fmt: skip

refuse_others(__name__, __all__)
