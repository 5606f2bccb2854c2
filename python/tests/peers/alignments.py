"""Alignments by dynamic programming: checks of paths, and the peers' rules for choosing one.

Several paths may have the least cost. The list has the rules of rapidfuzz 3.14.6 and edlib
1.3.9 for choosing one, from the end of both strings. D is the table of distances and L the table of LCS
lengths, both for i symbols of the first string and j symbols of the second:

- rapidfuzz removes the common prefix, then the common suffix. Levenshtein: a deletion if
  D[i-1][j] = D[i][j] - 1; else an insertion if D[i][j-1] = D[i-1][j-1] - 1; else a match or a
  replacement. Indel and LCSseq: a deletion if L[i-1][j] = L[i][j]; else an insertion if
  L[i][j-1] > L[i-1][j-1]; else a match.
- edlib: an insertion (I, from the query) if D[i-1][j] = D[i][j] - 1; else a deletion (D, from the
  target) if D[i][j-1] = D[i][j] - 1; else a match or a mismatch.

Both first split a large table at the middle of the second string: edlib if the table takes at
least 1 MiB (see `edlib_path`), rapidfuzz for Levenshtein only, if the bits that it stores take at
least 1 MiB (see `levenshtein_editops`).
"""

from __future__ import annotations

import re
from typing import Any, Callable, Sequence


def _equality(pairs: Any) -> Callable[[Any, Any], bool]:
    both = {pair for a, b in pairs or () for pair in ((a, b), (b, a))}
    return lambda a, b: a == b or (a, b) in both


def _symbols(sequence: Any, pairs: Any) -> Sequence:
    """Decodes bytes if there are `pairs`, as edlib does: its equalities are pairs of characters."""
    return sequence.decode("latin-1") if pairs and isinstance(sequence, bytes) else sequence


def distances(s1: Sequence, s2: Sequence, infix: bool = False, equal: Callable | None = None) -> list[list[int]]:
    """Returns D: D[i][j] is the distance of s1[:i] to s2[:j], with `infix` to its nearest suffix.
    """
    rows = [[0] * (len(s2) + 1) if infix else list(range(len(s2) + 1))]
    for i, a in enumerate(s1):
        above, row = rows[-1], [i + 1]
        for j, b in enumerate(s2):
            same = equal(a, b) if equal else a == b
            row.append(min(above[j] + (not same), above[j + 1] + 1, row[j] + 1))
        rows.append(row)
    return rows


def infix_ends(query: Sequence, target: Sequence, mode: str, pairs: Any = None) -> tuple[int, list[int]]:
    """Returns the distance of `edlib.align` and its ends in the target, inclusive."""
    equal = _equality(pairs)
    last = distances(_symbols(query, pairs), _symbols(target, pairs), mode == "HW", equal if pairs else None)[-1]
    if mode == "NW":
        return last[-1], [len(target) - 1]
    best = min(last)
    # An end of -1 (before the target) counts, unless the query length is a multiple of 64.
    first = 0 if len(query) % 64 else 1
    return best, [j - 1 for j in range(first, len(last)) if last[j] == best]


def infix_start(query: Sequence, target: Sequence, mode: str, distance: int, end: int, pairs: Any = None) -> int:
    """Returns the start that edlib reports for an end: the first start with that distance."""
    if mode != "HW" or end == -1:
        return 0
    equal = _equality(pairs)
    query, target = _symbols(query, pairs)[::-1], _symbols(target, pairs)[: end + 1][::-1]
    last = distances(query, target, equal=equal if pairs else None)[-1]
    return end + 1 - max(j for j, cost in enumerate(last) if cost == distance)


def check_path(query: Sequence, target: Sequence, mode: str, result: dict, pairs: Any = None) -> None:
    """Checks that the cigar spans the query and the first location, and costs the distance."""
    equal = _equality(pairs)
    query, target = _symbols(query, pairs), _symbols(target, pairs)
    start, end = result["locations"][0]
    i, j, cost, last = 0, start, 0, ""
    assert re.fullmatch(r"([1-9]\d*[=XID])+", result["cigar"])
    for count, operation in re.findall(r"(\d+)(.)", result["cigar"]):
        assert operation != last, "two runs of one operation"
        last = operation
        for _ in range(int(count)):
            if operation in "=X":
                assert equal(query[i], target[j]) == (operation == "=")
            i += operation != "D"
            j += operation != "I"
            cost += operation != "="
    assert (i, j) == (len(query), end + 1)
    assert cost == result["editDistance"]
    assert mode == "HW" or start == 0


def _common_ends(s1: Sequence, s2: Sequence) -> tuple[int, int]:
    """Returns the lengths of the common prefix, and of the common suffix of the rest."""
    shorter = min(len(s1), len(s2))
    prefix = 0
    while prefix < shorter and s1[prefix] == s2[prefix]:
        prefix += 1
    suffix = 0
    while suffix < shorter - prefix and s1[-1 - suffix] == s2[-1 - suffix]:
        suffix += 1
    return prefix, suffix


