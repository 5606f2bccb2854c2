"""Splink: links records whose names are compared by carrywave, inside DuckDB.

    pip install "splink>=5" "carrywave[arrow]"
    python examples/python/with_splink.py

Splink estimates how likely two records belong to one person, from levels of similarity that are
conditions in SQL. Here the conditions call a function that compares names with their words in any
order, which DuckDB and Splink lack. A test of the package runs this example.
"""

from __future__ import annotations

import random

import duckdb
import pyarrow as pa
import splink.comparison_library as comparisons
from splink import Linker, SettingsCreator, block_on
from splink.backends.duckdb import DuckDBAPI

from carrywave.compat.rapidfuzz import fuzz, process

FIRST = ["Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances", "Grace", "John", "Katherine", "Margaret", "Niklaus", "Radia"]
LAST = ["Allen", "Dijkstra", "Hamilton", "Hopper", "Johnson", "Knuth", "Liskov", "Lovelace", "Perlman", "Turing", "Wirth"]
PEOPLE = 400
CITIES = ["Austin", "Cambridge", "London", "Zurich"]


def people(count: int, seed: int = 1) -> list[dict[str, object]]:
    """Returns two records of each person; the second has a misspelt name with swapped words."""
    chooser = random.Random(seed)
    records: list[dict[str, object]] = []
    for person in range(count):
        first, last = chooser.choice(FIRST), chooser.choice(LAST)
        at = chooser.randrange(1, len(last))
        same = {"city": chooser.choice(CITIES), "birth_year": chooser.randrange(1940, 1990), "person": person}
        records.append({"unique_id": 2 * person, "name": f"{first} {last}", **same})
        records.append({"unique_id": 2 * person + 1, "name": f"{last[:at]}{last[at + 1 :]}, {first}", **same})
    return records


def similarity(a: pa.ChunkedArray, b: pa.ChunkedArray) -> pa.Array:
    """Returns the similarity of names in percent, with their words in any order."""
    return pa.array(process.cpdist(a.to_pylist(), b.to_pylist(), scorer=fuzz.token_sort_ratio))


def settings() -> SettingsCreator:
    """Returns Splink's settings: how records are compared, and which pairs are compared at all."""
    names = comparisons.CustomComparison(
        output_column_name="name",
        comparison_levels=[
            {"sql_condition": "name_l IS NULL OR name_r IS NULL", "label_for_charts": "missing", "is_null_level": True},
            *({"sql_condition": f"name_similarity(name_l, name_r) >= {least}", "label_for_charts": f"from {least} %"} for least in (90, 75)),
            {"sql_condition": "ELSE", "label_for_charts": "different"},
        ],
    )
    return SettingsCreator(
        link_type="dedupe_only",
        comparisons=[names, comparisons.ExactMatch("birth_year")],
        blocking_rules_to_generate_predictions=[block_on("city")],
        probability_two_random_records_match=1 / (2 * PEOPLE),
    )


def main() -> None:
    records = people(PEOPLE)
    connection = duckdb.connect()
    connection.create_function("name_similarity", similarity, ["VARCHAR", "VARCHAR"], "FLOAT", type="arrow")
    linker = Linker(DuckDBAPI(connection).register(pa.Table.from_pylist(records)), settings(), log_level=None)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e5, seed=1)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("city"))
    found = linker.inference.predict(threshold_match_probability=0.5).as_record_list()
    pairs = {(pair["unique_id_l"] // 2, pair["unique_id_r"] // 2) for pair in found}
    right = sum(a == b for a, b in pairs)
    print(f"{len(records)} records of {PEOPLE} people: {len(pairs)} pairs are linked, {right} of them rightly")


if __name__ == "__main__":
    main()
