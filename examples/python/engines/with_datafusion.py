"""DataFusion: distances as an SQL function, and search over the batches of a query.

    pip install datafusion "carrywave[arrow]"
    python examples/python/engines/with_datafusion.py

The tests do not cover this example.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from datafusion import DataFrame, SessionContext, udf

import carrywave
from carrywave.arrow import distance_batch, search_batch


def register_distance(context: SessionContext, name: str = "edit_distance", **options: Any) -> None:
    """Registers the SQL function `edit_distance(a, b)`.

    The options are those of `carrywave.arrow.distance_batch`, such as `score_cutoff`.
    """

    def distance(a: pa.Array, b: pa.Array) -> pa.Array:
        return distance_batch(pa.record_batch({"a": a, "b": b}), **options)["distance"]

    # DataFusion plans with string views.
    context.register_udf(udf(distance, [pa.string_view(), pa.string_view()], pa.int32(), "immutable", name))


def search(frame: DataFrame, searcher: carrywave.Searcher, **options: Any) -> Iterator[pa.RecordBatch]:
    """Yields the hits in the batches of a query as they arrive.

    The options are those of `carrywave.arrow.search_batch`.
    """
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
