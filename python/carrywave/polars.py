"""Expressions of polars: `pl.col("a").carrywave` compares columns of strings.

`import carrywave.polars` registers the namespace, for expressions and for Series. Nulls stay nulls.

>>> import polars as pl, carrywave.polars
>>> pairs = pl.DataFrame({"a": ["wave", "carry", None], "b": ["waves", "wave", "wave"]})
>>> pairs.select(pl.col("a").carrywave.distance(pl.col("b")))["a"].to_list()
[1, 4, None]
>>> pairs.filter(pl.col("a").carrywave.is_within(pl.col("b"), 2)).rows()
[('wave', 'waves')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import polars as pl
except ImportError as error:
    raise ImportError("carrywave.polars needs polars: pip install polars") from error

from . import _carrywave
from ._data_frames import distances, is_null
from ._pairs import Within, join, nearest, within

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._types import Engine, Linkage, Scorer

__all__ = ["StringExpressions", "StringSeries"]


_COUNTERPART = "carrywave: counterpart"
"""Name of the second field of a struct, which differs from the names of columns."""


def _with_nulls(values: Any, is_missing: Any, dtype: Any) -> pl.Series:
    """Returns a Series of an array's values, with nulls."""
    return pl.select(pl.when(pl.Series(~is_missing)).then(pl.Series(values, dtype=dtype))).to_series()


def _compared(expression: pl.Expr, other: Any, function: Callable[[Any, Any], pl.Series], dtype: Any) -> pl.Expr:
    """Applies a function of two columns, or of a column and one string, row by row."""
    if isinstance(other, str | bytes):
        return expression.map_batches(lambda column: function(column, other), return_dtype=dtype, is_elementwise=True)

    def of_pairs(pairs: pl.Series) -> pl.Series:
        return function(*(pairs.struct.field(name) for name in pairs.struct.fields))

    # A struct has as many rows for a literal or an aggregate as for the other field.
    pairs = pl.struct(expression, other.alias(_COUNTERPART))
    return pairs.map_batches(of_pairs, return_dtype=dtype, is_elementwise=True)


