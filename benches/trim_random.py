"""Compares `carrywave trim` with cutadapt on random adapters, settings and reads.

    pip install cutadapt==5.2
    python3 benches/trim_random.py target/release/carrywave --rounds 200

Each round makes adapters of random kinds, settings, and reads that have parts of the adapters with
random errors; the outputs of both programs must be equal. cutadapt first looks for exact pieces of an
adapter near the ends of a read, and misses some matches with insertions there. A read whose output
differs is trimmed again by cutadapt's aligner alone, and its result is the one that counts.
"""

import argparse
import os
import random
import subprocess
import tempfile

BASES = "ACGT"


def sequence(source, length, codes=False):
    letters = BASES * 8 + ("NRYW" if codes else "")
    return "".join(source.choice(letters) for _ in range(length))


def mutated(source, text, rate):
    result = []
    for base in text:
        chance = source.random()
        if chance < rate / 2:
            result.append(source.choice(BASES))
        elif chance < rate * 0.75:
            result.append(base + source.choice(BASES))
        elif chance >= rate:
            result.append(base)
    return "".join(result)


def adapter(source):
    """Returns an option, its value and the sequences that reads should have."""
    length = source.choice([4, 8, 12, 13, 20, 33, 40, 70])
    text = sequence(source, length, source.random() < 0.3)
    settings = ""
    if source.random() < 0.3:
        settings += f";e={source.choice(['0', '0.05', '0.2', '0.3', '1', '2'])}"
    if source.random() < 0.2:
        settings += ";noindels"
    kind = source.randrange(10)
    plain = text
    if kind == 0:
        return "-g", "^" + text + settings, [plain]
    if kind == 1:
        return "-a", text + "$" + settings, [plain]
    if kind == 2:
        return "-g", "X" + text + settings, [plain]
    if kind == 3:
        return "-a", text + "X" + settings, [plain]
    if kind == 4:
        return "-b", text + settings, [plain]
    if kind == 5:
        other = sequence(source, source.choice([5, 10, 20]))
        mark = source.choice(["", "^"])
        return source.choice(["-a", "-g"]), mark + text + settings + "..." + other, [plain, other]
    if source.random() < 0.3:
        settings += f";o={source.choice([1, 2, 5, 10])}"
    if source.random() < 0.15:
        settings += ";rightmost"
    if source.random() < 0.15:
        settings += ";anywhere"
    return source.choice(["-a", "-g"]), text + settings, [plain]


def read(source, parts):
    length = source.choice([0, 1, 5, 20, 50, 80])
    text = sequence(source, length)
    for part in source.sample(parts, min(len(parts), source.choice([0, 1, 1, 2]))):
        part = mutated(source, part.translate(str.maketrans("NRYW", "AACT")), source.choice([0, 0, 0.05, 0.1, 0.2]))
        place = source.choice(["start", "end", "inside", "over start", "over end"])
        at = source.randrange(len(text) + 1)
        cut = source.randrange(len(part) + 1)
        text = {
            "start": part + text,
            "end": text + part,
            "inside": text[:at] + part + text[at:],
            "over start": part[cut:] + text,
            "over end": text + part[:cut],
        }[place]
    if source.random() < 0.05:
        text = text.replace("A", "N", 1)
    if source.random() < 0.03:
        text = text.lower()
    return text


def options(source, given):
    result = []
    for option, value, _ in given:
        result += [option, value]
    result += ["-e", source.choice(["0", "0.1", "0.1", "0.15", "0.25", "1", "2"])]
    result += ["-O", source.choice(["1", "3", "3", "5", "12"])]
    if source.random() < 0.3:
        result += ["-n", source.choice(["2", "3"])]
    elif source.random() < 0.4 and not any("..." in value for _, value, _ in given):
        result += ["--action", source.choice(["retain", "crop"])]
    if source.random() < 0.3 and "--action" not in result:
        result += ["--action", source.choice(["mask", "lowercase", "none"])]
    for chance, words in [
        (0.15, ["--no-indels"]),
        (0.15, ["--match-read-wildcards"]),
        (0.1, ["-N"]),
        (0.15, ["--revcomp"]),
        (0.2, ["-q", "15,10"]),
        (0.1, ["--nextseq-trim", "20"]),
        (0.1, ["-u", "3"]),
        (0.1, ["-u", "-2"]),
        (0.1, ["--poly-a"]),
        (0.1, ["--trim-n"]),
        (0.1, ["-l", "40"]),
        (0.2, ["-m", "10"]),
        (0.1, ["-M", "90"]),
        (0.1, ["--max-n", "0.1"]),
        (0.1, ["--max-ee", "2"]),
        (0.1, ["--discard-untrimmed"]),
    ]:
        if source.random() < chance:
            result += words
    return result


