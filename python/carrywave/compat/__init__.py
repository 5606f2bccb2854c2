"""Drop-ins for other packages: their functions, with their names, arguments and results, computed by carrywave.

>>> from carrywave.compat import edlib
>>> edlib.align("ACTG", "CACTRT", mode="HW", task="path")["cigar"]
'3=1I'
>>> from carrywave.compat.rapidfuzz.distance import Levenshtein
>>> Levenshtein.normalized_similarity("lewenstein", "levenshtein")
0.8181818181818181
"""
