"""Compares the lines of Cas-OFFinder 3 with those of `carrywave guides --alignments all`.

    python3 benches/guides_cas_offinder.py target/release/carrywave cas-offinder FOLDER

FOLDER has FASTA files without compression. The guides are some sites of the first file, with 0 to 3
bases changed, and the four of Cas-OFFinder's README. For each limit, the script prints the number of
lines that both programs have, and up to five that one of them alone has; it ends with 1 if there are
any beyond the differences that docs/guides.md states.
"""

import argparse
import collections
import pathlib
import random
import subprocess
import tempfile

README = ["GGCCGACCTGTCGCTGACGC", "CGCCAGCGTCAGCGACAGGT", "ACGGCGCCAGCGTCAGCGAC", "GTCGCTGACGCTGGCGCCGT"]
# PAM, its side, mismatches, bases in DNA bulges and in RNA bulges.
LIMITS = [
    ("NGG", "after", 5, 0, 0),
    ("NGG", "after", 3, 1, 1),
    ("NRG", "after", 3, 2, 1),
    ("NGG", "after", 2, 2, 2),
    ("TTTV", "before", 4, 1, 1),
]


def make_guides(file, count, seed):
    """Returns guides of sites beside NGG in a file, with some bases changed."""
    source = random.Random(seed)
    text = "".join(line for line in file.read_text().split("\n") if not line.startswith(">")).upper()
    guides = []
    while len(guides) < count:
        at = source.randrange(len(text) - 23)
        guide = list(text[at : at + 20])
        if text[at + 21 : at + 23] != "GG" or set(guide) - set("ACGT"):
            continue
        for _ in range(len(guides) % 4):
            guide[source.randrange(20)] = source.choice("ACGT")
        guides.append("".join(guide))
    return guides


def cas_offinder(program, folder, guides, limits):
    """Returns the lines of Cas-OFFinder: id, type, rows, record, start, strand, mismatches, size."""
    pam, side, mismatches, dna, rna = limits
    beside = "N" * 20
    pattern, fill = (beside + pam, lambda guide: guide + "N" * len(pam)) if side == "after" else (pam + beside, lambda guide: "N" * len(pam) + guide)
    with tempfile.TemporaryDirectory() as own:
        given, found = pathlib.Path(own, "in.txt"), pathlib.Path(own, "out.txt")
        lines = [f"{folder}/", f"{pattern} {dna} {rna}" if dna or rna else pattern]
        given.write_text("\n".join(lines + [f"{fill(guide)} {mismatches}" for guide in guides]) + "\n")
        subprocess.run([program, given, "C", found], check=True, capture_output=True)
        lines = [line.split("\t") for line in found.read_text().split("\n") if line and not line.startswith("#")]
    return [(int(line[0]), line[1], line[2], line[3], line[4].split()[0], int(line[5]), line[6], int(line[7]), int(line[8])) for line in lines]


def carrywave(program, files, guides, limits):
    """Returns the lines of carrywave, those with at most one bulge."""
    pam, side, mismatches, dna, rna = limits
    with tempfile.TemporaryDirectory() as own:
        given = pathlib.Path(own, "guides.txt")
        given.write_text("\n".join(guides) + "\n")
        command = [program, "guides", "--alignments", "all", "--pam", pam, "--pam-side", side, "-m", mismatches, "--dna-bulges", dna]
        command += ["--rna-bulges", rna, "--edits", mismatches + max(dna, rna), given, *files]
        text = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    known = {guide: number for number, guide in enumerate(guides)}
    rows = []
    for line in text.split("\n")[1:-1]:
        kind, guide, site, record, start, strand, count, size = line.split("\t")
        bulges = [bulge for row in (guide, site) for bulge in bulges_of(row)]
        bases = guide.replace("-", "")
        own = bases[len(pam) :] if side == "before" else bases[: -len(pam)]
        if len(bulges) <= 1:
            rows.append((known[own], kind, guide, site, record, int(start), strand, int(count), int(size)))
    return rows


def bulges_of(row):
    """Returns the runs of `-` in a row."""
    return [run for run in "".join(c if c == "-" else " " for c in row).split() if run]


def is_missing(row, limits):
    """Returns true for a line that Cas-OFFinder does not print: an RNA bulge at the last base of the
    guide."""
    pam, side, *_ = limits
    site = row[3]
    last = site[-1] if side == "before" else site[-len(pam) - 1]
    return row[1] == "RNA" and last == "-"


def compared(row, limits, is_ours):
    """Returns what is compared. Cas-OFFinder shifts the rows of bulges on the reverse strand, and of
    RNA bulges; it has N for the PAM in the guide. With a PAM before the site, its location on the
    reverse strand is that of the longest site there."""
    number, kind, guide, site, record, start, strand, count, size = row
    pam, side, _, dna, _ = limits
    if is_ours and side == "before" and strand == "-":
        start -= dna + {"X": 0, "DNA": -size, "RNA": size}[kind]
    rows = ()
    if kind != "RNA" and strand == "+" or kind == "X":
        fill = "N" * len(pam)
        guide = fill + guide[len(pam) :] if side == "before" else guide[: -len(pam)] + fill
        rows = (guide, site)
    return (number, kind, *rows, record, start, strand, count, size)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carrywave")
    parser.add_argument("cas_offinder")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--guides", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    files = sorted(arguments.folder.iterdir())
    guides = make_guides(files[0], arguments.guides, arguments.seed) + README
    differ = False
    for limits in LIMITS:
        theirs = collections.Counter(set(cas_offinder(arguments.cas_offinder, arguments.folder, guides, limits)))
        ours = carrywave(arguments.carrywave, files, guides, limits)
        missing = [row for row in ours if is_missing(row, limits)]
        ours = collections.Counter(compared(row, limits, True) for row in ours if not is_missing(row, limits))
        theirs = collections.Counter(compared(row, limits, False) for row in theirs)
        both, own, other = ours & theirs, ours - theirs, theirs - ours
        print(f"{limits}: {both.total()} lines in both, {own.total()} here alone, {other.total()} there alone; {len(missing)} bulges at the last base")
        for name, rows in (("here", own), ("there", other)):
            for row in sorted(rows)[:5]:
                print(" ", name, *row)
        differ |= bool(own or other)
    raise SystemExit(differ)


if __name__ == "__main__":
    main()
