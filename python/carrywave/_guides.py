"""Sites of CRISPR guides, with mismatches and bulges."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from . import _carrywave

if TYPE_CHECKING:
    from ._carrywave import ResidentText
    from ._types import Alignments, Engine, PamSide, Progress, Strings, Text, TextCodes


class Site(NamedTuple):
    """A match of the PAM, and the best alignment of a guide beside it. Positions count bases of the
    forward strand from 0, and the end is not included. The PAM is part of the site.

    `strand` is 1, or -1 for the reverse strand. `guide_row` and `dna_row` are the alignment, 5' to
    3' along the guide, with `-` at a bulge, and mismatches in lower case. `cfd` (0 to 1) and `mit`
    (0 to 100) are scores, or None for other guides than 20 bases with a PAM of 3 after them, and for
    sites with bulges. `variants` are the alternative alleles that the site covers, such as
    "chr1:12345:A>G" with a position from 1. A site of the text itself has none.
    """

    record: int
    start: int
    end: int
    strand: int
    guide: int
    mismatches: int
    dna_bulges: int
    rna_bulges: int
    guide_row: str
    dna_row: str
    cfd: float | None
    mit: float | None
    variants: tuple[str, ...] = ()


def guides(
    guides: Text | Strings,
    text: Text | Strings | ResidentText,
    pam: str = "NGG",
    *,
    pam_side: PamSide | None = None,
    mismatches: int = 4,
    dna_bulges: int = 0,
    rna_bulges: int = 0,
    edits: int | None = None,
    alignments: Alignments = "best",
    variants: str | os.PathLike[str] | None = None,
    names: str | Iterable[str] = (),
    text_codes: TextCodes = "self",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> list[Site]:
    """Returns the sites of guides on both strands of a text, or of texts that are records.

    `guides` are IUPAC codes, 5' to 3', without the PAM. `pam` is a nuclease, such as "Cas12a", or
    IUPAC codes, which are after the site unless `pam_side` is "before". A DNA bulge is a base that
    the site alone has, an RNA bulge one that the guide alone has. `edits` limits mismatches and
    bases in bulges together; the default is the largest of the three limits. Each site is reported
    once, with its best alignment; with `alignments="all"`, once for each placement of its bulges
    within the limits, at most 1000.

    `variants` is a VCF file, plain or compressed, whose alleles are searched, too. Its records are
    the texts that have their `names`, one for each text. A site is reported with the variants that
    it needs: those that give it fewer edits than it has without. Variants that one site may cover
    are combined: as the haplotypes of the samples, if all genotypes are phased, else in all ways, up
    to 1024 for each variant and those after it. Alleles without bases, such as <DEL>, and alleles
    that no sample has are skipped. A warning names records of the file that no text has. Sites with
    variants come last.

    >>> import carrywave
    >>> sites = carrywave.guides("GACGCATAAAGATGAGACGC", "ttGACGCATATAAGATGAGtCGCTGGtt", mismatches=2, dna_bulges=1)
    >>> sites[0].start, sites[0].end, sites[0].guide_row
    (2, 26, 'GACGCATA-AAGATGAGACGCNGG')
    >>> carrywave.guides("ATGGTCGGACTCCCTGCCAG", "ATGGTGGGACTCCCTGCCAGAGG")[0].cfd
    0.5
    >>> import pathlib, tempfile
    >>> vcf = pathlib.Path(tempfile.mkdtemp(), "known.vcf")
    >>> header = "#CHROM\\tPOS\\tID\\tREF\\tALT\\tQUAL\\tFILTER\\tINFO\\n"
    >>> _ = vcf.write_text(header + "chr1\\t22\\t.\\tA\\tG\\t.\\t.\\t.\\n")
    >>> carrywave.guides("ATGGTCGGACTCCCTGCCAG", "ATGGTCGGACTCCCTGCCAGTAG", variants=vcf, names="chr1")[0].variants
    ('chr1:22:A>G',)

    Raises ValueError for symbols that are no IUPAC codes and for wrong options, and OSError for a
    file that is no VCF file, or whose reference differs from the text.
    """
    found, notes = _carrywave.guides(
        guides,
        text,
        pam,
        pam_side=pam_side,
        mismatches=mismatches,
        dna_bulges=dna_bulges,
        rna_bulges=rna_bulges,
        edits=edits,
        alignments=alignments,
        variants=variants,
        names=[names] if isinstance(names, str) else list(names),
        text_codes=text_codes,
        engine=engine,
        progress=progress,
    )
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return [Site(*numbers, *rows, tuple(alleles)) for numbers, rows, alleles in found]
