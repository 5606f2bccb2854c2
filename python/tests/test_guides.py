"""Tests the sites of guides against the table of distances beside every match of the PAM."""

import gzip
import random

import carrywave
import oracles
import pytest

COMPLEMENT = str.maketrans("ACGT", "TGCA")


def turned(bases):
    return bases.translate(COMPLEMENT)[::-1]


def least_edits(guides, text, most):
    """Returns the fewest edits of each guide beside each NGG on the forward strand, by the position
    of the PAM and the number of the guide."""
    found = {}
    for at in range(len(text) - 2):
        if text[at + 1 : at + 3] != "GG":
            continue
        for number, guide in enumerate(guides):
            parts = (text[max(0, at - length) : at] for length in range(len(guide) - most, len(guide) + most + 1) if length <= at)
            edits = min((oracles.distance(guide, part) for part in parts), default=most + 1)
            if edits <= most:
                found[at, number] = edits
    return found


def edits_of(site):
    return site.mismatches + site.dna_bulges + site.rna_bulges


@pytest.fixture(name="case", scope="module")
def fixture_case():
    source = random.Random(41)
    text = "".join(source.choice("ACGT") for _ in range(3000))
    guides = []
    for _ in range(4):
        at = source.randrange(len(text) - 40)
        guides.append("".join(source.choice("ACGT") if source.random() < 0.1 else base for base in text[at : at + 9]))
        text = text[: at + 10] + "GG" + text[at + 12 :]
    return guides, text


def test_sites_have_the_fewest_edits(case):
    guides, text = case
    expected = {(at, 1, number): edits for (at, number), edits in least_edits(guides, text, 2).items()}
    for (at, number), edits in least_edits(guides, turned(text), 2).items():
        expected[len(text) - at - 3, -1, number] = edits
    sites = carrywave.guides(guides, text, mismatches=2, dna_bulges=2, rna_bulges=2, edits=2)
    found = {(site.end - 3 if site.strand == 1 else site.start, site.strand, site.guide): edits_of(site) for site in sites}
    assert found == expected
    assert len(found) == len(sites)
    assert any(site.dna_bulges for site in sites)
    assert any(site.rna_bulges for site in sites)


def test_rows_are_the_guide_and_the_site(case):
    guides, text = case
    for site in carrywave.guides(guides, text, mismatches=1, dna_bulges=1, rna_bulges=1):
        part = text[site.start : site.end]
        assert site.guide_row.replace("-", "") == guides[site.guide] + "NGG"
        assert site.dna_row.replace("-", "").upper() == (part if site.strand == 1 else turned(part))
        assert sum(base.islower() for base in site.dna_row) == site.mismatches
        assert (site.guide_row.count("-"), site.dna_row.count("-")) == (site.dna_bulges, site.rna_bulges)


def test_any_form_of_the_text(case):
    guides, text = case
    options = {"mismatches": 1, "dna_bulges": 1}
    expected = carrywave.guides(guides, text, **options)
    simt = carrywave.Simt()
    assert carrywave.guides(guides, text.encode(), **options) == expected
    assert carrywave.guides([guide.encode() for guide in guides], text, **options) == expected
    assert carrywave.guides(guides, text, engine=simt, **options) == expected
    assert carrywave.guides(guides, carrywave.ResidentText(simt, text), **options) == expected
    assert carrywave.guides(guides, ["", text, text], **options) == [site._replace(record=record) for record in (1, 2) for site in expected]


def test_a_pam_before_the_site():
    guide = "GACGCATAAAGATGAGACGC"
    [site] = carrywave.guides(guide, "aaTTTA" + guide, "Cas12a")
    assert (site.start, site.end, site.cfd) == (2, 26, None)
    assert carrywave.guides(guide, "aaTTTA" + guide, "TTTV", pam_side="before") == [site]
    assert carrywave.guides(guide, turned("TTTA" + guide), "Cas12a")[0].strand == -1


def test_scores():
    exact, changed = carrywave.guides("ATGGTCGGACTCCCTGCCAG", ["ATGGTCGGACTCCCTGCCAGTGG", "ATGGTGGGACTCCCTGCCAGAGG"])
    assert (exact.cfd, exact.mit) == (1.0, 100.0)
    assert (changed.cfd, changed.mit) == (0.5, pytest.approx(60.5))


