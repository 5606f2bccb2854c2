"""Alignments by dynamic programming, for the tests: checks of a path, and the rules by which the peers choose one.

Several paths may be cheapest. These are the rules of rapidfuzz 3.14.6 and edlib 1.3.9, told from the end of both
strings, where D is the table of distances and L that of the lengths of the LCS, with i symbols of the first string and
j of the second:

- rapidfuzz removes the common prefix, then the common suffix. Levenshtein: a deletion if D[i-1][j] = D[i][j] - 1; else
  an insertion if D[i][j-1] = D[i-1][j-1] - 1; else a match or a replacement. Indel and LCSseq: a deletion if
  L[i-1][j] = L[i][j]; else an insertion if L[i][j-1] > L[i-1][j-1]; else a match.
- edlib: an insertion (I, from the query) if D[i-1][j] = D[i][j] - 1; else a deletion (D, from the target) if
  D[i][j-1] = D[i][j] - 1; else a match or a mismatch.

Both divide large tables in two first: `edlib_path` shows how edlib does. rapidfuzz does so for Levenshtein, when the
table in bits would take 1 MiB; that depends on the band it has chosen, and is not shown here.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Sequence


def _equality(pairs: Any) -> Callable[[Any, Any], bool]:
    both = {pair for a, b in pairs or () for pair in ((a, b), (b, a))}
    return lambda a, b: a == b or (a, b) in both


def _symbols(sequence: Any, pairs: Any) -> Sequence:
    """Bytes as edlib has them: equalities are of characters."""
    return sequence.decode("latin-1") if pairs and isinstance(sequence, bytes) else sequence


def distances(s1: Sequence, s2: Sequence, infix: bool = False, equal: Callable | None = None) -> list[list[int]]:
    """D[i][j], the edit distance of s1[:i] and s2[:j]; with `infix`, of s1[:i] and any end of s2[:j]."""
    rows = [[0] * (len(s2) + 1) if infix else list(range(len(s2) + 1))]
    for i, a in enumerate(s1):
        above, row = rows[-1], [i + 1]
        for j, b in enumerate(s2):
            same = equal(a, b) if equal else a == b
            row.append(min(above[j] + (not same), above[j + 1] + 1, row[j] + 1))
        rows.append(row)
    return rows


def infix_ends(query: Sequence, target: Sequence, mode: str, pairs: Any = None) -> tuple[int, list[int]]:
    """The distance of `edlib.align` and where in the target it is reached."""
    equal = _equality(pairs)
    last = distances(_symbols(query, pairs), _symbols(target, pairs), mode == "HW", equal if pairs else None)[-1]
    if mode == "NW":
        return last[-1], [len(target) - 1]
    best = min(last)
    # an end before the target counts, except where the query fills its machine words
    first = 0 if len(query) % 64 else 1
    return best, [j - 1 for j in range(first, len(last)) if last[j] == best]


def check_path(query: Sequence, target: Sequence, mode: str, result: dict, pairs: Any = None) -> None:
    """The cigar leads through the query and the first location, at the cost of the distance."""
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


def _editops(s1: Sequence, s2: Sequence, step: Callable[[int, int], str]) -> list[tuple[str, int, int]]:
    """The operations by a rule that says for i and j what comes last; common ends are removed before."""
    prefix = 0
    while prefix < min(len(s1), len(s2)) and s1[prefix] == s2[prefix]:
        prefix += 1
    i, j = len(s1), len(s2)
    while i > prefix and j > prefix and s1[i - 1] == s2[j - 1]:
        i, j = i - 1, j - 1
    found = []
    decide = step(s1[prefix:i], s2[prefix:j])
    i, j = i - prefix, j - prefix
    while i or j:
        kind = "delete" if not j else "insert" if not i else decide(i, j)
        i -= kind != "insert"
        j -= kind != "delete"
        if kind != "equal":
            found.append((kind, i + prefix, j + prefix))
    return found[::-1]


def levenshtein_editops(s1: Sequence, s2: Sequence) -> list[tuple[str, int, int]]:
    """The list of rapidfuzz's `Levenshtein.editops`, for strings that it does not divide."""

    def rule(s1, s2):
        table = distances(s1, s2)

        def decide(i, j):
            if table[i - 1][j] == table[i][j] - 1:
                return "delete"
            if table[i][j - 1] == table[i - 1][j - 1] - 1:
                return "insert"
            return "equal" if s1[i - 1] == s2[j - 1] else "replace"

        return decide

    return _editops(s1, s2, rule)


def lcs_editops(s1: Sequence, s2: Sequence) -> list[tuple[str, int, int]]:
    """The list of rapidfuzz's `Indel.editops` and `LCSseq.editops`."""

    def rule(s1, s2):
        table = [[0] * (len(s2) + 1)]
        for a in s1:
            above, row = table[-1], [0]
            for j, b in enumerate(s2):
                row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
            table.append(row)

        def decide(i, j):
            if table[i - 1][j] == table[i][j]:
                return "delete"
            if table[i][j - 1] > table[i - 1][j - 1]:
                return "insert"
            return "equal"

        return decide

    return _editops(s1, s2, rule)


def edlib_path(query: Sequence, target: Sequence, equal: Callable | None = None) -> str:
    """The path of edlib's `task="path"` from the start to the end of both, one character an operation.

    `target` is the part from the first location's start to its end.
    """
    m, n = len(query), len(target)
    if not m or not n:
        return "D" * n + "I" * m
    words = -(-m // 64)
    if 20 * words * n + 8 * n >= 1 << 20:  # bytes that edlib would need for the table
        left = n // 2
        down = [row[-1] for row in distances(query, target[:left], equal=equal)]
        up = [row[-1] for row in distances(query[::-1], target[left:][::-1], equal=equal)][::-1]
        best = min(map(sum, zip(down, up)))
        # the smallest part of the query that is cheapest; none of it and all of it come last
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
    """Runs of one operation, each with its length."""
    return "".join(f"{len(run.group())}{run.group()[0]}" for run in re.finditer(r"(.)\1*", path))
