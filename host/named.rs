//! Macros for named things: the values of a choice, and the algorithms of a problem.

/// Implements [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr) by the type's table
/// `NAMES`.
macro_rules! named {
    ($($t:ty, $what:literal;)*) => {$(
        impl std::fmt::Display for $t {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(Self::NAMES.iter().find(|(_, v)| v == self).map_or("", |(name, _)| name))
            }
        }

        impl std::str::FromStr for $t {
            type Err = $crate::Error;

            fn from_str(s: &str) -> $crate::Result<Self> {
                let found = Self::NAMES.iter().find(|(name, _)| *name == s).map(|(_, v)| *v);
                found.ok_or_else(|| $crate::Error::UnknownName {
                    what: $what,
                    name: s.into(),
                    known: Self::NAMES.iter().map(|(name, _)| *name).collect(),
                })
            }
        }
    )*};
}

/// Declares the files of a problem's algorithms for the CPU, one line each, and the table of their
/// constants `ALGORITHM`.
macro_rules! cpu_algorithms {
    ($row:ty; $($(#[$meta:meta])* $visibility:vis mod $file:ident;)*) => {
        $($(#[$meta])* $visibility mod $file;)*

        /// The algorithms, each from the file of its name.
        pub const ALGORITHMS: &[$row] = &[$($(#[$meta])* $file::ALGORITHM),*];

        /// Descriptions of the algorithms.
        pub(super) const ABOUTS: &[&$crate::algorithm::About] = &[$($(#[$meta])* &$file::ALGORITHM.about),*];
    };
}

/// Declares the same as `cpu_algorithms`, for GPUs and the simulator. Entries are generic over the
/// device, because their functions are, so each file exports a constant `ABOUT` and a function
/// `algorithm`. The algorithms of papers, as published, come last, in a folder and a feature of
/// that name.
macro_rules! device_algorithms {
    (
        $row:ident;
        $(pub mod $file:ident;)*
        published { $(pub mod $published:ident;)* }
    ) => {
        $(pub mod $file;)*

        /// Algorithms of papers, as published.
        #[cfg(feature = "published")]
        pub mod published {
            $(pub mod $published;)*
        }

        /// Descriptions of the algorithms, each from the file of its name.
        pub const ABOUTS: &[&$crate::algorithm::About] = &[
            $(&$file::ABOUT,)*
            $(#[cfg(feature = "published")] &published::$published::ABOUT,)*
        ];

        impl<D: $crate::device::Device> $row<D> {
            /// The algorithms on a device.
            pub const ALL: &'static [Self] = &[
                $($file::algorithm::<D>(),)*
                $(#[cfg(feature = "published")] published::$published::algorithm::<D>(),)*
            ];
        }
    };
}
