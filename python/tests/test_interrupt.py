"""Tests that Ctrl-C ends each type of long call within a second, and that the process can go on."""

import json
import signal
import subprocess
import sys

import pytest

CALLS = {
    "align": "carrywave.align(a, b, algorithm='bit-parallel')",
    "align infix": "carrywave.align(a[:100_000], b, mode='infix')",
    "align tokens": "carrywave.align(x[:200_000], y[:200_000])",
    "barcodes": "carrywave.Barcodes(pieces(a, 16, 5_000), errors=3, place='anywhere').assign(pieces(b, 150, 300_000))",
    "best": "carrywave.best(a[:20_000], b * 7)",
    "best by all blocks": "carrywave.best(a[:20_000], b * 7, algorithm='myers')",
    "best by cells": "carrywave.best(a[:2_000], b * 7, algorithm='sellers')",
    "best of few words by cells": "carrywave.best(a[:64], b * 20, algorithm='sellers')",
    "best on the simulator": "carrywave.best(a[:100], b[:100_000], engine='simt')",
    "cdist": "carrywave.cdist(pieces(a, 4000, 2_000), pieces(b, 4000, 2_000))",
    "cdist of empty strings": "carrywave.cdist([''] * 10_000, [''] * 10_000)",
    "clusters": "carrywave.clusters(pieces(a, 300, 30_000), 200)",
    "cpdist of many": "carrywave.cpdist(pieces(a, 20_000, 2_000), pieces(b, 20_000, 2_000))",
    "cpdist of tokens": "carrywave.cpdist([x], [y])",
    "cpdist of tokens, indel": "carrywave.cpdist([x], [y], scorer='indel')",
    "diff of characters": "carrywave.diff(a.decode(), b.decode(), unit='character')",
    "diff of lines": "carrywave.diff(lines_a, lines_b)",
    "diff of words": "carrywave.diff(lines_a, lines_b, unit='word')",
    "distance": "carrywave.distance(a, b, algorithm='bit-parallel')",
    "distance by cells": "carrywave.distance(a[:100_000], b[:100_000], algorithm='dp')",
    "distance infix": "carrywave.distance(a[:400_000], b, mode='infix')",
    "distance of tokens": "carrywave.distance(x, y)",
    "edlib": "edlib.align(a[:400_000], b[:400_000], task='path')",
    "editops": "Levenshtein.editops(a[:300_000], b[:300_000])",
    "extract": "process.extract(a[:3_000].decode(), pieces(a.decode(), 6_000, 3_000))",
    "editops, indel": "Indel.editops(a[:100_000], b[:100_000])",
    "exchanges": "DamerauLevenshtein.distance(a[:100_000], b[:100_000])",
    "exchanges by words": "OSA.distance(a, b)",
    "lcs": "carrywave.lcs(a, b, algorithm='bit-parallel')",
    "lcs by cells": "carrywave.lcs(a[:100_000], b[:100_000], algorithm='dp')",
    "lcs_length": "carrywave.lcs_length(a, b, algorithm='bit-parallel')",
    "lcs of tokens": "carrywave.lcs(x, y)",
    "scores of many": "process.cdist(pieces(a, 2_000, 2_000), pieces(b, 2_000, 2_000), scorer=DamerauLevenshtein.distance)",
    "weights": "Levenshtein.distance(a[:200_000], b[:200_000], weights=(1, 2, 3))",
    "list of strings": "carrywave.cpdist(itertools.repeat('a', 1 << 40), ['a'])",
    "list of patterns": "carrywave.Searcher(itertools.repeat('a', 1 << 40))",
    "nearest": "carrywave.nearest(pieces(a, 200, 30_000), pieces(b, 200, 30_000))",
    "overlap": "carrywave.overlap(a[:300_000], b[:300_000])",
    "objects": "carrywave.distance(Endless(), a)",
    "places": "carrywave.places(a[:100_000], b)",
    "read a pipe": "carrywave.read(pipe)",
    "part": "fuzz.partial_ratio(a[:20_000], b)",
    "rotation": "carrywave.distance(a[:200_000], b[:200_000], circular=True)",
    "rotation of tokens": "carrywave.lcs(x[:200_000], y[:200_000], circular=True)",
    "search": "carrywave.search(pieces(a, 30, 20_000), a * 3, 9)",
    "search in dense hits": "carrywave.search('a' * 40, 'a' * 3_000_000, 20)",
    "search in dense hits of a long pattern": "carrywave.search('a' * 1_000, 'a' * 100_000, 300)",
    "search with transpositions in dense hits": "carrywave.search('ab' * 40, 'ab' * 3_000_000, 19, transpositions=True)",
    "search with limits in dense hits": "carrywave.search('ab' * 40, 'ab' * 3_000_000, 19, insertions=9)",
    "search in many records": "carrywave.search(a[:60], pieces(a, 60, 500_000), 30)",
    "search of whole records": "carrywave.search(['a' * 10] * 3_000, ['a' * 10] * 30_000, 1, whole=True)",
    "simulator": "carrywave.lcs_length(a, b, engine='simt')",
    "star clusters": "carrywave.clusters(pieces(a, 300, 30_000), 200, linkage='star')",
    "strings": "carrywave.cdist(Endless('wave'), ['wave'])",
    "sweep of a machine": "carrywave.machine.sweep('contiguous', 'n=4096:4194304:4096,p=64,256,l=1,100')",
    "trim": "carrywave.Trimmer(pieces(b.decode(), 30, 20)).trim(pieces(a, 150, 300_000))",
    "variants of a pipe": "carrywave.guides('ACGT', 'ACGT', variants=pipe, names='a')",
    "within": "carrywave.within(pieces(a, 300, 30_000), 200)",
    "within of strings that begin alike": "carrywave.within([b'x' * 400 + piece for piece in pieces(a, 40, 300_000)], 12)",
}

