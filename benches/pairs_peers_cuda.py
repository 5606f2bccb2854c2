"""Times the distances of all pairs of two lists on a GPU, by carrywave and StringZilla in turns.

    pip install stringzillas-cuda numpy
    cargo bench --bench gpu_pairs --features gpu,io --no-run
    python benches/pairs_peers_cuda.py target/release/deps/gpu_pairs-...

The clock starts with the strings in memory, and stops with the distances in memory. A row has
medians of five calls, after a warm-up call. StringZilla gets shorter lists, so that a call takes
about a second.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import stringzilla
import stringzillas

RUNS = 5
# Part of gpu_pairs, length, alphabet, and number of strings in each of StringZilla's lists.
SHAPES = [
    ("dna-100", 100, b"ACGT", 8192),
    ("dna-1000", 1000, b"ACGT", 2048),
    ("dna-5000", 5000, b"ACGT", 256),
    ("symbols-64", 1000, bytes(range(48, 112)), 2048),
]


def theirs(length, alphabet, count):
    random = numpy.random.default_rng(1)
    symbols = numpy.frombuffer(alphabet, dtype=numpy.uint8)
    gpu = stringzillas.DeviceScope(gpu_device=0)

    def strings():
        rows = random.choice(symbols, size=(count, length))
        return stringzillas.to_device(stringzilla.Strs([row.tobytes().decode() for row in rows]))

    a, b = strings(), strings()
    engine = stringzillas.LevenshteinDistances(match=0, mismatch=1, open=1, extend=1, capabilities=gpu)
    seconds = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        engine(a, b, device=gpu)
        seconds.append(time.perf_counter() - started)
    return (count * length) ** 2 / statistics.median(seconds[1:]) / 1e12


def ours(program, part):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        arguments = ["--only", part, "--cost", "levenshtein", "--runs", str(RUNS), "--json", file.name]
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)
        rows = [row for row in json.load(open(file.name))["rows"] if row["part"] == part]
    return rows[0]["more"]["end_to_end_tcups"]


for part, length, alphabet, count in SHAPES:
    their, our = theirs(length, alphabet, count), ours(sys.argv[1], part)
    print(f"{part}: ours {our:.1f} TCUPS end to end, StringZilla {their:.2f}: {our / their:.1f} times", flush=True)
