"""Times the stages of filtering candidate pairs from Parquet by their distances.

    python python/benches/candidate_pairs.py --pairs 1000000 --engine cpu --json pairs.json
    python python/benches/candidate_pairs.py --pairs 100000000 --engine gpu --readers 4 --folder /data/pairs --json pairs.json

One process streams the batches through all stages.
docs/results/2026-11-29-h200-candidate-pairs-cpu.md and -gpu.md have results.

The pairs are generated once, from a seed, and reused if the folder has them. A pair is a string of
`--length` symbols of DNA and a copy with edits. The number of edits is uniform from 0 to `--edits`.
Each edit is at a uniform position, and is a substitution, a deletion, or an insertion that doubles
a symbol, each with probability 1/3. A Parquet file has `--file-rows` pairs, which bounds the
memory.

The stages are:

    read        the bytes of a file, from disk or from the system's cache
    to_arrow    Parquet to uncompressed columns of Arrow
    distances   `carrywave.arrow.distance_batch`, without a copy of the strings
    write       `id` and `distance` of the pairs within the cutoff, to Parquet

With `--readers 0` the stages follow one another, and their times add up to the wall time.
Otherwise, `--readers` threads read and decode files ahead, while the distances are computed;
`waited` is the time that the distances waited for a file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from about import about, load, spread, write

import carrywave
from carrywave.arrow import distance_batch

ROW_GROUP = 1 << 17
"""Number of rows of a row group; a row group is generated at once."""

FOUR = np.frombuffer(b"".join(bytes(b"ACGT"[byte >> shift & 3] for shift in (0, 2, 4, 6)) for byte in range(256)), np.uint32)
"""Four letters for each byte of random bits."""


def made(rng: np.random.Generator, rows: int, length: int, edits: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the symbols of both strings of the pairs, and the offsets of the second strings."""
    size = rows * length
    a = FOUR[np.frombuffer(rng.bytes(-(-size // 4)), np.uint8)].view(np.uint8)[:size]
    of_row = rng.integers(0, edits + 1, rows)
    row = np.repeat(np.arange(rows), of_row)
    at = row * length + rng.integers(0, length, len(row))
    kind = rng.integers(0, 3, len(row), np.uint8)
    b = a.copy()
    substituted = at[kind == 0]
    b[substituted] = np.frombuffer(b"ACGT", np.uint8)[rng.integers(0, 4, len(substituted), np.uint8)]
    times = np.ones(size, np.uint8)
    times[at[kind == 1]] = 0
    times[at[kind == 2]] = 2
    lengths = times.reshape(rows, length).sum(axis=1, dtype=np.int64)
    # Inserts doubled symbols by position and removes deleted ones by a mask. `np.repeat` with
    # counts would take 8 bytes per symbol.
    twice = np.flatnonzero(times == 2)
    b = np.insert(b, twice, b[twice])
    b = b[np.insert(times > 0, twice, True)]
    return a, b, np.concatenate([[0], np.cumsum(lengths)])


def make_file(path: Path, number: int, rows: int, options: argparse.Namespace) -> None:
    """Writes a file of pairs from its own seed, independent of the number of processes."""
    rng = np.random.default_rng([options.seed, number])
    schema = pa.schema([("id", pa.int64()), ("a", pa.string()), ("b", pa.string())])
    part = path.with_suffix(".part")
    with pq.ParquetWriter(part, schema, compression=options.compression, use_dictionary=False, write_statistics=False) as writer:
        for first in range(0, rows, ROW_GROUP):
            count = min(ROW_GROUP, rows - first)
            a, b, starts = made(rng, count, options.length, options.edits)
            of_a = pa.py_buffer(np.arange(0, count * options.length + 1, options.length, dtype=np.int32))
            columns = [
                pa.array(np.arange(count) + (number * options.file_rows + first)),
                pa.Array.from_buffers(pa.string(), count, [None, of_a, pa.py_buffer(a)]),
                pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(starts.astype(np.int32)), pa.py_buffer(b)]),
            ]
            writer.write_batch(pa.record_batch(columns, schema=schema))
    part.rename(path)


def files(options: argparse.Namespace) -> list[Path]:
    """Returns the paths of the files of pairs, and generates the missing files."""
    of = f"{options.length}x{options.edits}-{options.compression}-{options.seed}-{options.file_rows}"
    wanted = []
    for number, first in enumerate(range(0, options.pairs, options.file_rows)):
        rows = min(options.file_rows, options.pairs - first)
        wanted.append((options.folder / f"pairs-{of}-{number:05}-{rows}.parquet", number, rows))
    options.folder.mkdir(parents=True, exist_ok=True)
    missing = [file for file in wanted if not file[0].exists()]
    if missing:
        with ProcessPoolExecutor(min(options.makers, len(missing)), multiprocessing.get_context("spawn")) as pool:
            list(pool.map(make_file, *zip(*missing, strict=True), [options] * len(missing)))
    return [path for path, _, _ in wanted]


class Stages:
    """The time of each stage, in seconds."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(["read", "to_arrow", "distances", "write", "waited"], 0.0)

    def timed(self, stage: str, run: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        result = run()
        self.seconds[stage] += time.perf_counter() - begin
        return result


def tables(paths: list[Path], readers: int, stages: Stages) -> Iterator[pa.Table]:
    """Yields the files as tables, in order; `readers` threads read ahead."""

    def table(path: Path) -> tuple[pa.Table, dict[str, float]]:
        own = Stages()
        data = own.timed("read", path.read_bytes)
        return own.timed("to_arrow", lambda: pq.read_table(pa.BufferReader(data), use_threads=readers == 0)), own.seconds

    def told(pair: tuple[pa.Table, dict[str, float]]) -> pa.Table:
        for stage, seconds in pair[1].items():
            stages.seconds[stage] += seconds
        return pair[0]

    if readers == 0:
        yield from map(told, map(table, paths))
        return
    with ThreadPoolExecutor(readers) as pool:
        ahead: deque[Future[tuple[pa.Table, dict[str, float]]]] = deque()
        for path in paths:
            ahead.append(pool.submit(table, path))
            if len(ahead) > readers:
                yield told(stages.timed("waited", ahead.popleft().result))
        while ahead:
            yield told(stages.timed("waited", ahead.popleft().result))


def run(paths: list[Path], engine: Any, options: argparse.Namespace) -> tuple[dict[str, float], int]:
    """Runs one round.

    Returns the seconds by stage with the wall time, and the number of near pairs.
    """
    stages = Stages()
    near = 0
    begin = time.perf_counter()
    with pq.ParquetWriter(options.folder / "near.parquet", pa.schema([("id", pa.int64()), ("distance", pa.int32())])) as writer:
        for table in tables(paths, options.readers, stages):
            for first in range(0, len(table), options.batch):
                batch = table.slice(first, options.batch)
                compared = stages.timed("distances", partial(distance_batch, batch, score_cutoff=options.cutoff, engine=engine))
                found = compared.select(["id", "distance"]).drop_null()
                stages.timed("write", partial(writer.write_table, found))
                near += len(found)
    return {**stages.seconds, "wall": time.perf_counter() - begin}, near


def check(path: Path, cutoff: int) -> int:
    """Compares the distances of up to 1,000 pairs with rapidfuzz's; returns the number of pairs."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError:
        return 0
    some = pq.ParquetFile(path).read_row_group(0).slice(0, 1000)
    told = distance_batch(some, score_cutoff=cutoff)["distance"].to_pylist()
    for a, b, distance in zip(some["a"].to_pylist(), some["b"].to_pylist(), told, strict=True):
        expected = Levenshtein.distance(a, b)
        assert distance == (expected if expected <= cutoff else None), (a, b, expected, distance)
    return len(some)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--length", type=int, default=200)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--cutoff", type=int, default=20, help="distances above it are not told")
    parser.add_argument("--engine", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--batch", type=int, default=1 << 20, help="pairs that are compared at once")
    parser.add_argument("--file-rows", type=int, default=1 << 20, help="pairs of a file")
    parser.add_argument("--readers", type=int, default=0, help="threads that read ahead")
    parser.add_argument("--makers", type=int, default=len(os.sched_getaffinity(0)), help="processes that make pairs")
    parser.add_argument("--compression", default="snappy", help="of the pairs' files, as pyarrow names it, or none")
    parser.add_argument("--folder", type=Path, default=Path("candidate-pairs"), help="where the pairs are, or are put")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--make-only", action="store_true", help="make the pairs, and compare nothing")
    parser.add_argument("--note", default="", help="what else is to be known, as other work on the machine")
    parser.add_argument("--json", help="where the result goes")
    options = parser.parse_args()

    begin = time.perf_counter()
    paths = files(options)
    making = time.perf_counter() - begin
    if options.make_only:
        print(f"{len(paths)} files, {sum(path.stat().st_size for path in paths):,} bytes, {making:.1f} s")
        return
    checked = check(paths[0], options.cutoff)
    engine = carrywave.Gpu() if options.engine == "gpu" else carrywave.Cpu()
    rounds: list[dict[str, float]] = []
    loads = []
    near = 0
    for _ in range(options.rounds):
        seconds, near = run(paths, engine, options)
        rounds.append(seconds)
        loads.append(load())
    stages = {stage: spread([seconds[stage] for seconds in rounds]) for stage in rounds[0]}
    write(
        {
            "what": "candidate pairs from Parquet: read, to Arrow, distances up to a cutoff, write",
            **about(["carrywave", "pyarrow", "numpy"], engine if options.engine == "gpu" else None),
            "sizes": {
                name: str(value) if isinstance(value, Path) else value for name, value in vars(options).items() if name not in ("json", "note")
            },
            "bytes_of_parquet": sum(path.stat().st_size for path in paths),
            "seconds_making": round(making, 2),
            "near": near,
            "checked_with_rapidfuzz": checked,
            "seconds": stages,
            "pairs_a_second": round(options.pairs / stages["wall"]["median"]),
            "pairs_a_second_of_distances": round(options.pairs / stages["distances"]["median"]),
            "most_load": max(loads),
            "note": options.note,
        },
        options.json,
    )


if __name__ == "__main__":
    main()
