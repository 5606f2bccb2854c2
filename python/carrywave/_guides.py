"""Sites of CRISPR guides, with mismatches and bulges."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _carrywave

if TYPE_CHECKING:
    from ._carrywave import ResidentText
    from ._types import Engine, PamSide, Progress, Strings, Text, TextCodes


class Site(NamedTuple):
    """A match of the PAM, and the best alignment of a guide beside it. Positions count bases of the
    forward strand from 0, and the end is not included. The PAM is part of the site.

    `strand` is 1, or -1 for the reverse strand. `guide_row` and `dna_row` are the alignment, 5' to
    3' along the guide, with `-` at a bulge, and mismatches in lower case. `cfd` (0 to 1) and `mit`
    (0 to 100) are scores, or None for other guides than 20 bases with a PAM of 3 after them, and for
    sites with bulges.
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
    text_codes: TextCodes = "self",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> list[Site]:
    """Returns the sites of guides on both strands of a text, or of texts that are records.

    `guides` are IUPAC codes, 5' to 3', without the PAM. `pam` is a nuclease, such as "Cas12a", or
    IUPAC codes, which are after the site unless `pam_side` is "before". A DNA bulge is a base that
    the site alone has, an RNA bulge one that the guide alone has. `edits` limits mismatches and
    bases in bulges together; the default is the largest of the three limits. Each site is reported
    once, with its best alignment.

    >>> import carrywave
    >>> sites = carrywave.guides("GACGCATAAAGATGAGACGC", "ttGACGCATATAAGATGAGtCGCTGGtt", mismatches=2, dna_bulges=1)
    >>> sites[0].start, sites[0].end, sites[0].guide_row
    (2, 26, 'GACGCATA-AAGATGAGACGCNGG')
    >>> carrywave.guides("ATGGTCGGACTCCCTGCCAG", "ATGGTGGGACTCCCTGCCAGAGG")[0].cfd
    0.5
    """
    found = _carrywave.guides(
        guides,
        text,
        pam,
        pam_side=pam_side,
        mismatches=mismatches,
        dna_bulges=dna_bulges,
        rna_bulges=rna_bulges,
        edits=edits,
        text_codes=text_codes,
        engine=engine,
        progress=progress,
    )
    return [Site(*numbers, *rows) for numbers, rows in found]
