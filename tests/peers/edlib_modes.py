"""Compares distances, positions and scripts of random pairs in every mode with edlib's.

CI does not run it.

    pip install edlib
    cargo build --release --example 05_places
    python tests/peers/edlib_modes.py target/release/examples/05_places [PAIRS]

For PAIRS pairs in each mode (default 100,000), the distances, all ends, their starts and the first
position must equal edlib's. For suffixes, edlib aligns the reversed strings with a prefix, and its
locations are mirrored. The script is replayed: it must turn A into the part of B at that
position, at that cost. A third of the pairs are unrelated, a third are a string and a copy with
errors, and a third are a string and a text that contains such a copy. Lengths are 0 to 300, and
alphabets have 2, 4 and 20 symbols.
"""

import random
import re
import subprocess
import sys
from collections import Counter

import edlib

MODES = {"global": "NW", "prefix": "SHW", "suffix": "SHW", "infix": "HW"}
ALPHABETS = ["AC", "ACGT", "ACDEFGHIKLMNPQRSTVWY"]
TOGETHER = 10_000


def string(length, alphabet):
    return "".join(random.choices(alphabet, k=length))


def copy(text, alphabet):
    """Returns the text with some symbols replaced, deleted or followed by another."""
    rate = random.choice([0.01, 0.05, 0.2])
    out = []
    for symbol in text:
        what = random.random() / rate
        if what < 1 / 3:
            out.append(random.choice(alphabet))
        elif what < 2 / 3:
            continue
        elif what < 1:
            out.append(symbol + random.choice(alphabet))
        else:
            out.append(symbol)
    return "".join(out)


def pair():
    alphabet = random.choice(ALPHABETS)
    length = random.choice([10, 64, 130, 300])
    a = string(random.randint(0, length), alphabet)
    kind = random.randrange(3)
    if kind == 0:
        return a, string(random.randint(0, 300), alphabet)
    b = copy(a, alphabet)
    if kind == 1:
        return a, b
    return a, string(random.randint(0, 100), alphabet) + b + string(random.randint(0, 100), alphabet)


def replay(cigar, a, part):
    """Returns the cost of the script; fails if it does not turn A into the part."""
    cost = i = j = 0
    assert re.fullmatch(r"(\d+[=XID])*", cigar), cigar
    for count, letter in re.findall(r"(\d+)([=XID])", cigar):
        count = int(count)
        if letter == "=":
            assert count > 0 and a[i : i + count] == part[j : j + count], (cigar, i, j)
        else:
            cost += count
        if letter == "X":
            assert all(x != y for x, y in zip(a[i : i + count], part[j : j + count])), (cigar, i, j)
        i += 0 if letter == "D" else count
        j += 0 if letter == "I" else count
    assert (i, j) == (len(a), len(part)), cigar
    return cost


def check(mode, a, b, line):
    distance, places, first, cigar = line.split("\t")
    strings = (a[::-1], b[::-1]) if mode == "suffix" else (a, b)
    theirs = edlib.align(*strings, mode=MODES[mode], task="path")
    # edlib's ends are inclusive, and an empty string has no start.
    ranges = [(start or 0, end + 1) for start, end in theirs["locations"]]
    if mode == "suffix":
        ranges = [(len(b) - end, len(b) - start) for start, end in reversed(ranges)]
    expected = [f"{start}-{end}" for start, end in ranges]
    context = (mode, a, b, line, theirs)
    assert int(distance) == theirs["editDistance"], context
    assert places.split(",") == expected and first == expected[0], context
    start, end = map(int, first.split("-"))
    assert replay(cigar, a, b[start:end]) == int(distance), context
    return len(expected)


def main(program, pairs=100_000):
    random.seed(1)
    for mode in MODES:
        count = Counter()
        for _ in range(0, int(pairs), TOGETHER):
            some = [pair() for _ in range(min(TOGETHER, int(pairs)))]
            lines = "".join(f"{mode}\t{a}\t{b}\n" for a, b in some)
            ran = subprocess.run([program, "--lines"], input=lines, check=True, capture_output=True, text=True)
            found = ran.stdout.splitlines()
            assert len(found) == len(some)
            for (a, b), line in zip(some, found):
                count["places"] += check(mode, a, b, line)
                count["pairs"] += 1
                count["empty"] += not a or not b
        print(f"{mode}: {count['pairs']} pairs, {count['empty']} of them with an empty string, {count['places']} places: the same", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
