"""Dask: distances of pairs and search in texts, partition by partition, in the processes of Dask.

    python examples/python/engines/with_dask.py

A partition is a pandas data frame with Arrow strings, which are read without a copy.
`tests/test_dask.py` of the package runs these functions.
"""

from __future__ import annotations

from typing import Any

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

import carrywave
from carrywave.arrow import distance_batch, search_batch


def _frame(table: pa.Table) -> pd.DataFrame:
    # Arrow types keep a missing distance as a null, and the other distances as integers.
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def _distances(frame: pd.DataFrame, a: str, b: str, options: dict[str, Any]) -> pd.DataFrame:
    return _frame(distance_batch(frame, a, b, **options))


def _search(frame: pd.DataFrame, searcher: carrywave.Searcher, options: dict[str, Any]) -> pd.DataFrame:
    return _frame(search_batch(frame, searcher, **options))


def distances(frame: dd.DataFrame, a: str, b: str, **options: Any) -> dd.DataFrame:
    """Returns the data frame with a column of distances.

    The options are those of `carrywave.arrow.distance_batch`.
    """
    return frame.map_partitions(_distances, a, b, options, meta=_distances(frame._meta, a, b, options))


def search(frame: dd.DataFrame, searcher: carrywave.Searcher, **options: Any) -> dd.DataFrame:
    """Returns a row for each hit.

    The options are those of `carrywave.arrow.search_batch`. Workers rebuild the searcher from its
    patterns.
    """
    return frame.map_partitions(_search, searcher, options, meta=_search(frame._meta, searcher, options))


def main() -> None:
    pairs = pd.DataFrame({"a": ["kitten", "carry", "wave"], "b": ["sitting", "wave", "waves"]})
    print(distances(dd.from_pandas(pairs, npartitions=2), "a", "b", score_cutoff=3).compute())
    print(search(dd.from_pandas(pairs, npartitions=2), carrywave.Searcher(["itten", "wave"], 1), column="b").compute())


if __name__ == "__main__":
    main()
