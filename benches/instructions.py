"""Counts the instructions of whole commands in two builds of the program with valgrind.

Each command uses one thread.

    python3 benches/instructions.py BEFORE NOW [COMMAND...]

BEFORE and NOW are programs; COMMAND is a part of a name in the table, such as `diff`. Inputs are
random with a fixed seed, so counts of one build differ by less than 0.1 %. A timing on a busy
machine hides a change of 5 %; the counts show it. The programs use AVX2, since valgrind has no
AVX-512. The exit code is 1 if the outputs of the two builds differ, or if NOW takes more than LIMIT
times the instructions of BEFORE.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

LIMIT = 1.03
BASES = "ACGT"


def mutated(generator, text, rate):
    """Returns the text with substitutions, insertions and deletions, at `rate` errors a symbol."""

    def changed(base):
        return generator.choice(("", generator.choice(BASES), generator.choice(BASES) + base))

    return "".join(changed(base) if generator.random() < rate else base for base in text)


def write_inputs(folder):
    """Writes the inputs, and returns the commands by their names."""
    generator = random.Random(3)

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)

    def strand(count):
        return "".join(generator.choices(BASES, k=count))

    genome, one = strand(2_000_000), strand(30_000)
    write("genome.fa", f">genome\n{genome}\n")
    for name, sequence in {
        "one.fa": one,
        "far.fa": mutated(generator, one, 0.3),
        "near.fa": mutated(generator, one, 0.02),
        "unrelated.fa": strand(30_000),
    }.items():
        write(name, f">{name}\n{sequence}\n")
    reads = [genome[start : start + 150] for start in range(0, 1_000_000, 100)]
    write("pairs.tsv", "".join(f"{read}\t{mutated(generator, read, 0.1)}\n" for read in reads))
    write("list.txt", "".join(genome[start : start + 60] + "\n" for start in range(0, 60_000, 40)))
    write("guides.txt", "".join(genome[start : start + 20] + "NGG\n" for start in range(0, 50_000, 1000)))
    write("reads.fq", "".join(f"@r{i}\n{read}\n+\n{'I' * 150}\n" for i, read in enumerate(reads)))
    words = ["".join(generator.choices("abcdefghij", k=generator.randint(2, 9))) for _ in range(3000)]

    def line():
        return " ".join(generator.choices(words, k=10)) + "\n"

    lines = [line() for _ in range(20_000)]
    write("old.txt", "".join(lines))
    write("new.txt", "".join(kept if generator.random() > 0.05 else line() for kept in lines))
    return {
        "lcs, unrelated": "lcs --output cigar one.fa unrelated.fa",
        "lcs, 30 % changed": "lcs --output cigar one.fa far.fa",
        "lcs, 2 % changed": "lcs --output cigar one.fa near.fa",
        "lcs, length": "lcs one.fa unrelated.fa",
        "distance": "distance one.fa far.fa",
        "distance, script": "distance --output cigar one.fa unrelated.fa",
        "distance --max": "distance --max 2000 one.fa near.fa",
        "distance --pairs": "distance --pairs pairs.tsv",
        "distance --pairs --max": "distance --pairs pairs.tsv --max 5",
        "distance --all --max": "distance --all list.txt --max 5",
        "search -c": f"search -c {words[0]} old.txt",
        "search -k 1": f"search -k 1 {words[1]}{words[2]} old.txt",
        "search -k 2 --rc": f"search -k 2 --rc {genome[500:525]} genome.fa",
        "search -k 3 -f": "search -k 3 -f guides.txt genome.fa",
        "search -k 1, FASTQ": f"search -k 1 {genome[1000:1020]} reads.fq",
        "best": f"best {genome[7000:7200]} genome.fa",
        "diff": "diff old.txt new.txt",
        "diff --unit words": "diff --unit words old.txt new.txt",
    }


def run(program, command, folder):
    """Returns the instructions of a command, and its output."""
    name, *rest = command.split()
    engine = [] if name == "diff" else ["--engine", "cpu", "--threads", "1"]
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(
        [*valgrind, os.path.abspath(program), name, *engine, *rest],
        cwd=folder,
        env=os.environ | {"RAYON_NUM_THREADS": "1"},
        capture_output=True,
        check=False,
    )
    counted = re.search(rb"I\s+refs:\s+([\d,]+)", done.stderr)
    if not counted or done.returncode > 1:
        sys.exit(f"{program} {command}: {done.stderr.decode(errors='replace')}")
    return int(counted[1].replace(b",", b"")), done.stdout


def main():
    """Prints a line for each command."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    before, now, *parts = sys.argv[1:]
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'command':24}{'before':>16}{'now':>16}  ratio")
        for name, command in write_inputs(folder).items():
            if parts and not any(part in name for part in parts):
                continue
            first, second = run(before, command, folder), run(now, command, folder)
            is_same = first[1] == second[1]
            ratio = second[0] / first[0]
            is_good &= is_same and ratio <= LIMIT
            print(f"{name:24}{first[0]:16,}{second[0]:16,}  {ratio:.3f}{'' if is_same else '  outputs differ'}", flush=True)
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
