"""edlib's two functions, with its arguments and results (edlib 1.3.9).

Use it as a drop-in with `import carrywave.compat.edlib as edlib`. If several alignments are
cheapest, the result is the same as edlib's, except with `additionalEqualities` and for strings
whose lengths have a product of more than 2^34: there it is any of the cheapest.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from .. import _carrywave
from ._refusals import refuse_others

__all__ = ["align", "getNiceAlignment"]

refuse_others(__name__, __all__)

_MODES: dict[str, Literal["global", "prefix", "infix"]] = {"NW": "global", "HW": "infix", "SHW": "prefix"}
_MOST_CELLS = 1 << 34
_PART = 1 << 20
"""Symbols that are read between two checks for signals."""


def align(
    query: Any,
    target: Any,
    mode: str = "NW",
    task: str = "distance",
    k: int | None = -1,
    additionalEqualities: Any = None,  # noqa: N803, the name is edlib's
) -> dict[str, Any]:
    """Computes the edit distance of query and target, their locations in the target, and the path,
    as requested by `task`.

    `mode` is "NW" (all of the target), "SHW" (a prefix of it) or "HW" (any part). If `k` is not
    negative, distances above `k` are not reported.

    >>> align("telephone", "elephant")["editDistance"]
    3
    >>> align("ACTG", "CACTRT", mode="HW", task="locations")["locations"]
    [(1, 3), (1, 4)]
    """
    task = task if task in ("locations", "path") else "distance"
    mode = mode if mode in _MODES else "NW"
    query, target, alphabet, equal = _mapped(query, target, additionalEqualities)
    result = {"editDistance": -1, "alphabetLength": alphabet, "locations": [], "cigar": None}
    m, n = len(query), len(target)
    if m == 0 or n == 0:
        result["editDistance"], end = (max(m, n), n - 1) if mode == "NW" else (m, -1)
        result["locations"] = [(None, end)]
        return result
    most = None if k is None or k < 0 else k
    if mode == "NW":
        distance = _carrywave.distance(query, target, score_cutoff=most, equal=equal)
        places = [(0, n - 1)]
    else:
        if most is not None and _carrywave.distance(query, target, score_cutoff=most, mode=_MODES[mode], equal=equal) > most:
            return result
        distance, starts, ends = _carrywave.nearest_places(query, target, mode=_MODES[mode], equal=equal, starts=task != "distance")
        last = [end - 1 for end in ends.tolist()]
        first: list[Any] = starts.tolist() if starts is not None else [None] * len(last)
        places = list(zip(first, last, strict=True))
        if m % 64 == 0:
            # Edlib then leaves out the empty part at the start.
            places = [place for place in places if place[1] >= 0]
    if most is not None and distance > most:
        return result
    result["editDistance"] = distance
    result["locations"] = [(None, end) for _, end in places] if task == "distance" else places
    if task == "path" and places:
        start, end = places[0]
        result["cigar"] = _path(query, target[start : end + 1], equal)
    return result


def _path(query: bytes, part: bytes, equal: Any) -> str:
    if equal is None and len(query) * len(part) <= _MOST_CELLS:
        return "".join(f"{count}{letter}" for letter, count in _carrywave.traced(query, part, "edlib"))
    return _carrywave.align(query, part, equal=equal).cigar


def _symbols(string: bytes) -> set[int]:
    """Returns the different bytes of a string, part by part: the set of a long string cannot be
    interrupted.
    """
    there: set[int] = set()
    for at in range(0, len(string), _PART):
        there.update(string[at : at + _PART])
    return there


def _mapped(query: Any, target: Any, equalities: Any) -> tuple[bytes, bytes, int, list[bytes] | None]:
    """Returns both strings as bytes, the number of their different symbols, and the pairs of equal
    symbols.
    """

    def is_plain(string: Any) -> bool:
        return isinstance(string, bytes) or (isinstance(string, str) and string.isascii())

    if is_plain(query) and is_plain(target):
        query, target = (string.encode() if isinstance(string, str) else string for string in (query, target))
        there = set(query) | set(target) if len(query) + len(target) < _PART else _symbols(query) | _symbols(target)

        def code(symbol: Any) -> int | None:
            symbol = symbol.encode() if isinstance(symbol, str) else bytes(symbol)
            return symbol[0] if symbol and symbol[0] in there else None
    else:
        codes: dict[Any, int] = {}
        query, target = ([codes.setdefault(symbol, len(codes)) for symbol in string] for string in (query, target))
        query, target = list(query), list(target)
        if len(codes) > 256:
            raise ValueError(f"query and target combined have more than 256 unique values, this is not supported: {len(codes)}")
        query, target, there = bytes(query), bytes(target), set(codes)

        def code(symbol: Any) -> int | None:
            return codes.get(symbol)

    pairs = [(code(pair[0]), code(pair[1])) for pair in equalities or []]
    equal = [bytes((one, other)) for one, other in pairs if one is not None and other is not None]
    return query, target, len(there), equal or None


def getNiceAlignment(  # noqa: N802, the name is edlib's
    alignResult: dict[str, Any],  # noqa: N803
    query: Any,
    target: Any,
    gapSymbol: str = "-",  # noqa: N803
) -> dict[str, str]:
    """Returns the alignment as three lines: the query, marks for the matches, and the target.

    >>> lines = getNiceAlignment(align("telephone", "elephant", task="path"), "telephone", "elephant")
    >>> print(lines["query_aligned"], lines["matched_aligned"], lines["target_aligned"], sep="\\n")
    telephone
    -|||||.|.
    -elephant
    """
    if not isinstance(alignResult, dict):
        raise Exception("The object alignResult is expected to be a python dictionary. Please check the input alignResult.")  # noqa: TRY002
    for name, what in (("locations", "a field 'locations'"), ("cigar", "a CIGAR string")):
        if name not in alignResult:
            raise Exception(f"The object alignResult is expected to contain {what}. Please check the input alignResult.")  # noqa: TRY002
    at = alignResult["locations"][0][0] or 0
    cigar = alignResult["cigar"]
    if not cigar:
        raise Exception("The object alignResult contains an empty CIGAR string. Users must run align() with task='path'.")  # noqa: TRY002
    position = 0
    lines: tuple[list[str], list[str], list[str]] = ([], [], [])
    for operation in re.finditer(r"(\d+)(\D)", cigar):
        count, letter = int(operation[1]), operation[2]
        if letter not in "=XDI":
            raise Exception("The CIGAR string from alignResult contains a symbol not '=', 'X', 'D', 'I'. Please check the validity of alignResult.")  # noqa: TRY002
        of_query = query[position : position + count] if letter != "D" else gapSymbol * count
        of_target = target[at : at + count] if letter != "I" else gapSymbol * count
        position += count if letter != "D" else 0
        at += count if letter != "I" else 0
        mark = {"=": "|", "X": "."}.get(letter, gapSymbol)
        for line, part in zip(lines, (of_query, mark * count, of_target), strict=True):
            line.append(part)
    query_line, marks, target_line = ("".join(line) for line in lines)
    return {"query_aligned": query_line, "matched_aligned": marks, "target_aligned": target_line}