@pl.api.register_expr_namespace("carrywave")
class StringExpressions:
    """The methods of `Expr.carrywave`.

    `other` is an expression, or one string. `scorer` and `engine` are those of `carrywave.cpdist`.
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def distance(
        self, other: pl.Expr | str | bytes, *, score_cutoff: int | None = None, scorer: Scorer = "levenshtein", engine: Engine | None = None
    ) -> pl.Expr:
        """Returns the distance of each string to its counterpart in `other`, as Int32.

        It is null if one of the two strings is null, or if it is above `score_cutoff`; a smaller
        cutoff is faster.

        >>> import polars as pl, carrywave.polars
        >>> names = pl.DataFrame({"name": ["wave", "carry", None]})
        >>> names.with_columns(edits=pl.col("name").carrywave.distance("wafe", score_cutoff=2)).rows()
        [('wave', 1), ('carry', None), (None, None)]
        """

        def edits(column: Any, counterpart: Any) -> pl.Series:
            found = distances(column, counterpart, scorer=scorer, score_cutoff=score_cutoff, engine=engine)
            return _with_nulls(found, is_null(found, score_cutoff), pl.Int32)

        return _compared(self._expression, other, edits, pl.Int32)

    def is_within(
        self, other: pl.Expr | str | bytes, score_cutoff: int, *, scorer: Scorer = "levenshtein", engine: Engine | None = None
    ) -> pl.Expr:
        """Returns true for each string with a distance of at most `score_cutoff` to its counterpart
        in `other`. It is null if one of the two strings is null.

        >>> import polars as pl, carrywave.polars
        >>> names = pl.DataFrame({"name": ["wave", "carry", None]})
        >>> names.filter(pl.col("name").carrywave.is_within("wafe", 2))["name"].to_list()
        ['wave']
        """

        def is_near(column: Any, counterpart: Any) -> pl.Series:
            found = distances(column, counterpart, scorer=scorer, score_cutoff=score_cutoff, engine=engine)
            return _with_nulls(found <= score_cutoff, is_null(found, None), pl.Boolean)

        return _compared(self._expression, other, is_near, pl.Boolean)

    def clusters(
        self,
        score_cutoff: int | None = None,
        *,
        similarity: float | None = None,
        linkage: Linkage = "single",
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> pl.Expr:
        """Returns the number of each string's cluster, as Int64: the row of the string that
        represents it. It is null for a null.

        The arguments are those of `carrywave.clusters`.

        >>> import polars as pl, carrywave.polars
        >>> names = pl.DataFrame({"name": ["wave", "carry", "waves", "curry"]})
        >>> cluster = pl.col("name").carrywave.clusters(1)
        >>> names.group_by(cluster=cluster, maintain_order=True).agg("name").rows()
        [(0, ['wave', 'waves']), (1, ['carry', 'curry'])]
        """

        def numbers(column: Any) -> pl.Series:
            found = _carrywave.clusters(
                column, score_cutoff, similarity=similarity, linkage=linkage, scorer=scorer, engine=engine
            )
            return _with_nulls(found, found < 0, pl.Int64)

        return self._expression.map_batches(numbers, return_dtype=pl.Int64)

    def nearest(
        self,
        others: Any,
        k: int = 1,
        *,
        score_cutoff: int | None = None,
        similarity: float | None = None,
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> pl.Expr:
        """Returns the `k` nearest strings of `others`, a Series or a list of strings, for each
        string, nearest first.

        The result is a list of structs with the fields `match` (the near string), `row` (its row in
        `others`) and `distance`. It is null for a null. Neighbours beyond the bounds are left
        out.

        >>> import polars as pl, carrywave.polars
        >>> names = pl.DataFrame({"name": ["wafe", None]})
        >>> found = names.with_columns(near=pl.col("name").carrywave.nearest(["carry", "wave"]))
        >>> found.explode("near").unnest("near").rows()
        [('wafe', 'wave', 1, 1), (None, None, None, None)]
        """
        others = pl.Series(others)
        fields = pl.Struct({"match": others.dtype, "row": pl.Int64, "distance": pl.Int32})

        def neighbours(column: Any) -> pl.Series:
            found = nearest(
                column, others, top=k, score_cutoff=score_cutoff, similarity=similarity, scorer=scorer, engine=engine
            )
            flat = pl.DataFrame({"row": found.index.ravel(), "distance": found.distance.ravel()}).with_row_index("string")
            flat = flat.with_columns(pl.col("string") // max(k, 1)).filter(pl.col("row") >= 0)
            flat = flat.with_columns(match=others.gather(flat["row"]))
            lists = flat.group_by("string", maintain_order=True).agg(near=pl.struct("match", "row", "distance"))
            strings = pl.DataFrame({"is_null": column.is_null()}).with_row_index("string")
            near = strings.join(lists, on="string", how="left", maintain_order="left")
            none = pl.lit(pl.Series([[]], dtype=pl.List(fields)))
            return near.select(pl.when(~pl.col("is_null")).then(pl.col("near").fill_null(none))).to_series()

        return self._expression.map_batches(neighbours, return_dtype=pl.List(fields), is_elementwise=True)


@pl.api.register_series_namespace("carrywave")
class StringSeries:
    """The methods of `Series.carrywave`, whose results are data frames of pairs."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def within(
        self,
        score_cutoff: int | None = None,
        *,
        similarity: float | None = None,
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> pl.DataFrame:
        """Returns the pairs of strings within the bounds of `carrywave.within`, each once: the
        rows `a` and `b` of both strings, and `distance`.

        >>> import polars as pl, carrywave.polars
        >>> pl.Series(["wave", "carry", "waves"]).carrywave.within(1).rows()
        [(0, 2, 1)]
        """
        near = within(self._series, score_cutoff, similarity=similarity, scorer=scorer, engine=engine)
        return _frame(near)

    def join(
        self,
        other: Any,
        score_cutoff: int | None = None,
        *,
        similarity: float | None = None,
        scorer: Scorer = "levenshtein",
        engine: Engine | None = None,
    ) -> pl.DataFrame:
        """Returns the pairs of a string of this Series and a string of `other` within the
        bounds of `carrywave.within`: the rows `a` and `b` of both strings, and `distance`.

        >>> import polars as pl, carrywave.polars
        >>> pl.Series(["wave", "carry"]).carrywave.join(pl.Series(["curry", "waves", "ware"]), 1).rows()
        [(0, 1, 1), (0, 2, 1), (1, 0, 1)]
        """
        near = join(self._series, pl.Series(other), score_cutoff, similarity=similarity, scorer=scorer, engine=engine)
        return _frame(near)


def _frame(found: Within) -> pl.DataFrame:
    return pl.DataFrame({"a": found.a, "b": found.b, "distance": found.distance})
