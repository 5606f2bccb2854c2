"""Times the distances of all pairs of two lists, by carrywave and by rapidfuzz's cdist.

Both use one thread, and run in turns.

    pip install rapidfuzz numpy
    cargo bench --bench pairs_cpu --features io --no-run
    python benches/pairs_peers.py target/release/deps/pairs_cpu-...

A row is a length, an alphabet and a cost, with the medians of both and carrywave's speedup. The
sums of all distances must be equal.
"""

import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import rapidfuzz
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist

RUNS = 5
# Length, and numbers of strings of both lists.
SHAPES = [(16, 512, 2048), (64, 512, 2048), (100, 100, 1024), (1000, 20, 512), (1000, 50, 50), (10_000, 2, 64), (10_000, 12, 12)]
# Small lists.
SHAPES += [(length, count, count) for length in (100, 300, 1000, 3000, 10_000) for count in (1, 4, 16)]
ALPHABETS = {4: "ACGT", 64: bytes(range(48, 112)).decode()}


def strings(count, length, alphabet):
    return ["".join(random.choices(alphabet, k=length)) for _ in range(count)]


def theirs(a, b, scorer, maximum):
    started = time.perf_counter()
    result = cdist(a, b, scorer=scorer.distance, workers=1, dtype=numpy.uint32, score_cutoff=maximum)
    seconds = time.perf_counter() - started
    if maximum is not None:
        result = result[result <= maximum]
    return seconds, int(result.sum(dtype=numpy.uint64))


def ours(program, files, scorer, maximum):
    options = ["--indel"] if scorer is Indel else []
    options += [] if maximum is None else ["--max", str(maximum)]
    command = [program, "--runs", "1", *options, "--lists", *files]
    seconds, total = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), int(total)


def main(program):
    random.seed(1)
    print(f"rapidfuzz {rapidfuzz.__version__}, medians of {RUNS}, one thread each, in turns")
    print(f"{'symbols':>8} {'length':>8} {'lists':>12} {'cost':>12} {'max':>5} {'ours s':>10} {'cdist s':>10} {'GCUPS':>8} {'ratio':>8}")
    for length, rows, columns in SHAPES:
        for symbols, alphabet in ALPHABETS.items():
            a, b = strings(rows, length, alphabet), strings(columns, length, alphabet)
            with tempfile.TemporaryDirectory() as folder:
                files = [f"{folder}/a", f"{folder}/b"]
                for path, lines in zip(files, (a, b)):
                    with open(path, "w") as file:
                        file.write("\n".join(lines) + "\n")
                for scorer in (Levenshtein, Indel):
                    for maximum in (None, 10):
                        times = []
                        for _ in range(RUNS):
                            one, other = ours(program, files, scorer, maximum), theirs(a, b, scorer, maximum)
                            assert one[1] == other[1], (length, symbols, scorer, one, other)
                            times.append((one[0], other[0]))
                        mine, cdists = (statistics.median(column) for column in zip(*times))
                        cells = rows * columns * length * length / mine / 1e9
                        name = scorer.__name__.split(".")[-1]
                        print(
                            f"{symbols:>8} {length:>8} {f'{rows} x {columns}':>12} {name:>12} {maximum or '-':>5}"
                            f" {mine:>10.5f} {cdists:>10.5f} {cells:>8.1f} {cdists / mine:>8.1f}",
                            flush=True,
                        )


main(sys.argv[1])
