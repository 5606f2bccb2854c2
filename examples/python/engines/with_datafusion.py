"""DataFusion: distances as a function of SQL, and search over the batches of a query.

    pip install datafusion "carrywave[arrow]"
    python examples/python/engines/with_datafusion.py

Not a part of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from datafusion import DataFrame, SessionContext, udf

import carrywave
from carrywave.arrow import distance_batch, search_batch


def register_distance(context: SessionContext, name: str = "edit_distance", **options: Any) -> None:
    """Makes `edit_distance(a, b)` a function of SQL; the options are those of `carrywave.arrow.distance_batch`, as `score_cutoff`."""

    def distance(a: pa.Array, b: pa.Array) -> pa.Array:
        return distance_batch(pa.record_batch({"a": a, "b": b}), **options)["distance"]

    # DataFusion plans with views of strings.
    context.register_udf(udf(distance, [pa.string_view(), pa.string_view()], pa.int32(), "immutable", name))


def search(frame: DataFrame, searcher: carrywave.Searcher, **options: Any) -> Iterator[pa.RecordBatch]:
    """The hits in a query's batches, as they come; the options are those of `carrywave.arrow.search_batch`."""
    for batch in frame.execute_stream():
        yield search_batch(batch.to_pyarrow(), searcher, **options)


def main() -> None:
    context = SessionContext()
    pairs = pa.record_batch({"a": ["kitten", "carry", "wave"], "b": ["sitting", "wave", "waves"]})
    context.register_record_batches("pairs", [[pairs]])
    register_distance(context, score_cutoff=3)
    print(context.sql("SELECT a, b, edit_distance(a, b) AS distance FROM pairs WHERE edit_distance(a, b) <= 3"))
    for batch in search(context.table("pairs"), carrywave.Searcher(["itten", "wave"], 1), column="b"):
        print(batch.to_pylist())


if __name__ == "__main__":
    main()
