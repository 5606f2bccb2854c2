//! The PAM of a nuclease.

use crate::error::{Error, Result, UsageFault};
use crate::text::{Alphabet, Pattern};

/// The side of a guide's site where the PAM is, as the guide is read, 5' to 3'. As in the
/// [example](Pam).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PamSide {
    /// Before the site, at its 5' end: TTTV of Cas12a.
    Before,
    /// After the site, at its 3' end: NGG of Cas9.
    After,
}

impl PamSide {
    /// The values by their names on the command line.
    pub const NAMES: [(&str, PamSide); 2] = [("before", PamSide::Before), ("after", PamSide::After)];
}

named! {
    PamSide, "side of the PAM";
}

/// A nuclease, and its PAM. As in the [example](Pam).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nuclease {
    /// The common name.
    pub name: &'static str,
    /// The PAM in IUPAC codes.
    pub pam: &'static str,
    /// Side of the site with the PAM.
    pub side: PamSide,
}

const fn before(name: &'static str, pam: &'static str) -> Nuclease {
    Nuclease { name, pam, side: PamSide::Before }
}

const fn after(name: &'static str, pam: &'static str) -> Nuclease {
    Nuclease { name, pam, side: PamSide::After }
}

/// The nucleases with a name. As in the [example](Pam).
pub const NUCLEASES: [Nuclease; 14] = [
    after("SpCas9", "NGG"),
    after("SpCas9-NG", "NG"),
    after("SpCas9-VQR", "NGA"),
    after("SpRY", "NRN"),
    after("ScCas9", "NNG"),
    after("SaCas9", "NNGRRT"),
    after("SaCas9-KKH", "NNNRRT"),
    after("NmeCas9", "NNNNGATT"),
    after("CjCas9", "NNNNRYAC"),
    after("St1Cas9", "NNAGAAW"),
    before("Cas12a", "TTTV"),
    before("FnCas12a", "TTN"),
    before("Cas12b", "TTN"),
    before("CasX", "TTCN"),
];

/// A PAM: IUPAC codes, and the side of the site where they are.
///
/// ```
/// use carrywave::guides::{NUCLEASES, Pam, PamSide};
///
/// let pam = Pam::named("Cas12a")?;
/// assert_eq!((pam.codes(), pam.side()), ("TTTV", PamSide::Before));
/// assert_eq!(Pam::new("nrg", PamSide::After)?.codes(), "NRG");
/// assert!(Pam::named("NXG").is_err() && Pam::new("", PamSide::After).is_err());
/// for nuclease in NUCLEASES {
///     assert_eq!(Pam::named(nuclease.name)?.codes(), nuclease.pam);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pam {
    codes: String,
    side: PamSide,
}

impl Pam {
    /// Makes a PAM from IUPAC codes in either case. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Empty`] for no code, and with [`UsageFault::Syntax`] for
    /// a letter that is no code.
    pub fn new(codes: &str, side: PamSide) -> Result<Self> {
        if codes.is_empty() {
            return Err(UsageFault::Empty.error("the PAM is empty; give at least one IUPAC code, such as N"));
        }
        Pattern::parse(codes.as_bytes(), Alphabet::Iupac).map_err(|error| match error {
            Error::Usage { fault, reason } => fault.error(format!("the PAM {codes}: {reason}")),
            error => error,
        })?;
        Ok(Self { codes: codes.to_ascii_uppercase(), side })
    }

    /// Returns the PAM of a nuclease of [`NUCLEASES`], by its name in either case, or else a PAM of
    /// IUPAC codes after the site. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::UnknownName`] for a text that is neither.
    pub fn named(name: &str) -> Result<Self> {
        if let Some(known) = NUCLEASES.iter().find(|nuclease| nuclease.name.eq_ignore_ascii_case(name)) {
            return Ok(Self { codes: known.pam.into(), side: known.side });
        }
        Self::new(name, PamSide::After).map_err(|_| Error::UnknownName {
            what: "nuclease or PAM in IUPAC codes",
            name: name.into(),
            known: NUCLEASES.iter().map(|nuclease| nuclease.name).collect(),
        })
    }

    /// Moves the PAM to a side. As in the [example](Self).
    pub fn on_side(self, side: PamSide) -> Self {
        Self { side, ..self }
    }

    /// Returns the IUPAC codes, in upper case. As in the [example](Self).
    pub fn codes(&self) -> &str {
        &self.codes
    }

    /// Returns the side of the site where the PAM is. As in the [example](Self).
    pub fn side(&self) -> PamSide {
        self.side
    }

    /// Returns a guide with the PAM beside it.
    pub(super) fn beside(&self, guide: &[u8]) -> Vec<u8> {
        match self.side {
            PamSide::Before => [self.codes.as_bytes(), guide].concat(),
            PamSide::After => [guide, self.codes.as_bytes()].concat(),
        }
    }

    /// Returns a guide without the PAM, if it was given with the same codes beside it. Codes that
    /// are single bases may be the guide's own, so one of them must stand for several bases.
    pub(super) fn removed<'g>(&self, guide: &'g [u8]) -> &'g [u8] {
        let codes = self.codes.as_bytes();
        let rest = match self.side {
            PamSide::Before => guide.strip_prefix(codes),
            PamSide::After => guide.strip_suffix(codes),
        };
        let is_given = codes.iter().any(|code| !b"ACGTU".contains(code));
        rest.filter(|_| is_given).unwrap_or(guide)
    }
}
