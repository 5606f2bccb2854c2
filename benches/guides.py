"""Times `carrywave guides` from FASTA to TSV, as a user runs it: a fresh process for each run.

    cargo build --release -p carrywave-cli
    RUSTFLAGS="-C target-cpu=native" cargo install sassy --root peers
    python3 benches/guides.py target/release/carrywave --sassy peers/bin/sassy

The genome has --megabases of random bases, 42 % G and C, in lines of 60, in a file that the first
run reads into the page cache. The guides come from sites beside NGG, with 0 to 3 bases changed. Each
row has the median, the least and the greatest seconds of --runs, and the number of sites. sassy
reports hits by its own rule, so its number differs. --gpu adds rows of the GPU. With --output FILE the raw result goes to FILE;
`cargo xtask results` makes a table of it.
"""

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time

import results

LIMITS = {
    "3 mismatches": ["-m", "3"],
    "4 mismatches": ["-m", "4"],
    "4 edits, 1 + 1 bulges": ["-m", "4", "--dna-bulges", "1", "--rna-bulges", "1"],
    "4 edits, 2 + 2 bulges": ["-m", "4", "--dna-bulges", "2", "--rna-bulges", "2"],
}
PIECE = 1_000_000
LINE = 60


def make_genome(path, megabases, seed):
    """Writes a genome of four records. Returns its first piece."""
    source = random.Random(seed)
    table = bytes((b"ATCG"[0] if i < 74 else b"ATCG"[1] if i < 148 else b"ATCG"[2] if i < 202 else b"ATCG"[3]) for i in range(256))
    first = b""
    with open(path, "wb") as file:
        for number in range(megabases):
            if number % max(1, megabases // 4) == 0:
                file.write(b">chr%d\n" % (1 + number // max(1, megabases // 4)))
            piece = source.randbytes(PIECE).translate(table)
            first = first or piece
            file.write(b"\n".join(piece[at : at + LINE] for at in range(0, PIECE, LINE)) + b"\n")
    return first


def make_guides(bases, count, seed):
    source = random.Random(seed)
    guides = []
    while len(guides) < count:
        at = source.randrange(len(bases) - 30)
        if bases[at + 21 : at + 23] == b"GG":
            guide = bytearray(bases[at : at + 20])
            for _ in range(len(guides) % 4):
                guide[source.randrange(20)] = source.choice(b"ACGT")
            guides.append(guide.decode())
    return guides


def timed(command, runs):
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        seconds.append(time.perf_counter() - started)
    lines = sum(1 for line in output.splitlines() if not line.startswith(b"#"))
    return {"median_s": round(statistics.median(seconds), 4), "least_s": round(min(seconds), 4), "greatest_s": round(max(seconds), 4), "lines": lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sassy", help="sassy's program")
    parser.add_argument("--megabases", type=int, default=100)
    parser.add_argument("--guides", type=int, nargs="+", default=[1, 20, 192])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count()])
    parser.add_argument("--gpu", action="store_true", help="also measure the GPU, with the most threads")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        genome = os.path.join(folder, "genome.fa")
        bases = make_genome(genome, arguments.megabases, 5)
        for count in arguments.guides:
            guides = make_guides(bases, count, count)
            names = os.path.join(folder, "guides.txt")
            with open(names, "w") as file:
                file.write("".join(f"{guide}\n" for guide in guides))
            with open(names + ".pam", "w") as file:
                file.write("".join(f"{guide}NGG\n" for guide in guides))
            for threads in arguments.threads:
                for limits, options in LIMITS.items():
                    command = [arguments.program, "--threads", str(threads), "guides", *options, names, genome]
                    add(rows, f"{count} guides, {limits}", f"{threads} threads", arguments, timed(command, arguments.runs))
                if arguments.gpu and threads == max(arguments.threads):
                    for limits, options in LIMITS.items():
                        command = [arguments.program, "--threads", str(threads), "guides", "--engine", "gpu", *options, names, genome]
                        add(rows, f"{count} guides, {limits}", "GPU", arguments, timed(command, arguments.runs))
                if arguments.sassy:
                    command = [arguments.sassy, "crispr", "-k", "4", "--max-n-frac", "0", "--threads", str(threads)]
                    command += ["--guide", names + ".pam", genome]
                    add(rows, f"{count} guides, sassy, 4 edits", f"{threads} threads", arguments, timed(command, 1))
    command = "python3 benches/guides.py target/release/carrywave" + (" --sassy sassy" if arguments.sassy else "")
    note = f"{arguments.megabases} million random bases in FASTA, NGG, both strands, to TSV; whole processes; medians of {arguments.runs}, sassy once"
    results.save(arguments.output, command, arguments.machine, note, rows)


def add(rows, name, engine, arguments, times):
    lines = times.pop("lines")
    rows.append({"name": name, "engine": engine, "m": 23, "n": arguments.megabases * PIECE, **times, "more": {"lines": lines}})
    print(name, engine, times, lines, flush=True)


if __name__ == "__main__":
    main()
