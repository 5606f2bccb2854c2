"""Spark: distances of pairs and search in texts, with `mapInArrow`.

`mapInArrow` maps the batches of a partition to new batches.

    pip install pyspark "carrywave[arrow]"        # and a Java, 17 or later
    python examples/python/engines/with_spark.py

With `engine="gpu"`, each worker opens a GPU. The tests do not cover this example.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

import carrywave
from carrywave.arrow import distance_batch, search_batch


def _mapped(frame: DataFrame, function: Callable[[Any], Any]) -> DataFrame:
    def batches(of_partition: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(function, of_partition)

    # A batch without rows gives the schema of the output.
    empty = pa.RecordBatch.from_pylist([], to_arrow_schema(frame.schema))
    return frame.mapInArrow(batches, from_arrow_schema(function(empty).schema))


def distances(frame: DataFrame, a: str, b: str, **options: Any) -> DataFrame:
    """Returns the data frame with a column of distances.

    The options are those of `carrywave.arrow.distance_batch`.
    """
    return _mapped(frame, lambda batch: distance_batch(batch, a, b, **options))


def search(frame: DataFrame, searcher: carrywave.Searcher, **options: Any) -> DataFrame:
    """Returns a row for each hit.

    The options are those of `carrywave.arrow.search_batch`. Workers rebuild the searcher from its
    patterns.
    """
    return _mapped(frame, lambda batch: search_batch(batch, searcher, **options))


def main() -> None:
    # Without this, the workers use the python3 in their path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    pairs = spark.createDataFrame([("kitten", "sitting"), ("carry", "wave"), ("wave", "waves")], ["a", "b"])
    distances(pairs, "a", "b", score_cutoff=3).show()
    search(pairs, carrywave.Searcher(["itten", "wave"], 1), column="b").show()
    spark.stop()


if __name__ == "__main__":
    main()
