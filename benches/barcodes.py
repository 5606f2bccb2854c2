"""Times `carrywave barcodes` from FASTQ to TSV, as a user runs it: a fresh process for each run.

    cargo build --release -p carrywave-cli
    python3 benches/barcodes.py target/release/carrywave

The barcodes have 16 random bases. Each read has a barcode of the list and 12 random bases; of each
base of the barcode, --rate are wrong: three fifths substituted, a fifth lost, a fifth with a base
before it. Each row has the median, the least and the greatest seconds of --runs; the seconds that
the processors worked, on which other programs have less influence; the reads that are assigned, and
of them those with another barcode than their own; the ambiguous reads, and the most memory.

The peer is a hash of all neighbours (benches/barcode_peer/neighbours.rs, one thread): the strings of
16 bases within the errors of a barcode, with reads cut to 16. Its table of 737,280 barcodes has room
in memory for one error only; --peer-errors sets the errors by the number of barcodes. With --output
FILE the raw result goes to FILE; `cargo xtask results` makes a table of it.
"""

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time

import results

BASES = 16
UMI = 12
ACGT = bytes(b"ACGT"[i % 4] for i in range(256))


def make_barcodes(path, count, seed):
    source = random.Random(seed)
    barcodes = {}
    while len(barcodes) < count:
        barcodes[source.randbytes(BASES).translate(ACGT)] = None
    barcodes = list(barcodes)
    with open(path, "wb") as file:
        file.write(b"\n".join(barcodes) + b"\n")
    return barcodes


def with_errors(barcode, source, rate):
    read = bytearray()
    for base in barcode:
        chance = source.random()
        if chance >= rate:
            read.append(base)
        elif chance < 0.6 * rate:
            read.append(source.choice([other for other in b"ACGT" if other != base]))
        elif chance >= 0.8 * rate:
            read += bytes([source.choice(b"ACGT"), base])
    return read


def make_reads(path, barcodes, count, rate, seed):
    """Writes reads that are named by their number and the number of their barcode."""
    source = random.Random(seed)
    perfect = (1 - rate) ** BASES
    with open(path, "wb", buffering=1 << 20) as file:
        for read in range(count):
            number = int(source.random() * len(barcodes))
            bases = barcodes[number]
            if source.random() >= perfect:
                changed = bases
                while changed == bases:
                    changed = with_errors(bases, source, rate)
                bases = changed
            bases = bytes(bases) + source.randbytes(UMI).translate(ACGT)
            file.write(b"@%d:%d\n%s\n+\n%s\n" % (read, number, bases, b"I" * len(bases)))


def timed(command, runs, barcodes, status):
    seconds = []
    processor = []
    memory = 0
    for _ in range(runs):
        with tempfile.TemporaryFile() as output:
            started = time.perf_counter()
            child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
            _, code, usage = os.wait4(child.pid, 0)
            seconds.append(time.perf_counter() - started)
            if code != 0:
                raise SystemExit(f"{command}: exit status {code}")
            processor.append(usage.ru_utime + usage.ru_stime)
            memory = max(memory, usage.ru_maxrss)
            output.seek(0)
            counts = {"assigned": 0, "wrong": 0, "ambiguous": 0, "none": 0}
            for line in output:
                if line.startswith(b"#"):
                    continue
                fields = line.rstrip().split(b"\t")
                counts[fields[status].decode()] += 1
                if fields[status] == b"assigned" and barcodes[int(fields[0].split(b":")[1])] != fields[1]:
                    counts["wrong"] += 1
    times = {"median_s": statistics.median(seconds), "least_s": min(seconds), "greatest_s": max(seconds)}
    return {name: round(value, 3) for name, value in times.items()}, {"processor_s": round(statistics.median(processor), 2), **counts, "memory_MB": memory // 1024}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--reads", type=int, default=1_000_000)
    parser.add_argument("--barcodes", type=int, nargs="+", default=[96, 737_280])
    parser.add_argument("--errors", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count()])
    parser.add_argument("--peer-errors", nargs="*", default=["96:1", "96:2", "737280:1"], help="BARCODES:ERRORS")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", help="where the temporary files are")
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    rows = []

    def add(name, engine, result):
        times, more = result
        rows.append({"name": name, "engine": engine, "m": BASES, "n": arguments.reads, **times, "more": more})
        print(name, engine, times, more, flush=True)

    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        peer = os.path.join(folder, "neighbours")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "barcode_peer", "neighbours.rs")
        subprocess.run(["rustc", "--edition", "2024", "-O", "-C", "target-cpu=native", "-o", peer, source], check=True)
        for count in arguments.barcodes:
            names = os.path.join(folder, "barcodes.txt")
            reads = os.path.join(folder, "reads.fastq")
            barcodes = make_barcodes(names, count, 1)
            make_reads(reads, barcodes, arguments.reads, arguments.rate, 2)
            for errors in arguments.errors:
                for threads in arguments.threads:
                    command = [arguments.program, "--threads", str(threads), "barcodes", "-k", str(errors), names, reads]
                    name = f"{count} barcodes, up to {errors} errors"
                    add(name, f"{threads} threads", timed(command, arguments.runs, barcodes, 7))
            for limits in arguments.peer_errors:
                if limits.split(":")[0] == str(count):
                    errors = limits.split(":")[1]
                    name = f"{count} barcodes, up to {errors} errors, hash of all neighbours"
                    add(name, "1 thread", timed([peer, names, reads, errors], arguments.runs, barcodes, 3))
    command = f"python3 benches/barcodes.py target/release/carrywave --reads {arguments.reads} --runs {arguments.runs}"
    note = f"{arguments.reads} reads of 28 bases in FASTQ, to TSV; whole processes; medians of {arguments.runs}"
    results.save(arguments.output, command, arguments.machine, note, rows)


if __name__ == "__main__":
    main()
