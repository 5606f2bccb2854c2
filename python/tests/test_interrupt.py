"""Ctrl-C ends long work, of each kind, and the process goes on."""

import signal
import subprocess
import sys
import time

import pytest

CALLS = {
    "lcs": "carrywave.lcs_length(a, b, algorithm='bit-parallel')",
    "distance": "carrywave.distance(a, b, algorithm='bit-parallel')",
    "script": "carrywave.align(a, b, algorithm='bit-parallel')",
    "pairs": "carrywave.cdist([a[i : i + 4000] for i in range(9_000)], [b[i : i + 4000] for i in range(9_000)])",
    "nearest": "carrywave.nearest([a[i : i + 200] for i in range(90_000)], [b[i : i + 200] for i in range(90_000)])",
    "search": "carrywave.search([a[i : i + 30] for i in range(20_000)], a * 3, 9)",
    "best": "carrywave.best(a[:3000], a[200_000:] * 50, algorithm='myers')",
    "simulator": "carrywave.lcs_length(a, b, engine='simt')",
}

PROGRAM = """
import carrywave, random, time
chooser = random.Random(1)
a, b = (bytes(chooser.choices(b"ACGT", k=3_000_000)) for _ in range(2))
print("begins", flush=True)
try:
    {call}
    print("ended")
except KeyboardInterrupt:
    print("interrupted", carrywave.distance("kitten", "sitting"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("kind", CALLS)
def test_interrupt(kind):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(call=CALLS[kind])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stdout.readline() == "begins\n"
    time.sleep(0.7)
    program.send_signal(signal.SIGINT)
    try:
        out, errors = program.communicate(timeout=60)
    finally:
        program.kill()
    assert (out, errors) == ("interrupted 3\n", "")
