"""Times `carrywave trim` beside cutadapt and fastp, from file to file, in fresh processes.

    pip install cutadapt==5.2 numpy
    python3 benches/trim.py target/release/carrywave --genome ecoli.fa.gz --reads 10000000 --fastp fastp

The reads have 150 bases from random places of --genome (here E. coli K-12), both strands, with inserts of
220 +- 80 bases, so about a fifth runs into the adapter. Errors follow the qualities, which have four
values as in files of a NovaSeq. The names have the form of Illumina's. The gzip file is one member of
level 1, written by cutadapt; the BGZF file is written by carrywave. Each row has the median, the least
and the greatest seconds of --runs, and the processor's seconds. The reads that are written must be
equal to cutadapt's. fastp gets the adapter, and its quality filter is off. With --output FILE the raw
result goes to FILE; `cargo xtask results` makes a table of it.
"""

import argparse
import gzip
import hashlib
import os
import resource
import statistics
import subprocess
import tempfile
import time

import numpy
import results

ADAPTER = "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA"
LENGTH = 150
BATCH = 100_000


def bases_of(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        return numpy.frombuffer(b"".join(line.strip().upper() for line in file if not line.startswith(b">")), dtype=numpy.uint8)


def make_reads(path, genome, count, seed):
    random = numpy.random.default_rng(seed)
    adapter = numpy.frombuffer((ADAPTER + "CATCACGATCTCGTATGCCGTCTTCTGCTTG").encode() + b"A" * LENGTH, dtype=numpy.uint8)
    complement = numpy.full(256, ord("N"), dtype=numpy.uint8)
    complement[numpy.frombuffer(b"ACGT", dtype=numpy.uint8)] = numpy.frombuffer(b"TGCA", dtype=numpy.uint8)
    places = numpy.arange(LENGTH)
    worse = 0.01 + 0.06 * (places / LENGTH) ** 2
    with open(path, "wb") as file:
        for start in range(0, count, BATCH):
            size = min(BATCH, count - start)
            reads = genome[random.integers(0, len(genome) - LENGTH, size)[:, None] + places]
            reverse = random.random(size) < 0.5
            reads[reverse] = complement[reads[reverse]][:, ::-1]
            behind = places[None, :] - numpy.clip(random.normal(220, 80, size).astype(int), 0, 10_000)[:, None]
            reads[behind >= 0] = adapter[behind[behind >= 0]]
            chance = random.random((size, LENGTH))
            qualities = numpy.full((size, LENGTH), ord("F"), dtype=numpy.uint8)
            for limit, quality in [(2 * worse, ":"), (0.8 * worse, ","), (0.0005, "#")]:
                qualities[chance < limit] = ord(quality)
            rates = numpy.select([qualities == ord("F"), qualities == ord(":"), qualities == ord(",")], [0.0008, 0.004, 0.06], 1)
            wrong = random.random((size, LENGTH)) < rates
            reads[wrong] = numpy.frombuffer(b"ACGT", dtype=numpy.uint8)[random.integers(0, 4, int(wrong.sum()))]
            reads[qualities == ord("#")] = ord("N")
            tiles = numpy.sort(random.integers(1101, 2678, size))
            places_x, places_y = random.integers(1000, 33000, size), random.integers(1000, 37000, size)
            bases, values = reads.tobytes(), qualities.tobytes()
            lines = []
            for number in range(size):
                part = slice(number * LENGTH, (number + 1) * LENGTH)
                name = b"@A00123:45:HXXXXDSXX:1:%d:%d:%d 1:N:0:ATCACG" % (tiles[number], places_x[number], places_y[number])
                lines += [name, bases[part], b"+", values[part]]
            file.write(b"\n".join(lines) + b"\n")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command, runs):
    seconds, used = [], []
    for _ in range(runs):
        before, started = processor_seconds(), time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        seconds.append(time.perf_counter() - started)
        used.append(processor_seconds() - before)
    return {
        "median_s": round(statistics.median(seconds), 3),
        "least_s": round(min(seconds), 3),
        "greatest_s": round(max(seconds), 3),
        "more": {"processor_s": round(statistics.median(used), 3)},
    }


def digest(path):
    opened = gzip.open if path.endswith(".gz") else open
    result = hashlib.sha256()
    with opened(path, "rb") as file:
        while piece := file.read(1 << 20):
            result.update(piece)
    return result.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cutadapt", default="cutadapt")
    parser.add_argument("--fastp", help="fastp's program")
    parser.add_argument("--genome", required=True, help="FASTA, plain or in gzip")
    parser.add_argument("--reads", type=int, default=2_000_000)
    parser.add_argument("--threads", type=int, nargs="+", default=[os.cpu_count()])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "reads.fq")
        make_reads(plain, bases_of(arguments.genome), arguments.reads, 1)
        subprocess.run([arguments.cutadapt, "--quiet", "-o", plain + ".gz", plain], check=True)
        blocks = os.path.join(folder, "blocks.fq.gz")
        subprocess.run([arguments.program, "trim", "--report", "none", "-o", blocks, plain], check=True)
        kinds = [("plain to plain", plain, "fq"), ("gzip to gzip", plain + ".gz", "fq.gz"), ("BGZF to gzip", blocks, "fq.gz")]
        for kind, path, extension in kinds:
            for threads in arguments.threads:
                outputs = {name: os.path.join(folder, f"{name}.{extension}") for name in ["carrywave", "cutadapt", "fastp"]}
                ours = [arguments.program, "--threads", str(threads), "trim", "-a", ADAPTER, "-m", "20", "--report", "none"]
                theirs = [arguments.cutadapt, "-j", str(threads), "-a", ADAPTER, "-m", "20"]
                commands = [
                    ("carrywave", [*ours, "-o", outputs["carrywave"], path]),
                    ("cutadapt", [*theirs, "-o", outputs["cutadapt"], path]),
                ]
                if arguments.fastp:
                    options = ["-w", str(threads), "-a", ADAPTER, "-l", "20", "-Q", "-z", "1", "-j", "/dev/null", "-h", "/dev/null"]
                    commands.append(("fastp", [arguments.fastp, *options, "-i", path, "-o", outputs["fastp"]]))
                for name, command in commands:
                    times = timed(command, arguments.runs)
                    times["more"]["output_bytes"] = os.path.getsize(outputs[name])
                    row = {"name": f"{kind}, {name}", "engine": f"{threads} threads", "m": len(ADAPTER), "n": arguments.reads * LENGTH}
                    rows.append({**row, **times})
                    print(rows[-1], flush=True)
                assert digest(outputs["carrywave"]) == digest(outputs["cutadapt"]), "the outputs differ"
    command = "python3 benches/trim.py target/release/carrywave --genome ecoli.fa.gz" + (" --fastp fastp" if arguments.fastp else "")
    note = f"{arguments.reads} reads of {LENGTH} bases, adapter of {len(ADAPTER)}, -m 20; whole processes; medians of {arguments.runs}"
    results.save(arguments.output, command, arguments.machine, note, rows)


if __name__ == "__main__":
    main()
