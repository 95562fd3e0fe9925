//! Comparison of expectations with the contents of resources: the first difference with its index, expected and actual
//! value.

use super::layout::Leaf;
use crate::device::ImageDesc;
use crate::image_io::Picture;
use crate::numbers::{Number, Scalar, Tolerance};

/// The numbers of one expected structure.
pub(super) type StructRow = Vec<Leaf>;

/// The expected contents of a resource. Sizes have been checked against the resource.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// From the start of the resource; in any order, only the first `numbers.len()` values count.
    Numbers {
        scalar: Scalar,
        numbers: Vec<Number>,
        any_order: bool,
        tolerance: Tolerance,
    },
    /// By index.
    At {
        scalar: Scalar,
        numbers: Vec<(u64, Number)>,
        tolerance: Tolerance,
    },
    Structs {
        rows: Vec<StructRow>,
        stride: usize,
        any_order: bool,
        tolerance: Tolerance,
    },
    Picture {
        desc: ImageDesc,
        picture: Picture,
        max_channel_error: u8,
        max_differing_pixels: u64,
    },
}

/// The description of the first difference.
pub(super) type Difference = String;

impl Test {
    /// Describes the tested values: "8 values of u32".
    pub fn describe(&self) -> String {
        let order = |any: bool| if any { " in any order" } else { "" };
        match self {
            Test::Numbers { scalar, numbers, any_order, .. } => {
                format!("{} of {}{}", counted(numbers.len(), "value"), scalar.name(), order(*any_order))
            }
            Test::At { scalar, numbers, .. } => format!("{} of {}", counted(numbers.len(), "value"), scalar.name()),
            Test::Structs { rows, any_order, .. } => {
                format!("{}{}", counted(rows.len(), "structure"), order(*any_order))
            }
            Test::Picture { picture, .. } => format!("{} x {} texels", picture.width, picture.height),
        }
    }

    /// Compares the expectation with the contents of the resource.
    pub fn check(&self, actual: &[u8]) -> Result<(), Difference> {
        match self {
            Test::Numbers { scalar, numbers, any_order: false, tolerance } => {
                let pairs = numbers.iter().enumerate().map(|(i, n)| (i as u64, *n));
                numbers_at(*scalar, pairs, *tolerance, actual)
            }
            Test::At { scalar, numbers, tolerance } => numbers_at(*scalar, numbers.iter().copied(), *tolerance, actual),
            Test::Numbers { scalar, numbers, any_order: true, .. } => {
                let found = (0..numbers.len()).map(|i| vec![scalar.load(part(actual, i * scalar.size()))]).collect();
                unordered(numbers.iter().map(|n| vec![*n]).collect(), found)
            }
            Test::Structs { rows, stride, any_order: false, tolerance } => structs(rows, *stride, *tolerance, actual),
            Test::Structs { rows, stride, any_order: true, .. } => {
                // All rows have the same leaves, those of the layout.
                let found = rows.iter().enumerate().map(|(i, row)| load_row(row, part(actual, i * stride))).collect();
                unordered(rows.iter().map(|row| row.iter().map(|leaf| leaf.number).collect()).collect(), found)
            }
            Test::Picture { desc, picture, max_channel_error, max_differing_pixels } => {
                let actual = Picture::from_texels(desc.format, desc.picture_size(), desc.picture_texels(actual))?;
                pictures(picture, &actual, *max_channel_error, *max_differing_pixels)
            }
        }
    }
}

/// Formats a count: "1 value", "2 values".
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn part(bytes: &[u8], offset: usize) -> &[u8] {
    bytes.get(offset..).unwrap_or_default()
}

fn load_row(row: &StructRow, bytes: &[u8]) -> Vec<Number> {
    row.iter().map(|leaf| leaf.load(bytes)).collect()
}

fn numbers_at(
    scalar: Scalar,
    expected: impl Iterator<Item = (u64, Number)>,
    tolerance: Tolerance,
    actual: &[u8],
) -> Result<(), Difference> {
    let mut first = None;
    let (mut total, mut differing) = (0, 0);
    for (index, expected) in expected {
        let offset = usize::try_from(index).ok().and_then(|i| i.checked_mul(scalar.size())).unwrap_or(usize::MAX);
        let found = scalar.load(part(actual, offset));
        total += 1;
        if !expected.accepts(found, tolerance) {
            differing += 1;
            let name = scalar.name();
            first.get_or_insert_with(|| format!("{name}[{index}]: expected {expected}, found {found}"));
        }
    }
    finish(first, differing, total, "value")
}

