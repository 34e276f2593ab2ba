//! Reads saved state in the postcard format, which `save` writes with the `postcard` crate.
//!
//! If a value cannot be read, it is read as zero, and the whole is refused at the end. So
//! derived code has no error to pass on for each field, which makes it half as large as
//! with the crate's own reader.

use alloc::string::String;
use core::fmt;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// Reads a value; `None` unless the bytes are one value and nothing else.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader { rest: bytes, failed: false };
    let value = T::deserialize(&mut reader).ok()?;
    (reader.rest.is_empty() && !reader.failed).then_some(value)
}

struct Reader<'b> {
    rest: &'b [u8],
    failed: bool,
}

impl<'b> Reader<'b> {
    fn fail(&mut self) {
        self.failed = true;
        self.rest = &[];
    }

    #[inline(never)]
    fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => {
                self.fail();
                0
            }
        }
    }

    /// Reads a number of at most `bits` bits.
    #[inline(never)]
    fn number(&mut self, bits: u32) -> u64 {
        let mut number = 0;
        for (byte, place) in self.rest.iter().zip(0..10) {
            let digits = u64::from(byte & 0x7f);
            number |= digits << (7 * place);
            if *byte < 0x80 {
                if number.leading_zeros() < 64 - bits || place == 9 && digits > 1 {
                    break;
                }
                self.rest = self.rest.get(place + 1..).unwrap_or_default();
                return number;
            }
        }
        self.fail();
        0
    }

    /// Reads a number that may be negative: its sign is the lowest bit.
    #[inline(never)]
    fn signed(&mut self, bits: u32) -> i64 {
        let number = self.number(bits);
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }

    #[inline(never)]
    fn flag(&mut self) -> bool {
        match self.byte() {
            0 => false,
            1 => true,
            _ => {
                self.fail();
                false
            }
        }
    }

    #[inline(never)]
    fn text(&mut self) -> &'b str {
        let length = self.number(32) as usize;
        let Some((bytes, rest)) = self.rest.split_at_checked(length) else {
            self.fail();
            return "";
        };
        self.rest = rest;
        core::str::from_utf8(bytes).unwrap_or_else(|_| {
            self.fail();
            ""
        })
    }

    /// Reads a character, which is written as a string.
    #[inline(never)]
    fn character(&mut self) -> char {
        let mut characters = self.text().chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => character,
            _ => {
                self.fail();
                '\0'
            }
        }
    }
}

/// The error for a value that cannot be read.
#[derive(Debug)]
struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl core::error::Error for Damaged {}

impl Error for Damaged {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'_> {
    type Error = Damaged;

    /// Never called by derived code, which asks for specific types. A type that state does
    /// not use yet needs its method here; the snapshot tests fail without it.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Damaged> {
        Err(Damaged)
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_bool(self.flag())
    }

    #[inline(always)]
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_u8(self.byte())
    }

    #[inline(always)]
    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_u16(self.number(16) as u16)
    }

    #[inline(always)]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_u32(self.number(32) as u32)
    }

    #[inline(always)]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_u64(self.number(64))
    }

    #[inline(always)]
    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_i16(self.signed(16) as i16)
    }

    #[inline(always)]
    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_i32(self.signed(32) as i32)
    }

    #[inline(always)]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_i64(self.signed(64))
    }

    #[inline(always)]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_char(self.character())
    }

    #[inline(always)]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_str(self.text())
    }

    #[inline(always)]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_string(String::from(self.text()))
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        if self.flag() { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Damaged> {
        visitor.visit_newtype_struct(self)
    }

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Damaged> {
        let left = self.number(32) as usize;
        visitor.visit_seq(Items { reader: self, left })
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_seq(Fields { reader: self })
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Damaged> {
        visitor.visit_seq(Fields { reader: self })
    }

    #[inline(always)]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Damaged> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        i8 f32 f64 bytes byte_buf unit unit_struct tuple_struct map identifier ignored_any
    }
}

