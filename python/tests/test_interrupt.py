"""Ctrl-C ends long work, of each kind, and the process goes on."""

import json
import signal
import subprocess
import sys

import pytest

CALLS = {
    "align": "carrywave.align(a, b, algorithm='bit-parallel')",
    "align infix": "carrywave.align(a[:100_000], b, mode='infix')",
    "align tokens": "carrywave.align(tokens(200_000), tokens(200_000))",
    "best": "carrywave.best(a[:20_000], b * 7)",
    "best by all blocks": "carrywave.best(a[:20_000], b * 7, algorithm='myers')",
    "best by cells": "carrywave.best(a[:2_000], b * 7, algorithm='sellers')",
    "cdist": "carrywave.cdist(pieces(a, 4000, 9_000), pieces(b, 4000, 9_000))",
    "clusters": "carrywave.clusters(pieces(a, 300, 90_000), 200)",
    "cpdist of many": "carrywave.cpdist(pieces(a, 20_000, 9_000), pieces(b, 20_000, 9_000))",
    "cpdist of tokens": "carrywave.cpdist([tokens(300_000)], [tokens(300_000)])",
    "cpdist of tokens, indel": "carrywave.cpdist([tokens(300_000)], [tokens(300_000)], scorer='indel')",
    "diff of characters": "carrywave.diff(a.decode(), b.decode(), unit='character')",
    "diff of lines": "carrywave.diff(lines(300_000), lines(300_000))",
    "diff of words": "carrywave.diff(lines(300_000), lines(300_000), unit='word')",
    "distance": "carrywave.distance(a, b, algorithm='bit-parallel')",
    "distance infix": "carrywave.distance(a[:400_000], b, mode='infix')",
    "distance of tokens": "carrywave.distance(tokens(400_000), tokens(400_000))",
    "edlib": "edlib.align(a[:400_000], b[:400_000], task='path')",
    "editops": "Levenshtein.editops(a[:300_000], b[:300_000])",
    "editops, indel": "Indel.editops(a[:100_000], b[:100_000])",
    "lcs": "carrywave.lcs(a, b, algorithm='bit-parallel')",
    "lcs_length": "carrywave.lcs_length(a, b, algorithm='bit-parallel')",
    "lcs of tokens": "carrywave.lcs(tokens(400_000), tokens(400_000))",
    "nearest": "carrywave.nearest(pieces(a, 200, 90_000), pieces(b, 200, 90_000))",
    "objects": "carrywave.distance(Endless(), a)",
    "strings": "carrywave.cdist(Endless('wave'), ['wave'])",
    "search": "carrywave.search(pieces(a, 30, 20_000), a * 3, 9)",
    "simulator": "carrywave.lcs_length(a, b, engine='simt')",
    "within": "carrywave.within(pieces(a, 300, 90_000), 200)",
}

PROGRAM = """
import itertools, json, random, signal, sys, time
import carrywave
from carrywave.compat import edlib
from carrywave.compat.rapidfuzz.distance import Indel, Levenshtein

chooser = random.Random(1)
a, b = (chooser.randbytes(3_000_000).translate(b"ACGT" * 64) for _ in range(2))

def tokens(count):
    return list(memoryview(chooser.randbytes(2 * count)).cast("H"))

def lines(count):
    return "\\n".join(map(str, chooser.randbytes(count)))

def pieces(text, size, count):
    return [text[at : at + size] for at in range(count)]

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
    # Not before the call has its arguments: those are quickly made.
    signal.setitimer(signal.ITIMER_REAL, 0.25)
    try:
        eval(code)
        outcome = "ended"
    except Interrupted:
        outcome = "interrupted"
    signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.monotonic() - started - 0.25
    right = carrywave.distance("kitten", "sitting") == 3
    print(json.dumps([name, outcome, seconds, right]), flush=True)
"""


@pytest.fixture(scope="module")
def outcomes():
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(CALLS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        out, errors = program.communicate(timeout=300)
    finally:
        program.kill()
    assert errors == "" and program.returncode == 0
    return {name: (outcome, seconds, right) for name, outcome, seconds, right in map(json.loads, out.splitlines())}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
@pytest.mark.parametrize("name", CALLS)
def test_interrupt(name, outcomes):
    outcome, seconds, right = outcomes[name]
    assert right
    # Some of the calls end by themselves on a fast machine.
    assert outcome == "interrupted" or seconds < 1
    # A second on a machine that does nothing else.
    assert seconds < 8
