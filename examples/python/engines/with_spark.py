"""Spark: distances of pairs and search in texts, by `mapInArrow`, which hands a function the batches of a partition and takes batches back.

    pip install pyspark "carrywave[arrow]"        # and a Java, 17 or later
    python examples/python/engines/with_spark.py

A GPU is opened by each worker with `engine="gpu"`. Not a part of the tests.
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

    # What columns come out is what comes out of a batch without rows.
    empty = pa.RecordBatch.from_pylist([], to_arrow_schema(frame.schema))
    return frame.mapInArrow(batches, from_arrow_schema(function(empty).schema))


def distances(frame: DataFrame, a: str, b: str, **options: Any) -> DataFrame:
    """The data frame with a column more; the options are those of `carrywave.arrow.distance_batch`."""
    return _mapped(frame, lambda batch: distance_batch(batch, a, b, **options))


def search(frame: DataFrame, searcher: carrywave.Searcher, **options: Any) -> DataFrame:
    """A row for each hit; the options are those of `carrywave.arrow.search_batch`. A searcher is sent by its patterns."""
    return _mapped(frame, lambda batch: search_batch(batch, searcher, **options))


def main() -> None:
    # Else the workers are whatever python3 is.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    pairs = spark.createDataFrame([("kitten", "sitting"), ("carry", "wave"), ("wave", "waves")], ["a", "b"])
    distances(pairs, "a", "b", score_cutoff=3).show()
    search(pairs, carrywave.Searcher(["itten", "wave"], 1), column="b").show()
    spark.stop()


if __name__ == "__main__":
    main()