def output(command, words, path, folder, name):
    out = os.path.join(folder, name)
    done = subprocess.run([*command, *words, "-o", out, path], capture_output=True)
    if done.returncode:
        return done.stderr.decode()[-300:]
    with open(out) as file:
        lines = file.read().split("\n")
    return {lines[at].split()[0]: "\n".join(lines[at : at + 4]) for at in range(0, len(lines) - 3, 4)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cutadapt", default="cutadapt")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--reads", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    compared = differing = pieces = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "reads.fq")
        for seed in range(arguments.seed, arguments.seed + arguments.rounds):
            source = random.Random(seed)
            given = [adapter(source) for _ in range(source.choice([1, 1, 1, 2, 3]))]
            words = options(source, given)
            parts = [part for _, _, parts in given for part in parts]
            with open(path, "w") as file:
                for number in range(arguments.reads):
                    text = read(source, parts)
                    qualities = "".join(chr(33 + source.choice([2, 11, 25, 37, 37, 37])) for _ in text)
                    file.write(f"@r{number} x\n{text}\n+\n{qualities}\n")
            ours = output([arguments.program, "trim", "--report", "none"], words, path, folder, "ours.fq")
            theirs = output([arguments.cutadapt], words, path, folder, "theirs.fq")
            if isinstance(ours, str) or isinstance(theirs, str):
                refused += 1
                if isinstance(ours, str) != isinstance(theirs, str):
                    print(f"seed {seed}: {' '.join(words)}\n  ours {ours if isinstance(ours, str) else 'runs'}\n  theirs {theirs if isinstance(theirs, str) else 'runs'}")
                continue
            names = set(ours) | set(theirs)
            wrong = sorted(name for name in names if ours.get(name) != theirs.get(name))
            compared += arguments.reads
            if wrong:
                exact = by_aligner(arguments, words, path, folder, set(wrong))
                still = [name for name in wrong if ours.get(name) != exact.get(name)]
                pieces += len(wrong) - len(still)
                differing += len(still)
                if still:
                    name = still[0]
                    print(f"seed {seed}: {len(still)} differ: {' '.join(words)}\n  read {given_read(path, name)}\n  ours {ours.get(name)!r}\n  theirs {exact.get(name)!r}")
    print(f"{compared} reads compared, {differing} differ, {pieces} that cutadapt's search for pieces misses, {refused} rounds refused")


def given_read(path, name):
    with open(path) as file:
        for line in file:
            if line.split()[:1] == [name]:
                return next(file).strip()


ALIGNER_ONLY = """
import sys, cutadapt.adapters as adapters
adapters.SingleAdapter._make_kmer_finder = lambda *a, **k: adapters.MockKmerFinder()
from cutadapt.cli import main
main(sys.argv[1:])
"""


def by_aligner(arguments, words, path, folder, names):
    """Returns cutadapt's outputs of some reads without its search for pieces."""
    some = os.path.join(folder, "some.fq")
    with open(path) as file, open(some, "w") as out:
        lines = file.read().split("\n")
        for at in range(0, len(lines) - 3, 4):
            if lines[at].split()[0] in names:
                out.write("\n".join(lines[at : at + 4]) + "\n")
    python = os.path.join(os.path.dirname(arguments.cutadapt), "python") if os.path.dirname(arguments.cutadapt) else "python3"
    return output([python, "-c", ALIGNER_ONLY], words, some, folder, "exact.fq")


if __name__ == "__main__":
    main()
