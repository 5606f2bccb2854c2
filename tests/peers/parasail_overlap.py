"""Compares the scores of overlaps of random pairs with parasail's semi-global alignment (sg).

CI does not run it.

    pip install parasail
    cargo build --release --example 05_places
    python tests/peers/parasail_overlap.py target/release/examples/05_places [PAIRS]

For PAIRS pairs (default 20,000), the score must equal parasail's with 2 for a match, -2 for a
substitution and -3 for each symbol of a gap, or be 0 if that is negative. The reference is `sg`,
without vectors: `sg_striped_32` of parasail 1.3.4 gives a smaller score for some pairs. The ranges must be those
of an overlap, and their score must follow from their lengths and the distance.
"""

import random
import subprocess
import sys

import parasail
from edlib_modes import ALPHABETS, copy, string


def pair():
    alphabet = random.choice(ALPHABETS)
    length = random.choice([10, 64, 130, 300])
    common = string(random.randint(1, length), alphabet)
    ends = [string(random.choice([0, random.randint(0, 100)]), alphabet) for _ in range(4)]
    return ends[0] + common + ends[1] or "A", ends[2] + copy(common, alphabet) + ends[3] or "A"


def check(a, b, line):
    score, distance, *ranges = line.split("\t")
    matrix = parasail.matrix_create("ACDEFGHIKLMNPQRSTVWY", 2, -2)
    expected = max(0, parasail.sg(a, b, 3, 3, matrix).score)
    context = (a, b, line, expected)
    assert int(score) == expected, context
    (i, i_end), (j, j_end) = (map(int, part.split("-")) for part in ranges)
    assert i_end - i + j_end - j - 4 * int(distance) == int(score), context
    if int(score) > 0:
        assert 0 in (i, j) and (i_end == len(a) or j_end == len(b)), context
    return int(score) > 0


def main(program, pairs=20_000):
    random.seed(1)
    some = [pair() for _ in range(int(pairs))]
    lines = "".join(f"overlap\t{a}\t{b}\n" for a, b in some)
    ran = subprocess.run([program, "--lines"], input=lines, check=True, capture_output=True, text=True)
    found = ran.stdout.splitlines()
    assert len(found) == len(some)
    overlaps = sum(check(a, b, line) for (a, b), line in zip(some, found))
    print(f"{len(some)} pairs, {overlaps} of them with an overlap: the same")


main(*sys.argv[1:])
