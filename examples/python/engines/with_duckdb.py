"""DuckDB: edit distances as an SQL function, vector by vector through Arrow.

    pip install duckdb "carrywave[arrow]"
    python examples/python/engines/with_duckdb.py

DuckDB hands over 2,048 rows at a time, and `carrywave.cpdist` compares them on all cores. A test of
the package runs this example.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

import carrywave


def register_distance(connection: duckdb.DuckDBPyConnection, name: str = "edit_distance", **options: Any) -> None:
    """Registers the SQL function `edit_distance(a, b)`, which is NULL if a string is NULL.

    The options are those of `carrywave.cpdist`. With `score_cutoff`, which makes it faster, larger
    distances are `score_cutoff + 1`.
    """

    def distance(a: pa.ChunkedArray, b: pa.ChunkedArray) -> pa.Array:
        distances = carrywave.cpdist(a, b, **options)
        return pa.array(distances, mask=distances == carrywave.MISSING)

    # With the default null_handling, DuckDB calls the function without the rows that have a NULL.
    connection.create_function(name, distance, ["VARCHAR", "VARCHAR"], "INTEGER", type="arrow", null_handling="special")


def main() -> None:
    connection = duckdb.connect()
    register_distance(connection, score_cutoff=3)
    connection.execute("CREATE TABLE pairs AS FROM (VALUES ('kitten', 'sitting'), ('carry', 'wave'), ('wave', 'waves'), ('wave', NULL)) p(a, b)")
    print(connection.sql("SELECT a, b, edit_distance(a, b) AS distance FROM pairs"))
    print(connection.sql("SELECT a, b FROM pairs WHERE edit_distance(a, b) <= 1"))


if __name__ == "__main__":
    main()