fn finish(first: Option<String>, differing: usize, total: usize, noun: &str) -> Result<(), Difference> {
    match first {
        None => Ok(()),
        Some(first) if total == 1 => Err(first),
        Some(first) => Err(format!("{first} ({differing} of {} differ)", counted(total, noun))),
    }
}

fn structs(rows: &[StructRow], stride: usize, tolerance: Tolerance, actual: &[u8]) -> Result<(), Difference> {
    let mut first = None;
    let mut differing = 0;
    for (index, row) in rows.iter().enumerate() {
        let found = load_row(row, part(actual, index * stride));
        let wrong = row.iter().zip(&found).find(|(leaf, found)| !leaf.number.accepts(**found, tolerance));
        if let Some((leaf, found)) = wrong {
            differing += 1;
            let dot = if leaf.path.is_empty() || leaf.path.starts_with('[') { "" } else { "." };
            first.get_or_insert_with(|| {
                format!("element {index}{dot}{}: expected {}, found {found}", leaf.path, leaf.number)
            });
        }
    }
    finish(first, differing, rows.len(), "element")
}

/// Compares two lists regardless of order. All NaNs are equal here, and so are both zeros.
fn unordered(mut expected: Vec<Vec<Number>>, mut found: Vec<Vec<Number>>) -> Result<(), Difference> {
    let key = |row: &Vec<Number>| row.iter().map(|n| n.class()).collect::<Vec<u64>>();
    expected.sort_by_cached_key(key);
    found.sort_by_cached_key(key);
    let missing = first_without(&expected, &found, key);
    let surplus = first_without(&found, &expected, key);
    let show = |row: &Vec<Number>| {
        let parts: Vec<String> = row.iter().map(Number::to_string).collect();
        if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
    };
    let times = |rows: &[Vec<Number>], row: &Vec<Number>| {
        let wanted = key(row);
        counted(rows.iter().filter(|r| key(r) == wanted).count(), "time")
    };
    let words: Vec<String> = missing
        .into_iter()
        .chain(surplus)
        .map(|row| format!("{}: expected {}, found {}", show(row), times(&expected, row), times(&found, row)))
        .collect();
    if words.is_empty() { Ok(()) } else { Err(words.join("; ")) }
}

/// Returns the first element of `left` that `right` has fewer times; both are sorted by `key`.
fn first_without<'r>(
    left: &'r [Vec<Number>],
    right: &[Vec<Number>],
    key: impl Fn(&Vec<Number>) -> Vec<u64>,
) -> Option<&'r Vec<Number>> {
    let mut others = right.iter().map(&key).peekable();
    left.iter().find(|row| {
        let wanted = key(row);
        while others.peek().is_some_and(|other| *other < wanted) {
            others.next();
        }
        others.next_if_eq(&wanted).is_none()
    })
}

fn pictures(expected: &Picture, actual: &Picture, max_error: u8, max_pixels: u64) -> Result<(), Difference> {
    let mut first = None;
    let (mut differing, mut worst) = (0u64, 0);
    let pairs = expected.rgba.chunks_exact(4).zip(actual.rgba.chunks_exact(4));
    for (index, (wanted, found)) in (0u64..).zip(pairs) {
        let error = wanted.iter().zip(found).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        worst = worst.max(error);
        if error > max_error {
            differing += 1;
            let (x, y) = (index % u64::from(expected.width.max(1)), index / u64::from(expected.width.max(1)));
            first.get_or_insert_with(|| format!("texel ({x}, {y}): expected {wanted:?}, found {found:?}"));
        }
    }
    match first {
        Some(first) if differing > max_pixels => Err(format!(
            "{first} ({differing} texels differ by more than {max_error}, {max_pixels} allowed; the largest error is {worst})"
        )),
        _ => Ok(()),
    }
}
