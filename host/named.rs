//! Choices that have names on the command line.

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
                found.ok_or_else(|| {
                    let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
                    $crate::Error::Usage(format!("unknown {} `{s}`: one of {}", $what, names.join(", ")))
                })
            }
        }
    )*};
}
