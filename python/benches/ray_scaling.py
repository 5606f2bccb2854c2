"""Times a search over Ray Data: the speedup of two workers over one, and the overhead of Ray.

    python python/benches/ray_scaling.py --json ray.json
    python python/benches/ray_scaling.py --strings 10000000 --json ray.json

docs/results/2026-11-25-epyc-ray-10m.md has a result.

The texts are random DNA; every thousandth string has a pattern with up to k errors. Each way
searches the same batches of Arrow for all patterns:

- one process in a loop, with one thread, and with one thread per core;
- two processes without Ray, each with one thread and half the batches: the upper bound for two
  actors;
- Ray Data with one actor and with two actors of one CPU each, from Ray's object store.

A Ray job starts new actors, which takes seconds. A job on one row measures this time, and the
speedup of two actors is reported with and without it. All ways must find the same number of
hits.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from about import about, spread, timed, write

import carrywave.ray
from carrywave.arrow import search_batch

LETTERS = np.frombuffer(b"ACGT", np.uint8)


def corpus(options: argparse.Namespace) -> tuple[list[bytes], list[pa.RecordBatch]]:
    """Returns the patterns, and batches with the columns `id` and `text`."""
    rng = np.random.default_rng(options.seed)
    patterns = LETTERS[rng.integers(0, 4, (options.patterns, options.pattern_length), np.uint8)]
    batches = []
    for first in range(0, options.strings, options.batch):
        rows = min(options.batch, options.strings - first)
        symbols = LETTERS[rng.integers(0, 4, (rows, options.length), np.uint8)]
        for row in range(0, rows, 1000):
            planted = patterns[rng.integers(options.patterns)].copy()
            planted[rng.integers(0, options.pattern_length, options.k)] = ord("A")
            at = rng.integers(0, options.length - options.pattern_length)
            symbols[row, at : at + options.pattern_length] = planted
        offsets = np.arange(0, rows * options.length + 1, options.length, dtype=np.int32)
        text = pa.Array.from_buffers(pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(symbols)])
        batches.append(pa.record_batch({"id": pa.array(np.arange(first, first + rows)), "text": text}))
    return [pattern.tobytes() for pattern in patterns], batches


def loop(batches: list[pa.RecordBatch], patterns: list[bytes], k: int, threads: int | None) -> int:
    """Returns the number of hits."""
    searcher = carrywave.Searcher(patterns, k, engine=carrywave.Cpu(threads))
    return sum(len(search_batch(batch, searcher, keep=["id"])) for batch in batches)


WORK: tuple[list[pa.RecordBatch], list[bytes], int] = ([], [], 0)
"""Batches, patterns and k, which the processes without Ray share by forking, without a copy."""


def half(of: int) -> int:
    batches, patterns, k = WORK
    return loop(batches[of::2], patterns, k, 1)


def main() -> None:
    global WORK
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strings", type=int, default=1_000_000)
    parser.add_argument("--length", type=int, default=200)
    parser.add_argument("--patterns", type=int, default=100)
    parser.add_argument("--pattern-length", type=int, default=20)
    parser.add_argument("--k", type=int, default=2)
    parser.add_argument("--batch", type=int, default=200_000, help="strings of a batch")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--note", default="", help="what else is to be known, as other work on the machine")
    parser.add_argument("--json", help="where the result goes")
    options = parser.parse_args()
    patterns, batches = corpus(options)
    WORK = (batches, patterns, options.k)
    processes = multiprocessing.get_context("fork").Pool(2)
    processes.map(half, [], chunksize=1)

    import ray

    # Ray uses two CPUs whatever the machine has. The object store holds the input and the hits.
    size = sum(batch.nbytes for batch in batches)
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=max(2 * size, 1 << 29))
    ray.data.DataContext.get_current().enable_progress_bars = False
    dataset = ray.data.from_arrow([pa.table(batch) for batch in batches]).materialize()
    one_row = ray.data.from_arrow(pa.table(batches[0].slice(0, 1))).materialize()

    def over_ray(workers: int, of: Any) -> int:
        return int(carrywave.ray.search(of, patterns, options.k, keep=["id"], concurrency=(workers, workers), num_cpus=1).materialize().count())

    ways: dict[str, Callable[[], int]] = {
        "loop, one thread": lambda: loop(batches, patterns, options.k, 1),
        "loop, a thread a core": lambda: loop(batches, patterns, options.k, None),
        "two processes, one thread each": lambda: sum(processes.map(half, [0, 1], chunksize=1)),
        "ray, one actor": lambda: over_ray(1, dataset),
        "ray, two actors": lambda: over_ray(2, dataset),
        "ray, one actor, one row": lambda: over_ray(1, one_row),
        "ray, two actors, one row": lambda: over_ray(2, one_row),
    }
    seconds, found, most_load = timed(ways, options.rounds)
    ray.shutdown()
    processes.close()
    whole = {way: hits for way, hits in found.items() if "one row" not in way}
    assert len(set(whole.values())) == 1, found

    def ratio(one: str, two: str, without: tuple[str, str] | None = None) -> dict[str, object]:
        """Returns the speedup of the second way over the first, per round.

        `without` names the ways whose median times are subtracted.
        """
        ones, twos = np.array(seconds[one]), np.array(seconds[two])
        if without is not None:
            ones, twos = ones - np.median(seconds[without[0]]), twos - np.median(seconds[without[1]])
        return spread((ones / twos).tolist())

    medians = {way: spread(rounds)["median"] for way, rounds in seconds.items()}
    symbols = options.strings * options.length
    write(
        {
            "what": "search with errors over Ray Data beside one process",
            **about(["carrywave", "ray", "pyarrow", "numpy"]),
            "sizes": {name: value for name, value in vars(options).items() if name not in ("json", "note")},
            "hits": found["loop, one thread"],
            "seconds": {way: spread(rounds) for way, rounds in seconds.items()},
            "megasymbols_a_second": {way: round(symbols / 1e6 / medians[way], 1) for way in whole},
            "two_processes_over_one_thread": ratio("loop, one thread", "two processes, one thread each"),
            "two_actors_over_one": ratio("ray, one actor", "ray, two actors"),
            "two_actors_over_one_without_start": ratio("ray, one actor", "ray, two actors", ("ray, one actor, one row", "ray, two actors, one row")),
            "ray_with_two_over_two_processes": ratio("two processes, one thread each", "ray, two actors"),
            "most_load": most_load,
            "note": options.note,
        },
        options.json,
    )


if __name__ == "__main__":
    main()
