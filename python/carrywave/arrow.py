"""From an Arrow batch to an Arrow batch: the step that Spark, Dask, DataFusion and Ray share.

`search_batch` finds patterns in a column of texts, and `distance_batch` compares two columns of
strings. Both take a `RecordBatch` or a `Table` of pyarrow and return the same type. Anything else
that `pyarrow.table` accepts, such as a data frame of pandas or polars, becomes a table first. The
strings are read in place. To use an engine that works on batches, write a function that calls one
of these two: `examples/python/engines` has an example for each.

>>> import pyarrow as pa, carrywave
>>> from carrywave.arrow import distance_batch, search_batch
>>> texts = pa.record_batch({"id": [7, 8], "text": ["one wave", "to carry a wave"]})
>>> search_batch(texts, carrywave.Searcher(["wave", "carry"])).to_pylist()[0]
{'id': 7, 'pattern': 0, 'start': 4, 'end': 8, 'strand': 1, 'errors': 0}
>>> pairs = pa.record_batch({"a": ["wave", "carry", None], "b": ["waves", "wave", "wave"]})
>>> distance_batch(pairs, score_cutoff=2)["distance"].to_pylist()
[1, None, None]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _carrywave
from ._data_frames import is_null

if TYPE_CHECKING:
    from ._search import Hits, Searcher
    from ._types import Engine, Scorer

__all__ = ["distance_batch", "search_batch"]


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("batches of Arrow need pyarrow: pip install carrywave[arrow]") from error
    return pyarrow


def _batch(data: Any) -> Any:
    """Returns a batch unchanged, and anything else as a table."""
    pa = _pyarrow()
    return data if isinstance(data, pa.RecordBatch | pa.Table) else pa.table(data)


_SHOWN = 20
"""Maximum number of columns that a message names."""


def _short(name: str) -> str:
    """Shortens a name for messages."""
    return name if len(name) <= 40 else name[:40] + "…"


def _column(batch: Any, name: str) -> Any:
    if name not in batch.schema.names:
        columns = ", ".join(map(_short, batch.schema.names[:_SHOWN])) + (", …" if len(batch.schema.names) > _SHOWN else "")
        raise KeyError(f"there is no column '{_short(name)}': the columns are {columns}")
    column = batch.column(name)
    pa = _pyarrow()
    # A column of nulls may have the null type, and a column of few different strings may be
    # dictionary-coded.
    if pa.types.is_null(column.type):
        return column.cast(pa.string())
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _new(batch: Any, names: Iterable[str]) -> None:
    for name in names:
        if name in batch.schema.names:
            raise ValueError(f"the batch has a column '{_short(name)}' already: rename it, or leave it out")


def _with(batch: Any, more: dict[str, Any]) -> Any:
    """Returns a batch with additional columns."""
    pa = _pyarrow()
    fields = [*batch.schema, *(pa.field(name, column.type) for name, column in more.items())]
    return type(batch).from_arrays([*batch.columns, *more.values()], schema=pa.schema(fields, batch.schema.metadata))


def _selectable(batch: Any) -> Any:
    """Returns a batch whose rows can be selected. pyarrow cannot select rows of view columns, so
    these become large strings.
    """
    pa = _pyarrow()
    large = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}
    types = [large.get(str(field.type), field.type) for field in batch.schema]
    columns = [column if column.type == of else column.cast(of) for column, of in zip(batch.columns, types, strict=True)]
    fields = [field.with_type(of) for field, of in zip(batch.schema, types, strict=True)]
    return type(batch).from_arrays(columns, schema=pa.schema(fields, batch.schema.metadata))


def search_batch(batch: Any, searcher: Searcher, *, column: str = "text", keep: Iterable[str] | None = None, part: str | None = None) -> Any:
    """Returns the hits of a searcher's patterns in a column of texts, one row per hit.

    A row has the columns `keep` of the row that has the hit (by default all but the texts), the
    number of the `pattern`, `start` and `end` in the text, `strand` (1, or -1 for the reverse
    complement) and `errors`. `part="matched"` adds a column of that name with the matched part of
    the text. A null has no hits.

    >>> import pyarrow as pa, carrywave
    >>> from carrywave.arrow import search_batch
    >>> reads = pa.table({"read": ["r1", "r2"], "sequence": [b"ccGATTACAcc", b"ccGATTCAcc"]})
    >>> hits = search_batch(reads, carrywave.Searcher(b"GATTACA", 1), column="sequence", part="matched")
    >>> hits.select(["read", "errors", "matched"]).to_pylist()
    [{'read': 'r1', 'errors': 0, 'matched': b'GATTACA'}, {'read': 'r2', 'errors': 1, 'matched': b'GATTCA'}]
    """
    pa = _pyarrow()
    batch = _batch(batch)
    texts = _column(batch, column)
    kept = batch.select([name for name in batch.schema.names if name != column] if keep is None else list(keep))
    _new(kept, ["pattern", "start", "end", "strand", "errors", *([] if part is None else [part])])
    hits = searcher.hits(texts)
    more = {name: pa.array(getattr(hits, name)) for name in ("pattern", "start", "end", "strand", "errors")}
    if part is not None:
        more[part] = _parts(texts, hits)
    return _with(_selectable(kept).take(pa.array(hits.record)), more)


def _parts(texts: Any, hits: Hits) -> Any:
    """Returns the matched part of the text for each hit, in a column of the texts' type."""
    pa = _pyarrow()
    import pyarrow.compute as pc

    chunks = texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]
    is_text = str(texts.type) in ("string", "large_string", "string_view")
    large_type = pa.large_string() if is_text else pa.large_binary()
    parts = []
    first = 0
    for chunk in chunks:
        chunk = chunk.cast(large_type)
        # Hits are in the order of the texts.
        lo, hi = np.searchsorted(hits.record, [first, first + len(chunk)])
        record, start, end = hits.record[lo:hi] - first, hits.start[lo:hi], hits.end[lo:hi]
        first += len(chunk)
        if len(record) == 0:
            continue
        if is_text and not pc.all(pc.string_is_ascii(chunk)).as_py():
            # Positions count code points.
            strings = {row: chunk[row].as_py() for row in np.unique(record).tolist()}
            found = [strings[row][a:b] for row, a, b in zip(record.tolist(), start.tolist(), end.tolist(), strict=True)]
            parts.append(pa.array(found, large_type))
            continue
        _, offsets, data = chunk.buffers()
        begin = np.frombuffer(offsets, np.int64, len(chunk) + 1, 8 * chunk.offset)[record] + start
        lengths = end - start
        ends = np.concatenate([[0], np.cumsum(lengths)])
        # The source index of each symbol of the parts: the start of its part, plus its offset in
        # the part.
        places = np.repeat(begin - ends[:-1], lengths) + np.arange(ends[-1])
        buffers = [None, pa.py_buffer(ends), pa.py_buffer(np.frombuffer(data, np.uint8)[places])]
        parts.append(pa.Array.from_buffers(large_type, len(record), buffers))
    matched = pa.chunked_array(parts, large_type).cast(texts.type)
    return matched if isinstance(texts, pa.ChunkedArray) else matched.combine_chunks()


