"""Times the verification of candidate pairs over Ray Data: actors with a GPU beside actors with CPUs.

    python python/benches/ray_pairs.py --pairs 400000 --length 1000 --edits 200 --cutoff 100 --json ray.json

docs/results/2026-11-29-h200-ray-pairs.md has a result.

The pairs are those of `candidate_pairs.py`. They are in Ray's object store before the clock starts;
the result is the number of pairs within the cutoff. Ray starts new actors for each job, which takes
seconds, so each way also runs on a pair for each core. The same batches without Ray show what Ray itself takes.
All ways must find the same pairs.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import candidate_pairs
import pyarrow.parquet as pq
from about import about, spread, timed, write

import carrywave.ray
from carrywave.arrow import distance_batch

BLOCKS = 4
"""Number of blocks of the dataset for each core."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=400_000)
    parser.add_argument("--length", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--cutoff", type=int, help="distances above it are not reported; all are by default")
    parser.add_argument("--batches", type=int, nargs="+", default=[carrywave.ray.GPU_BATCH], help="pairs of a batch on the GPU")
    parser.add_argument("--cpus", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--no-gpu", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path("candidate-pairs"), help="where the pairs are, or are put")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--note", default="", help="what else is to be known, as other work on the machine")
    parser.add_argument("--json", help="where the result goes")
    options = parser.parse_args()
    made = argparse.Namespace(**vars(options), compression="snappy", seed=0, file_rows=1 << 15, makers=options.cpus)
    tables = [pq.read_table(path) for path in candidate_pairs.files(made)]

    import ray

    size = sum(table.nbytes for table in tables)
    ray.init("local", num_cpus=options.cpus + 1, include_dashboard=False, log_to_driver=False, object_store_memory=max(3 * size, 1 << 29))
    ray.data.DataContext.get_current().enable_progress_bars = False
    # An actor compares one block at a time, so that each needs several.
    rows = max(1, options.pairs // (BLOCKS * options.cpus))
    blocks = [table.slice(first, rows) for table in tables for first in range(0, len(table), rows)]
    all_pairs = ray.data.from_arrow(blocks).materialize()
    # Ray ends actors that get no pair while they start, and reports that as an error.
    few_pairs = ray.data.from_arrow([tables[0].slice(row, 1) for row in range(options.cpus)]).materialize()

    def over_ray(of: Any, actors: int, **arguments: Any) -> int:
        near = carrywave.ray.distances(of, score_cutoff=options.cutoff, filter=options.cutoff is not None, concurrency=(actors, actors), **arguments)
        return int(near.materialize().count())

    def alone(engine: Any) -> int:
        near = 0
        for table in tables:
            near += len(distance_batch(table, score_cutoff=options.cutoff, filter=options.cutoff is not None, engine=engine))
        return near

    of_ray: dict[str, dict[str, Any]] = {
        f"ray, CPU, an actor with {options.cpus} cores": {"actors": 1, "engine": "cpu", "num_cpus": options.cpus, "batch_size": options.batches[0]},
        f"ray, CPU, {options.cpus} actors with a core": {"actors": options.cpus, "engine": "cpu", "num_cpus": 1},
    }
    ways: dict[str, Callable[[], int]] = {"without ray, CPU": lambda: alone(carrywave.Cpu(options.cpus))}
    gpu = None if options.no_gpu else carrywave.Gpu()
    if gpu is not None:
        ways["without ray, GPU"] = lambda: alone(gpu)
        of_ray |= {f"ray, GPU, batches of {rows}": {"actors": 1, "engine": "gpu", "batch_size": rows} for rows in options.batches}
    for way, arguments in of_ray.items():
        ways[way] = lambda arguments=arguments: over_ray(all_pairs, **arguments)
        ways[f"{way}, few pairs"] = lambda arguments=arguments: over_ray(few_pairs, **arguments)

    seconds, found, most_load = timed(ways, options.rounds)
    ray.shutdown()
    whole = {way: near for way, near in found.items() if "few pairs" not in way}
    assert len(set(whole.values())) == 1, found
    medians = {way: spread(rounds)["median"] for way, rounds in seconds.items()}
    write(
        {
            "what": "candidate pairs verified over Ray Data, on a GPU and on CPUs",
            **about(["carrywave", "ray", "pyarrow", "numpy"], gpu),
            "sizes": {name: str(value) if isinstance(value, Path) else value for name, value in vars(options).items() if name not in ("json", "note")},
            "near": found["without ray, CPU"],
            "seconds": {way: spread(rounds) for way, rounds in seconds.items()},
            "seconds_without_start": {way: round(medians[way] - medians[f"{way}, few pairs"], 4) for way in of_ray},
            "most_load": most_load,
            "note": options.note,
        },
        options.json,
    )


if __name__ == "__main__":
    main()
