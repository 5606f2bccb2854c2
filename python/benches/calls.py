"""Times calls of carrywave against rapidfuzz, and measures the memory that a search takes.

    python python/benches/calls.py --json calls.json

There are three parts: single calls on strings of 10 to 100 characters, a million pairs from columns
of Arrow, and a search in a gigabyte of bytes with the growth of the peak memory.

Single calls of carrywave and rapidfuzz take turns on the same strings, in rounds. The result has
the median, the minimum and the maximum of the rounds' ratios.
docs/results/2026-11-25-epyc-python-calls.md has a result.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
import timeit
from typing import Any

import numpy as np
import pyarrow as pa
import rapidfuzz.distance as peer
from about import about, write

import carrywave
from carrywave.compat.rapidfuzz import distance as compat


def ratio(ours: Any, theirs: Any, a: str, b: str, rounds: int) -> dict[str, float]:
    """Returns the ratio of carrywave's time per call to rapidfuzz's, and both times in nanoseconds."""
    assert ours(a, b) == theirs(a, b)
    times: list[tuple[float, float]] = []
    for _ in range(rounds):
        both = [timeit.timeit("call(a, b)", globals=dict(call=call, a=a, b=b), number=20_000) / 20_000 * 1e9 for call in (ours, theirs)]
        times.append((both[0], both[1]))
    ratios = [one / other for one, other in times]
    return dict(
        median=statistics.median(ratios),
        least=min(ratios),
        most=max(ratios),
        nanoseconds=statistics.median(one for one, _ in times),
        rapidfuzz=statistics.median(other for _, other in times),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--note", default="", help="what else is to be known, as other work on the machine")
    parser.add_argument("--json", help="where the result goes")
    options = parser.parse_args()
    result: dict[str, Any] = dict(what="calls of carrywave over calls of rapidfuzz; a million pairs; a gigabyte", **about(["numpy", "pyarrow", "rapidfuzz"]), note=options.note)
    chooser = random.Random(1)
    calls: dict[str, Any] = {}
    for length in (10, 20, 30, 50, 64, 65, 80, 100):
        a, b = ("".join(chooser.choices("abcdefghijklmnopqrstuvwxyz", k=length)) for _ in range(2))
        calls[f"distance, {length}"] = ratio(carrywave.distance, peer.Levenshtein.distance, a, b, options.rounds)
        calls[f"lcs_length, {length}"] = ratio(carrywave.lcs_length, peer.LCSseq.similarity, a, b, options.rounds)
        calls[f"compat Levenshtein.distance, {length}"] = ratio(compat.Levenshtein.distance, peer.Levenshtein.distance, a, b, options.rounds)
    result["ratio of a call"] = calls

    count, length = 1_000_000, 200
    rng = np.random.default_rng(1)
    letters = np.frombuffer(b"ACGT", dtype=np.uint8)
    first = rng.choice(letters, size=(count, length))
    second = np.where(rng.random((count, length)) < 0.1, rng.choice(letters, size=(count, length)), first)
    offsets = pa.py_buffer(np.arange(0, (count + 1) * length, length, dtype=np.int32))
    columns = [pa.StringArray.from_buffers(count, offsets, pa.py_buffer(symbols.tobytes())) for symbols in (first, second)]
    seconds = []
    for _ in range(options.rounds):
        begin = time.perf_counter()
        carrywave.cpdist(*columns)
        seconds.append(time.perf_counter() - begin)
    result["seconds"] = {"a million pairs of 200": dict(median=statistics.median(seconds), least=min(seconds), most=max(seconds))}

    text = bytes(1 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert carrywave.Searcher(b"carrywave", 1).count(text) == 0
    result["bytes more at most, for a search in a text of 2^30 bytes"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    write(result, options.json)


if __name__ == "__main__":
    main()