/// The fields of a struct, as many as are requested.
struct Fields<'r, 'b> {
    reader: &'r mut Reader<'b>,
}

impl<'de> SeqAccess<'de> for Fields<'_, '_> {
    type Error = Damaged;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Damaged> {
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// The items of a list.
struct Items<'r, 'b> {
    reader: &'r mut Reader<'b>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Damaged;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Damaged> {
        if self.left == 0 || self.reader.failed {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl<'de> EnumAccess<'de> for &mut Reader<'_> {
    type Error = Damaged;
    type Variant = Self;

    #[inline(always)]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Damaged> {
        let place = self.number(32) as u32;
        Ok((seed.deserialize(IntoDeserializer::<Damaged>::into_deserializer(place))?, self))
    }
}

impl<'de> VariantAccess<'de> for &mut Reader<'_> {
    type Error = Damaged;

    #[inline(always)]
    fn unit_variant(self) -> Result<(), Damaged> {
        Ok(())
    }

    #[inline(always)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Damaged> {
        seed.deserialize(self)
    }

    #[inline(always)]
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Damaged> {
        visitor.visit_seq(Fields { reader: self })
    }

    #[inline(always)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Damaged> {
        visitor.visit_seq(Fields { reader: self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::VecDeque;
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        Named { by: u32 },
        Both(u8, i64),
        One(String),
    }

    /// Every type that saved state is made of.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Sample {
        flag: bool,
        small: (u8, u16),
        number: u32,
        long: u64,
        signed: i64,
        short: (i16, i32),
        size: usize,
        letter: char,
        text: String,
        maybe: Option<u64>,
        list: VecDeque<(u64, u32)>,
        fixed: [Option<u32>; 3],
        kinds: Vec<Kind>,
    }

    fn samples() -> impl Strategy<Value = Sample> {
        let kind = prop_oneof![
            Just(Kind::Plain),
            any::<u32>().prop_map(|by| Kind::Named { by }),
            any::<(u8, i64)>().prop_map(|(one, other)| Kind::Both(one, other)),
            ".{0,4}".prop_map(Kind::One),
        ];
        let numbers = any::<(bool, (u8, u16), u32, u64, i64, (i16, i32), u32)>();
        let others = (any::<char>(), ".{0,6}", any::<Option<u64>>());
        let lists = (
            proptest::collection::vec_deque(any::<(u64, u32)>(), 0..4),
            any::<[Option<u32>; 3]>(),
            proptest::collection::vec(kind, 0..4),
        );
        (numbers, others, lists).prop_map(
            |((flag, small, number, long, signed, short, size), (letter, text, maybe), lists)| {
                let size = size as usize;
                let (list, fixed, kinds) = lists;
                Sample {
                    flag,
                    small,
                    number,
                    long,
                    signed,
                    short,
                    size,
                    letter,
                    text,
                    maybe,
                    list,
                    fixed,
                    kinds,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn reads_what_the_crate_writes(sample in samples(), cut in any::<prop::sample::Index>()) {
            let bytes = postcard::to_allocvec(&sample).expect("in memory");
            prop_assert_eq!(read::<Sample>(&bytes), Some(sample));
            prop_assert_eq!(read::<Sample>(&bytes[..cut.index(bytes.len())]), None);
            let more = [bytes.as_slice(), &[0]].concat();
            prop_assert_eq!(read::<Sample>(&more), None);
        }

        #[test]
        fn agrees_with_the_crate_about_anything(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let theirs = postcard::take_from_bytes::<Sample>(&bytes);
            let theirs = theirs.ok().filter(|(_, rest)| rest.is_empty()).map(|(sample, _)| sample);
            let ours = read::<Sample>(&bytes);
            // The crate accepts numbers with more bytes than needed, and so does this
            // reader.
            prop_assert_eq!(ours, theirs);
        }
    }
}
