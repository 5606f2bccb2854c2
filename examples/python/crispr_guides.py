"""Finds sites of CRISPR guides on both strands of a genome: mismatches only, and an exact PAM NGG.

    python examples/python/crispr_guides.py                                   # guides taken from data/humanMito.fa itself
    python examples/python/crispr_guides.py --genome hg38.fa.gz --guides guides.txt --mismatches 4 --engine gpu

Cas9 cuts where 20 bases resemble the guide and NGG follows. A pattern is the guide and its PAM, in
IUPAC codes. The search allows no insertions or deletions, and no mismatches in the last three
positions. The table has a row for each site: its position, the number of mismatches, and its bases.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import carrywave

REPOSITORY = Path(__file__).parents[2]
COMPLEMENT = bytes.maketrans(b"ACGTacgt", b"TGCAtgca")


def some_guides(genome: list[carrywave.Record], count: int) -> list[bytes]:
    """Returns `count` guides, spread over the positions of the genome before an NGG."""
    sites = [site.group(1) for record in genome for site in re.finditer(rb"(?=([ACGT]{20})[ACGT]GG)", record.symbols)]
    return sites[:: max(1, len(sites) // count)][:count]


def sites(genome: list[carrywave.Record], guides: list[bytes], mismatches: int, engine: str) -> Iterator[tuple[bytes, str, int, str, int, bytes]]:
    """Yields guide, record, start, strand, mismatches and bases (guide's strand) of each site."""
    searcher = carrywave.Searcher(
        [guide + b"NGG" for guide in guides],
        mismatches,
        insertions=0,
        deletions=0,
        fixed=[20, 21, 22],
        alphabet="iupac",
        both_strands=True,
        overlapping=True,
        engine=engine,
    )
    for hit in searcher.hits([record.symbols for record in genome]):
        record = genome[hit.record]
        bases = record.symbols[hit.start : hit.end]
        if hit.strand < 0:
            bases = bases.translate(COMPLEMENT)[::-1]
        yield guides[hit.pattern], record.name, hit.start, "+" if hit.strand > 0 else "-", hit.errors, bases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--genome", type=Path, default=REPOSITORY / "data/humanMito.fa", help="FASTA, compressed or not")
    parser.add_argument("--guides", type=Path, help="guides of 20 bases, a line each")
    parser.add_argument("--mismatches", type=int, default=7)
    parser.add_argument("--engine", choices=["auto", "cpu", "gpu", "simt"], default="auto")
    options = parser.parse_args()
    genome = carrywave.read(options.genome)
    guides = options.guides.read_bytes().split() if options.guides else some_guides(genome, 5)
    if wrong := [guide for guide in guides if len(guide) != 20]:
        parser.error(f"a guide has 20 bases, not {len(wrong[0])}: {wrong[0].decode()}")
    print("guide\trecord\tstart\tstrand\tmismatches\tsite")
    for guide, name, start, strand, mismatches, bases in sites(genome, guides, options.mismatches, options.engine):
        # Bases that differ from the guide are in lower case.
        shown = "".join(
            chr(base).upper() if base & 0xDF == wanted & 0xDF else chr(base).lower() for base, wanted in zip(bases, guide + bases[20:], strict=True)
        )
        print(f"{guide.decode()}\t{name}\t{start}\t{strand}\t{mismatches}\t{shown}")


if __name__ == "__main__":
    main()
