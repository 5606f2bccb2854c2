"""Times `extract`, `cdist` and `cpdist` of the drop-in for rapidfuzz beside rapidfuzz, for each
scorer, on names in Latin letters and in Chinese characters.

    pip install rapidfuzz numpy
    python python/benches/process.py --json process.json

Both take turns on the same lists, and their results must be equal. rapidfuzz has all cores for
`cdist` and `cpdist` (`workers=-1`), and one for `extract`, as always. With `--threads 1`, both have
one core, in a process that is bound to it.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import rapidfuzz
from about import about, write

from carrywave.compat import rapidfuzz as compat

METRICS = ("Levenshtein", "Indel", "LCSseq", "OSA", "DamerauLevenshtein", "Hamming", "Jaro", "JaroWinkler", "Prefix", "Postfix")
RATIOS = ("ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "token_ratio", "partial_token_ratio", "WRatio", "QRatio")
FIRST = "anna bert carla dirk emma fritz gerda hans ines jan karla ludwig maria nico olga paul".split()
SYLLABLES = [consonant + vowel for consonant in "bdklmnrs" for vowel in "aeiou"]


def names(count: int, script: str, seed: int) -> list[str]:
    chooser = random.Random(seed)
    if script == "Chinese":
        return ["".join(chr(0x4E00 + chooser.randrange(3000)) for _ in range(chooser.randrange(4, 11))) for _ in range(count)]
    last = lambda: "".join(chooser.choices(SYLLABLES, k=chooser.randrange(2, 6)))  # noqa: E731
    return [f"{chooser.choice(FIRST)} {last()}".title() for _ in range(count)]


def scorer(package: Any, name: str) -> Any:
    return getattr(package.distance, name).distance if name in METRICS else getattr(package.fuzz, name)


def timed(calls: list[Callable[[], Any]], rounds: int) -> list[float]:
    """Returns the median seconds of each call, in turns. Their results must be equal."""
    seconds: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        results = []
        for call, own in zip(calls, seconds, strict=True):
            begin = time.perf_counter()
            results.append(call())
            own.append(time.perf_counter() - begin)
        assert np.array_equal(*results) if isinstance(results[0], np.ndarray) else results[0] == results[1]
    return [statistics.median(own) for own in seconds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, help="cores of both, instead of all")
    parser.add_argument("--size", type=int, default=4000, help="strings of each list of cdist")
    parser.add_argument("--choices", type=int, default=100_000, help="choices of extract, and pairs of cpdist")
    parser.add_argument("--json", help="where the result goes")
    options = parser.parse_args()
    if options.threads:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    workers = options.threads or -1
    result: dict[str, Any] = dict(what="scorers of the drop-in beside rapidfuzz, nanoseconds a pair, medians", **about(["numpy", "rapidfuzz"]))
    rows = []
    for script in ("Latin", "Chinese"):
        a, b = names(options.choices, script, 1), names(options.choices, script, 2)
        few_a, few_b = a[: options.size], b[: options.size]
        for name in METRICS + RATIOS:
            ways = [(package.process, scorer(package, name)) for package in (compat, rapidfuzz)]
            # These take a hundred times as long.
            part = slice(None) if name in METRICS + ("ratio", "token_sort_ratio", "QRatio") else slice(options.size // 8)
            short_a, short_b = few_a[part], few_b[part]
            jobs = {
                "extract": ([lambda p=p, s=s: p.extract(a[0], b, scorer=s) for p, s in ways], len(b)),
                "cdist": ([lambda p=p, s=s: p.cdist(short_a, short_b, scorer=s, workers=workers) for p, s in ways], len(short_a) * len(short_b)),
                "cpdist": ([lambda p=p, s=s: p.cpdist(a, b, scorer=s, workers=workers) for p, s in ways], len(a)),
            }
            more: dict[str, float] = {}
            for job, (calls, pairs) in jobs.items():
                ours, theirs = (seconds / pairs * 1e9 for seconds in timed(calls, options.rounds))
                more |= {job: round(ours, 2), f"{job}, rapidfuzz": round(theirs, 2), f"{job}, times as fast": round(theirs / ours, 2)}
            rows.append(dict(part=f"{script} names", name=name, more=more))
            print(script, name, more, flush=True)
    write(dict(result, rows=rows), options.json)


if __name__ == "__main__":
    main()