def distance_batch(
    batch: Any,
    a: str = "a",
    b: str = "b",
    *,
    score_cutoff: int | None = None,
    scorer: Scorer = "levenshtein",
    engine: Engine | None = None,
    name: str = "distance",
    filter: bool = False,
) -> Any:
    """Returns the batch with an additional column: the distance of the strings in columns `a` and
    `b`, row by row, as int32.

    The distance is null if one of the strings is null, or if it is above `score_cutoff`; a smaller
    cutoff is faster. With `filter=True`, rows without a distance are left out. The scorers are
    those of `carrywave.cpdist`.

    >>> import pyarrow as pa
    >>> from carrywave.arrow import distance_batch
    >>> pairs = pa.table({"a": ["wave", "carry"], "b": ["waves", "wave"]})
    >>> distance_batch(pairs, score_cutoff=2, filter=True).to_pylist()
    [{'a': 'wave', 'b': 'waves', 'distance': 1}]
    """
    pa = _pyarrow()
    batch = _batch(batch)
    _new(batch, [name])
    distances = _carrywave.cpdist(_column(batch, a), _column(batch, b), scorer=scorer, score_cutoff=score_cutoff, engine=engine)
    missing = is_null(distances, score_cutoff)
    more = {name: pa.array(distances, mask=missing) if missing.any() else pa.array(distances)}
    return _with(_selectable(batch), more).filter(pa.array(~missing)) if filter else _with(batch, more)