def _operations(m: int, n: int, decide: Callable[[int, int], str]) -> list[tuple[str, int, int]]:
    """Returns the operations; `decide(i, j)` names the last operation of two prefixes."""
    found, i, j = [], m, n
    while i or j:
        kind = "delete" if not j else "insert" if not i else decide(i, j)
        i -= kind != "insert"
        j -= kind != "delete"
        if kind != "equal":
            found.append((kind, i, j))
    return found[::-1]


def _shifted(operations: list[tuple[str, int, int]], i: int, j: int) -> list[tuple[str, int, int]]:
    return [(kind, src + i, dest + j) for kind, src, dest in operations]


def levenshtein_editops(s1: Sequence, s2: Sequence, most: int | None = None) -> list[tuple[str, int, int]]:
    """Returns the list of rapidfuzz's `Levenshtein.editops` without `score_hint`.

    `most` is an upper bound on the distance. With it, rapidfuzz stores only a band of the table.
    """
    most = min(max(len(s1), len(s2)), len(s1) + len(s2) if most is None else most)
    prefix, suffix = _common_ends(s1, s2)
    s1, s2 = s1[prefix : len(s1) - suffix], s2[prefix : len(s2) - suffix]
    m, n = len(s1), len(s2)
    band = min(m, 2 * min(most, max(m, n)) + 1)
    if 2 * band * n // 8 >= 1 << 20 and m >= 65 and n >= 10:
        half = n // 2
        down = [row[-1] for row in distances(s1, s2[:half])]
        up = [row[-1] for row in distances(s1[::-1], s2[half:][::-1])][::-1]
        sums = list(map(sum, zip(down, up)))
        i = sums.index(min(sums))  # the shortest prefix of s1 with the least cost
        first = levenshtein_editops(s1[:i], s2[:half], down[i])
        return _shifted(first + _shifted(levenshtein_editops(s1[i:], s2[half:], up[i]), i, half), prefix, prefix)
    table = distances(s1, s2)

    def decide(i: int, j: int) -> str:
        if table[i - 1][j] == table[i][j] - 1:
            return "delete"
        if table[i][j - 1] == table[i - 1][j - 1] - 1:
            return "insert"
        return "equal" if s1[i - 1] == s2[j - 1] else "replace"

    return _shifted(_operations(m, n, decide), prefix, prefix)


def lcs_editops(s1: Sequence, s2: Sequence) -> list[tuple[str, int, int]]:
    """Returns the list of rapidfuzz's `Indel.editops` and `LCSseq.editops`."""
    prefix, suffix = _common_ends(s1, s2)
    s1, s2 = s1[prefix : len(s1) - suffix], s2[prefix : len(s2) - suffix]
    table = [[0] * (len(s2) + 1)]
    for a in s1:
        above, row = table[-1], [0]
        for j, b in enumerate(s2):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
        table.append(row)

    def decide(i: int, j: int) -> str:
        if table[i - 1][j] == table[i][j]:
            return "delete"
        return "insert" if table[i][j - 1] > table[i - 1][j - 1] else "equal"

    return _shifted(_operations(len(s1), len(s2), decide), prefix, prefix)


def edlib_path(query: Sequence, target: Sequence, equal: Callable | None = None) -> str:
    """Returns the path of edlib's `task="path"` from start to end, one character per operation.

    `target` is the part of the target from the first location's start to its end.
    """
    m, n = len(query), len(target)
    if not m or not n:
        return "D" * n + "I" * m
    words = -(-m // 64)
    if 20 * words * n + 8 * n >= 1 << 20:  # size of edlib's table in bytes
        left = n // 2
        down = [row[-1] for row in distances(query, target[:left], equal=equal)]
        up = [row[-1] for row in distances(query[::-1], target[left:][::-1], equal=equal)][::-1]
        best = min(map(sum, zip(down, up)))
        # The shortest prefix of the query with the least cost; edlib tries the empty prefix and
        # the whole query last.
        for i in (*range(1, m), 0, m):
            if down[i] + up[i] == best:
                return edlib_path(query[:i], target[:left], equal) + edlib_path(query[i:], target[left:], equal)
    table = distances(query, target, equal=equal)
    path, i, j = [], m, n
    while i or j:
        cost = table[i][j]
        if i and table[i - 1][j] == cost - 1:
            path.append("I")
            i -= 1
        elif j and table[i][j - 1] == cost - 1:
            path.append("D")
            j -= 1
        else:
            i, j = i - 1, j - 1
            path.append("=" if table[i][j] == cost else "X")
    return "".join(path[::-1])


def cigar_of(path: str) -> str:
    """Returns the cigar of a path: runs of one operation, each with its length."""
    return "".join(f"{len(run.group())}{run.group()[0]}" for run in re.finditer(r"(.)\1*", path))
