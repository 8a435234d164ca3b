//! Reads the weights compiled into the program: a safetensors file whose matrices are 4-bit
//! (symmetric, groups of 32 along a row, one half-precision scale a group, low nibble first).
//! Nothing is copied here: a tensor borrows from the program's own image.

use std::collections::HashMap;

use serde::Deserialize;

use crate::builtin::BuiltInError;

/// Values that share a scale.
const GROUP: usize = 32;

/// The tensors of a safetensors file, by name.
pub(crate) struct Weights<'a> {
    index: HashMap<String, Entry>,
    data: &'a [u8],
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    data_offsets: (usize, usize),
}

impl<'a> Weights<'a> {
    /// Reads the index; the tensors are looked at when asked for.
    pub(crate) fn parse(file: &'a [u8]) -> Result<Self, BuiltInError> {
        let damaged = |problem: &str| BuiltInError::Weights { tensor: "index".into(), problem: problem.into() };
        let (length, rest) = file.split_first_chunk::<8>().ok_or_else(|| damaged("the file is empty"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (index, data) = rest.split_at_checked(length).ok_or_else(|| damaged("the file is cut short"))?;
        let index = serde_json::from_slice(index).map_err(|error| damaged(&error.to_string()))?;
        Ok(Self { index, data })
    }

    /// A vector of `length` numbers.
    pub(crate) fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, BuiltInError> {
        let (values, _) = self.bytes(name, "F32", length * 4)?.as_chunks::<4>();
        Ok(values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// A 4-bit matrix.
    pub(crate) fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Matrix<'a>, BuiltInError> {
        let count = rows * columns;
        let (packed, _) = self.bytes(&format!("{name}.q4"), "U8", count / 2)?.as_chunks();
        let (scales, _) = self.bytes(&format!("{name}.scales"), "F16", count / GROUP * 2)?.as_chunks();
        Ok(Matrix { columns, packed, scales })
    }

    fn bytes(&self, name: &str, dtype: &str, length: usize) -> Result<&'a [u8], BuiltInError> {
        let damaged = |problem: &str| BuiltInError::Weights { tensor: name.into(), problem: problem.into() };
        let entry = self.index.get(name).ok_or_else(|| damaged("missing"))?;
        if entry.dtype != dtype {
            return Err(damaged(&format!("is {}, not {dtype}", entry.dtype)));
        }
        let (start, end) = entry.data_offsets;
        let bytes = self.data.get(start..end).ok_or_else(|| damaged("outside the file"))?;
        if bytes.len() != length {
            return Err(damaged(&format!("has {} bytes, not {length}", bytes.len())));
        }
        Ok(bytes)
    }
}

/// A matrix as it lies in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'a> {
    columns: usize,
    packed: &'a [[u8; GROUP / 2]],
    scales: &'a [[u8; 2]],
}

impl Matrix<'_> {
    /// Unpacks rows from `first` on into `rows`, as many as it holds; false if there are not so many.
    pub(crate) fn unpack(&self, first: usize, rows: &mut [f32]) -> bool {
        let start = first * self.columns / GROUP;
        let groups = rows.as_chunks_mut::<GROUP>().0;
        let range = start..start + groups.len();
        let (Some(packed), Some(scales)) = (self.packed.get(range.clone()), self.scales.get(range)) else {
            return false;
        };
        for ((group, packed), scale) in groups.iter_mut().zip(packed).zip(scales) {
            let scale = half_to_f32(u16::from_le_bytes(*scale));
            for (pair, byte) in group.as_chunks_mut::<2>().0.iter_mut().zip(packed) {
                *pair = [byte & 15, byte >> 4].map(|nibble| (f32::from(nibble) - 8.0) * scale);
            }
        }
        true
    }
}

/// IEEE half precision to single; exact.
fn half_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7fff);
    let value = match magnitude >> 10 {
        // The bits are a count of 2^-24.
        0 => magnitude as f32 / 16_777_216.0,
        31 => f32::from_bits(0x7f80_0000 | (magnitude << 13)),
        _ => f32::from_bits((magnitude << 13) + (112 << 23)),
    };
    f32::from_bits(value.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_read_exactly() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2f32.powi(-24)),
            (0x0400, 2f32.powi(-14)),
            (0x3555, 0.333_251_95),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half_to_f32(bits), value, "{bits:#x}");
        }
        assert!(half_to_f32(0x7e00).is_nan());
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let good = br#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
        let mut file = (good.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(good);
        assert!(Weights::parse(&file).unwrap().vector("a", 1).is_err());
        file.extend_from_slice(&1f32.to_le_bytes());
        assert_eq!(Weights::parse(&file).unwrap().vector("a", 1).unwrap(), [1.0]);
        assert!(Weights::parse(&file).unwrap().vector("a", 2).is_err());
        assert!(Weights::parse(&file).unwrap().vector("b", 1).is_err());
        assert!(Weights::parse(&file).unwrap().matrix("a", 1, 32).is_err());
        for length in 0..20 {
            assert!(Weights::parse(&file[..length]).is_err());
        }
        assert!(Weights::parse(&[255; 64]).is_err());
    }
}