PROGRAM = """
import itertools, json, os, random, signal, sys, tempfile, time
import carrywave, carrywave.machine, numpy  # results are arrays: an import that a signal breaks off fails otherwise
from carrywave.compat import edlib
from carrywave.compat.rapidfuzz import fuzz, process
from carrywave.compat.rapidfuzz.distance import OSA, DamerauLevenshtein, Indel, Levenshtein

chooser = random.Random(1)
a, b = (chooser.randbytes(3_000_000).translate(b"ACGT" * 64) for _ in range(2))
x, y = (list(memoryview(chooser.randbytes(800_000)).cast("H")) for _ in range(2))
lines_a, lines_b = ("\\n".join(map(str, chooser.randbytes(300_000))) for _ in range(2))

def pieces(text, size, count):
    return [text[at : at + size] for at in range(count)]

# Nobody ever writes to it.
folder = tempfile.TemporaryDirectory()
pipe = os.path.join(folder.name, "pipe")
os.mkfifo(pipe)

class Endless:
    def __init__(self, item=7):
        self.item = item
    def __len__(self):
        return 1 << 40
    def __getitem__(self, at):
        return self.item

class Interrupted(BaseException):
    pass

def interrupt(*_):
    raise Interrupted

signal.signal(signal.SIGALRM, interrupt)
for name, call in json.loads(sys.argv[1]).items():
    code = compile(call, name, "eval")
    started = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, DELAY)
    try:
        eval(code)
        outcome = "ended"
    except Interrupted:
        outcome = "interrupted"
    signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.monotonic() - started - DELAY
    right = carrywave.distance("kitten", "sitting") == 3
    print(json.dumps([name, outcome, seconds, right]), flush=True)
"""

# Seconds from the start of a call to the signal. Constructing the arguments takes less.
DELAY = 0.1


@pytest.fixture(scope="module")
def outcomes():
    program = PROGRAM.replace("DELAY", str(DELAY))
    running = subprocess.Popen(
        [sys.executable, "-c", program, json.dumps(CALLS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        out, errors = running.communicate(timeout=300)
    finally:
        running.kill()
    assert errors == "" and running.returncode == 0
    return {name: (outcome, seconds, right) for name, outcome, seconds, right in map(json.loads, out.splitlines())}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
@pytest.mark.parametrize("name", CALLS)
def test_interrupt(name, outcomes):
    outcome, seconds, right = outcomes[name]
    assert right
    # On a fast machine, some calls finish before the signal.
    assert outcome == "interrupted" or seconds < 1
    # On an idle machine, a call ends within a second.
    assert seconds < 8
