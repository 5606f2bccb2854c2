//! What a search is given: a text, or one that stays on a GPU.

use super::gpu::Resident;
use crate::device::{Devices, Engine};
use crate::error::{Result, UsageFault};
use crate::text::Text;
use std::fmt;
use std::sync::Arc;

/// A text that was taken to a GPU, to be searched many times.
///
/// The text in memory, or its file, is kept as well: where a hit begins is found there. With records as without.
///
/// ```
/// use carrywave::device::Simt;
/// use carrywave::search::{ResidentText, Search};
/// use carrywave::text::Pattern;
///
/// let gpu = Simt::new(); // or Gpu::open(0)?
/// let text = ResidentText::new(&gpu, b"to carry a wave, or to carry, wave")?;
/// for word in ["carry", "wave"] {
///     assert_eq!(Search::new(Pattern::literal(word.as_bytes())).hits(&text)?.len(), 2);
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct ResidentText<'t> {
    text: Text<'t>,
    kept: Kept,
}

impl fmt::Debug for ResidentText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResidentText").field("symbols", &self.text.len()).finish_non_exhaustive()
    }
}

/// Where a text is kept.
#[derive(Clone)]
pub(super) enum Kept {
    Gpu(Arc<Resident<simt_launch::Gpu>>),
    #[cfg(feature = "simt")]
    Simulated(Arc<Resident<simt_launch::Simt>>),
}

impl<'t> ResidentText<'t> {
    /// Takes a text to a GPU, where it takes a byte a symbol until this and its copies are dropped.
    ///
    /// # Errors
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) when it does not fit, [`Error::Usage`](crate::Error::Usage) for an engine that
    /// is no GPU or several, [`Error::Io`](crate::Error::Io) when it cannot be read.
    pub fn new(engine: &dyn Engine, text: impl Into<Text<'t>>) -> Result<Self> {
        let text = text.into();
        let kept = match Devices::of(engine) {
            Devices::Gpus(gpus) => match &gpus[..] {
                [gpu] => Kept::Gpu(Arc::new(Resident::new(gpu, &text)?)),
                _ => {
                    return Err(
                        UsageFault::Engine.error(format!("a text is kept on one GPU, and {} were given", gpus.len()))
                    );
                }
            },
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => match &devices[..] {
                [device] => Kept::Simulated(Arc::new(Resident::new(device, &text)?)),
                _ => {
                    return Err(UsageFault::Engine
                        .error(format!("a text is kept on one GPU, and {} were given", devices.len())));
                }
            },
            Devices::Cpu(_) => {
                return Err(UsageFault::Engine.error("a text is kept on a GPU; on the CPU it is searched where it is"));
            }
        };
        Ok(Self { text, kept })
    }

    /// The text in memory, or in its file.
    pub fn text(&self) -> &Text<'t> {
        &self.text
    }
}

/// What a search is given: anything that a [`Text`] is made of, or a reference to a [`ResidentText`].
#[derive(Debug, Clone)]
pub struct Source<'t> {
    text: Text<'t>,
    kept: Option<Kept>,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gpu(_) => "gpu",
            #[cfg(feature = "simt")]
            Self::Simulated(_) => "simt",
        })
    }
}

impl<'t, T: Into<Text<'t>>> From<T> for Source<'t> {
    fn from(text: T) -> Self {
        Self { text: text.into(), kept: None }
    }
}

impl<'t> From<&ResidentText<'t>> for Source<'t> {
    fn from(resident: &ResidentText<'t>) -> Self {
        Self { text: resident.text.clone(), kept: Some(resident.kept.clone()) }
    }
}

impl<'t> Source<'t> {
    pub(super) fn text(&self) -> &Text<'t> {
        &self.text
    }

    pub(super) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }
}
