//! The undefined bytes of a buffer: never defined since its creation, or since its contents were discarded.
//!
//! Buffers are large and mostly uniform, so whole pages share one mark. Only mixed pages have bits.

use super::memory::{read_number, write_number};
use std::ops::Range;

/// Bytes that have a page together.
const PAGE: usize = 1 << 12;

#[derive(Clone, Debug, Default)]
struct Page {
    /// The state of all bytes, if there are no bits.
    undefined: bool,
    /// The undefined bits of each byte.
    bits: Option<Box<[u8; PAGE]>>,
}

/// The marks of one buffer.
#[derive(Clone, Debug)]
pub struct Marks {
    pages: Vec<Page>,
}

/// Returns one mark for all bits of a byte.
fn whole(undefined: bool) -> u8 {
    if undefined { 0xff } else { 0 }
}

impl Marks {
    /// Returns the marks of a buffer of this size, with all bytes defined.
    pub fn new(bytes: usize) -> Marks {
        Marks { pages: vec![Page::default(); bytes.div_ceil(PAGE)] }
    }

    /// Returns the undefined bits of a number of 1, 2, 4 or 8 bytes.
    pub fn get(&self, at: usize, width: u8) -> u64 {
        let (page, place) = (at / PAGE, at % PAGE);
        let end = place + usize::from(width);
        if end > PAGE {
            return (0..width).map(|i| self.get(at + usize::from(i), 1) << (8 * u32::from(i))).sum();
        }
        let Some(page) = self.pages.get(page) else { return 0 };
        match &page.bits {
            Some(bits) => read_number(bits.get(place..end).unwrap_or(&[]), width),
            None if page.undefined => u64::MAX >> (64 - 8 * u32::from(width).clamp(1, 8)),
            None => 0,
        }
    }

    /// Writes a number with these undefined bits.
    pub fn set(&mut self, at: usize, width: u8, bits: u64) {
        let (page, place) = (at / PAGE, at % PAGE);
        let end = place + usize::from(width);
        if end > PAGE {
            (0..width).for_each(|i| self.set(at + usize::from(i), 1, bits >> (8 * u32::from(i)) & 0xff));
            return;
        }
        let Some(page) = self.pages.get_mut(page) else { return };
        if bits == 0 && !page.undefined && page.bits.is_none() {
            return;
        }
        write_number(page.bits().get_mut(place..end).unwrap_or(&mut []), width, bits);
    }

    /// Marks all bytes of a range in the same way.
    pub fn fill(&mut self, range: Range<usize>, undefined: bool) {
        let last = range.end.div_ceil(PAGE);
        let pages = self.pages.iter_mut().enumerate().take(last).skip(range.start / PAGE);
        for (number, page) in pages {
            let first = number * PAGE;
            let part = range.start.max(first) - first..range.end.min(first + PAGE) - first;
            if part.len() == PAGE {
                *page = Page { undefined, bits: None };
            } else if page.bits.is_none() && page.undefined == undefined {
                continue;
            } else if let Some(bits) = page.bits().get_mut(part) {
                bits.fill(whole(undefined));
            }
        }
    }
}

impl Page {
    fn bits(&mut self) -> &mut [u8; PAGE] {
        let all = whole(self.undefined);
        self.bits.get_or_insert_with(|| Box::new([all; PAGE]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_marks_work_across_page_boundaries() {
        let mut marks = Marks::new(3 * PAGE - 100);
        assert_eq!(marks.get(17, 8), 0);
        marks.fill(10..2 * PAGE + 3, true);
        assert_eq!([marks.get(9, 1), marks.get(9, 2), marks.get(8, 4)], [0, 0xff00, 0xffff_0000]);
        assert_eq!([marks.get(PAGE + 5, 8), marks.get(PAGE - 3, 8)], [u64::MAX; 2]);
        assert_eq!([marks.get(2 * PAGE - 2, 8), marks.get(2 * PAGE + 3, 1)], [0x00ff_ffff_ffff, 0]);
        marks.set(PAGE - 2, 4, 0x0000_0f00);
        assert_eq!([marks.get(PAGE - 3, 1), marks.get(PAGE - 2, 4), marks.get(PAGE + 2, 1)], [0xff, 0x0f00, 0xff]);
        marks.fill(PAGE..2 * PAGE, false);
        assert_eq!([marks.get(PAGE - 2, 4), marks.get(PAGE + 5, 8), marks.get(2 * PAGE, 1)], [0x0f00, 0, 0xff]);
        marks.fill(0..3 * PAGE - 100, false);
        assert!((0..3 * PAGE - 108).all(|at| marks.get(at, 8) == 0));
        // There is nothing to mark after the end.
        marks.set(3 * PAGE, 4, 1);
        assert_eq!(marks.get(3 * PAGE, 4), 0);
    }
}
