"""Times the scores of pairs of names, in columns in the memory of a GPU and in columns of Arrow.

    pip install rapidfuzz numpy pyarrow
    python python/benches/columns.py --pairs 1000000 --json columns.json

All ways take turns, and their scores must be equal: the drop-in's `cpdist` of columns on the GPU,
of columns of Arrow on all cores, and rapidfuzz's of lists on all cores (`workers=-1`).
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyarrow as pa
import rapidfuzz
from about import about, spread, timed, write
from process import names, scorer

import carrywave
from carrywave.compat import rapidfuzz as compat

SCORERS = ("Levenshtein", "Indel", "LCSseq", "OSA", "Hamming", "Prefix", "Postfix", "Jaro", "JaroWinkler", "ratio")


def repeated(few: list[str], count: int) -> list[str]:
    return (few * (count // len(few) + 1))[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engine", default="gpu", help="gpu, or simt for a test")
    parser.add_argument("--lists", action="store_true", help="also rapidfuzz, of lists")
    parser.add_argument("--json", help="where the result goes")
    options = parser.parse_args()
    gpu = carrywave.Gpu() if options.engine == "gpu" else carrywave.Simt()
    lists = [repeated(names(min(options.pairs, 1_000_000), "Latin", seed), options.pairs) for seed in (1, 2)]
    columns = [pa.array(strings) for strings in lists]
    resident = [carrywave.ResidentColumn(gpu, column) for column in columns]
    what = "scores of pairs of names side by side, seconds"
    result: dict[str, Any] = dict(what=what, **about(["numpy", "pyarrow", "rapidfuzz"], gpu if options.engine == "gpu" else None))
    rows = []
    for name in SCORERS:
        ours, theirs = scorer(compat, name), scorer(rapidfuzz, name)
        ways = {
            "columns on the GPU": lambda: compat.process.cpdist(*resident, scorer=ours),
            "columns of Arrow, all cores": lambda: compat.process.cpdist(*columns, scorer=ours),
        }
        if options.lists:
            ways["rapidfuzz, lists, all cores"] = lambda: rapidfuzz.process.cpdist(*lists, scorer=theirs, workers=-1)
        scores = [way() for way in ways.values()]
        assert all(np.array_equal(scores[0], other) for other in scores), name
        counted = {way: (lambda call=call: len(call())) for way, call in ways.items()}
        seconds, _, _ = timed(counted, options.rounds)
        row = {way: spread(of_way) for way, of_way in seconds.items()}
        rows.append(dict(part=f"{options.pairs} pairs of names", name=name, more={way: own["median"] for way, own in row.items()}, spread=row))
        print(name, {way: own["median"] for way, own in row.items()}, flush=True)
    write(dict(result, rows=rows), options.json)


if __name__ == "__main__":
    main()
