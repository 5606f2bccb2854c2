//! Numbers of reads, and of molecules, of each barcode.

use super::arguments::UmiPlace;
use crate::shared::table::Field;
use carrywave::Result;
use carrywave::barcodes::Nearest;
use carrywave::barcodes::umi::{BarcodeMolecules, Molecules};
use std::io::{self, Write};

/// The number of reads of each barcode, by the number of errors.
pub struct Counts {
    /// Number of columns: one more than the limit of errors.
    columns: usize,
    /// A row of columns for each barcode.
    assigned: Vec<u64>,
    ambiguous: Vec<u64>,
    without: u64,
}

impl Counts {
    /// Counts the reads of barcodes with up to `errors` errors.
    pub fn new(barcodes: usize, errors: u32) -> Self {
        let columns = errors as usize + 1;
        Self { columns, assigned: vec![0; barcodes * columns], ambiguous: vec![0; columns], without: 0 }
    }

    pub fn add(&mut self, nearest: &[Option<Nearest>]) {
        for nearest in nearest {
            match nearest {
                Some(nearest) if nearest.is_assigned() => {
                    self.assigned[nearest.barcode * self.columns + nearest.errors as usize] += 1;
                }
                Some(nearest) => self.ambiguous[nearest.errors as usize] += 1,
                None => self.without += 1,
            }
        }
    }

    /// Writes a row for each barcode: its name, the number of reads with 0, 1, … errors, and of
    /// all; then the reads that are ambiguous, and those that have no barcode.
    pub fn write(&self, names: &[String], out: &mut (dyn Write + Send)) -> io::Result<()> {
        write!(out, "#Barcode")?;
        (0..self.columns).try_for_each(|errors| write!(out, "\t{errors}"))?;
        writeln!(out, "\tTotal")?;
        let mut row = |name: &str, counts: &[u64]| {
            write!(out, "{}", Field(name))?;
            counts.iter().try_for_each(|count| write!(out, "\t{count}"))?;
            writeln!(out, "\t{}", counts.iter().sum::<u64>())
        };
        for (name, counts) in names.iter().zip(self.assigned.chunks(self.columns)) {
            row(name, counts)?;
        }
        row("(ambiguous)", &self.ambiguous)?;
        write!(out, "(none)")?;
        (0..self.columns).try_for_each(|_| write!(out, "\t*"))?;
        writeln!(out, "\t{}", self.without)
    }
}

/// The number of UMIs and of molecules of each barcode.
pub struct UmiCounts {
    place: UmiPlace,
    molecules: Molecules,
    /// Assigned reads without a UMI of plain bases.
    pub without: u64,
}

impl UmiCounts {
    pub fn new(place: UmiPlace) -> Result<Self> {
        let molecules = Molecules::new(place.bases())?;
        Ok(Self { place, molecules, without: 0 })
    }

    pub fn add(&mut self, umis: &Umis) -> Result<()> {
        let bases = self.place.bases();
        for (&barcode, umi) in umis.barcodes.iter().zip(umis.symbols.chunks(bases)) {
            if !self.molecules.add(barcode, umi)? {
                self.without += 1;
            }
        }
        Ok(())
    }

    /// Returns the place of UMIs.
    pub fn place(&self) -> UmiPlace {
        self.place.clone()
    }

    /// Clusters the UMIs.
    pub fn finish(self) -> Result<Vec<BarcodeMolecules>> {
        self.molecules.counts()
    }
}

/// The UMIs of the assigned reads of a block.
#[derive(Default)]
pub struct Umis {
    /// The barcode of each UMI.
    barcodes: Vec<usize>,
    /// The symbols of all UMIs; an N in place of each base that a read lacks.
    symbols: Vec<u8>,
}

impl Umis {
    /// Adds the UMI of a read.
    pub fn add(&mut self, place: &UmiPlace, read: &[u8], nearest: &Nearest) {
        let range = match place {
            UmiPlace::At(range) => range.clone(),
            UmiPlace::Behind(bases) => nearest.end..nearest.end.saturating_add(*bases),
        };
        let bases = range.len();
        self.barcodes.push(nearest.barcode);
        match read.get(range) {
            Some(umi) => self.symbols.extend_from_slice(umi),
            None => self.symbols.extend(std::iter::repeat_n(b'N', bases)),
        }
    }
}

/// Writes a row for each barcode with reads: its name, reads, UMIs and molecules.
pub fn write_molecules(counts: &[BarcodeMolecules], names: &[String], out: &mut (dyn Write + Send)) -> io::Result<()> {
    writeln!(out, "#Barcode\tReads\tUMIs\tMolecules")?;
    counts.iter().try_for_each(|own| {
        let BarcodeMolecules { barcode, reads, umis, molecules, .. } = own;
        writeln!(out, "{}\t{reads}\t{umis}\t{molecules}", Field(&names[*barcode]))
    })
}
