"""Strings in the middle of a list: `median`, `median_improve`, `quickmedian`, `setmedian`.

The strings have weights, which count like multiplicities. The results are those of Levenshtein,
even where it deviates from its documentation:

- `median` computes the distance of the empty string from a string as length plus weight, not as
  length times weight.
- `setmedian` keeps the distances of pairs in a table. Two pairs share a cell of it, and a pair that
  has not been compared has the distance 255. The result may therefore differ from the string with
  the smallest total distance, `strings[carrywave.cdist(strings).sum(axis=1).argmin()]`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..._carrywave import cdist
from ._strings import as_text, weighted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_UNKNOWN = 255
"""Distance in the table of `setmedian` of a pair that has not been compared."""

_CELLS = 1 << 22
"""Number of cells of dynamic programming that `median` computes at a time."""


def _weighted_sums(weights: list[float], values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Returns the weighted sum over the strings, which are the last axis of `values`, added from
    left to right.
    """
    import numpy as np

    return np.cumsum(values * np.array(weights), axis=-1)[..., -1]


class _Rows:
    """The last row of the table of edit distances of each string and a median, symbol by symbol.

    All rows have the length of the longest string. The cells beyond a string's end are at least as
    large as the cell at its end, so they do not affect the minimum of the row.
    """

    def __init__(self, texts: list[str], weights: list[float]) -> None:
        import numpy as np

        self.weights = weights
        self.lengths = np.array([len(text) for text in texts])
        self.longest = int(self.lengths.max())
        self.symbols = np.array(sorted({ord(symbol) for text in texts for symbol in text}))
        self.codes = np.full((len(texts), self.longest), -1)
        for code, text in zip(self.codes, texts, strict=True):
            code[: len(text)] = [ord(symbol) for symbol in text]
        self.positions = np.arange(self.longest + 1)
        self.rows = np.tile(self.positions, (len(texts), 1))

    def after(self, symbols: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns the next rows for each symbol that the median may continue with."""
        import numpy as np

        replaced = self.rows[:, :-1] + (self.codes != symbols[:, None, None])
        first = np.broadcast_to(self.rows[:, :1] + 1, (len(symbols), len(self.rows), 1))
        rows = np.concatenate([first, np.minimum(replaced, self.rows[:, 1:] + 1)], axis=2)
        # An insertion adds 1 to the cell on the left: a running minimum of cell minus position.
        return np.minimum.accumulate(rows - self.positions, axis=2) + self.positions

    def best_symbol(self) -> tuple[int, float]:
        """Returns the symbol that leaves the least weighted sum of the rows' smallest cells, and
        the weighted sum of the strings' distances with it. Ties go to the smallest symbol.
        """
        import numpy as np

        step = max(1, _CELLS // self.rows.size)
        best, least, total = 0, math.inf, 0.0
        for at in range(0, len(self.symbols), step):
            rows = self.after(self.symbols[at : at + step])
            sums = _weighted_sums(self.weights, rows.min(axis=2))
            number = int(sums.argmin())
            if sums[number] < least:
                ends = rows[number, np.arange(len(self.lengths)), self.lengths]
                best, least, total = int(self.symbols[at + number]), float(sums[number]), float(_weighted_sums(self.weights, ends))
        return best, total

    def append(self, symbol: int) -> None:
        """Continues the median with a symbol."""
        import numpy as np

        self.rows = self.after(np.array([symbol]))[0]


def median(strlist: list[str | bytes], wlist: list[float] | None = None) -> str:
    """Returns a string with a small total distance to the strings, by a greedy method: symbol after
    symbol, it appends the one that leaves the smallest distances.

    `wlist` has the weights of the strings, which are 1 by default.

    >>> median(["Levnhtein", "Leveshein", "Leenshten", "Leveshtei", "Lenshtein", "Lvenstein"])
    'Levenshtein'
    """
    texts, weights = weighted(strlist, wlist)
    if not any(texts):
        return ""
    rows = _Rows(texts, weights)
    symbols: list[int] = []
    totals = [0.0]
    for text, weight in zip(texts, weights, strict=True):
        totals[0] += len(text) + weight
    while True:
        symbol, total = rows.best_symbol()
        # Appended symbols that make the median longer than every string only add to its distance.
        if len(symbols) == 2 * rows.longest or len(symbols) >= rows.longest and total > totals[-1]:
            break
        rows.append(symbol)
        symbols.append(symbol)
        totals.append(total)
    return "".join(map(chr, symbols[: totals.index(min(totals))]))


def median_improve(string: str | bytes, strlist: list[str | bytes], wlist: list[float] | None = None) -> str:
    """Returns a string with a total distance to the strings that is at most that of `string`.

    At each position of `string`, it makes the best change of one symbol, if that is an improvement.

    >>> misspelt = ["Levnhtein", "Leveshein", "Leenshten", "Leveshtei", "Lenshtein", "Lvenstein"]
    >>> median_improve("Levenstein", misspelt)
    'Levnshtein'
    """
    text = as_text(string)
    texts, weights = weighted(strlist, wlist)
    symbols = sorted(set("".join(texts)))
    if not symbols:
        return ""
    least = float(_weighted_sums(weights, cdist([text], texts))[0])
    position = 0
    while position <= len(text):
        before, here, after = text[:position], text[position : position + 1], text[position + 1 :]
        changed = [before + symbol + after for symbol in symbols if symbol != here] if here else []
        changed += [before + symbol + here + after for symbol in symbols]
        changed += [before + after] if here else []
        sums = _weighted_sums(weights, cdist(changed, texts))
        best = int(sums.argmin())
        is_deletion = bool(here) and best == len(changed) - 1
        if sums[best] < least:
            text, least = changed[best], float(sums[best])
            position += not is_deletion
        else:
            position += 1
    return text


def quickmedian(strlist: list[str | bytes], wlist: list[float] | None = None) -> str:
    """Returns a string of the mean length, whose symbols the strings elect position by position.

    Each string is stretched to the mean length. Its symbols vote for the positions that they cover,
    with the covered share.

    >>> quickmedian(["Levnhtein", "Leveshein", "Leenshten", "Leveshtei", "Lenshtein", "Lvenstein"])
    'Levnshein'
    """
    texts, weights = weighted(strlist, wlist)
    total = sum(weights)
    if total == 0:
        return ""
    symbols = sum(weight * len(text) for text, weight in zip(texts, weights, strict=True))
    # A half is rounded down.
    length = math.floor(symbols / total + 0.499999)
    candidates = _in_order_of_election(texts)
    elected = []
    for position in range(length):
        votes = dict.fromkeys(candidates, 0.0)
        for text, weight in zip(texts, weights, strict=True):
            if text:
                _vote(votes, text, weight, position, len(text) / length)
        elected.append(max(votes, key=votes.__getitem__))
    return "".join(elected)


def _in_order_of_election(texts: list[str]) -> list[str]:
    """Returns the different symbols. Among symbols with equal votes, the first one is elected: by
    the last eight bits of code point plus code point / 128, then by first occurrence.
    """
    symbols = dict.fromkeys(symbol for text in texts for symbol in text)
    return sorted(symbols, key=lambda symbol: (ord(symbol) + (ord(symbol) >> 7)) & 0xFF)


def _vote(votes: dict[str, float], text: str, weight: float, position: int, share: float) -> None:
    """Adds the votes of a string for a position of the median; `share` symbols of the string fall
    on a position.
    """
    start = share * position
    end = start + share
    first = math.floor(start)
    behind = min(math.ceil(end), len(text))
    for symbol in text[first + 1 : behind]:
        votes[symbol] += weight
    votes[text[first]] += weight * (1 + first - start)
    votes[text[behind - 1]] -= weight * (behind - end)


def setmedian(strlist: list[str | bytes], wlist: list[float] | None = None) -> str:
    """Returns one of the strings, with a small total distance to the others.

    >>> setmedian(["ehee", "cceaes", "chees", "chreesc", "chees", "cheesee", "cseese", "chetese"])
    'chees'
    """
    import numpy as np

    texts, weights = weighted(strlist, wlist)
    if not texts:
        return ""
    distances = cdist(texts)
    count = len(texts)
    columns = np.arange(count)
    # The pair of `low` and `high` has the cell `cells[high] + low`.
    cells = (columns - 1) * (columns - 2) // 2
    table = np.full(count * (count - 1) // 2, _UNKNOWN)
    best, least = 0, math.inf
    for row in range(count):
        values = np.concatenate([table[cells[row] : cells[row] + row], distances[row, row:]])
        totals = np.cumsum(values * weights)
        # A row ends where its total is no better than the least one.
        is_compared = (columns > row) & (np.append(0, totals[:-1]) < least)
        table[cells[is_compared] + row] = distances[row, is_compared]
        if totals[-1] < least:
            best, least = row, float(totals[-1])
    return texts[best]
