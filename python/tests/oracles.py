"""Reference algorithms for the tests: plain dynamic programming, independent of the package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def distance(a: Sequence[Any], b: Sequence[Any], substitution: int = 1) -> int:
    """Returns the Levenshtein distance (`substitution=2`: indel) by Wagner and Fischer's table."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(diagonal + (substitution if x != y else 0), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def osa(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Returns the distance of optimal string alignment, by the whole table."""
    table = [[i + j for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = min(table[i - 1][j - 1] + (a[i - 1] != b[j - 1]), table[i - 1][j] + 1, table[i][j - 1] + 1)
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def ends(pattern: Sequence[Any], text: Sequence[Any], k: int) -> dict[int, int]:
    """Maps the end of each match with at most k errors to its errors, by Sellers' table."""
    column = list(range(len(pattern) + 1))
    found = {0: column[-1]} if column[-1] <= k else {}
    for end, symbol in enumerate(text, 1):
        diagonal = 0
        for i, x in enumerate(pattern, 1):
            diagonal, column[i] = column[i], min(diagonal + (x != symbol), column[i] + 1, column[i - 1] + 1)
        if column[-1] <= k:
            found[end] = column[-1]
    return found


def mutated(random: Any, string: str, edits: int, letters: str) -> str:
    """Returns the string with at most `edits` random edits, from a `random.Random`."""
    symbols = list(string)
    for _ in range(edits):
        at = random.randrange(len(symbols) + 1)
        kind = random.randrange(3)
        if kind == 0:
            symbols.insert(at, random.choice(letters))
        elif at < len(symbols):
            symbols[at : at + 1] = [random.choice(letters)] if kind == 1 else []
    return "".join(symbols)
