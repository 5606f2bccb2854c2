"""Reads files of sequences and of lines."""

from __future__ import annotations

import os
from typing import NamedTuple

from . import _carrywave


class Record(NamedTuple):
    """A record of a file: of FASTA and FASTQ with its name, or a line of any other file."""

    name: str
    comment: str
    symbols: bytes


def read(path: str | os.PathLike[str], *, lines: bool = False) -> list[Record]:
    """Reads the records of a FASTA or FASTQ file, or the lines of any other file. The file may be
    compressed with gzip, bzip2, xz or zstd.

    FASTA starts with `>`, or with comments, which are lines that start with `;`. FASTQ starts with
    an `@` line, followed by lines of letters and a `+` line, or by a line of at least 8 nucleotides.
    A record may have several lines of symbols and of qualities. `lines=True` reads the lines of any
    file.

    >>> import carrywave, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "two.fa")
    >>> _ = path.write_text(">one the first\\nACGT\\nAC\\n>two\\nGG\\n")
    >>> [(record.name, record.symbols) for record in carrywave.read(path)]
    [('one', b'ACGTAC'), ('two', b'GG')]

    Raises OSError if the file cannot be read, is damaged, is cut short, or is not the FASTA or
    FASTQ that its start promises.
    """
    return [Record(*record) for record in zip(*_carrywave.read_records(path, lines=lines), strict=True)]