def placements(guide, site, mismatches, dna_bulges):
    """Returns all alignments beside NGG with bases that the site alone has, none of them first."""
    if not guide:
        return {("", "")} if not site else set()
    found = set()
    if site and (guide[-1] == site[-1] or mismatches):
        row = site[-1] if guide[-1] == site[-1] else site[-1].lower()
        found |= {(a + guide[-1], b + row) for a, b in placements(guide[:-1], site[:-1], mismatches - row.islower(), dna_bulges)}
    if site and dna_bulges:
        found |= {(a + "-", b + site[-1]) for a, b in placements(guide, site[:-1], mismatches, dna_bulges - 1)}
    return found


def test_all_alignments(case):
    guides, text = case
    options = {"mismatches": 2, "dna_bulges": 1, "edits": 3}
    sites = carrywave.guides(guides, text, alignments="all", **options)
    expected = set()
    for at in (at for at in range(len(text) - 2) if text[at + 1 : at + 3] == "GG"):
        for number, guide in enumerate(guides):
            for length in (len(guide), len(guide) + 1):
                if at >= length:
                    rows = placements(guide, text[at - length : at], 2, length - len(guide))
                    expected |= {(at, number, a + "NGG", b + text[at : at + 3]) for a, b in rows}
    found = [(site.end - 3, site.guide, site.guide_row, site.dna_row) for site in sites if site.strand == 1]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert len(found) > len([site for site in carrywave.guides(guides, text, **options) if site.strand == 1])


VCF = "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n"


def test_variants(case, tmp_path):
    guides, text = case
    source = random.Random(42)
    lines = []
    changed = {}
    # A site of 12 bases has at most one of them.
    for at in range(20, len(text) - 20, 13):
        base = source.choice([other for other in "ACGT" if other != text[at]])
        lines.append(f"two\t{at + 1}\t.\t{text[at]}\t{base}\t.\t.\t.\n")
        changed[at] = base
    vcf = tmp_path / "known.vcf.gz"
    vcf.write_bytes(gzip.compress((VCF + "".join(lines)).encode()))
    sites = carrywave.guides(guides, ["ACGT", text], variants=vcf, names=["one", "two"])
    plain = carrywave.guides(guides, ["ACGT", text])
    assert [site for site in sites if not site.variants] == plain
    known = {(site.start, site.strand, site.guide): edits_of(site) for site in plain}
    expected = set()
    for at, base in changed.items():
        other = text[:at] + base + text[at + 1 :]
        for site in carrywave.guides(guides, other):
            place = (site.start, site.strand, site.guide)
            if site.start <= at < site.end and edits_of(site) < known.get(place, 5):
                expected.add((*place, edits_of(site), (f"two:{at + 1}:{text[at]}>{base}",)))
    found = [(site.start, site.strand, site.guide, edits_of(site), site.variants) for site in sites if site.variants]
    assert len(found) == len(expected) > 10
    assert set(found) == expected


def test_variants_of_other_texts(tmp_path):
    guide, text = "ATGGTCGGACTCCCTGCCAG", "ATGGTCGGACTCCCTGCCAGTAG"
    vcf = tmp_path / "known.vcf"
    vcf.write_text(VCF + "chr1\t22\t.\tA\tG\t.\t.\t.\n")
    with pytest.warns(UserWarning, match="chr1"):
        assert carrywave.guides(guide, text, variants=vcf, names="1") == []
    with pytest.raises(ValueError, match="names"):
        carrywave.guides(guide, [text, text], variants=vcf, names=["chr1"])
    with pytest.raises(ValueError, match="memory"):
        carrywave.guides(guide, carrywave.ResidentText(carrywave.Simt(), text), variants=vcf, names="chr1")
    with pytest.raises(OSError, match="chr1"):
        carrywave.guides(guide, text.replace("TAG", "TCG"), variants=vcf, names="chr1")
    vcf.write_text("chr1\t22\n")
    with pytest.raises(OSError, match="CHROM"):
        carrywave.guides(guide, text, variants=vcf, names="chr1")
    with pytest.raises(FileNotFoundError):
        carrywave.guides(guide, text, variants=tmp_path / "none.vcf", names="chr1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"guides": "ACXT"}, "X"),
        ({"pam": "NXG"}, "Cas12a"),
        ({"pam_side": "left"}, "before"),
        ({"text_codes": "some"}, "never"),
        ({"alignments": "some"}, "best"),
        ({"text": "ACGTé"}, "ASCII"),
        ({"text": ["ACGT", "ACGTé"]}, "ASCII"),
        ({"guides": ""}, "symbols"),
    ],
)
def test_errors_say_what_is_wrong(options, words):
    with pytest.raises(ValueError, match=words):
        carrywave.guides(**{"guides": "ACGTACGT", "text": "ACGTACGTAGG", **options})
