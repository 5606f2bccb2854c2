//! Macros for what has a name: the values of a choice, and the algorithms of a problem.

/// [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr) by the type's table `NAMES`.
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

/// Declares the files of a problem's algorithms for the CPU, a line each, and the table of what they export as `ALGORITHM`.
macro_rules! cpu_algorithms {
    ($row:ty; $($(#[$meta:meta])* $visibility:vis mod $file:ident;)*) => {
        $($(#[$meta])* $visibility mod $file;)*

        /// The algorithms, each from the file of its name.
        pub const ALGORITHMS: &[$row] = &[$($(#[$meta])* $file::ALGORITHM),*];

        /// What there is to know of each.
        pub(super) const ABOUTS: &[&$crate::algorithm::About] = &[$($(#[$meta])* &$file::ALGORITHM.about),*];
    };
}

/// The same for GPUs and the simulator. Entries are generic over the device, as what they do is; so each file exports a constant
/// `ABOUT` and a function `algorithm`. The algorithms of papers, as published, come last, in a folder and a feature of that name.
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

        /// What there is to know of the algorithms, each from the file of its name.
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
