"""Similarity of two lists of strings, as sequences and as sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._carrywave import cdist
from ._strings import texts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def _normalized(a: list[str], b: list[str]) -> npt.NDArray[np.float64]:
    """Returns the normalized indel distances of the strings of `a` and `b`; two empty strings have
    the distance 0.
    """
    import numpy as np

    lengths = np.add.outer([len(string) for string in a], [len(string) for string in b])
    return cdist(a, b, scorer="indel") / np.maximum(lengths, 1)


def _ratio(a: list[str], b: list[str], distance: Any) -> float:
    """Converts a distance of two lists to a similarity from 0 to 1."""
    total = len(a) + len(b)
    if total == 0:
        return 1.0
    # A list without strings is as far from the other list as that one is long.
    cost = distance(*sorted((a, b), key=len)) if a and b else float(total)
    return float((total - cost) / total)


def _sequence_distance(shorter: list[str], longer: list[str]) -> float:
    """Returns the cost of turning one sequence of strings into the other.

    An insertion or deletion of a string costs 1, and a replacement twice the normalized distance of
    the two strings. After a common prefix, Levenshtein compares the first strings of the shorter
    list instead of those after the prefix.
    """
    compared = shorter
    while shorter and shorter[0] == longer[0]:
        shorter, longer = shorter[1:], longer[1:]
    while shorter and shorter[-1] == longer[-1]:
        shorter, longer = shorter[:-1], longer[:-1]
    if not shorter:
        return float(len(longer))
    row = [float(position) for position in range(len(longer) + 1)]
    for number, costs in enumerate(_replacement_costs(compared[: len(shorter)], longer), 1):
        diagonal, left = row[0], float(number)
        row[0] = left
        for column, cost in enumerate(costs, 1):
            left = min(left + 1.0, diagonal + cost, row[column] + 1.0)
            diagonal, row[column] = row[column], left
    return row[-1]


def _replacement_costs(shorter: list[str], longer: list[str]) -> list[list[float]]:
    """Returns the cost of replacing each string by each other one.

    Levenshtein compares an empty string with the first empty string of the longer list again
    instead of with later ones. These costs are therefore 0.
    """
    import numpy as np

    lengths = np.add.outer([len(string) for string in shorter], [len(string) for string in longer])
    costs: npt.NDArray[np.float64] = 2.0 / np.maximum(lengths, 1) * cdist(shorter, longer, scorer="indel")
    if "" in longer:
        costs[[string == "" for string in shorter], longer.index("") :] = 0.0
    as_list: list[list[float]] = costs.tolist()
    return as_list


def _set_distance(shorter: list[str], longer: list[str]) -> float:
    """Returns the cost of the cheapest assignment of the strings of the shorter list to strings of
    the longer one.

    A pair costs twice its normalized distance, and a string without a partner costs 1.
    """
    costs = _normalized(shorter, longer)
    total = float(len(longer) - len(shorter))
    for row, column in enumerate(_assignment(costs)):
        total += 2.0 * float(costs[row, column])
    return total


def _assignment(costs: npt.NDArray[np.float64]) -> list[int]:
    """Returns the column of each row in a cheapest assignment of rows to different columns.

    The Hungarian method by shortest augmenting paths (R. Jonker and A. Volgenant, Computing 38,
    1987): each row is added by the cheapest path that alternates between assigned and other pairs,
    with potentials that keep reduced costs from being negative. There are at least as many columns
    as rows.
    """
    import numpy as np

    rows, columns = costs.shape
    row_potential = np.zeros(rows)
    column_potential = np.zeros(columns)
    row_of = np.full(columns, -1)
    for first in range(rows):
        path_cost = np.full(columns, np.inf)
        before = np.full(columns, -1)
        is_done = np.zeros(columns, bool)
        row, column, cost = first, -1, 0.0
        while row >= 0:
            reduced = cost + costs[row] - row_potential[row] - column_potential
            is_shorter = ~is_done & (reduced < path_cost)
            path_cost[is_shorter] = reduced[is_shorter]
            before[is_shorter] = column
            column = int(np.argmin(np.where(is_done, np.inf, path_cost)))
            cost = float(path_cost[column])
            is_done[column] = True
            row = int(row_of[column])
        passed = is_done & (row_of >= 0)
        row_potential[first] += cost
        row_potential[row_of[passed]] += cost - path_cost[passed]
        column_potential[is_done] += path_cost[is_done] - cost
        while column >= 0:
            previous = int(before[column])
            row_of[column] = first if previous < 0 else row_of[previous]
            column = previous
    column_of = np.empty(rows, np.int64)
    column_of[row_of[row_of >= 0]] = np.flatnonzero(row_of >= 0)
    return list(map(int, column_of))


def seqratio(strlist1: list[str | bytes], strlist2: list[str | bytes]) -> float:
    """Returns the similarity of two sequences of strings, from 0 to 1.

    It is like `ratio` with strings in place of characters; similar strings replace each other at a
    low cost.

    >>> seqratio(["a", "wave"], ["the", "waves"])
    0.4444444444444444
    """
    return _ratio(texts(strlist1), texts(strlist2), _sequence_distance)


def setratio(strlist1: list[str | bytes], strlist2: list[str | bytes]) -> float:
    """Returns the similarity of two sets of strings, from 0 to 1: like `seqratio`, with the best
    pairs in any order.

    >>> setratio(["wave", "carry"], ["carry", "waves"])
    0.9444444444444444
    """
    return _ratio(texts(strlist1), texts(strlist2), _set_distance)
