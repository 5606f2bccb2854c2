"""An accessor of pandas: `Series.carrywave` compares a column of strings.

`import carrywave.pandas` registers the accessor. Missing strings (None, NaN, NA) have a missing
result.

>>> import pandas as pd, carrywave.pandas
>>> names = pd.Series(["wave", "carry", None, "waves"])
>>> names.carrywave.distance("wave").tolist()
[0, 4, <NA>, 1]
>>> names.carrywave.clusters(1).tolist()
[0, 1, <NA>, 0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import pandas as pd
except ImportError as error:
    raise ImportError("carrywave.pandas needs pandas: pip install pandas") from error

from . import _carrywave
from ._data_frames import distances, is_null
from ._pairs import Within, join, nearest, within

if TYPE_CHECKING:
    from ._types import Engine, Linkage, Scorer

__all__ = ["StringAccessor"]


@pd.api.extensions.register_series_accessor("carrywave")
class StringAccessor:
    """The methods of `Series.carrywave`.

    `other` is a Series, whose rows are matched by their labels, any other list of strings of the same
    length, or one string. `scorer` and `engine` are those of `carrywave.cpdist`.
    """

    def __init__(self, series: Any) -> None:
        kind = series.dtype
        if pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind):
            raise AttributeError(f".carrywave is for a Series of strings, not of {kind}: convert it by .astype('string')")
        self._series = series

    def _counterpart(self, other: Any) -> Any:
        """Returns the strings to compare with, in the order of this Series."""
        if isinstance(other, pd.Series) and not other.index.equals(self._series.index):
            return other.reindex(self._series.index)
        return other

    def _labelled(self, values: Any) -> Any:
        return pd.Series(values, index=self._series.index, name=self._series.name)

    def distance(
        self, other: Any, *, score_cutoff: int | None = None, scorer: Scorer = "levenshtein", engine: Engine | None = None
    ) -> Any:
        """Returns the distance of each string to its counterpart in `other`, as a Series of Int32.

        It is missing if one of the two strings is missing, or if it is above `score_cutoff`; a
        smaller cutoff is faster.

        >>> import pandas as pd, carrywave.pandas
        >>> pairs = pd.DataFrame({"a": ["wave", "carry"], "b": ["waves", None]})
        >>> pairs["a"].carrywave.distance(pairs["b"]).tolist()
        [1, <NA>]
        """
        edits = distances(self._series, self._counterpart(other), scorer=scorer, score_cutoff=score_cutoff, engine=engine)
        return self._labelled(pd.arrays.IntegerArray(edits, is_null(edits, score_cutoff)))

    def is_within(self, other: Any, score_cutoff: int, *, scorer: Scorer = "levenshtein", engine: Engine | None = None) -> Any:
        """Returns true for each string with a distance of at most `score_cutoff` to its counterpart
        in `other`, as a Series of boolean. It is missing if one of the two strings is missing.

        >>> import pandas as pd, carrywave.pandas
        >>> names = pd.Series(["wave", "carry", None])
        >>> names[names.carrywave.is_within("waves", 1)].tolist()
        ['wave']
        """
        edits = distances(self._series, self._counterpart(other), scorer=scorer, score_cutoff=score_cutoff, engine=engine)
        return self._labelled(pd.arrays.BooleanArray(edits <= score_cutoff, is_null(edits, None)))

    def nearest(
        self,
        others: Any,
        k: int = 1,
        *,
        score_cutoff: int | None = None,
        similarity: float | None = None,
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> Any:
        """Returns the `k` nearest strings of `others` for each string, as a DataFrame.

        A row has the label of the string, `match` (the near string), `match_index` (its label) and
        `distance`. The nearest comes first. A missing string has no rows, and neighbours beyond the bounds are
        left out. `frame.join(...)` adds the rows to a data frame.

        >>> import pandas as pd, carrywave.pandas
        >>> names = pd.Series(["wafe", "cary"], index=["first", "second"])
        >>> names.carrywave.nearest(pd.Series(["carry", "wave"]))
                match  match_index  distance
        first    wave            1         1
        second  carry            0         1
        """
        others = pd.Series(others)
        found = nearest(
            self._series, others, top=k, score_cutoff=score_cutoff, similarity=similarity, scorer=scorer, engine=engine
        )
        rows, ranks = np.nonzero(found.index >= 0)
        places = found.index[rows, ranks]
        columns = {"match": others.array[places], "match_index": others.index[places], "distance": found.distance[rows, ranks]}
        return pd.DataFrame(columns, index=self._series.index[rows])

    def clusters(
        self,
        score_cutoff: int | None = None,
        *,
        similarity: float | None = None,
        linkage: Linkage = "single",
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> Any:
        """Returns the number of each string's cluster, as a Series of Int64: the position of the
        string that represents it. It is missing for a missing string.

        The arguments are those of `carrywave.clusters`.

        >>> import pandas as pd, carrywave.pandas
        >>> names = pd.Series(["wave", "carry", "waves", "curry"])
        >>> names.groupby(names.carrywave.clusters(1)).agg(list).tolist()
        [['wave', 'waves'], ['carry', 'curry']]
        """
        numbers = _carrywave.clusters(
            self._series, score_cutoff, similarity=similarity, linkage=linkage, scorer=scorer, engine=engine
        )
        return self._labelled(pd.arrays.IntegerArray(numbers, numbers < 0))

    def within(
        self,
        score_cutoff: int | None = None,
        *,
        similarity: float | None = None,
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> Any:
        """Returns the pairs of strings within the bounds of `carrywave.within`, each once, as a
        DataFrame: the labels `a` and `b` of both strings, and `distance`.

        >>> import pandas as pd, carrywave.pandas
        >>> pd.Series(["wave", "carry", "waves"], index=list("xyz")).carrywave.within(1)
           a  b  distance
        0  x  z         1
        """
        near = within(self._series, score_cutoff, similarity=similarity, scorer=scorer, engine=engine)
        return self._pairs(near, self._series)

    def join(
        self,
        other: Any,
        score_cutoff: int | None = None,
        *,
        similarity: float | None = None,
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> Any:
        """Returns the pairs of a string of this Series and a string of `other` within the
        bounds of `carrywave.within`, as a DataFrame: the labels `a` and `b` of both strings, and
        `distance`.

        >>> import pandas as pd, carrywave.pandas
        >>> pd.Series(["wave", "carry"]).carrywave.join(pd.Series(["curry", "waves", "ware"]), 1)
           a  b  distance
        0  0  1         1
        1  0  2         1
        2  1  0         1
        """
        other = pd.Series(other)
        near = join(self._series, other, score_cutoff, similarity=similarity, scorer=scorer, engine=engine)
        return self._pairs(near, other)

    def _pairs(self, found: Within, other: Any) -> Any:
        return pd.DataFrame({"a": self._series.index[found.a], "b": other.index[found.b], "distance": found.distance})
