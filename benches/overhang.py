#!/usr/bin/env python3
"""Compares search --overhang with cutadapt and sassy, for an adapter that reads end in.

    pip install cutadapt==5.2 sassy-rs
    python3 benches/overhang.py target/release/carrywave --reads 100000

Reads of 150 bases are parts of a random genome, followed by an adapter of 33 bases and random bases
where the part is shorter; 2 % of the bases have an error. Each row has a program, the number of
reads in which it finds the adapter with errors in a tenth of its bases, and the seconds from file to
file. Reads that only one program finds are printed.
"""

import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

ADAPTER = "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA"


def reads(count):
    generator = random.Random(41)
    genome = "".join(generator.choices("ACGT", k=1_000_000))
    for number in range(count):
        length = generator.randrange(60, 240)
        start = generator.randrange(len(genome) - length)
        bases = (genome[start : start + length] + ADAPTER + "".join(generator.choices("ACGT", k=150)))[:170]
        symbols = []
        for base in bases:
            kind = generator.random()
            if kind < 0.015:
                symbols.append(generator.choice("ACGT"))
            elif kind < 0.0175:
                symbols.append(base + generator.choice("ACGT"))
            elif kind > 0.0025 + 0.0175:
                symbols.append(base)
        yield f"r{number}", "".join(symbols)[:150]


def timed(command, out):
    start = time.perf_counter()
    with open(out, "wb") as to:
        subprocess.run(command, stdout=to, stderr=subprocess.PIPE, check=False)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carrywave")
    parser.add_argument("--reads", type=int, default=100_000)
    parser.add_argument("--threads", default="1")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "reads.fa"), Path(folder, "out")
        all_reads = dict(reads(arguments.reads))
        path.write_text("".join(f">{name}\n{symbols}\n" for name, symbols in all_reads.items()))
        own = [arguments.carrywave, "search", "--threads", arguments.threads, "-k", "10%"]
        found = {}
        for name, more in (("search", []), ("search --overhang", ["--overhang"])):
            seconds = timed([*own, *more, "--format", "json", ADAPTER, path], out)
            hits = [json.loads(line) for line in out.read_text().splitlines()]
            inside = {hit["record"] for hit in hits if not hit.get("beyond", {}).get("start")}
            found[name] = inside
            print(f"{name:24} {len(inside):9,} {seconds:8.2f} s")
        seconds = timed([*own, "--overhang", "-c", ADAPTER, path], out)
        print(f"{'search --overhang -c':24} {'':9} {seconds:8.2f} s")
        cut = ["cutadapt", "-j", arguments.threads, "-e", "0.1", "-O", "3", "-a", ADAPTER, "--discard-untrimmed", path]
        seconds = timed(cut, out)
        found["cutadapt"] = {line[1:].strip() for line in out.read_text().splitlines() if line.startswith(">")}
        print(f"{'cutadapt -a':24} {len(found['cutadapt']):9,} {seconds:8.2f} s")
        one, other = found["search --overhang"], found["cutadapt"]
        print(f"only search: {len(one - other)}, only cutadapt: {len(other - one)}")
        for name in sorted(one ^ other)[:5]:
            print("  ", name, all_reads[name][-45:])
        costs(arguments.carrywave, all_reads, folder)


def costs(carrywave, all_reads, folder):
    """Compares the least cost of each read with that of sassy, for symbols that cost 0.5."""
    import sassy

    few = dict(list(all_reads.items())[:20_000])
    path, out = Path(folder, "few.fa"), Path(folder, "out")
    path.write_text("".join(f">{name}\n{symbols}\n" for name, symbols in few.items()))
    command = [carrywave, "search", "-k", "6", "--overhang=0.5", "--min-overlap", "1", "--overlapping", "--format", "json"]
    timed([*command, ADAPTER, path], out)
    own = {}
    for hit in map(json.loads, out.read_text().splitlines()):
        beyond = sum(hit.get("beyond", {}).values())
        cost = hit["errors"] + beyond // 2
        own[hit["record"]] = min(cost, own.get(hit["record"], cost))
    searcher = sassy.Searcher("iupac", rc=False, alpha=0.5)
    theirs = {}
    for name, symbols in few.items():
        matches = searcher.search(ADAPTER.encode(), symbols.encode(), 6)
        if matches:
            theirs[name] = min(match.cost for match in matches)
    differ = {name for name in own.keys() | theirs.keys() if own.get(name) != theirs.get(name)}
    print(f"cost 0.5: search {len(own):,}, sassy {len(theirs):,} of {len(few):,} reads; {len(differ)} differ")
    for name in sorted(differ)[:5]:
        print("  ", name, own.get(name), theirs.get(name), few[name][-45:])


main()
