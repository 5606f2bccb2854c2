//! The input of a search: a text, or a text that stays on a GPU.

use super::gpu::Resident;
use crate::device::{Devices, Engine, EngineKind};
use crate::error::{Result, UsageFault};
use crate::text::Text;
use crate::text::characters::{CODES, Characters};
use once_cell::race::OnceBool;
use std::fmt;
use std::sync::Arc;

/// A text on a GPU, to be searched many times.
///
/// The text in memory, or its file, is kept as well: the starts of hits are found there. The text
/// may have records.
///
/// ```
/// use carrywave::device::Simt;
/// use carrywave::search::{ResidentText, Search};
/// use carrywave::text::Pattern;
///
/// let gpu = Simt::new(); // or Gpu::open(0)?
/// let text = ResidentText::new(&gpu, b"to carry a wave, or to carry, wave")?;
/// assert_eq!(text.text().len(), 34);
/// for word in ["carry", "wave"] {
///     assert_eq!(Search::new(Pattern::literal(word.as_bytes())).hits(&text)?.len(), 2);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct ResidentText<'t> {
    text: Text<'t>,
    kept: Kept,
    /// True if all symbols are ASCII; set at the first search for characters.
    is_ascii: Arc<OnceBool>,
}

impl fmt::Debug for ResidentText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResidentText").field("symbols", &self.text.len()).finish_non_exhaustive()
    }
}

/// The device text that a search reads.
#[derive(Clone)]
pub(crate) enum Kept {
    Gpu(Arc<Resident<simt_launch::Gpu>>),
    #[cfg(feature = "simt")]
    Simulated(Arc<Resident<simt_launch::Simt>>),
}

impl<'t> ResidentText<'t> {
    /// Copies a text to a GPU, where it occupies one byte per symbol until this text and its clones
    /// are dropped. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) if the text does not fit,
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::Engine`](crate::error::UsageFault::Engine) for an engine that is no GPU or
    /// several, [`Error::Io`](crate::Error::Io) if the text cannot be read.
    pub fn new(engine: &dyn Engine, text: impl Into<Text<'t>>) -> Result<Self> {
        let text = text.into();
        let kept = match Devices::from_engine(engine) {
            Devices::Gpus(gpus) => match &gpus[..] {
                [gpu] => Kept::Gpu(Arc::new(Resident::new(gpu, &text)?)),
                _ => {
                    return Err(
                        UsageFault::Engine.error(format!("a resident text needs exactly one GPU, not {}", gpus.len()))
                    );
                }
            },
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => match &devices[..] {
                [device] => Kept::Simulated(Arc::new(Resident::new(device, &text)?)),
                _ => {
                    return Err(UsageFault::Engine
                        .error(format!("a resident text needs exactly one GPU, not {}", devices.len())));
                }
            },
            Devices::Cpu(_) => {
                return Err(
                    UsageFault::Engine.error("a resident text needs a GPU; on the CPU, search the text in memory")
                );
            }
        };
        Ok(Self { text, kept, is_ascii: Arc::default() })
    }

    /// Returns the text in memory, or in its file. As in the [example](Self).
    pub fn text(&self) -> &Text<'t> {
        &self.text
    }
}

/// The input of a search: anything that converts into a [`Text`], or a reference to a
/// [`ResidentText`]. As in the [example](ResidentText).
#[derive(Debug, Clone)]
pub struct Source<'t> {
    text: Text<'t>,
    kept: Option<Kept>,
    is_ascii: Arc<OnceBool>,
}

impl Kept {
    /// Returns the type of the engine that holds the text.
    pub(super) fn kind(&self) -> EngineKind {
        match self {
            Self::Gpu(_) => EngineKind::Gpu,
            #[cfg(feature = "simt")]
            Self::Simulated(_) => EngineKind::Simt,
        }
    }
}

impl Kept {
    /// Returns the text on a GPU.
    pub(crate) fn on_gpu(&self) -> Option<&Arc<Resident<simt_launch::Gpu>>> {
        match self {
            Self::Gpu(text) => Some(text),
            #[cfg(feature = "simt")]
            Self::Simulated(_) => None,
        }
    }

    /// Returns the text on the simulator.
    #[cfg(feature = "simt")]
    pub(crate) fn on_simulator(&self) -> Option<&Arc<Resident<simt_launch::Simt>>> {
        match self {
            Self::Gpu(_) => None,
            Self::Simulated(text) => Some(text),
        }
    }

    /// Returns the device that holds the text; `None` if the text is empty.
    pub(crate) fn devices(&self) -> Option<Devices> {
        Some(match self {
            Self::Gpu(text) => Devices::Gpus(vec![text.device()?.clone()]),
            #[cfg(feature = "simt")]
            Self::Simulated(text) => Devices::Simulated(vec![text.device()?.clone()]),
        })
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

impl<'t, T: Into<Text<'t>>> From<T> for Source<'t> {
    fn from(text: T) -> Self {
        Self { text: text.into(), kept: None, is_ascii: Arc::default() }
    }
}

impl<'t> From<&ResidentText<'t>> for Source<'t> {
    fn from(resident: &ResidentText<'t>) -> Self {
        Self { text: resident.text.clone(), kept: Some(resident.kept.clone()), is_ascii: resident.is_ascii.clone() }
    }
}

impl<'t> Source<'t> {
    pub(crate) fn text(&self) -> &Text<'t> {
        &self.text
    }

    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// Refuses a text on a GPU if coding its characters would change it.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with `Engine` for such a text;
    /// [`Error::Io`](crate::Error::Io) if the text cannot be read.
    pub(crate) fn check_codes(&self, characters: &Characters) -> Result<()> {
        if self.kept.is_none() {
            return Ok(());
        }
        let is_ascii =
            self.is_ascii.get_or_try_init(|| self.text.part(0..self.text.len()).map(|text| text.is_ascii()))?;
        if is_ascii && characters.keep_ascii() {
            return Ok(());
        }
        Err(UsageFault::Engine.error(format!(
            "on a GPU, patterns of characters need an ASCII text and at most {CODES} distinct non-ASCII characters each; \
             search this text in host memory"
        )))
    }
}
