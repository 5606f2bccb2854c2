//! The widest vectors of the processor.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
#[cfg(any(target_arch = "x86_64", test))]
use super::isa::Isa;
#[cfg(test)]
use super::plain::Plain;

/// The vectors whose bits are lanes: the widest of the processor, chosen when the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// 512 lanes and logic of three operands.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// 256 lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 64 lanes, for tests: short strings already make several strips.
    #[cfg(test)]
    Plain(Plain),
}

impl Lanes {
    /// Returns the widest lanes of the processor.
    pub(crate) fn widest() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Avx512::detect().map(Self::Avx512).or_else(|| Avx2::detect().map(Self::Avx2));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Returns all lanes of the processor.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let all = [
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Self::Avx512),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Self::Avx2),
            Plain::detect().map(Self::Plain),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns the number of words of 64 lanes.
    pub(crate) fn words(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => 8,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => 4,
            #[cfg(test)]
            Self::Plain(_) => 1,
        }
    }
}

/// Evaluates an expression with the token of the lanes' instruction set.
macro_rules! with_isa {
    ($lanes:expr, $isa:ident => $call:expr) => {
        match $lanes {
            #[cfg(target_arch = "x86_64")]
            $crate::cpu::vector::Lanes::Avx512($isa) => $call,
            #[cfg(target_arch = "x86_64")]
            $crate::cpu::vector::Lanes::Avx2($isa) => $call,
            #[cfg(test)]
            $crate::cpu::vector::Lanes::Plain($isa) => $call,
        }
    };
}
pub(crate) use with_isa;
