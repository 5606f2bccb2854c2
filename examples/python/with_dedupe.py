"""dedupe: learns from labelled pairs which records are one, with names compared by carrywave.

    pip install dedupe carrywave
    python examples/python/with_dedupe.py

`carrywave.within` finds all pairs of names within three edits, in place of the blocking rules that
dedupe learns, which may miss some. dedupe compares the names of these pairs by a function of
`carrywave.compat.rapidfuzz`, learns from a quarter of the pairs, and groups the records. A test of
the package runs this example.
"""

from __future__ import annotations

import random

import dedupe
import numpy as np
from sklearn.linear_model import LogisticRegression

import carrywave
from carrywave.compat.rapidfuzz.distance import JaroWinkler, Levenshtein

FIRST = ["ada", "alan", "barbara", "donald", "edsger", "frances", "grace", "john", "katherine", "margaret", "niklaus", "radia"]
LAST = ["allen", "dijkstra", "hamilton", "hopper", "johnson", "knuth", "liskov", "lovelace", "perlman", "turing", "wirth"]
STREETS = ["analytical engine road", "bombe lane", "compiler street", "orbit avenue", "spanning tree way"]

Record = dict[str, str]


def misspelt(chooser: random.Random, text: str) -> str:
    """Returns the text with one letter left out."""
    at = chooser.randrange(len(text))
    return text[:at] + text[at + 1 :]


def people(count: int, seed: int = 1) -> dict[int, Record]:
    """Returns records of people, each twice: the second has a misspelt name and address."""
    chooser = random.Random(seed)
    records: dict[int, Record] = {}
    for person in range(count):
        name = f"{chooser.choice(FIRST)} {chooser.choice(LAST)}"
        address = f"{chooser.randrange(1, 500)} {chooser.choice(STREETS)}"
        records[2 * person] = {"name": name, "address": address}
        records[2 * person + 1] = {"name": misspelt(chooser, name), "address": misspelt(chooser, address)}
    return records


def main() -> None:
    records = people(300)
    found = carrywave.within([record["name"] for record in records.values()], score_cutoff=3)
    pairs = [((a, records[a]), (b, records[b])) for a, b in zip(found.a.tolist(), found.b.tolist(), strict=True)]

    # dedupe needs a variable of another type beside custom ones.
    names = dedupe.variables.Custom("name", comparator=JaroWinkler.similarity)
    addresses = dedupe.variables.Custom("address", comparator=Levenshtein.normalized_similarity)
    deduper = dedupe.Dedupe([names, addresses, dedupe.variables.ShortString("address")], num_cores=0)
    deduper.classifier = LogisticRegression(C=100)
    # People label some pairs. Here every fourth pair is labelled by the numbers of its records.
    labelled = [((a, b), number_a // 2 == number_b // 2) for (number_a, a), (number_b, b) in pairs[::4]]
    distances = deduper.data_model.distances([pair for pair, _ in labelled])
    deduper.classifier.fit(distances, np.array([int(is_same) for _, is_same in labelled]))

    groups = [set(map(int, members)) for members, _ in deduper.cluster(deduper.score(pairs), threshold=0.5)]
    right = sum(group in ({number, number + 1} for number in range(0, len(records), 2)) for group in groups)
    print(f"{len(records)} records of {len(records) // 2} people, {len(pairs)} pairs of near names: {len(groups)} groups, {right} of them right")


if __name__ == "__main__":
    main()
