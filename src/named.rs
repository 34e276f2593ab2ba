//! Enums whose variants have names in options and verdicts.

/// Declares an enum whose variants have names in options and verdicts.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $type { $($(#[$doc])* #[serde(rename = $name)] $variant,)* }

        impl $type {
            /// Every variant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The variants' names in options and verdicts, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Returns the name in options and verdicts.
            pub fn name(self) -> &'static str {
                Self::NAMES.get(self as usize).copied().unwrap_or_default()
            }
        }
    };
}

pub(crate) use named;
