//! Compares the resources of two runs.
//!
//! Floats agree within a tolerance, integers bit for bit. Byte-address memory has untyped words. Whether differing
//! words of 32 bits may be close floats is a separate question ([`Words`]), for callers with more knowledge.

use crate::execute::{Contents, Ran, Resource};
use crate::fill::scalars;
use half::f16;
use wgc_abi::interface::{BindingKind, Interface};
use wgc_abi::{LayoutScalar, LayoutType};

/// Relative to the larger number: neither compiler reorders, but drivers contract and approximate.
const TOLERANCE: f64 = 2e-3;
/// Smaller numbers use the tolerance of this one: inputs are near 1, and their differences are less exact.
const LEAST: f64 = 1e-2;

/// The type of untyped words of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Integers, by default.
    Integers,
    /// Floats, if both have common magnitudes.
    MayBeFloats,
}

fn near(a: f64, b: f64) -> bool {
    // Infinity is close to no other number: its tolerance would be infinite too.
    let is_close = || (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(LEAST);
    a == b || (a.is_nan() && b.is_nan()) || (a.is_finite() && b.is_finite() && is_close())
}

/// Returns whether two words are close as floats of common magnitudes.
fn near_as_floats(a: &[u8], b: &[u8]) -> bool {
    let (Ok(a), Ok(b)) = (<[u8; 4]>::try_from(a), <[u8; 4]>::try_from(b)) else { return false };
    let (a, b) = (f32::from_le_bytes(a), f32::from_le_bytes(b));
    let usual = |x: f32| x == 0.0 || x.is_nan() || (1e-20..1e20).contains(&x.abs());
    usual(a) && usual(b) && near(f64::from(a), f64::from(b))
}

fn same(of: LayoutScalar, words: Words, a: &[u8], b: &[u8]) -> bool {
    let float = |bytes: &[u8]| match of {
        LayoutScalar::F16 => bytes.try_into().ok().map(|bytes| f16::from_le_bytes(bytes).to_f64()),
        LayoutScalar::F32 => bytes.try_into().ok().map(|bytes| f64::from(f32::from_le_bytes(bytes))),
        LayoutScalar::F64 => bytes.try_into().ok().map(f64::from_le_bytes),
        _ => None,
    };
    match (float(a), float(b)) {
        (Some(a), Some(b)) => near(a, b),
        _ => a == b || (words == Words::MayBeFloats && near_as_floats(a, b)),
    }
}

/// Passes the components of a texel to `note`, and returns its size in bytes. The fourth of three is undefined, because
/// formats have no three.
fn texel(of: LayoutScalar, components: u32, note: &mut dyn FnMut(usize, LayoutScalar)) -> usize {
    let size = of.size() as usize;
    (0..components as usize).for_each(|n| note(n * size, of));
    size * if components == 3 { 4 } else { components as usize }
}

/// Returns offsets and scalars of an element, and the bytes between elements.
fn shape(kind: &BindingKind, contents: &Contents) -> (Vec<(usize, LayoutScalar)>, usize) {
    let mut found = Vec::new();
    let mut note = |at: usize, of: LayoutScalar| found.push((at, of));
    let stride = match kind {
        BindingKind::StorageBuffer { element, stride, .. } => {
            scalars(element, 0, &mut note);
            (*stride).max(1) as usize
        }
        BindingKind::StorageImage { texture } => texel(texture.texel, texture.components, &mut note),
        BindingKind::TexelBuffer { texel: of, components, .. } => texel(*of, *components, &mut note),
        _ => {
            scalars(&LayoutType::Scalar(LayoutScalar::U32), 0, &mut note);
            4
        }
    };
    debug_assert!(!matches!(contents, Contents::Sampler(_)), "a sampler has no contents");
    (found, stride)
}

/// Returns offsets of scalars, the bytes between elements, and the type of the words: only those of a buffer of words
/// may be untyped.
fn of_buffer(kind: &BindingKind, contents: &Contents, words: Words) -> (Vec<(usize, LayoutScalar)>, usize, Words) {
    let (scalars, stride) = shape(kind, contents);
    let untyped =
        matches!(kind, BindingKind::StorageBuffer { element: LayoutType::Scalar(LayoutScalar::U32), stride: 4, .. });
    (scalars, stride, if untyped { words } else { Words::Integers })
}

/// Returns whether a run left all its inputs unchanged.
pub fn is_unchanged(resources: &[Resource], ran: &Ran) -> bool {
    resources.iter().zip(&ran.contents).all(|(before, after)| {
        before.elements.iter().zip(after).all(|(before, after)| match before {
            Contents::StorageBuffer(bytes) | Contents::StorageImage(_, bytes) | Contents::StorageTexels(_, bytes) => {
                bytes == after
            }
            _ => true,
        })
    })
}

/// Describes the first difference.
pub fn difference(interface: &Interface, resources: &[Resource], words: Words, (a, b): (&Ran, &Ran)) -> Option<String> {
    let both = a.contents.iter().zip(&b.contents).zip(interface.bindings.iter().zip(resources));
    for ((a, b), (binding, resource)) in both {
        for (n, (a, b)) in a.iter().zip(b).enumerate() {
            if a == b {
                continue;
            }
            let (scalars, stride, words) = of_buffer(&binding.kind, &resource.elements[n], words);
            for (element, (a, b)) in a.chunks_exact(stride).zip(b.chunks_exact(stride)).enumerate() {
                for &(at, of) in &scalars {
                    let range = at..at + of.size() as usize;
                    let (Some(x), Some(y)) = (a.get(range.clone()), b.get(range)) else { continue };
                    if !same(of, words, x, y) {
                        return Some(format!("{}[{element}] +{at} as {of:?}: {x:02x?}, DXC {y:02x?}", binding.name));
                    }
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_with_a_tolerance_and_integers_are_not() {
        let f = |x: f32| x.to_le_bytes();
        let floats = |a: f32, b: f32| same(LayoutScalar::F32, Words::Integers, &f(a), &f(b));
        assert!(floats(1.0, 1.001) && floats(f32::NAN, -f32::NAN) && floats(0.0, 1e-6));
        assert!(!floats(1.0, 1.01) && !floats(f32::INFINITY, 1.0) && !floats(0.0, 1e-4) && !floats(0.1, 0.101));
        let integers = |words, a: u32, b: u32| same(LayoutScalar::U32, words, &a.to_le_bytes(), &b.to_le_bytes());
        for (a, b) in
            [(5, 6), (0, 0x3a00_0000), (0x8000_0000, 0), (0x3c00_3800, 0x3c00_0000), (0x3f80_0000, 0x3f80_0001)]
        {
            assert!(!integers(Words::Integers, a, b), "{a:x} {b:x}");
        }
        assert!(integers(Words::MayBeFloats, 7_f32.to_bits(), 7.001_f32.to_bits()));
        assert!(!integers(Words::MayBeFloats, 5, 6) && !integers(Words::MayBeFloats, 0, 1_f32.to_bits()));
        let halves = |a: u16, b: u16| same(LayoutScalar::F16, Words::Integers, &a.to_le_bytes(), &b.to_le_bytes());
        assert!(halves(0x3c00, 0x3c01) && !halves(0x3c00, 0x4000));
        let mut noted = Vec::new();
        assert_eq!(texel(LayoutScalar::F32, 3, &mut |at, _| noted.push(at)), 16);
        assert_eq!(noted, [0, 4, 8]);
        assert_eq!(texel(LayoutScalar::U32, 2, &mut |_, _| ()), 8);
        let half = |bits: u16| f16::from_bits(bits).to_f64();
        assert_eq!(half(0x3800), 0.5);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(1), (-24_f64).exp2());
    }
}
